"""Texts of a column of a comparison: the numbers of all rows, in one unit or format."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.formats import fixed
from sphinx_llmsize.translation import localize
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, words_of
from sphinx_llmsize.views.numbers.model_numbers import is_quantity, number_of, number_with_unit
from sphinx_llmsize.views.numbers.units import Unit
from sphinx_llmsize.views.shared.data_size import DECIMAL, UNITS, sizes_in, unit_of_column
from sphinx_llmsize.views.shared.folding import DASH


def column_texts(
    rows: Sequence[ComparedRow], column: str, unit: str = "", after_number: str = ""
) -> list[str]:
    """Texts of a column's cells, a dash for an error; ratios have equally many decimal places.

    Args:
        rows: the models.
        column: name of the column, with the words after it.
        unit: one unit for all sizes in bytes; empty for the usual text of each.
        after_number: the text after each of these, such as their unit if no heading has it.
    """
    texts = _usual_texts(rows, column)
    name, *words = words_of(column)
    if unit:
        sizes = _sizes(rows, column)
        numbers = zip(sizes, sizes_in(list(sizes.values()), unit), strict=True)
        in_unit = {position: f"{number}{after_number}" for position, number in numbers}
        return [in_unit.get(position, text) for position, text in enumerate(texts)]
    separator = localize("0.1")[1:-1]
    places = max((len(text.partition(separator)[2]) for text in texts), default=0)
    if not is_quantity(name) or not places or "fraction" in words:
        return texts
    for position, (row, text) in enumerate(zip(rows, texts, strict=True)):
        if row.model and text[-1].isdecimal():  # a number without a unit or sign of percent
            number, kind = number_with_unit(row.model, name, *words)
            texts[position] = fixed(number, places) if kind is Unit.NONE else text
    return texts


def unit_for_all(rows: Sequence[ComparedRow], column: str) -> str:
    """``GB`` for 4.29 GB and 576 MB, one unit for sizes in bytes whose usual texts have several.

    It is empty if they have the same unit, or if none gives at least two digits for each.
    """
    if not is_quantity(words_of(column)[0]):
        return ""
    texts = (text for row, text in zip(rows, _usual_texts(rows, column), strict=True) if row.model)
    units = {text.rpartition(" ")[2] for text in texts if text != DASH}
    if len(units) < 2 or not units <= DECIMAL.keys():  # noqa: PLR2004 - several
        return ""
    sizes = tuple(_sizes(rows, column).values())
    unit = unit_of_column(sizes)
    smallest, largest = (size / UNITS[unit] for size in (min(sizes), max(sizes)))
    # as many decimal places as sizes_in() writes
    least = Fraction(1) if largest >= 1000 else Fraction(1, 10)  # noqa: PLR2004
    return unit if smallest >= least else ""


def _usual_texts(rows: Sequence[ComparedRow], column: str) -> list[str]:
    """The text of each cell of a column by itself, a dash for an error."""
    return [DASH if row.error(column) else row.text(column) for row in rows]


def _sizes(rows: Sequence[ComparedRow], column: str) -> dict[int, Fraction]:
    """The number of each model in a column, by the position of its row; none for a dash."""
    name, *words = words_of(column)
    return {
        position: Fraction(number_of(row.model, name, *words))
        for position, row in enumerate(rows)
        if row.model and not row.error(column) and row.text(column) != DASH
    }
