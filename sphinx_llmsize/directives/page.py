"""A page's models: presets, configuration files, and models configured in the page's markers."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from sphinx_llmsize.changes.changed import changed
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.model import Model, from_file, named_model, released
from sphinx_llmsize.model_errors import defined_twice
from sphinx_llmsize.sources.files import unreadable
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.sources.number_text import NumberText, parse_model
from sphinx_llmsize.sources.presets import find_preset, unknown_model
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _


@dataclass(frozen=True)
class Page:
    """Models by which the regions of a file can refer to each other.

    Attributes:
        folder: folder of the file, to which paths are relative.
        models: models configured in the file, by lower-case name.
    """

    folder: Path
    models: dict[str, Model] = field(default_factory=dict)

    def named(self, name: str, changes: Section | None = None) -> Model:
        """The model of a name, with some keys changed.

        Raises:
            UnknownModel: no model has this name.
            ConfigError: a change cannot be used.
        """
        name = printable(name)
        own = self.models.get(name.casefold())
        if not own and not find_preset(name):
            raise unknown_model(name, tuple(model.name for model in self.models.values()))
        found = own or released(name)
        return changed(found, changes) if changes else found

    def numbered(self, wanted: NumberText) -> Model:
        """The model of a number."""
        return self.named(wanted.model, wanted.changes)

    def selected(self, name: str, body: str, config: str) -> Model:
        """The model that a name, a configuration and the path of one select together.

        Raises:
            ConfigError: they select none, or the configuration cannot be used; errors in the body
                have its line, and no file.
        """
        name = printable(name)
        if config:
            model = self._from_file(name, config)
            return changed(model, read_text(body)) if body.strip() else model
        if body.strip():
            if find_preset(name):
                return changed(released(name), read_text(body))
            return named_model(name, read_text(body))
        if name:
            return self.named(*(parse_model(name) if "?" in name else (name,)))
        raise ConfigError(
            _("neither a model's name nor a configuration"),
            Problem.MODEL,
            _("write a name such as llama-7b, or a configuration below"),
        )

    def define(self, model: Model) -> None:
        """Let the rest of the file refer to a model by its name.

        Raises:
            ConfigError: another model of the file has this name.
        """
        if self.models.setdefault(model.name.casefold(), model).config != model.config:
            raise defined_twice(model.name)

    def _from_file(self, name: str, config: str) -> Model:
        if "://" in config:
            hint = _("download it, and write its path")
            raise unreadable(config, _("it is a URL"), hint).at(option="config")
        path = Path(os.path.normpath(self.folder / config))
        try:
            return from_file(name or path.stem, path)
        except ConfigError as error:
            if not (error.hint or os.path.lexists(path)):
                error = error.hinting(_("a path is relative to the Markdown file"))
            raise error.at(option="config") from None
