"""A page's models: presets, configuration files, and models configured on the page."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path

from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.directives.misplaced import refuse_options_in_name
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.make_model import load_file, load_preset, make_own_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.model_errors import defined_twice
from sphinx_llmsize.sources.files import is_within, unreadable
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.sources.number_text import NumberText, parse_model
from sphinx_llmsize.sources.preset_files import find_preset, unknown_model
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _


class Page(ABC):
    """The models that directives and numbers of a page can refer to by name.

    Attributes:
        models: models configured on the page, by lower-case name.
    """

    def __init__(self, models: dict[str, Model] | None = None) -> None:
        self.models: dict[str, Model] = {} if models is None else models

    @abstractmethod
    def path(self, config: str) -> Path:
        """Path of the file that the option ``config`` names.

        Raises:
            ConfigError: the page may not read it.
        """

    @property
    @abstractmethod
    def path_hint(self) -> str:
        """Hint for a missing file: the folder to which paths are relative."""

    def project_model(self, name: str) -> Model | None:
        """The project's model of this name, in hosts that have project-wide models."""
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models configured on the page, in the author's spelling."""
        return tuple(model.name for model in self.models.values())

    def unknown_model_error(self, name: str) -> ConfigError:
        """Error, of type UnknownModel, for a name that no model has."""
        return unknown_model(name, self.names)

    def find_model(self, name: str, changes: Section | None = None) -> Model:
        """Find a model by its name: one of the page, else of the project, else a preset.

        Args:
            name: name of the model, in any case.
            changes: keys to change in its configuration, with their new values.

        Raises:
            UnknownModel: no model has this name.
            ConfigError: its configuration or a change cannot be used.
        """
        name = printable(name)
        model = self.models.get(name.casefold()) or self._project_model_or_preset(name)
        if not model:
            refuse_options_in_name(name)
            raise self.unknown_model_error(name)
        return apply_changes(model, changes) if changes else model

    def model_of_number(self, number: NumberText) -> Model:
        """The model that the text of a number names, as :meth:`find_model`."""
        return self.find_model(number.model, number.changes)

    def select_model(self, name: str, body: str, config: str) -> Model:
        """The model that a directive's argument, body and option ``config`` select together.

        Raises:
            ConfigError: they select none, or the configuration cannot be used; errors in the body
                have its line, and no file.
        """
        name = printable(name)
        refuse_options_in_name(name)
        if config:
            model = self._model_of_file(name, config)
            return apply_changes(model, read_text(body)) if body.strip() else model
        if body.strip():
            return self._model_of_body(name, body)
        if "?" in name:
            return self.find_model(*parse_model(name))
        if name:
            return self.find_model(name)
        raise ConfigError(
            _("neither a model's name nor a configuration"),
            Problem.MODEL,
            _("write a name such as llama-7b after the directive, or a configuration below it"),
        )

    def define(self, model: Model) -> None:
        """Let the rest of the page refer to a model by its name.

        Raises:
            ConfigError: a model of the page with another configuration has this name.
        """
        defined = self.models.setdefault(model.name.casefold(), model)
        if defined.config != model.config:
            raise defined_twice(model.name)

    def _project_model_or_preset(self, name: str) -> Model | None:
        """The project's model of this name, else the preset; None if there is neither."""
        if model := self.project_model(name):
            return model
        return load_preset(name) if find_preset(name) else None

    def _model_of_file(self, name: str, config: str) -> Model:
        """The model that a configuration file describes.

        Args:
            name: display name; if empty, the file's name without its extension.
            config: path, as the option ``config`` states it.

        Raises:
            ConfigError: the file or the configuration cannot be used.
        """
        try:
            path = self.path(config)
        except ConfigError as error:
            raise error.at(option="config") from None
        try:
            return load_file(name or path.stem, path, config)
        except ConfigError as error:
            if not error.hint and not os.path.lexists(path):
                error = error.with_hint(self.path_hint)
            raise error.at(option="config") from None

    def _model_of_body(self, name: str, body: str) -> Model:
        """A model configured by the body, or a known model with the body's keys changed.

        Raises:
            ConfigError: the configuration cannot be used.
        """
        section = read_text(body)
        if known := self._project_model_or_preset(name):
            return apply_changes(known, section)
        try:
            return make_own_model(name, section)
        except ConfigError as error:
            # keys are missing: the author wants to change the page's model of this name
            if error.problem is Problem.MISSING and name.casefold() in self.models:
                raise defined_twice(name) from None
            raise


class MarkdownPage(Page):
    """A Markdown file; paths are relative to it.

    Attributes:
        folder: folder of the file.
        models: models configured in the file, by lower-case name.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def path(self, config: str) -> Path:
        """Path of a file, which must be inside the page's folder or the current folder.

        Raises:
            ConfigError: it is a URL, no valid path, or outside of both folders.
        """
        if "://" in config:
            raise unreadable(config, _("it is a URL"), _("download it, and write its path"))
        if "\0" in config:
            raise unreadable(config, _("it contains a null character"))
        path = Path(os.path.normpath(self.folder / config))
        target = os.path.realpath(path)
        if not any(is_within(target, os.path.realpath(each)) for each in (self.folder, ".")):
            hint = _("move it inside, or start from a folder that contains both")
            raise unreadable(config, _("it is outside the project"), hint)
        return path

    @property
    def path_hint(self) -> str:
        """Hint that paths are relative to the Markdown file."""
        return _("a path is relative to the Markdown file")
