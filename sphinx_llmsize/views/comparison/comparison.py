"""Comparison table: a row for each model, a column for each number.

A number that a model cannot have is a dash with a footnote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sphinx_llmsize.blocks import Block, Column, Note, Row, Table, cell
from sphinx_llmsize.config.keys_of_other_families import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import short, superscript
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, names_text, words_of
from sphinx_llmsize.views.comparison.default_columns import DEFAULT_COLUMNS, default_columns
from sphinx_llmsize.views.numbers.measures import KV_CACHE
from sphinx_llmsize.views.numbers.model_numbers import QUANTITIES, TOTALS, names_of
from sphinx_llmsize.views.numbers.number_labels import LABELS, number_label, unknown_number
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.wording import capital, listed_text

MODEL = "model"
"""Name of the first column."""
FORMATS = {"share": N_("share"), "words": N_("words")}
"""Labels of the number formats that are added to a column's label."""
HEADINGS = {"ffn_dim": N_("FFN dimension")}
"""Headings of keys whose meaning is too long for a column."""
ORDERS = {"desc": "-", "descending": "-", "asc": "", "ascending": ""}
"""Words that authors write after the column to sort by, and the sign to write before it."""


def comparison(
    rows: Sequence[ComparedRow], chosen: tuple[ChosenColumn, ...], *, names_models: bool = True
) -> tuple[Block, ...]:
    """Table of the compared models, and a paragraph with the footnotes of its dashes.

    Args:
        rows: models to compare.
        chosen: numbers as in the role ``llm-size``: ``total``, ``mlp:share``; with ``model`` as
            the first one, the heading of the models. Without any number, there is no table.
        names_models: True to name the models in the caption.
    """
    heading = _("Model")
    if chosen and chosen[0].name == MODEL:
        heading = chosen[0].heading or heading
        chosen = chosen[1:]
    if not chosen:
        return ()
    models = _models(rows)
    labels = [column.heading or _label(models, column.words) for column in chosen]
    columns = (Column(heading), *(Column(label, numeric=True) for label in labels))
    reasons = [error.message for error in impossible_cells(rows, chosen)]
    marks = {reason: superscript(number) for number, reason in enumerate(reasons, start=1)}
    named = _caption(rows)
    table_rows = tuple(_table_row(row, chosen, marks) for row in rows)
    table = Table(
        (named if names_models else _("The models in numbers"),),
        columns,
        table_rows,
        label="" if names_models else named,
        is_compared=True,
    )
    table = fitting(table, _by_importance(rows, chosen))
    if not marks:
        return (table,)
    footnotes = " ".join(f"{mark} {reason}." for reason, mark in marks.items())
    return (table, Note((footnotes,)))


def _table_row(row: ComparedRow, chosen: Sequence[ChosenColumn], marks: Mapping[str, str]) -> Row:
    """The name of a row and its numbers.

    Args:
        row: row to show.
        chosen: columns of the numbers.
        marks: mark of the footnote for each error message; a cell with an error is a dash.
    """
    texts = [row.name]
    names: list[tuple[str, ...]] = [()]
    for column in chosen:
        error = row.error(column.name)
        texts.append(f"{DASH}{marks[error.message]}" if error else row.text(column.name))
        names.append((f"{row.role_name}:{column.name}",))
    return Row(tuple(map(cell, texts)), names=tuple(names))


