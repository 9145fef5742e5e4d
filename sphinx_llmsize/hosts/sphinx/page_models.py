"""Models of a page: selected by a directive, or named in a role, a comparison or a template."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.config.keys.common import MODEL_TYPE
from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import ConfigError, Problem, UnknownModel
from sphinx_llmsize.hosts.sphinx import project_models
from sphinx_llmsize.hosts.sphinx.config_files import inserted_file, source_file
from sphinx_llmsize.make_model import load_file, make_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.sources.preset_files import unknown_model
from sphinx_llmsize.translation import _


class SphinxPage(Page):
    """The page that Sphinx is reading."""

    def __init__(
        self,
        env: BuildEnvironment,
        directive: SphinxDirective | None = None,
        *,
        page_is_complete: bool = True,
    ) -> None:
        """Start with the models that the page has configured so far.

        Args:
            env: the build environment.
            directive: the directive that is being run; required by :meth:`path`.
            page_is_complete: the whole page has been read, so that the error for an unknown name
                is final and may suggest a similar one.
        """
        super().__init__(env.temp_data.setdefault("llmsize_models", {}))
        self.env = env
        self.directive = directive
        self.page_is_complete = page_is_complete

    def path(self, config: str) -> Path:
        """Path of a file within the allowed folders, which becomes a dependency of the page.

        Raises:
            ConfigError: files may not be inserted, or it is outside the allowed folders.
        """
        assert self.directive
        return inserted_file(self.directive, config)

    @property
    def path_hint(self) -> str:
        """Hint that paths are relative to the page or the source directory."""
        return _("a path is relative to the page, or after a / to the source directory")

    def project_model(self, name: str) -> Model | None:
        """The model of ``llmsize_models``; its entry becomes a dependency of the page.

        Raises:
            ConfigError: its configuration cannot be used.
        """
        # cached, since a page may name a model thousands of times
        cache = self.env.temp_data.setdefault("llmsize_models_of_project", {})
        models = cast("dict[str, Model | None]", cache)
        casefolded = name.casefold()
        if casefolded not in models:
            entry = project_models.find_entry(self.env, name)
            models[casefolded] = self._from_entry(*entry) if entry else None
        return models[casefolded]

    def unknown_model_error(self, name: str) -> ConfigError:
        """Error for a name that no model has."""
        if not self.page_is_complete:
            return UnknownModel(name, Problem.MODEL)
        known_names = (*self.names, *project_models.names_for_hint(self.env))
        return unknown_model(name, known_names).with_hint(project_models.missing_folder(self.env))

    def _from_entry(self, name: str, description: project_models.Description) -> Model:
        """The model for an entry of ``llmsize_models``.

        Raises:
            ConfigError: the entry cannot be used.
        """
        if isinstance(description, ConfigError):
            raise description.at()  # a copy, since other pages raise it too
        if isinstance(description, str):
            return load_file(name, source_file(self.env, f"/{description}"), description)
        section = section_of(description)
        # an entry with a model_type is a copied config.json, whose unknown keys are skipped
        return make_model(name, section, is_config_json=MODEL_TYPE.name in description)
