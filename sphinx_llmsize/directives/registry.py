"""Directives of all hosts: each is a function from a page and a call to blocks.

To add a directive, write its function and add its line to :data:`DIRECTIVES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sphinx_llmsize.blocks import Block, Document, Table
from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.options import (
    CompareOptions,
    DiffOptions,
    ShowOptions,
    SizeOptions,
    read,
)
from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.interactive.document import interactive_document
from sphinx_llmsize.interactive.source import Source, source_of
from sphinx_llmsize.model import Model
from sphinx_llmsize.model_errors import unexpected_total
from sphinx_llmsize.sources.comparison_text import (
    ComparisonLine,
    UndisclosedModel,
    comparison_lines,
)
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views import document
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row, stated_row
from sphinx_llmsize.views.comparison.side_by_side import side_by_side
from sphinx_llmsize.views.difference.difference_view import differences


def size(page: Page, call: Call) -> Document:
    """Views of one model.

    Raises:
        ConfigError: the model, an option or ``expect`` is wrong.
    """
    options = read(call.options, SizeOptions)
    model = page.select_model(call.argument, call.body, options.config)
    return model_document(model, options, source_of(model, call.options))


def model_document(model: Model, options: ShowOptions, source: Source | None = None) -> Document:
    """The views of a model that the options select; ``source`` is that of the directive.

    Raises:
        ConfigError: an option doesn't fit the model, which may have another total than expected.
    """
    hint = _("correct expect or the text that relies on it")
    if error := unexpected_total(model, options.expect, hint):
        raise error
    blocks = _captioned(document(model, options.show, options.view), options.caption)
    if options.interactive:
        source = source or source_of(model, {"show": ", ".join(options.show)})
        return interactive_document(model, options.show, options.view, source, options.caption)
    return blocks


def compare(page: Page, call: Call) -> Document:
    """Several models in a table or charts.

    Raises:
        ConfigError: a model or an option is wrong.
    """
    options = read(call.options, CompareOptions)
    lines = compared_lines(call.argument, call.body)
    return comparison_document([row(page, line) for line in lines], options)


def comparison_document(rows: Sequence[ComparedRow], options: CompareOptions) -> Document:
    """The views of several models that the options select.

    Raises:
        ConfigError: an option doesn't fit the models.
    """
    views = side_by_side(rows, options.show, options.comparison)
    if views.left_out:
        raise views.left_out[0]
    return _captioned(views.blocks, options.caption)


def diff(page: Page, call: Call) -> Document:
    """The changes from one model to another, with their costs.

    Raises:
        ConfigError: there are not two models, or a model or an option is wrong.
    """
    options = read(call.options, DiffOptions)
    return difference_document(*two_models(page, call.argument, call.body), options)


def difference_document(one: Model, other: Model, options: DiffOptions) -> Document:
    """The views of two models' difference that the options select.

    Raises:
        ConfigError: an option doesn't fit the models.
    """
    blocks = differences(one, other, options.show, options.difference)
    return _captioned(blocks, options.caption)


@dataclass(frozen=True)
class Directive:
    """A directive; calling it returns its blocks.

    Attributes:
        run: its function, from a page and a call to blocks.
        options: dataclass that declares its options.
        help: what it shows.
    """

    run: Callable[[Page, Call], Document]
    options: type
    help: str

    def __call__(self, page: Page, call: Call) -> Document:
        """The blocks of a call; raises what its function raises."""
        return self.run(page, call)


DIRECTIVES: dict[str, Directive] = {
    "llm-size": Directive(size, SizeOptions, "Views of a language model."),
    "llm-compare": Directive(compare, CompareOptions, "Language models side by side."),
    "llm-diff": Directive(diff, DiffOptions, "Differences of two language models."),
}
"""The directives by name."""


def define(page: Page, call: Call) -> None:
    """Define the model that a call of ``llm-size`` configures, for the rest of the page.

    Raises:
        ConfigError: the model or an option is wrong.
    """
    if call.directive != "llm-size" or not (call.body.strip() or "config" in call.options):
        return
    model: Model = page.select_model(call.argument, call.body, call.options.get("config", ""))
    if call.argument and not (model.preset or model.changes):
        page.define(model)


def compared_lines(argument: str, body: str) -> tuple[ComparisonLine, ...]:
    """The models of ``llm-compare``, separated by commas or on a line each.

    Raises:
        ConfigError: there are none, or too many.
    """
    lines = _lines(argument, body)
    if not lines:
        hint = _("write their names, one a line, or after the directive with commas between")
        raise ConfigError(_("no models to compare"), Problem.MODEL, hint)
    return lines


def _lines(argument: str, body: str) -> tuple[ComparisonLine, ...]:
    return (*comparison_lines(argument, is_body=False), *comparison_lines(body))


def row(page: Page, line: ComparisonLine) -> ComparedRow:
    """The model of a line of ``llm-compare``.

    Raises:
        ConfigError: it cannot be used; the error's line is the one that names the model, not one
            in the model's file or within braces.
    """
    try:
        parsed = line.parse()
        if isinstance(parsed, UndisclosedModel):
            return stated_row(parsed.name, parsed.entries, line.number)
        return model_row(page.model_of_number(parsed))
    except ConfigError as error:
        raise ConfigError(error.message, error.problem, error.hint, line.number) from None


def two_models(page: Page, argument: str, body: str) -> tuple[Model, Model]:
    """The two models of ``llm-diff``, separated by a comma or on a line each.

    Raises:
        ConfigError: there are more or fewer, or one of them has no public configuration.
    """
    lines = _lines(argument, body)
    if len(lines) != 2:  # noqa: PLR2004 - two models
        message = ngettext("{n} model", "{n} models", len(lines), n=len(lines))
        hint = _("write two, with a comma between: {example}", example="llama-2-7b, llama-3-8b")
        raise ConfigError(message, Problem.MODEL, hint)
    found = [row(page, line) for line in lines]
    for each, line in zip(found, lines, strict=True):
        if each.model is None:
            message = _("{name} has no public configuration", name=each.name)
            hint = _("llm-compare also shows such models")
            raise ConfigError(message, Problem.MODEL, hint, line.number)
    one, other = (each.model for each in found if each.model)
    return one, other


def _captioned(blocks: Document, caption: str) -> Document:
    """The blocks with the author's caption for the first table."""
    if not caption:
        return blocks
    tables = [position for position, block in enumerate(blocks) if isinstance(block, Table)]
    if not tables:
        hint = _("show the table too, or remove the caption")
        message = _("nothing here takes a caption")
        raise ConfigError(message, Problem.OPTION, hint, option="caption")
    captioned: list[Block] = list(blocks)
    first = captioned[tables[0]]
    assert isinstance(first, Table)
    captioned[tables[0]] = replace(first, caption=(caption,), label="")
    return tuple(captioned)