def _by_importance(rows: Sequence[ComparedRow], chosen: Sequence[ChosenColumn]) -> list[int]:
    """Positions of the numbers' columns by importance: totals, then those that most models have.

    The column of names has position 0. A phone shows as many of the first ones as fit.
    """

    def sort_key(position: int) -> tuple[bool, int]:
        column = chosen[position - 1]
        missing = sum(bool(row.error(column.name)) or row.text(column.name) == DASH for row in rows)
        return column.words[0] not in TOTALS, missing

    return sorted(range(1, 1 + len(chosen)), key=sort_key)


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
    heading = tuple(column for column in columns if column.name == MODEL)
    numbers = columns_of_numbers(columns)
    defaults = tuple(map(ChosenColumn, default_columns(rows)))
    errors = {column: _column_error(rows, column.name) for column in numbers or defaults}
    usable = tuple(column for column, error in errors.items() if not error)
    if numbers:
        wrong = tuple(error.at(option="columns") for error in errors.values() if error)
        return (*heading, *usable), wrong
    return (*heading, *(usable or defaults)), ()


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
        error = ConfigError(error.message, error.problem, _("write {value}", value=sign + column))
    return error.at(option="sort")


def impossible_cells(
    rows: Sequence[ComparedRow], columns: Sequence[ChosenColumn]
) -> tuple[ConfigError, ...]:
    """Errors of numbers that a model cannot have, each once, in the order of the cells."""
    names = [column.name for column in columns_of_numbers(columns)]
    errors = (row.error(name) for row in rows for name in names)
    by_message = {error.message: error.at(option="columns") for error in errors if error}
    return tuple(by_message.values())


def _column_error(rows: Sequence[ComparedRow], column: str) -> ConfigError | None:
    """Error of a column that no model has, or of one with the same error in all models; else None.

    A column for which the author states a value has no error.
    """
    name = words_of(column)[0]
    if any(column in row.stated or name in row.stated for row in rows):
        return None
    errors = [row.error(column) for row in rows if row.has(name)]
    if not errors:
        message = N_("no model has {name}")
        return unknown_number(message, name, _known_names(rows), _models(rows))
    is_same_everywhere = all(errors) and len({str(error) for error in errors}) == 1
    return errors[0] if is_same_everywhere else None


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
                error = unknown_number(message, column, known, _models(rows))
                errors.append(error.at(line=row.line))
    return tuple(errors)


def _models(rows: Iterable[ComparedRow]) -> list[Model]:
    return [row.model for row in rows if row.model]


def _known_names(rows: Sequence[ComparedRow]) -> tuple[str, ...]:
    """Names of the models' numbers, and of the numbers that every model can have."""
    names = {name for model in _models(rows) for name in names_of(model)}
    return (*TOTALS, *QUANTITIES, *sorted({*names, *DEFAULT_COLUMNS}))


def _label(models: Sequence[Model], column: tuple[str, ...]) -> str:
    """``MLP, share``: the label of a number, followed by its format unless that is the usual one.

    Args:
        models: the models whose keys, stages and kinds of layers have labels.
        column: the name of the number, and the words after it.
    """
    name, *words = column
    if name == KV_CACHE and words and words[0].isdecimal():
        label = _("KV cache at {tokens}", tokens=int(words.pop(0)))
    elif name == KV_CACHE:
        label = _("KV cache per token")
    else:
        label = _name_label(models, name)
    formats = [_(FORMATS[w]) if w in FORMATS else w for w in words if w not in {"exact", "short"}]
    return ", ".join((label, *formats))


def _name_label(models: Sequence[Model], name: str) -> str:
    """Label of a total, component or measure; of a key, its meaning."""
    if name in LABELS:
        return _(LABELS[name])
    for model in models:
        if name in model.keys:
            key = model.keys[name]
            return capital(_(HEADINGS.get(key.name, key.meaning)))
    return capital(number_label(name, models))


def _caption(rows: Sequence[ComparedRow]) -> str:
    """``Comparison of LLaMA 7B and GPT-2``; many models are described by the range of sizes."""
    names = [row.name for row in rows]
    if len(rows) == 1:
        return names[0]
    models = names_text(names)
    totals = [model.total for model in _models(rows)]
    if models == listed_text(names) or len(totals) < len(rows):
        return _("Comparison of {models}", models=models)
    return _(
        "Comparison of {models}, from {smallest} to {largest} parameters",
        models=models,
        smallest=short(min(totals)),
        largest=short(max(totals)),
    )
