"""Columns of a comparison: the author's or the default ones, and the errors in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.keys_of_other_families import is_known_elsewhere
from sphinx_llmsize.errors import AbsentNumber, ConfigError
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, models_of, words_of
from sphinx_llmsize.views.numbers.model_numbers import names_of, number_of
from sphinx_llmsize.views.numbers.unknown_numbers import QUANTITIES, TOTALS, unknown_number
from sphinx_llmsize.views.shared.folding import DASH

MODEL = "model"
"""Name of the first column, which has the names of the models."""
ACTIVE = "active"
"""Name of the column of active parameters."""
HEADS, KV_HEADS, FFN_DIM = "num_heads", "num_kv_heads", "ffn_dim"
DEFAULT_COLUMNS = ("hidden_dim", "num_layers", HEADS, KV_HEADS, FFN_DIM, "vocab_size", "total")
"""The default columns, except that of the active parameters; some may be left out."""
ORDERS = {"desc": "-", "descending": "-", "asc": "", "ascending": ""}
"""Words that authors write after the column to sort by, and the sign to write before it."""


def default_columns(rows: Sequence[ComparedRow]) -> tuple[str, ...]:
    """The columns of a comparison without ``:columns:``.

    Key/value heads are left out if they equal the attention heads in all models, the feed-forward
    dimension if a model has no weight of this width, and active parameters if they equal the total
    in all models.
    """
    left_out: set[str] = set()
    if all(row.text(KV_HEADS) in {row.text(HEADS), DASH} for row in rows):
        left_out.add(KV_HEADS)
    if any(row.model and row.may_have(FFN_DIM) and not _uses_ffn_dim(row.model) for row in rows):
        left_out.add(FFN_DIM)
    columns = tuple(column for column in DEFAULT_COLUMNS if column not in left_out)
    if any(model.active != model.total for model in models_of(rows)):
        return (*columns, ACTIVE)
    return columns


def columns_of_numbers(columns: Iterable[ChosenColumn]) -> tuple[ChosenColumn, ...]:
    """The columns without that of the models' names."""
    return tuple(column for column in columns if column.name != MODEL)


def usable_columns(
    rows: Sequence[ComparedRow], columns: tuple[ChosenColumn, ...]
) -> tuple[tuple[ChosenColumn, ...], tuple[ConfigError, ...]]:
    """The columns that at least one row has, and the errors of the others.

    Args:
        rows: models to compare.
        columns: the author's columns. Without any number among them, the result has the default
            columns, but no errors.
    """
    heading = [column for column in columns if column.name == MODEL]
    numbers = columns_of_numbers(columns)
    if not numbers:
        defaults = [ChosenColumn(name) for name in default_columns(rows)]
        without_error = [each for each in defaults if not _column_error(rows, each.name)]
        return (*heading, *(without_error or defaults)), ()
    usable: list[ChosenColumn] = []
    errors: list[ConfigError] = []
    for column in dict.fromkeys(numbers):
        if error := _column_error(rows, column.name):
            errors.append(error.at(option="columns"))
        else:
            usable.append(column)
    return (*heading, *usable), tuple(errors)


def exact_columns(rows: Sequence[ComparedRow]) -> tuple[ChosenColumn, ...]:
    """The default columns, in a format with all digits."""
    columns, _errors = usable_columns(rows, ())
    return tuple(ChosenColumn(f"{column.name}:exact") for column in columns)


def sort_error(rows: Sequence[ComparedRow], sort: str) -> ConfigError | None:
    """Error of the column to sort by, if no row has it; else None."""
    if not sort:
        return None
    written = sort.removeprefix("-")
    error = _column_error(rows, written)
    if error is None:
        return None
    column, _space, order = written.partition(" ")
    if order.casefold() in ORDERS:
        sign = ORDERS[order.casefold()]
        error = error.replace(hint=_("write {value}", value=sign + column))
    return error.at(option="sort")


def impossible_cells(
    rows: Sequence[ComparedRow], columns: Sequence[ChosenColumn]
) -> tuple[ConfigError, ...]:
    """Errors of numbers that a model cannot have, each once, in the order of the cells."""
    by_message: dict[str, ConfigError] = {}
    for row in rows:
        for column in columns_of_numbers(columns):
            if error := row.error(column.name):
                by_message[error.message] = error.at(option="columns")
    return tuple(by_message.values())


def stated_errors(
    rows: Sequence[ComparedRow], columns: Sequence[ChosenColumn]
) -> tuple[ConfigError, ...]:
    """Errors of stated values whose column name is unknown, at their lines."""
    known = (*(column.name for column in columns), *_known_names(rows))
    message = N_("unknown column {name}")
    errors = []
    for row in rows:
        for column in row.stated:
            name = words_of(column)[0]
            is_known = column in known or name in known or is_known_elsewhere(name)
            if not is_known:
                error = unknown_number(message, column, known, models_of(rows))
                errors.append(error.at(line=row.line))
    return tuple(errors)


def _column_error(rows: Sequence[ComparedRow], column: str) -> ConfigError | None:
    """Error of a column that no model has, or of one with the same error in all models; else None.

    A column for which the author states a value has no error.
    """
    name = words_of(column)[0]
    if any(column in row.stated or name in row.stated for row in rows):
        return None
    errors = [row.error(column) for row in rows if row.may_have(name)]
    if not errors:
        message = N_("no model has {name}")
        return unknown_number(message, name, _known_names(rows), models_of(rows))
    absent = [error for error in errors if isinstance(error, AbsentNumber)]
    if len(absent) == len(errors) > 1:
        message = _("no model has {name}", name=repr(name[:60]))
        return absent[0].replace(message=message)
    is_same_everywhere = all(errors) and len({str(error) for error in errors}) == 1
    return errors[0] if is_same_everywhere else None


def _known_names(rows: Sequence[ComparedRow]) -> tuple[str, ...]:
    """Names of the models' numbers, and of the numbers that every model can have."""
    names = {name for model in models_of(rows) for name in names_of(model)}
    return (*TOTALS, *QUANTITIES, *sorted({*names, *DEFAULT_COLUMNS}))


def _uses_ffn_dim(model: Model) -> bool:
    """True if a weight has the feed-forward dimension; not if all layers have smaller experts."""
    ffn_dim = number_of(model, FFN_DIM)
    architecture = model.architecture
    networks = architecture.placed_stages(Group.FEED_FORWARD, Group.EXPERTS)
    tensors = (tensor for placed in networks for tensor in placed.stage.tensors)
    return any(architecture.count(size) == ffn_dim for t in tensors for size in t.shape)
