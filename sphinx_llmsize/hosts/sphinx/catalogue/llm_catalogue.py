"""Directive ``llm-catalogue``: models in a table, by lineage, or by their pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import problems
from sphinx_llmsize.hosts.sphinx.catalogue import setting
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_assets import LIST_CLASS
from sphinx_llmsize.hosts.sphinx.model_directive import ModelDirective
from sphinx_llmsize.html.class_names import OUTPUT_CLASS
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.model import Model


class LlmCatalogue(ModelDirective):
    """A list of models with links to the pages that show them."""

    def output(self) -> list[nodes.Node]:
        """The list, below a notice for each model that cannot be shown."""
        # imported here, so that projects without the directive start faster
        from sphinx_llmsize.directives.misplaced import refuse_options
        from sphinx_llmsize.hosts.sphinx.catalogue.lists import LISTS
        from sphinx_llmsize.hosts.sphinx.directive_options import CatalogueOptions, from_directive
        from sphinx_llmsize.views.option_declarations import options_of

        options = from_directive(self, CatalogueOptions)
        refuse_options(self.content, options_of(CatalogueOptions))
        models, errors = self._models()
        if not models:
            raise errors[0]
        notices = [problems.report(error, self) for error in errors]
        make_list = LISTS[options.show]
        output = nodes.container("", *make_list(self, models))
        output["classes"] += [OUTPUT_CLASS, LIST_CLASS, f"{LIST_CLASS}-{options.show.value}"]
        self.set_source_info(output)
        self.add_name(output)
        return [*notices, output]

    def _models(self) -> tuple[list[Model], list[ConfigError]]:
        """The models, and an error for each that cannot be shown."""
        from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage

        names, errors = self._names()
        page, models = SphinxPage(self.env), []
        for name in names:
            try:
                models.append(page.find_model(name))
            except ConfigError as error:
                errors.append(error)
        return models, errors

    def _names(self) -> tuple[list[str], list[ConfigError]]:
        """Names of the models in the argument and the body, or else of the whole catalogue.

        Also returns an error for each name or pattern that selects none.
        """
        setting.depend(self.env)
        lines = [(None, self.argument), *enumerate(self.content)]
        if not any(text.strip() for _number, text in lines):
            names = setting.models_in_catalogue(self.env)
            return list(names), ([] if names else [_no_models_error()])
        selection: dict[str, None] = {}  # keys only: a set in order
        errors: list[ConfigError] = []
        for number, text in lines:
            names, line_errors = setting.select_models(self.env, setting.names_in(text))
            selection |= dict.fromkeys(names)
            if number is not None:
                line_errors = [error.at(line=number) for error in line_errors]
            errors += line_errors
        return list(selection), errors


def _no_models_error() -> ConfigError:
    """Error for a directive without names in a project without a catalogue."""
    hint = _("name models after the directive, or set llmsize_catalogue in conf.py")
    return ConfigError(_("the catalogue has no models"), Problem.MODEL, hint)


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-catalogue", LlmCatalogue)
