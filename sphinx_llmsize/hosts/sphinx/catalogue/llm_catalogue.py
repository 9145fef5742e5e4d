"""Directive ``llm-catalogue``: models in a table, by lineage, or by their pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import problems
from sphinx_llmsize.hosts.sphinx.catalogue.assets import LIST_CLASS
from sphinx_llmsize.hosts.sphinx.model_directive import ModelDirective
from sphinx_llmsize.html.class_names import PAGE_CLASS
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.model import Model


class LlmCatalogue(ModelDirective):
    """Models with links to the places that show them."""

    def run(self) -> list[nodes.Node]:
        """Return the list, and a notice for each model that cannot be shown."""
        from sphinx_llmsize.hosts.sphinx.catalogue.lists import LISTS
        from sphinx_llmsize.hosts.sphinx.directive_options import CatalogueOptions, from_directive

        try:
            options = from_directive(self, CatalogueOptions)
            models, errors = self._models()
            if not models:
                raise errors.pop(0)
        except ConfigError as error:
            return [problems.report(error, self, named=True)]
        notices = [problems.report(error, self) for error in errors]
        shown = nodes.container("", *LISTS[options.show](self, models))
        shown["classes"] += [PAGE_CLASS, LIST_CLASS, f"{LIST_CLASS}-{options.show.value}"]
        self.set_source_info(shown)
        self.add_name(shown)
        return [*notices, shown]

    def _models(self) -> tuple[list[Model], list[ConfigError]]:
        """The models of the argument and the body, or else of the whole catalogue, and errors."""
        from sphinx_llmsize.hosts.sphinx.catalogue import setting
        from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage

        wanted = setting.names_in(f"{self.argument}\n{self.body}")
        names: tuple[str, ...] = setting.models_in_catalogue(self.env)
        errors: list[ConfigError] = []
        if wanted:
            names, errors = setting.matching(self.env, wanted)
        if not (names or errors):
            hint = _("name models after the directive, or set llmsize_catalogue in conf.py")
            errors.append(ConfigError(_("the catalogue has no models"), Problem.MODEL, hint))
        setting.depend(self.env)
        page, models = SphinxPage(self.env), []
        for name in names:
            try:
                models.append(page.named(name))
            except ConfigError as error:
                errors.append(error)
        return models, errors


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-catalogue", LlmCatalogue)
