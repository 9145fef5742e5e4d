"""Views that compare several models: each is a function from rows to blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sphinx_llmsize.blocks import Block, Document, Note, with_ids
from sphinx_llmsize.charts import Scale
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import (
    ChosenColumn,
    Labels,
    read_columns,
    read_labels,
)
from sphinx_llmsize.views.comparison.compared_columns import (
    impossible_cells,
    sort_error,
    stated_errors,
    usable_columns,
)
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, models_of, sort_rows
from sphinx_llmsize.views.comparison.comparison import comparison
from sphinx_llmsize.views.comparison.composition import compositions
from sphinx_llmsize.views.label_errors import label_errors
from sphinx_llmsize.views.option_declarations import choice, option
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.wording import in_sentence


@dataclass(frozen=True)
class ComparisonOptions:
    """Values of the options that change the content of a comparison."""

    columns: tuple[ChosenColumn, ...] = option(
        (),
        read_columns,
        "columns",
        "Columns of the table: numbers as in the role llm-size, or keys of the configuration, each "
        "with a heading of your own in quotes if you like. "
        "By default sizes and the total; key/value heads and active parameters only if they differ "
        "from attention heads and the total.",
        example='hidden_dim "Dimensions", total:words "Parameters", mlp:share, kv_cache:8192',
    )
    sort: str = option(
        "",
        str,
        "column",
        "Column to sort by, with a minus for descending order. Unknown numbers come last.",
        example="-total",
    )
    scale: Scale | None = choice(
        Scale,
        "Length of the bars of the composition: parameters, linear or logarithmic, or shares. "
        "By default parameters, or shares if parameters make a bar too short to see.",
    )
    labels: Labels = option(
        (),
        read_labels,
        "id: label, id: label …",
        "Labels of your own for the components of the composition. A label with a colon in it is "
        "in quotes.",
        example='feed_forward: MLP, embedding: "Vocabulary"',
    )


def _change_notes(rows: Sequence[ComparedRow]) -> Iterator[Note]:
    """A note for each remark on the changes to a model."""
    for row in rows:
        notes = change_notes(row.model) if row.model else ()
        for note in notes:
            yield Note((_("{model}: {note}", model=row.name, note=in_sentence(note)),))


def _table(
    rows: Sequence[ComparedRow], options: ComparisonOptions, names_models: bool
) -> tuple[Block, ...]:
    """The table of the models with its notes."""
    blocks = comparison(rows, options.columns, names_models=names_models)
    return (*blocks, *_change_notes(rows))


def _composition(
    rows: Sequence[ComparedRow], options: ComparisonOptions, names_models: bool
) -> tuple[Block, ...]:
    """The chart of the models' parameters with its table."""
    return compositions(rows, options.scale, options.labels, names_models=names_models)


ComparisonView = Callable[[Sequence[ComparedRow], ComparisonOptions, bool], tuple[Block, ...]]
"""Function of a view; the last argument is whether its caption names the models."""
COMPARISONS: dict[str, ComparisonView] = {"table": _table, "composition": _composition}
"""The views by name."""
DEFAULT_COMPARISONS = ("table",)
"""Views of ``llm-compare`` without ``:show:``."""


@dataclass(frozen=True)
class ComparisonResult:
    """Blocks of a comparison, and errors that the author should correct.

    Attributes:
        blocks: the views, in order.
        errors: errors of options and stated values, which are ignored.
        cell_errors: errors of cells that show a dash with a note.
    """

    blocks: Document
    errors: tuple[ConfigError, ...]
    cell_errors: tuple[ConfigError, ...]


def side_by_side(
    rows: Sequence[ComparedRow], views: tuple[str, ...], options: ComparisonOptions
) -> ComparisonResult:
    """Compare models in these views; each error names its option or its line."""
    if not rows:
        return ComparisonResult((), (), ())
    columns, wrong = usable_columns(rows, options.columns)
    errors = [*wrong, *stated_errors(rows, options.columns), *_label_errors(rows, options.labels)]
    if error := sort_error(rows, options.sort):
        errors.append(error)
    else:
        rows = sort_rows(rows, options.sort)
    blocks: list[Block] = []
    for name in views:
        try:
            names_models = not blocks  # later views are below a caption that names the models
            made = COMPARISONS[name](rows, replace(options, columns=columns), names_models)
            blocks += with_ids(name, made)
        except ConfigError as error:
            errors.append(error)
    cell_errors = impossible_cells(rows, columns) if "table" in views else ()
    return ComparisonResult(tuple(blocks), tuple(errors), cell_errors)


def _label_errors(rows: Sequence[ComparedRow], labels: Labels) -> Iterator[ConfigError]:
    """An error for each label whose id no model has."""
    models = models_of(rows)
    for label in labels:
        errors = [e for model in models for e in label_errors(model, (label,), "labels")]
        if errors and len(errors) == len(models):
            yield errors[0]
