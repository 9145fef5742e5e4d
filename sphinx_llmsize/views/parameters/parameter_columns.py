"""Columns of the parameter table: those that an author chooses, or the usual ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sphinx_llmsize.blocks import Cell, Line, Muted, cell
from sphinx_llmsize.errors import Problem, suggestion, unknown_word
from sphinx_llmsize.formats import in_words, short, thousands
from sphinx_llmsize.inline import is_muted
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE
from sphinx_llmsize.views.numbers.number_formats import read_format
from sphinx_llmsize.views.shared.counted_columns import (
    component_column,
    count_column,
    in_layer_column,
    layers_column,
    share_column,
    source_column,
)
from sphinx_llmsize.views.shared.counted_table import EMPTY, CountedColumn, CountedRow
from sphinx_llmsize.views.shared.data_size import UNITS, bits_of, sizes_in, unit_of_column
from sphinx_llmsize.views.shared.folding import labelled, prominent

NUMBER_FORMATS: dict[str, Callable[[int], str]] = {
    "exact": thousands,
    "short": short,
    "words": in_words,
}
"""Functions that write a number, by the name of the format."""
ColumnFunction = Callable[[Model, list[str], str], CountedColumn]
"""Called with a model, the words after the column's name, and the author's heading or ``""``."""
FIRST_COLUMN = "component"
"""Name of the first column, which is always shown."""
USUAL = ("shape", "per_layer", "layers", "parameters", "share")
"""Usual columns if the rows are components or tensors."""
WITHOUT_SHAPES = ("parameters", "share")
"""Usual columns if the rows are groups."""
OTHER_WORDS = {
    **dict.fromkeys(("total", "count", "params", "size"), "parameters"),
    **dict.fromkeys(("%", "percent", "percentage"), "share"),
    **dict.fromkeys(("shapes", "dimensions"), "shape"),
}
"""Names of columns, by other words that authors use for them."""


def parameter_columns(
    model: Model, chosen: Sequence[ChosenColumn], usual: Sequence[str] = USUAL
) -> tuple[CountedColumn, ...]:
    """The chosen columns, or else the usual ones; the first has the names of the rows.

    Raises:
        ConfigError: a column or its format is unknown.
    """
    columns = list(chosen or map(ChosenColumn, usual))
    if columns[0].name != FIRST_COLUMN:
        columns.insert(0, ChosenColumn(FIRST_COLUMN))
    counted = [_column(model, each) for each in columns]
    if all(column.folded for column in counted[1:]):
        # one column stays beside the names when the others fold below them
        counted[-1] = replace(counted[-1], folded=None)
    return tuple(counted)


def _column(model: Model, chosen: ChosenColumn) -> CountedColumn:
    """The column of this name, with the author's heading and format."""
    name, *words = chosen.words
    if name not in COLUMNS:
        error = unknown_word(N_("unknown column {name}"), name, COLUMNS, Problem.OPTION)
        meant = OTHER_WORDS.get(name.casefold(), "")
        raise error.replace(hint=suggestion(meant)) if meant else error
    return COLUMNS[name](model, words, chosen.heading)


def _refuse_format(words: list[str]) -> None:
    """Raise ConfigError if a word follows the name of a column that has no formats."""
    read_format(words, "", ())


def _component(model: Model, words: list[str], heading: str) -> CountedColumn:
    _refuse_format(words)
    return component_column(heading or _("Component"))


def _shape(model: Model, words: list[str], heading: str) -> CountedColumn:
    choose_lines = SHAPE_FORMATS[read_format(words, "both", SHAPE_FORMATS)]
    return source_column(heading or _("Shape"), choose_lines)


def _all_lines(shape: Cell) -> Cell:
    """The lines in symbols and those in numbers."""
    return shape


def _symbols(shape: Cell) -> Cell:
    """The lines in symbols, which aren't muted."""
    return prominent(shape) or EMPTY


