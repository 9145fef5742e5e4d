"""Reports: models with their views, which the command line writes as text.

Building the blocks of a report raises ConfigError if an option doesn't fit the models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

from sphinx_llmsize.blocks import Document, Table
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, ShowOptions
from sphinx_llmsize.directives.registry import (
    comparison_document,
    difference_document,
    model_document,
)
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.comparison.compared_columns import exact_columns
from sphinx_llmsize.views.comparison.compared_rows import model_row
from sphinx_llmsize.views.difference.counted_difference import CountedDifference, count_difference
from sphinx_llmsize.views.difference.difference_data import difference_data
from sphinx_llmsize.views.difference.difference_table import spreadsheet_table
from sphinx_llmsize.views.shared.model_titles import title, title_in_sentence
from sphinx_llmsize.views.shared.wording import listed_text

MAX_LEVEL = 6
"""Lowest level of a heading in HTML and Markdown."""


@dataclass(frozen=True)
class Report:
    """Models and views of them.

    Attributes:
        title: names of the models, in words; empty for one model without a name.
        models: the models, in order.
        build: function that builds the blocks of the views.
        level: level of the title as a heading, 1 to 6, or 0 for no heading; None for the level
            that is usual in the host.
        has_chosen_views: True if the user chose the views. If not, JSON has only the numbers of the
            models, and CSV only the first table.
        more_numbers: function that returns numbers for JSON beside those of the models, by key; by
            default none.
    """

    title: str
    models: tuple[Model, ...]
    build: Callable[[], Document]
    level: int | None = None
    has_chosen_views: bool = False
    more_numbers: Callable[[], dict[str, object]] = dict

    @cached_property
    def blocks(self) -> Document:
        """The blocks of the views, built on first use."""
        return self.build()

    def check(self) -> None:
        """Build the blocks, which checks the options, even if the format shows no views.

        Raises:
            ConfigError: an option doesn't fit the models, or the total isn't the expected one.
        """
        self.blocks  # noqa: B018 - a cached property

    def heading(self, default_level: int) -> tuple[str, int]:
        """Text of the heading, which is empty for none, and its level.

        Args:
            default_level: level in this host, if the report has none of its own.
        """
        level = default_level if self.level is None else self.level
        return (self.title, level) if level else ("", default_level)


def report_of(model: Model, options: ShowOptions) -> Report:
    """Views of one model."""
    return Report(title(model), (model,), partial(model_document, model, options))


def comparison_of(
    models: tuple[Model, ...], options: CompareOptions, *, is_exact: bool = False
) -> Report:
    """Several models side by side; the title is their names: ``GPT-2 small and GPT-2 XL``.

    With ``is_exact``, the default columns have all digits of their numbers.
    """
    rows = [model_row(model) for model in models]
    if is_exact and not options.columns:
        options = replace(options, columns=exact_columns(rows))
    names = listed_text([row.name for row in rows])
    return Report(names, models, partial(comparison_document, rows, options))


def difference_of(
    one: Model, other: Model, options: DiffOptions, *, is_exact: bool = False
) -> Report:
    """Changes from one model to another; JSON also has the numbers of each change.

    With ``is_exact``, the table shows old and new values and exact numbers, each in its own column.
    """

    def counted() -> CountedDifference:
        return count_difference(one, other, options.difference_options)

    def build() -> Document:
        blocks = difference_document(one, other, options)
        if not is_exact:
            return blocks
        exact = spreadsheet_table(counted())
        return tuple(exact if isinstance(block, Table) else block for block in blocks)

    def more_numbers() -> dict[str, object]:
        return {"difference": difference_data(counted())}

    names = _("From {one} to {other}", one=title_in_sentence(one), other=title_in_sentence(other))
    return Report(names, (one, other), build, more_numbers=more_numbers)
