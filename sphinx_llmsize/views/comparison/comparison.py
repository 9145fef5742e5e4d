"""Comparison table: a row for each model, a column for each number.

A number that a model cannot have is a dash with a footnote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from sphinx_llmsize.blocks import Block, Column, Muted, Paragraph, Table, cell
from sphinx_llmsize.config.foreign_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import in_words, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Entry, Scalar
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import KV_CACHE, caches
from sphinx_llmsize.views.numbers.name_labels import label_of
from sphinx_llmsize.views.numbers.number import (
    QUANTITIES,
    TOTALS,
    is_quantity,
    names_of,
    number_of,
    number_text,
)
from sphinx_llmsize.views.numbers.number_labels import LABELS, unknown_number
from sphinx_llmsize.views.own_words import ChosenColumn
from sphinx_llmsize.views.shared.folding import DASH, folding_row
from sphinx_llmsize.views.shared.wording import capital, title

MODEL = "model"
"""Name of the first column."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
FORMATS = {"share": N_("share"), "words": N_("words")}
"""Labels of the number formats that are added to a column's label."""
DEFAULT_COLUMNS = ("hidden_dim", "num_layers", "num_heads", "vocab_size", "total")
ORDERS = {"desc": "-", "descending": "-", "asc": "", "ascending": ""}
"""Words that authors write after the column to sort by, and the sign to write before it."""
UNKNOWN = float("inf")
"""Result of :meth:`Compared.number` for a row without the number; such rows are sorted last."""


@dataclass(frozen=True)
class Compared:
    """Row of the table: a model, or stated values of a model without a public configuration.

    Attributes:
        name: text of the first cell.
        model: None if only stated values are known.
        stated: values by column, shown in place of the model's numbers.
        line: 0-based line of the stated values in the directive's body.
    """

    name: str
    model: Model | None = None
    stated: Mapping[str, Scalar] = field(default_factory=dict)
    line: int | None = None

    def text(self, column: str) -> str:
        """Text of the cell in a column.

        Raises:
            ConfigError: the model cannot have the number, or its format is unknown.
        """
        words = _words(column)
        value = self._stated_in(column)
        if value is not None:
            return _stated_text(value, words)
        return number_text(self.model, words) if self.model and self.has(words[0]) else DASH

    def number(self, column: str) -> float:
        """Number to sort by; ``UNKNOWN`` if the row has none."""
        name, *rest = _words(column)
        value = self._stated_in(column)
        if isinstance(value, (int, float)):
            return float(value)
        if not self.model or not self.has(name):
            return UNKNOWN
        try:
            return float(number_of(self.model, name, *(rest if is_quantity(name) else ())))
        except ConfigError:
            return UNKNOWN

    def error(self, column: str) -> ConfigError | None:
        """Error of the cell in a column, if it has one."""
        try:
            self.text(column)
        except ConfigError as error:
            return error
        return None

    def _stated_in(self, column: str) -> Scalar:
        """Value stated for a column, or for the same number without a format; None if unknown."""
        return self.stated.get(column, self.stated.get(_words(column)[0]))

    def has(self, name: str) -> bool:
        """True if the model has a number ≥ 0 or another setting of this name."""
        if self.model is None:
            return False
        if is_quantity(name):
            return name.partition(".")[0] != KV_CACHE or caches(self.model)
        try:
            return number_of(self.model, name) >= 0
        except ConfigError:
            return name in self.model.keys


def compared(model: Model) -> Compared:
    """Row of a model."""
    return Compared(title(model), model)


def stated(name: str, entries: Sequence[Entry], line: int | None = None) -> Compared:
    """Row of a model without a public configuration, with the stated values."""
    values = {entry.key: cast("Scalar", entry.value) for entry in entries}
    return Compared(name, stated=values, line=line)


def ordered(rows: Sequence[Compared], sort: str) -> Sequence[Compared]:
    """Sort the rows by a column, in descending order if ``sort`` begins with a minus."""
    if not sort:
        return rows
    descending, column = sort.startswith("-"), sort.removeprefix("-")
    known = [row for row in rows if row.number(column) != UNKNOWN]
    known.sort(key=lambda row: row.number(column), reverse=descending)
    return [*known, *(row for row in rows if row not in known)]


def comparison(rows: Sequence[Compared], chosen: tuple[ChosenColumn, ...]) -> tuple[Block, ...]:
    """Table of the compared models, and a paragraph with the footnotes of its dashes.

    Args:
        rows: models to compare.
        chosen: numbers as in the role ``llm-size``: ``total``, ``mlp:share``; with ``model`` as
            the first one, the heading of the models. Without any number, there is no table.
    """
    heading = _("Model")
    if chosen and chosen[0].name == MODEL:
        heading, chosen = chosen[0].heading or heading, chosen[1:]
    if not chosen:
        return ()
    models = _models(rows)
    reasons = [error.message for error in impossible_cells(rows, chosen)]
    marks = {reason: str(n).translate(SUPERSCRIPTS) for n, reason in enumerate(reasons, start=1)}

    def text(row: Compared, column: str) -> str:
        error = row.error(column)
        return f"{DASH}{marks[error.message]}" if error else row.text(column)

    columns = (Column(heading), *(_column(models, column) for column in chosen))
    texts = ((row.name, *(text(row, column.name) for column in chosen)) for row in rows)
    names = ((), *((column.name,) for column in chosen))
    folding = (folding_row(columns, tuple(map(cell, row))) for row in texts)
    table = Table(_caption(rows), columns, tuple(replace(row, names=names) for row in folding))
    footnotes = " ".join(f"{mark} {reason}." for reason, mark in marks.items())
    return (table, Paragraph((Muted(footnotes),))) if footnotes else (table,)