def _numbers(shape: Cell) -> Cell:
    """The lines in numbers, which are muted beside symbols, as plain text."""
    return tuple(_plain(line) for line in shape if is_muted(line)) or EMPTY


def _plain(line: Line) -> Line:
    """The line with muted text as plain text."""
    return tuple(piece.text if isinstance(piece, Muted) else piece for piece in line)


SHAPE_FORMATS: dict[str, Callable[[Cell], Cell]] = {
    "both": _all_lines,
    "symbols": _symbols,
    "numbers": _numbers,
}
"""Functions that choose lines of a shape."""


def _per_layer(model: Model, words: list[str], heading: str) -> CountedColumn:
    return in_layer_column(heading, _number_format(words))


def _layers(model: Model, words: list[str], heading: str) -> CountedColumn:
    _refuse_format(words)
    return layers_column(heading or _("Layers"))


def _parameters(model: Model, words: list[str], heading: str) -> CountedColumn:
    return count_column(heading or _("Parameters"), _number_format(words))


def _active(model: Model, words: list[str], heading: str) -> CountedColumn:
    """The parameters that one token uses."""
    format_number = _number_format(words)

    def cells(rows: Sequence[CountedRow]) -> Iterator[Cell]:
        for row in rows:
            if row.is_tied or row.active is None:
                yield EMPTY
            else:
                yield cell(format_number(row.active))

    return _column_that_folds(heading or _("Active"), cells)


def _share(model: Model, words: list[str], heading: str) -> CountedColumn:
    _refuse_format(words)
    return share_column(heading or _("Share"), model.total)


def _number_format(words: list[str]) -> Callable[[int], str]:
    """The function that writes numbers in the format of these words, by default in digits."""
    return NUMBER_FORMATS[read_format(words, "exact", NUMBER_FORMATS)]


def _weights(model: Model, words: list[str], heading: str) -> CountedColumn:
    """The bytes of the parameters in a data type, all in one unit.

    Args:
        model: model whose total decides the default unit.
        words: optionally a data type and a unit: ``("int4", "GiB")``.
        heading: the author's heading; empty for the data type. The unit is added if it is missing.
    """
    dtype, *units = words or (DEFAULT_DTYPE,)
    bytes_per_weight = bits_of(dtype) / 8
    unit = read_format(units, unit_of_column([model.total * bytes_per_weight]), UNITS)
    quantity, folded_unit = heading or dtype, ""
    heading = quantity
    if unit not in quantity.split("(")[-1]:  # an author may write "Size (GB)"
        heading, folded_unit = _("{heading} ({unit})", heading=quantity, unit=unit), unit

    def cells(rows: Sequence[CountedRow]) -> Iterator[Cell]:
        sizes = sizes_in([row.count * bytes_per_weight for row in rows], unit)
        for row, size in zip(rows, sizes, strict=True):
            yield EMPTY if row.is_tied else cell(size)

    return _column_that_folds(heading, cells, quantity, folded_unit)


def _column_that_folds(
    heading: str,
    cells: Callable[[Sequence[CountedRow]], Iterable[Cell]],
    quantity: str = "",
    unit: str = "",
) -> CountedColumn:
    """A column of numbers, each of which is shown after the heading if it folds: ``Active: 37.6B``.

    Args:
        heading: heading of the column.
        cells: function from rows to their cells, which have one line.
        quantity: the heading without the unit that it ends with; empty if it has no unit.
        unit: the unit, which follows the number where the column folds: ``int4: 3.37 GB``.
    """

    def folded(row: CountedRow) -> Cell:
        (shown,) = cells([row])
        if shown == EMPTY:
            return EMPTY
        return (labelled((quantity or heading,), shown[0], unit),)

    return CountedColumn(heading, cells, folded=folded)


COLUMNS: dict[str, ColumnFunction] = {
    FIRST_COLUMN: _component,
    "shape": _shape,
    "per_layer": _per_layer,
    "layers": _layers,
    "parameters": _parameters,
    "active": _active,
    "weights": _weights,
    "share": _share,
}
"""Functions that return a column, by the column's name."""
