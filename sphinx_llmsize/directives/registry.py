"""Directives: each is a function that takes a page and a call and returns blocks.

To add a directive, write its function and add its line to :data:`DIRECTIVES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sphinx_llmsize.blocks import Document, Table, with_caption
from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.caption import with_numbers_in_caption
from sphinx_llmsize.directives.options import (
    CompareOptions,
    DiffOptions,
    ShowOptions,
    SizeOptions,
    read_call_options,
)
from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.interactive.directive_source import Source, source_of
from sphinx_llmsize.interactive.document import interactive_document
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.model import Model
from sphinx_llmsize.model_errors import not_two_models, unexpected_total
from sphinx_llmsize.sources.comparison_text import (
    ComparisonLine,
    comparison_lines,
)
from sphinx_llmsize.sources.known_values import UndisclosedModel
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import document
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row, stated_row
from sphinx_llmsize.views.comparison.side_by_side import side_by_side
from sphinx_llmsize.views.difference.difference_view import difference_blocks


def size(page: Page, call: Call) -> Document:
    """Blocks of ``llm-size``: views of one model.

    Raises:
        ConfigError: the model or an option is wrong, or the total isn't the expected one.
    """
    options = with_numbers_in_caption(read_call_options(call.options, SizeOptions), page)
    model = page.select_model(call.argument, call.body, options.config)
    return model_document(model, options, source_of(model, call.options))


def model_document(model: Model, options: ShowOptions, source: Source | None = None) -> Document:
    """The views of a model that the options select.

    Args:
        model: the model.
        options: the options.
        source: directive that readers of an interactive page can copy; by default one with the
            model and the option ``show``.

    Raises:
        ConfigError: an option doesn't fit the model, or the total isn't the expected one.
    """
    hint = _("correct expect or the text that relies on it")
    if error := unexpected_total(model, options.expect, hint):
        raise error
    views = options.view_options
    if not options.interactive:
        return _captioned(document(model, options.show, views), options.caption)
    source = source or source_of(model, {"show": ", ".join(options.show)})
    blocks = interactive_document(model, options.show, views, source, options.caption)
    _check_caption(blocks, options.caption)
    return blocks


def compare(page: Page, call: Call) -> Document:
    """Blocks of ``llm-compare``: several models in a table or charts.

    Raises:
        ConfigError: a model or an option is wrong.
    """
    options = with_numbers_in_caption(read_call_options(call.options, CompareOptions), page)
    lines = compared_lines(call.argument, call.body)
    return comparison_document([compared_row(page, line) for line in lines], options)


def comparison_document(rows: Sequence[ComparedRow], options: CompareOptions) -> Document:
    """The views of several models that the options select.

    Raises:
        ConfigError: an option doesn't fit the models.
    """
    views = side_by_side(rows, options.show, options.comparison_options)
    if views.errors:
        raise views.errors[0]
    return _captioned(views.blocks, options.caption)


def diff(page: Page, call: Call) -> Document:
    """Blocks of ``llm-diff``: the changes from one model to another, with their costs.

    Raises:
        ConfigError: there are not two models, or a model or an option is wrong.
    """
    options = with_numbers_in_caption(read_call_options(call.options, DiffOptions), page)
    return difference_document(*two_models(page, call.argument, call.body), options)


def difference_document(one: Model, other: Model, options: DiffOptions) -> Document:
    """The views of two models' difference that the options select.

    Raises:
        ConfigError: an option doesn't fit the models.
    """
    blocks = difference_blocks(one, other, options.show, options.difference_options)
    return _captioned(blocks, options.caption)


@dataclass(frozen=True)
class Directive:
    """A directive.

    Attributes:
        run: function that takes a page and a call and returns blocks; raises ConfigError.
        options: dataclass that declares the options.
        help: description of the output.
    """

    run: Callable[[Page, Call], Document]
    options: type
    help: str


DIRECTIVES: dict[str, Directive] = {
    "llm-size": Directive(size, SizeOptions, "Views of a language model."),
    "llm-compare": Directive(compare, CompareOptions, "Language models side by side."),
    "llm-diff": Directive(diff, DiffOptions, "Differences of two language models."),
}
"""The directives by name."""


@only_config_errors()
def define_model(page: Page, call: Call) -> None:
    """Define the model that a call configures, so that the rest of the page can refer to it.

    Calls of other directives than ``llm-size``, and calls without a name or with a changed preset
    define none.

    Raises:
        ConfigError: the model cannot be used, or another one of the page has its name.
    """
    has_configuration = bool(call.body.strip()) or "config" in call.options
    if call.directive != "llm-size" or not has_configuration:
        return
    model = page.select_model(call.argument, call.body, call.options.get("config", ""))
    if call.argument and not (model.preset or model.changes):
        page.define(model)


def compared_lines(argument: str, body: str) -> tuple[ComparisonLine, ...]:
    """The models of ``llm-compare``, those of its argument first.

    In the argument and the body, models are separated by commas or on a line each.

    Raises:
        ConfigError: there are none, or too many.
    """
    lines = _listed_models(argument, body)
    if not lines:
        hint = _("write their names, one a line, or after the directive with commas between")
        raise ConfigError(_("no models to compare"), Problem.MODEL, hint)
    return lines


def _listed_models(argument: str, body: str) -> tuple[ComparisonLine, ...]:
    """The models that a directive's argument and body list, those of the argument first."""
    return (*comparison_lines(argument, is_body=False), *comparison_lines(body))


def compared_row(page: Page, line: ComparisonLine) -> ComparedRow:
    """The row of the model that a line of ``llm-compare`` or ``llm-diff`` names.

    Raises:
        ConfigError: the model cannot be used; the error's line is always the one with the model's
            name, even if the mistake is in the model's file or below, within its braces.
    """
    try:
        parsed = line.parse()
        if isinstance(parsed, UndisclosedModel):
            return stated_row(parsed.name, parsed.entries, line.number)
        return model_row(page.model_of_number(parsed))
    except ConfigError as error:
        raise error.replace(line=line.number, file="") from None


def two_models(page: Page, argument: str, body: str) -> tuple[Model, Model]:
    """The two models of ``llm-diff``, separated by a comma or on a line each.

    Raises:
        ConfigError: there are more or fewer, or one of them has no public configuration.
    """
    lines = _listed_models(argument, body)
    if len(lines) != 2:  # noqa: PLR2004 - two models
        raise not_two_models(len(lines), "llama-2-7b, llama-3-8b")
    rows = [compared_row(page, line) for line in lines]
    one, other = (_public_model(*each) for each in zip(rows, lines, strict=True))
    return one, other


def _public_model(row: ComparedRow, line: ComparisonLine) -> Model:
    """The model of a row; raises ConfigError, at the line, if only its size is known."""
    if row.model is None:
        message = _("{name} has no public configuration", name=row.name)
        hint = _("llm-compare also shows such models")
        raise ConfigError(message, Problem.MODEL, hint, line.number)
    return row.model


def _captioned(blocks: Document, caption: str) -> Document:
    """The blocks with the author's caption; raises ConfigError if no table can have it."""
    _check_caption(blocks, caption)
    return with_caption(blocks, caption)


def _check_caption(blocks: Document, caption: str) -> None:
    """Raise ConfigError if there is a caption but no table."""
    if caption and not any(isinstance(block, Table) for block in blocks):
        hint = _("show the table too, or remove the caption")
        message = _("nothing here takes a caption")
        raise ConfigError(message, Problem.OPTION, hint, option="caption")