def _column(models: Sequence[Model], chosen: ChosenColumn) -> Column:
    """The column; those with totals stay where space is short."""
    label = chosen.heading or _label(models, chosen.name)
    return Column(label, numeric=True, folds=chosen.words[0] not in TOTALS)


def usable_columns(
    rows: Sequence[Compared], columns: tuple[ChosenColumn, ...]
) -> tuple[tuple[ChosenColumn, ...], tuple[ConfigError, ...]]:
    """The columns, or the default ones, without those that fit no row; and the errors of these."""
    heading = tuple(column for column in columns if column.name == MODEL)
    numbers = tuple(column for column in columns if column.name != MODEL)
    defaults = tuple(map(ChosenColumn, DEFAULT_COLUMNS))
    errors = {column: _column_error(rows, column.name) for column in numbers or defaults}
    usable = tuple(column for column, error in errors.items() if not error)
    if numbers:
        wrong = tuple(error.at(option="columns") for error in errors.values() if error)
        return (*heading, *usable), wrong
    has_experts = any(model.active != model.total for model in _models(rows))
    active = (ChosenColumn("active"),) if has_experts else ()
    return (*heading, *(usable or defaults), *active), ()


def sort_error(rows: Sequence[Compared], sort: str) -> ConfigError | None:
    """Error of the column to sort by, if no row has it."""
    column, _space, order = sort.removeprefix("-").partition(" ")
    error = _column_error(rows, sort.removeprefix("-")) if sort else None
    if error and order.casefold() in ORDERS:
        sign = ORDERS[order.casefold()]
        error = ConfigError(error.message, error.problem, _("write {value}", value=sign + column))
    return error and error.at(option="sort")


def impossible_cells(
    rows: Sequence[Compared], columns: Sequence[ChosenColumn]
) -> tuple[ConfigError, ...]:
    """Errors of numbers that a model cannot have, each once, in the order of the cells."""
    names = [column.name for column in columns if column.name != MODEL]
    errors = (row.error(name) for row in rows for name in names)
    once = {error.message: error.at(option="columns") for error in errors if error}
    return tuple(once.values())


def _column_error(rows: Sequence[Compared], column: str) -> ConfigError | None:
    """Error of a column that no row has or that is wrong whatever the model, else None."""
    name = _words(column)[0]
    having = [row for row in rows if row.has(name)]
    states = any(column in row.stated or name in row.stated for row in rows)
    if not having and not states:
        return unknown_number(N_("no model has {name}"), name, _known(rows), _models(rows))
    errors = [row.error(column) for row in having]
    if states or not all(errors) or len({str(error) for error in errors}) > 1:
        return None
    return errors[0]


def stated_errors(
    rows: Sequence[Compared], columns: Sequence[ChosenColumn]
) -> tuple[ConfigError, ...]:
    """Errors of stated values whose column name is unknown, at their lines."""
    known = (*(column.name for column in columns), *_known(rows))
    message = N_("unknown column {name}")
    return tuple(
        unknown_number(message, column, known, _models(rows)).at(line=row.line)
        for row in rows
        for column in row.stated
        if not (column in known or _words(column)[0] in known)
        and not is_known_elsewhere(_words(column)[0])
    )


def _models(rows: Iterable[Compared]) -> list[Model]:
    return [row.model for row in rows if row.model]


def _stated_text(value: Scalar, words: Sequence[str]) -> str:
    """Text of a stated value; whole numbers have the format of their column."""
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value)
    return {"short": short, "words": in_words}.get(words[-1], thousands)(value)


def _known(rows: Sequence[Compared]) -> tuple[str, ...]:
    """Names of numbers, for suggestions."""
    names = {name for model in _models(rows) for name in names_of(model)}
    return (*TOTALS, *QUANTITIES, *sorted({*names, *DEFAULT_COLUMNS}))


def _words(column: str) -> tuple[str, ...]:
    """The parts of a column such as ``mlp:share``; totals have the short format by default."""
    name, *words = (word.strip() for word in column.split(":"))
    return (name, "short") if name in TOTALS and not words else (name, *words)


def _label(models: Sequence[Model], column: str) -> str:
    name, *words = (word.strip() for word in column.split(":"))
    key = next(filter(None, (model.keys.get(name) for model in models)), None)
    # a prefix of component ids, such as hash for hash_embedding, has no label
    label = _(LABELS.get(name, "")) or capital(_(key.meaning) if key else "")
    label = label or capital(label_of(name, models, LABELS))
    if name == KV_CACHE:
        if words and words[0].isdecimal():
            label = _("KV cache at {tokens}", tokens=int(words.pop(0)))
        else:
            label = _("KV cache per token")
    formats = [_(FORMATS.get(w, "")) or w for w in words if w not in {"exact", "short"}]
    return ", ".join((label, *formats))


def _caption(rows: Sequence[Compared]) -> str:
    totals = sorted(model.total for model in _models(rows))
    if len(totals) < 2:  # noqa: PLR2004 - nothing to compare
        return ", ".join(row.name for row in rows)
    return _(
        "{number} models: {smallest} to {largest} parameters",
        number=len(rows),
        smallest=totals[0],
        largest=totals[-1],
    )
