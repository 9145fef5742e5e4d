"""One use of the directive: from what an author wrote to a model, and to nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.hosts.sphinx import directive_options, locate, page_models, problems, shared
from sphinx_llmsize.hosts.sphinx.config_files import inserted_file
from sphinx_llmsize.hosts.sphinx.page import Page
from sphinx_llmsize.model import Model, changed, described, from_file, released
from sphinx_llmsize.sources.presets import find_preset, preset_names
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective


@dataclass(frozen=True)
class Use:
    """A directive that is being run."""

    directive: SphinxDirective

    def run(self) -> list[nodes.Node]:
        """What the author asked for, or a notice in its place; a mistake is never fatal."""
        try:
            wanted = directive_options.of(self.directive, directive_options.SizeOptions)
            model = self._model(wanted)
            blocks = shared.shown(self.directive.env, model, wanted.show, wanted.view)
            shown = Page(self.directive, blocks, wanted).build()
        except ConfigError as error:
            problems.warn(error, self._location(error))
            return [problems.named_notice(error, self.directive)]
        return [*self._name(model), *self._check_total(model, wanted), *shown]

    def _model(self, wanted: directive_options.SizeOptions) -> Model:
        argument = "".join(self.directive.arguments)
        _refuse_body_in(argument)
        name = printable(" ".join(argument.split()))
        body = "\n".join(self.directive.content)
        if wanted.config:
            model = self._from_file(name, wanted.config)
            return changed(model, read_text(body)) if body.strip() else model
        if body.strip():
            return self._from_body(name, body)
        if name:
            return page_models.named(self.directive.env, name)
        raise ConfigError(
            _("neither a model's name nor a configuration"),
            Problem.MODEL,
            hint=_(
                "write a name such as llama-7b after the directive, or a configuration below it"
            ),
        )

    def _from_body(self, name: str, body: str) -> Model:
        section = read_text(body)
        if base := page_models.of_project(self.directive.env, name):
            return changed(base, section)
        if find_preset(name):
            return changed(released(name), section)
        try:
            return described(name or "model", section)
        except ConfigError as error:
            incomplete = error.problem is Problem.MISSING
            if incomplete and page_models.is_on_page(self.directive.env, name):
                raise page_models.defined_twice(name) from None
            # a slip in a preset's name makes its few changed keys look like a whole model
            near = did_you_mean(name, preset_names()) if incomplete else ""
            raise error.hinting(near) from None

    def _from_file(self, name: str, config: str) -> Model:
        try:
            path = inserted_file(self.directive, config)
            return from_file(name or path.stem, path)
        except ConfigError as error:
            raise error.at(option="config") from None

    def _name(self, model: Model) -> list[nodes.Node]:
        """Let roles on the page name a model of its own."""
        if model.preset or model.changes or not self.directive.arguments:
            return []
        try:
            page_models.define(self.directive.env, model.name, model)
        except ConfigError as error:
            return [self._report(error)]
        return []

    def _check_total(self, model: Model, wanted: directive_options.SizeOptions) -> list[nodes.Node]:
        if wanted.expect in (None, model.total):
            return []
        message = _(
            "{name} has {total} parameters, not {expect}",
            name=model.name,
            total=thousands(model.total),
            expect=wanted.expect,
        )
        hint = _("correct :expect:, or what is said about the model")
        return [self._report(ConfigError(message, Problem.EXPECT, hint, option="expect"))]

    def _report(self, error: ConfigError) -> nodes.Node:
        problems.warn(error, self._location(error))
        return problems.notice(error)

    def _location(self, error: ConfigError) -> locate.Location:
        if error.file and error.line is not None:
            return error.file, error.line + 1
        return locate.mistake(self.directive, error)


def _refuse_body_in(argument: str) -> None:
    """What stands right below the name belongs to it, as docutils reads a page."""
    if any(":" in line for line in argument.split("\n")[1:]):
        raise ConfigError(
            _("a configuration or an option is taken for part of the name"),
            Problem.SYNTAX,
            _("leave a blank line before a configuration, and write options as ':show: table'"),
        )
