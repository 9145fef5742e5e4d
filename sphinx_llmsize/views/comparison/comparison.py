"""Comparison table: a row for each model, a column for each number, and notes on its cells.

A number that a model doesn't have is a dash with a note.
"""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.blocks import Block, Column, Line, Name, NoteMark, Row, Table
from sphinx_llmsize.formats import short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.comparison.compared_columns import MODEL
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, models_of, names_text
from sphinx_llmsize.views.comparison.comparison_notes import CellNotes, cell_notes
from sphinx_llmsize.views.numbers.measures import KV_CACHE
from sphinx_llmsize.views.numbers.number_labels import LABELS, number_label
from sphinx_llmsize.views.numbers.unknown_numbers import TOTALS
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.wording import capital, listed_text

FORMATS = {"share": N_("share"), "words": N_("words")}
"""Labels of the number formats that are added to a column's label."""
HEADINGS = {"vocab_size": N_("Vocabulary")}
"""Headings of keys whose meaning is too long for a column."""


def comparison(
    rows: Sequence[ComparedRow], chosen: tuple[ChosenColumn, ...], *, names_models: bool = True
) -> tuple[Block, ...]:
    """Table of the compared models, and the notes on its cells.

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
    models = models_of(rows)
    columns = [Column(heading)]
    for column in chosen:
        label = column.heading or _label(models, column.words)
        columns.append(Column(label, numeric=True))
    notes = cell_notes(rows, chosen)
    table_rows = tuple(_table_row(rows, position, chosen, notes) for position in range(len(rows)))
    caption, label = _caption(rows), ""
    if not names_models:
        caption, label = _("The models in numbers"), caption
    table = Table((caption,), tuple(columns), table_rows, label, is_compared=True)
    return (fitting(table, _by_importance(rows, chosen)), *notes.notes)


def _table_row(
    rows: Sequence[ComparedRow], position: int, chosen: Sequence[ChosenColumn], notes: CellNotes
) -> Row:
    """The name of a row and its numbers.

    Args:
        rows: all rows.
        position: position of the row.
        chosen: columns of the numbers.
        notes: notes on cells, whose marks follow the numbers.
    """
    row = rows[position]
    lines: list[Line] = [(Name(row.name),)]
    names: list[tuple[str, ...]] = [()]
    for column_position, column in enumerate(chosen):
        text = DASH if row.error(column.name) else row.text(column.name)
        mark = notes.mark(position, column_position)
        lines.append((text, NoteMark(mark)) if mark else (text,))
        names.append((f"{row.name_in_role}:{column.name}",))
    return Row(tuple((line,) for line in lines), names=tuple(names))


def _by_importance(rows: Sequence[ComparedRow], chosen: Sequence[ChosenColumn]) -> list[int]:
    """Positions of the numbers' columns by importance: totals, then those that most models have.

    The column of names has position 0. A phone shows as many of the first ones as fit.
    """

    def sort_key(position: int) -> tuple[bool, int]:
        column = chosen[position - 1]
        missing = [row for row in rows if row.error(column.name) or row.has_dash(column.name)]
        return column.words[0] not in TOTALS, len(missing)

    return sorted(range(1, 1 + len(chosen)), key=sort_key)


def _label(models: Sequence[Model], column: tuple[str, ...]) -> str:
    """``FFN, share``: the label of a number, followed by its format unless that is the usual one.

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
    texts = [label]
    for word in words:
        if word in FORMATS:
            texts.append(_(FORMATS[word]))
        elif word not in {"exact", "short"}:
            texts.append(word)
    return ", ".join(texts)


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
    """``Comparison of LLaMA 7B and GPT-2``; in place of many names, the range of sizes."""
    names = [row.name for row in rows]
    if len(rows) == 1:
        return names[0]
    models = names_text(names)
    totals = [model.total for model in models_of(rows)]
    if models == listed_text(names) or len(totals) < len(rows):
        return _("Comparison of {models}", models=models)
    return _(
        "Language models from {smallest} to {largest} parameters",
        smallest=short(min(totals)),
        largest=short(max(totals)),
    )
