"""A page's models: presets, configuration files, and models configured on the page."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path

from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.make_model import load_file, load_preset, make_own_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.model_errors import defined_twice
from sphinx_llmsize.sources.files import is_within, unreadable
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.sources.number_text import NumberText, parse_model
from sphinx_llmsize.sources.presets import find_preset, unknown_model
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _


class Page(ABC):
    """Models to which a page's directives and numbers can refer.

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
        """Names of the models configured on the page, as written."""
        return tuple(model.name for model in self.models.values())

    def unknown(self, name: str) -> ConfigError:
        """Error, of type UnknownModel, for a name that no model has."""
        return unknown_model(name, self.names)

    def find_model(self, name: str, changes: Section | None = None) -> Model:
        """Find the model of a name, on the page, in the project or a preset, with changes applied.

        Raises:
            UnknownModel: no model has this name.
            ConfigError: its configuration or a change cannot be used.
        """
        name = printable(name)
        found = self.models.get(name.casefold()) or self._shared(name)
        if not found:
            raise self.unknown(name)
        return apply_changes(found, changes) if changes else found

    def model_of_number(self, wanted: NumberText) -> Model:
        """The model that the text of a number names."""
        return self.find_model(wanted.model, wanted.changes)

    def select_model(self, name: str, body: str, config: str) -> Model:
        """The model that a directive's argument, body and option ``config`` select together.

        Raises:
            ConfigError: they select none, or the configuration cannot be used; errors in the body
                have its line, and no file.
        """
        name = printable(name)
        if config:
            model = self._from_file(name, config)
            return apply_changes(model, read_text(body)) if body.strip() else model
        if body.strip():
            return self._from_body(name, body)
        if name:
            known, changes = parse_model(name) if "?" in name else (name, None)
            return self.find_model(known, changes)
        raise ConfigError(
            _("neither a model's name nor a configuration"),
            Problem.MODEL,
            _("write a name such as llama-7b after the directive, or a configuration below it"),
        )

    def define(self, model: Model) -> None:
        """Let the rest of the page refer to a model by its name.

        Raises:
            ConfigError: another model of the page has this name.
        """
        if self.models.setdefault(model.name.casefold(), model).config != model.config:
            raise defined_twice(model.name)

    def _shared(self, name: str) -> Model | None:
        """The project's model of this name, else the preset; None if there is neither."""
        if own := self.project_model(name):
            return own
        return load_preset(name) if find_preset(name) else None

    def _from_file(self, name: str, config: str) -> Model:
        """The model of a configuration file, called like the file unless it has a name."""
        try:
            path = self.path(config)
        except ConfigError as error:
            raise error.at(option="config") from None
        try:
            return load_file(name or path.stem, path, config)
        except ConfigError as error:
            if not (error.hint or os.path.lexists(path)):
                error = error.with_hint(self.path_hint)
            raise error.at(option="config") from None

    def _from_body(self, name: str, body: str) -> Model:
        """A model configured by the body, or a known model with the body's keys changed."""
        section = read_text(body)
        if known := self._shared(name):
            return apply_changes(known, section)
        try:
            return make_own_model(name, section)
        except ConfigError as error:
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
        """Path of a file inside the page's folder or the current one, which is the project's.

        Raises:
            ConfigError: it is a URL, or outside of both folders.
        """
        if "://" in config:
            raise unreadable(config, _("it is a URL"), _("download it, and write its path"))
        if "\0" in config:
            raise unreadable(config, _("it is no path"))
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
