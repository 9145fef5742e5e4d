"""Rows of a comparison: models, or names with values that an author states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import in_words, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Entry, Scalar
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.byte_measures import KV_CACHE, has_kv_cache
from sphinx_llmsize.views.numbers.model_numbers import (
    has_name,
    is_quantity,
    number_of,
    number_text,
)
from sphinx_llmsize.views.numbers.unknown_numbers import TOTALS
from sphinx_llmsize.views.shared.folding import DASH
from sphinx_llmsize.views.shared.model_titles import title_first
from sphinx_llmsize.views.shared.number_words import number_word
from sphinx_llmsize.views.shared.role_name import role_name
from sphinx_llmsize.views.shared.wording import listed_text

UNKNOWN = float("inf")
"""Result of :meth:`ComparedRow.number` for a row without the number; such rows are sorted last."""
MAX_NAMES = 4
"""Maximum number of models that a caption names."""
MAX_CHARACTERS = 100
"""Maximum length of all these names together."""


@dataclass(frozen=True)
class ComparedRow:
    """Row of the table: a model, or stated values of a model without a public configuration.

    :func:`model_row` makes the first, :func:`stated_row` the second; no row is both.

    Attributes:
        name: text of the first cell.
        model: the model; None for stated values.
        stated: stated values by column; empty for a model.
        line: 0-based line of the stated values in the directive's body; None for a model.
    """

    name: str
    model: Model | None = None
    stated: Mapping[str, Scalar] = field(default_factory=dict)
    line: int | None = None

    @property
    def name_in_role(self) -> str:
        """Name for the role ``llm-size``: that of a released model, or else the text."""
        return role_name(self.model, self.name) if self.model else self.name

    def text(self, column: str) -> str:
        """Text of the cell in a column.

        Raises:
            ConfigError: the model cannot have the number, or its format is unknown.
        """
        words = words_of(column)
        value = self._stated_value(column)
        if value is not None:
            return _stated_text(value, words)
        if self.model and self.may_have(words[0]):
            return number_text(self.model, words)
        return DASH

    def number(self, column: str) -> float:
        """Number to sort by; ``UNKNOWN`` if the row has none."""
        name, *rest = words_of(column)
        value = self._stated_value(column)
        if isinstance(value, (int, float)):
            return float(value)
        if not self.model or not self.may_have(name):
            return UNKNOWN
        # only the words after a quantity change the number ("kv_cache:8192"); after a count they
        # are a format, which doesn't change the order
        words = rest if is_quantity(name) else ()
        try:
            return float(number_of(self.model, name, *words))
        except ConfigError:
            return UNKNOWN

    def error(self, column: str) -> ConfigError | None:
        """Error of the cell in a column, if it has one."""
        try:
            self.text(column)
        except ConfigError as error:
            return error
        return None

    def has_dash(self, column: str) -> bool:
        """True if the cell in a column is a dash, but not one for an error."""
        return not self.error(column) and self.text(column) == DASH

    def may_have(self, name: str) -> bool:
        """False for stated values, and if the model's cell is a dash.

        It is a dash for the KV cache of a model without one, for a number or key that the model
        lacks, and for a number below 0, since configurations write -1 for an absent value. True for
        all other quantities, although their cell may have an error.
        """
        if self.model is None:
            return False
        if name.partition(".")[0] == KV_CACHE:
            return has_kv_cache(self.model)
        if is_quantity(name):
            return True
        try:
            return has_name(self.model, name) and number_of(self.model, name) >= 0
        except ConfigError:
            key = self.model.keys.get(name)  # its value may be none, or another than a number
            return key is not None and dict(self.model.config.settings).get(key) is not None

    def _stated_value(self, column: str) -> Scalar:
        """Value stated for a column, or for the same number without a format; None if unknown."""
        name = words_of(column)[0]
        return self.stated.get(column, self.stated.get(name))


def models_of(rows: Iterable[ComparedRow]) -> list[Model]:
    """The models of the rows, without those that only have stated values."""
    return [row.model for row in rows if row.model]


def model_row(model: Model) -> ComparedRow:
    """Row of a model; ``This model`` if it has no name."""
    return ComparedRow(title_first(model), model)


def names_text(names: Sequence[str]) -> str:
    """``LLaMA 7B and GPT-2``; ``five language models`` if the names are too many for a caption."""
    if has_few_names(names):
        return listed_text(names)
    return _("{number} language models", number=number_word(len(names)))


def has_few_names(names: Sequence[str]) -> bool:
    """True if a caption has space for the names; a single one is always named."""
    return len(names) == 1 or (len(names) <= MAX_NAMES and sum(map(len, names)) <= MAX_CHARACTERS)


def stated_row(name: str, entries: Sequence[Entry], line: int | None = None) -> ComparedRow:
    """Row of a model without a public configuration, with the stated values."""
    stated = {entry.key: cast("Scalar", entry.value) for entry in entries}
    return ComparedRow(name, stated=stated, line=line)


def sort_rows(rows: Sequence[ComparedRow], sort: str) -> Sequence[ComparedRow]:
    """Sort the rows by a column, in descending order if ``sort`` begins with a minus.

    Rows without the number come last in both orders.
    """
    if not sort:
        return rows
    column = sort.removeprefix("-")
    known = [row for row in rows if row.number(column) != UNKNOWN]
    unknown = [row for row in rows if row.number(column) == UNKNOWN]
    known.sort(key=lambda row: row.number(column), reverse=sort.startswith("-"))
    return [*known, *unknown]


def words_of(column: str) -> tuple[str, ...]:
    """``("mlp", "share")`` for ``mlp:share``; totals have the short format by default."""
    name, *words = (word.strip() for word in column.split(":"))
    if name in TOTALS and not words:
        return (name, "short")
    return (name, *words)


def _stated_text(value: Scalar, words: Sequence[str]) -> str:
    """Text of a stated value; whole numbers, also ``1.8e12``, have the format of their column."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value)
    if words[-1] == "short":
        return short(value)
    if words[-1] == "words":
        return in_words(value)
    return thousands(value)
