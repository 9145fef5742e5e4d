"""Comparison table: a row for each model, a column for each number, and notes on its cells.

A number that a model doesn't have is a dash with a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sphinx_llmsize.blocks import Block, Column, Line, Name, Note, Row, Table
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.comparison.column_texts import column_texts, unit_for_all
from sphinx_llmsize.views.comparison.compared_columns import ACTIVE, DEFAULT_COLUMNS, MODEL
from sphinx_llmsize.views.comparison.compared_rows import (
    ComparedRow,
    models_of,
    names_text,
)
from sphinx_llmsize.views.comparison.comparison_notes import CellNotes, cell_notes
from sphinx_llmsize.views.numbers.byte_measures import (
    DEFAULT_DTYPE,
    has_data_type,
    is_size_of_cache,
)
from sphinx_llmsize.views.numbers.number_headings import number_heading
from sphinx_llmsize.views.numbers.unknown_numbers import TOTALS
from sphinx_llmsize.views.shared.data_size import UNITS
from sphinx_llmsize.views.shared.folding import fitting


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
    texts: list[list[str]] = []
    for column in chosen:
        label, column_of_texts = _column(rows, column)
        columns.append(Column(label, numeric=True))
        texts.append(column_of_texts)
    notes = cell_notes(rows, chosen)
    caption, label = _caption(rows), ""
    if not names_models:
        caption, label = _("The models in numbers"), caption
    table_rows = _table_rows(rows, chosen, texts, notes)
    table = Table((caption,), tuple(columns), table_rows, label, is_compared=True)
    if table.turns:
        notes = replace(notes, turns=True)
        table = replace(table, rows=_table_rows(rows, chosen, texts, notes))
    others = (*_about_active_parameters(models, chosen), *_about_data_type(chosen))
    return (fitting(table, _by_importance(rows, chosen)), *notes.notes, *others)


def _column(rows: Sequence[ComparedRow], column: ChosenColumn) -> tuple[str, list[str]]:
    """The heading of a column and its texts; the unit of sizes in bytes is in one of them.

    All sizes are in the unit that the author names or, if they would have several, in one of these.
    """
    name, words = column.name, column.words
    is_named = words[-1] in UNITS
    unit = words[-1] if is_named else unit_for_all(rows, name)
    if column.heading:
        return column.heading, column_texts(rows, name, "" if is_named else unit, f" {unit}")
    if unit and not is_named:
        words = (*words, unit)
    return number_heading(models_of(rows), words), column_texts(rows, name, unit)


def _about_active_parameters(
    models: Sequence[Model], chosen: Sequence[ChosenColumn]
) -> Iterator[Note]:
    """A note on the column of active parameters, if they are not all parameters of every model.

    It is for a table with the sizes of the models, as by default: authors who compare costs know
    the word, and their readers have often read the note before.
    """
    has_heading = any(column.name == ACTIVE and not column.heading for column in chosen)
    sizes = set(DEFAULT_COLUMNS).difference(TOTALS)
    has_sizes = any(column.name in sizes for column in chosen)
    if has_heading and has_sizes and any(model.active != model.total for model in models):
        yield Note((_("Active parameters are those that one token uses."),))


def _about_data_type(chosen: Sequence[ChosenColumn]) -> Iterator[Note]:
    """A note on the default data type of the KV cache, which an author's heading may leave out."""
    for column in chosen:
        name, *words = column.words
        if column.heading and is_size_of_cache(name) and not has_data_type(words):
            yield Note((_("The KV cache is in {dtype}.", dtype=DEFAULT_DTYPE),))
            return


def _table_rows(
    rows: Sequence[ComparedRow],
    chosen: Sequence[ChosenColumn],
    texts: Sequence[Sequence[str]],
    notes: CellNotes,
) -> tuple[Row, ...]:
    """For each model, its name and its numbers, which the marks of notes follow.

    Args:
        rows: the models.
        chosen: columns of the numbers.
        texts: the numbers of each column.
        notes: notes on them.
    """
    table_rows = []
    for position, row in enumerate(rows):
        lines: list[Line] = [(Name(row.name),)]
        names: list[tuple[str, ...]] = [()]
        for index, column in enumerate(chosen):
            lines.append((texts[index][position], *notes.mark(position, index)))
            names.append((f"{row.name_in_role}:{column.name}",))
        table_rows.append(Row(tuple((line,) for line in lines), names=tuple(names)))
    return tuple(table_rows)


def _by_importance(rows: Sequence[ComparedRow], chosen: Sequence[ChosenColumn]) -> list[int]:
    """Positions of the numbers' columns by importance: totals, then those that most models have.

    The column of names has position 0. A phone shows as many of the first ones as fit.
    """

    def sort_key(position: int) -> tuple[bool, int]:
        column = chosen[position - 1]
        missing = [row for row in rows if row.error(column.name) or row.has_dash(column.name)]
        return column.words[0] not in TOTALS, len(missing)

    return sorted(range(1, 1 + len(chosen)), key=sort_key)


def _caption(rows: Sequence[ComparedRow]) -> str:
    """``Comparison of LLaMA 7B and GPT-2``; ``Comparison of five language models``."""
    names = [row.name for row in rows]
    if len(names) == 1:
        return names[0]
    return _("Comparison of {models}", models=names_text(names))
