"""Models side by side: a row for each, a column for each number that is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sphinx_llmsize.blocks import Cell, Column, Row, Table
from sphinx_llmsize.config.known_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Entry
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import KV_CACHE, MEASURES, caches
from sphinx_llmsize.views.numbers.number import TOTALS, figure_number, figure_text
from sphinx_llmsize.views.shared.wording import capital, title

NOT_THERE = "–"
LABELS = {
    "total": N_("Parameters"),
    "active": N_("Active"),
    "non_embedding": N_("Without embeddings"),
    "mlp": N_("MLP"),
    "attn": N_("Attention"),
    KV_CACHE: N_("KV cache"),
}
FORMATS = {"share": N_("share"), "words": N_("words")}
"""How numbers are written, as a column's label tells it."""
USUAL = ("hidden_dim", "num_layers", "num_heads", "vocab_size", "total")


@dataclass(frozen=True)
class Compared:
    """A row: a model or, where there is none, what is said about one.

    Attributes:
        name: what it is called.
        model: counted.
        said: texts by column, in place of what would be counted.
        line: of what is said, if it is in one, from 0.
    """

    name: str
    model: Model | None = None
    said: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None

    def text(self, column: str) -> str:
        """What stands in a column."""
        if column in self.said:
            return self.said[column]
        words = _words(column)
        if self.model is None or not _has(self.model, words[0]):
            return NOT_THERE
        return figure_text(self.model, words)

    def number(self, column: str) -> float:
        """By what the rows are sorted; what is not known comes last."""
        words = _words(column)
        if self.model is None or not _has(self.model, words[0]):
            return float("inf")
        how = words[1:] if words[0] in MEASURES else ()
        return float(figure_number(self.model, words[0], *how))


def compared(model: Model) -> Compared:
    """A row of a model that is counted."""
    return Compared(title(model), model)


def told(name: str, entries: Sequence[Entry], line: int | None = None) -> Compared:
    """A row of what is said about a model."""
    texts = {
        entry.key: thousands(entry.value) if isinstance(entry.value, int) else str(entry.value)
        for entry in entries
    }
    return Compared(name, said=texts, line=line)


def ordered(rows: Sequence[Compared], sort: str) -> Sequence[Compared]:
    """The rows by a number, with a minus before it the largest first, or as they are.

    Raises:
        ConfigError: none of the models has such a number.
    """
    if not sort:
        return rows
    descending, by = sort.startswith("-"), sort.removeprefix("-")
    _check(rows, by, "sort")
    known = [row for row in rows if row.number(by) != float("inf")]
    known.sort(key=lambda row: row.number(by), reverse=descending)
    return [*known, *(row for row in rows if row not in known)]


def comparison(rows: Sequence[Compared], columns: tuple[str, ...]) -> Table:
    """The table.

    Args:
        rows: what is compared.
        columns: each a number as the role ``llm-size`` knows it: ``total``, ``mlp:share``.

    Raises:
        ConfigError: none of the models has such a number.
    """
    columns = columns or _usual(rows)
    for column in columns:
        _check(rows, column, "columns")
    _check_said(rows, columns)
    labels = (Column(_("Model")), *(Column(_label(rows, c), numeric=True) for c in columns))
    body = (Row((_cell(row.name), *(_cell(row.text(c)) for c in columns))) for row in rows)
    return Table(_caption(rows), labels, tuple(body))


def _usual(rows: Sequence[Compared]) -> tuple[str, ...]:
    models = [row.model for row in rows if row.model]
    with_experts = any(model.active != model.total for model in models)
    return (*USUAL, "active") if with_experts else USUAL


def _check(rows: Sequence[Compared], column: str, option: str) -> None:
    """Refuse a column that no row has, and one that cannot be written as it asks for."""
    words = _words(column)
    models = [row.model for row in rows if row.model]
    having = [model for model in models if _has(model, words[0])]
    if not having and not any(column in row.said for row in rows):
        hint = did_you_mean(words[0], _known(rows))
        message = _("no model has {column}", column=repr(column[:60]))
        raise ConfigError(message, Problem.FIGURE, hint, option=option)
    try:
        for model in having:
            figure_text(model, words)
    except ConfigError as error:
        raise error.at(option=option) from None


def _check_said(rows: Sequence[Compared], columns: Sequence[str]) -> None:
    """Refuse what is said for a column that no comparison could have."""
    known = (*columns, *_known(rows))
    for row in rows:
        for column in row.said:
            name = _words(column)[0]
            if not (column in known or name in known or is_known_elsewhere(name)):
                message = _("{name} is no column", name=repr(column[:60]))
                raise ConfigError(message, Problem.FIGURE, did_you_mean(column, known), row.line)


def _known(rows: Sequence[Compared]) -> tuple[str, ...]:
    """What the models have, or any model."""
    models = [row.model for row in rows if row.model]
    names = {name for model in models for name in (*model.keys, *model.components)}
    return (*TOTALS, *MEASURES, *sorted({*names, *USUAL}))


def _has(model: Model, name: str) -> bool:
    if name in MEASURES:
        return name != KV_CACHE or caches(model)
    try:
        return figure_number(model, name) >= 0
    except ConfigError:
        return name in model.keys


def _words(column: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in column.split(":"))
    return (*words, "short") if words in {(name,) for name in TOTALS} else words


def _label(rows: Sequence[Compared], column: str) -> str:
    name, *how = (word.strip() for word in column.split(":"))
    keys = (row.model.keys.get(name) for row in rows if row.model)
    key = next(filter(None, keys), None)
    plain = _(key.meaning) if key else name.replace("_", " ")
    label = _(LABELS.get(name, "")) or capital(plain)
    if name == KV_CACHE:
        if how and how[0].isdecimal():
            label = _("KV cache at {tokens}", tokens=thousands(int(how.pop(0))))
        else:
            label = _("KV cache per token")
    shown = [_(FORMATS.get(word, "")) or word for word in how if word not in {"exact", "short"}]
    return ", ".join((label, *shown))


def _caption(rows: Sequence[Compared]) -> str:
    models = [row.model for row in rows if row.model]
    if len(models) < 2:  # noqa: PLR2004 - nothing to compare
        return ", ".join(row.name for row in rows)
    totals = sorted(model.total for model in models)
    return _(
        "{number} models: {smallest} to {largest} parameters",
        number=len(rows),
        smallest=thousands(totals[0]),
        largest=thousands(totals[-1]),
    )


def _cell(text: str) -> Cell:
    return ((text,),)
