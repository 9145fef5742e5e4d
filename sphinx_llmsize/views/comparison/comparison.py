"""Comparison table: a row for each model, a column for each number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Column, Table, cell
from sphinx_llmsize.config.foreign_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Entry
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import KV_CACHE, MEASURES, caches
from sphinx_llmsize.views.numbers.number import TOTALS, number_of, number_text
from sphinx_llmsize.views.own_words import ChosenColumn
from sphinx_llmsize.views.shared.folding import DASH, folding_row
from sphinx_llmsize.views.shared.wording import capital, title

MODEL = "model"
"""Name of the first column."""
LABELS = {
    **COMPONENT_LABELS,
    **{group.value: group.label for group in Group},
    "total": N_("Parameters"),
    "active": N_("Active"),
    "non_embedding": N_("Without embeddings"),
    "mlp": N_("MLP"),
    "attn": N_("Attention"),
    KV_CACHE: N_("KV cache"),
    "weights": N_("Weights"),
    "flops": N_("FLOPs"),
    "flops_per_token": N_("FLOPs per token"),
}
FORMATS = {"share": N_("share"), "words": N_("words")}
"""Labels of the number formats that are added to a column's label."""
DEFAULT_COLUMNS = ("hidden_dim", "num_layers", "num_heads", "vocab_size", "total")
UNKNOWN = float("inf")
"""Result of :meth:`Compared.number` for a row without the number; such rows are sorted last."""


@dataclass(frozen=True)
class Compared:
    """Row of the table: a model, or stated values of a model without a public configuration.

    Attributes:
        name: text of the first cell.
        model: None if only stated values are known.
        stated: texts by column, shown in place of the model's numbers.
        line: 0-based line of the stated values in the directive's body.
    """

    name: str
    model: Model | None = None
    stated: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None

    def text(self, column: str) -> str:
        """Text of the cell in a column."""
        if column in self.stated:
            return self.stated[column]
        words = _words(column)
        return number_text(self.model, words) if self.model and self.has(words[0]) else DASH

    def number(self, column: str) -> float:
        """Number to sort by; ``UNKNOWN`` if the row has none."""
        name, *rest = _words(column)
        if not self.model or not self.has(name):
            return UNKNOWN
        return float(number_of(self.model, name, *(rest if name in MEASURES else ())))

    def has(self, name: str) -> bool:
        """True if the model has a number ≥ 0 or another setting of this name."""
        if self.model is None:
            return False
        if name in MEASURES:
            return name != KV_CACHE or caches(self.model)
        try:
            return number_of(self.model, name) >= 0
        except ConfigError:
            return name in self.model.keys


def compared(model: Model) -> Compared:
    """Row of a model."""
    return Compared(title(model), model)


def stated(name: str, entries: Sequence[Entry], line: int | None = None) -> Compared:
    """Row of a model without a public configuration, with the stated values."""
    texts = {
        entry.key: thousands(entry.value) if isinstance(entry.value, int) else str(entry.value)
        for entry in entries
    }
    return Compared(name, stated=texts, line=line)


def ordered(rows: Sequence[Compared], sort: str) -> Sequence[Compared]:
    """Sort the rows by a column, in descending order if ``sort`` begins with a minus.

    Raises:
        ConfigError: no row has this column, or its format is unknown.
    """
    if not sort:
        return rows
    descending, column = sort.startswith("-"), sort.removeprefix("-")
    _check(rows, column, "sort")
    known = [row for row in rows if row.number(column) != UNKNOWN]
    known.sort(key=lambda row: row.number(column), reverse=descending)
    return [*known, *(row for row in rows if row not in known)]


def comparison(rows: Sequence[Compared], chosen: tuple[ChosenColumn, ...]) -> Table:
    """Table of the compared models.

    Args:
        rows: models to compare.
        chosen: numbers as in the role ``llm-size``: ``total``, ``mlp:share``; with ``model`` as
            the first one, the heading of the models.

    Raises:
        ConfigError: no row has one of the columns, or a format is unknown.
    """
    models = _models(rows)
    heading = _("Model")
    if chosen and chosen[0].name == MODEL:
        heading, chosen = chosen[0].heading or heading, chosen[1:]
    if not chosen:
        has_experts = any(model.active != model.total for model in models)
        names = (*DEFAULT_COLUMNS, "active") if has_experts else DEFAULT_COLUMNS
        chosen = tuple(map(ChosenColumn, names))
    for column in chosen:
        _check(rows, column.name, "columns")
    _check_stated(rows, [column.name for column in chosen])
    columns = (Column(heading), *(_column(models, column) for column in chosen))
    texts = ((row.name, *(row.text(column.name) for column in chosen)) for row in rows)
    body = tuple(folding_row(columns, tuple(map(cell, row))) for row in texts)
    return Table(_caption(rows), columns, body)


def _column(models: Sequence[Model], chosen: ChosenColumn) -> Column:
    """The column; those with totals stay where space is short."""
    label = chosen.heading or _label(models, chosen.name)
    return Column(label, numeric=True, folds=chosen.words[0] not in TOTALS)


def _models(rows: Iterable[Compared]) -> list[Model]:
    return [row.model for row in rows if row.model]


def _check(rows: Sequence[Compared], column: str, option: str) -> None:
    """Raise ConfigError for a column that no row has, or with an unknown format."""
    words = _words(column)
    with_column = _models(row for row in rows if row.has(words[0]))
    if not with_column and not any(column in row.stated for row in rows):
        message = N_("no model has {name}")
        raise unknown_word(message, words[0], _known(rows), Problem.NUMBER).at(option=option)
    try:
        for model in with_column:
            number_text(model, words)
    except ConfigError as error:
        raise error.at(option=option) from None


def _check_stated(rows: Sequence[Compared], columns: Sequence[str]) -> None:
    """Raise ConfigError for a stated value whose column name is unknown."""
    known = (*columns, *_known(rows))
    for row in rows:
        for column in row.stated:
            name = _words(column)[0]
            if not (column in known or name in known or is_known_elsewhere(name)):
                error = unknown_word(N_("unknown column {name}"), column, known, Problem.NUMBER)
                raise error.at(line=row.line)


def _known(rows: Sequence[Compared]) -> tuple[str, ...]:
    """Names of numbers, for suggestions."""
    names = {name for model in _models(rows) for name in (*model.keys, *model.components)}
    return (*TOTALS, *MEASURES, *sorted({*names, *DEFAULT_COLUMNS}))


def _words(column: str) -> tuple[str, ...]:
    """The parts of a column such as ``mlp:share``; totals have the short format by default."""
    name, *words = (word.strip() for word in column.split(":"))
    return (name, "short") if name in TOTALS and not words else (name, *words)


def _label(models: Sequence[Model], column: str) -> str:
    name, *words = (word.strip() for word in column.split(":"))
    key = next(filter(None, (model.keys.get(name) for model in models)), None)
    # a prefix of component ids, such as hash for hash_embedding, has no label
    label = _(LABELS.get(name, "")) or capital(_(key.meaning) if key else name)
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
