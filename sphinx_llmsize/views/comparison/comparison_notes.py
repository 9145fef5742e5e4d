"""Notes on cells of a comparison table, each with the mark of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, Note, NoteMark
from sphinx_llmsize.errors import AbsentNumber, ConfigError
from sphinx_llmsize.formats import percent
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow
from sphinx_llmsize.views.comparison.size_notes import about_missing_size, about_size
from sphinx_llmsize.views.shared.wording import capital

FEED_FORWARD_NAMES = frozenset(("mlp", Group.FEED_FORWARD.value))
"""Names of a column with feed-forward parameters, which doesn't count experts."""
SIGNS = "†‡§¶"
"""Signs of notes, of one height; a raised figure after a number would look like a power."""


@dataclass(frozen=True)
class CellNotes:
    """The notes of a table.

    Readers go through a table row by row. If it is turned on a phone, its columns are rows there,
    so that the notes have another order and other marks.

    Attributes:
        texts: the note on each cell that has one, by the positions of its row and column.
        turns: the table is turned on a phone.
    """

    texts: Mapping[tuple[int, int], str]
    turns: bool = False

    def mark(self, row: int, column: int) -> Line:
        """``†``: the mark of a cell's note, empty without one."""
        return (self._marks[self.texts[row, column]],) if (row, column) in self.texts else ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """``† Dimension of each expert.``: a paragraph for each note."""
        has_two_orders = self.turns and self._texts_of_rows != self._texts_of_columns
        turned = {text: 1 + position for position, text in enumerate(self._texts_of_columns)}
        return tuple(
            Note((mark, f" {text}"), turned_position=turned[text] if has_two_orders else 0)
            for text, mark in self._marks.items()
        )

    @cached_property
    def _marks(self) -> Mapping[str, NoteMark]:
        """The mark of each note: ``†``, ``‡`` … ``††``, ``‡‡``."""
        signs = _with_signs(self._texts_of_rows)
        turned = _with_signs(self._texts_of_columns) if self.turns else signs
        return {
            text: NoteMark(sign, turned[text] if turned[text] != sign else "")
            for text, sign in signs.items()
        }

    @cached_property
    def _texts_of_rows(self) -> tuple[str, ...]:
        """The notes, each once, row by row."""
        return tuple(dict.fromkeys(self.texts[cell] for cell in sorted(self.texts)))

    @cached_property
    def _texts_of_columns(self) -> tuple[str, ...]:
        """The notes, each once, column by column."""
        cells = sorted(self.texts, key=lambda cell: cell[::-1])
        return tuple(dict.fromkeys(self.texts[cell] for cell in cells))


def _with_signs(texts: Iterable[str]) -> dict[str, str]:
    """The notes with their signs, in order."""
    in_turn = (sign * times for times in count(1) for sign in SIGNS)
    return dict(zip(texts, in_turn, strict=False))


def cell_notes(rows: Sequence[ComparedRow], chosen: Sequence[ChosenColumn]) -> CellNotes:
    """Notes on dashes, and on numbers that readers could misunderstand.

    Args:
        rows: models of the table.
        chosen: columns of the numbers.
    """
    names = {column.words[0] for column in chosen}
    names_in_errors = _names_in_errors(rows, chosen)
    texts = {
        (row_position, position): text
        for row_position, row in enumerate(rows)
        for position, column in enumerate(chosen)
        if (text := _note(row, column, names, names_in_errors))
    }
    return CellNotes(texts)


def _names_in_errors(
    rows: Sequence[ComparedRow], chosen: Sequence[ChosenColumn]
) -> Mapping[str, set[str]]:
    """The names of the models with an error, by the error's message without the name."""
    names: dict[str, set[str]] = {}
    for row in rows:
        for column in chosen:
            if row.model and (error := row.error(column.name)):
                message = error.message.replace(row.model.label, "")
                names.setdefault(message, set()).add(row.model.label)
    return names


def _note(
    row: ComparedRow,
    column: ChosenColumn,
    names: Iterable[str],
    names_in_errors: Mapping[str, set[str]],
) -> str:
    """The note on a cell; empty for most.

    Args:
        row: row of the cell.
        column: column of the cell.
        names: names of the numbers in all columns.
        names_in_errors: result of :func:`_names_in_errors`.
    """
    name, model = column.words[0], row.model
    if model is None:  # a dash is a value that the author doesn't state
        return ""
    if error := row.error(column.name):
        return _about_error(error, model, name, names_in_errors)
    if row.has_dash(column.name):
        return about_missing_size(model, name)
    if note := about_size(model, name):
        return note
    if name in FEED_FORWARD_NAMES and Group.EXPERTS.value not in names:
        return _about_experts(model)
    return ""


def _about_error(
    error: ConfigError, model: Model, name: str, names_in_errors: Mapping[str, set[str]]
) -> str:
    """Note on a number that a model cannot have; it names the model unless others share it."""
    if isinstance(error, AbsentNumber):
        return about_missing_size(model, name)
    label, message = model.label, error.message
    if len(names_in_errors[message.replace(label, "")]) > 1:
        label, message = "", message.replace(label, _("the model"))
    starts_with_name = label and message.startswith(label)
    return f"{message if starts_with_name else capital(message)}."


def _about_experts(model: Model) -> str:
    """Note on feed-forward parameters without those of the experts."""
    experts = model.parameters_in(Group.EXPERTS)
    if not experts:
        return ""
    share = percent(Fraction(experts, model.total))
    return _("Without experts, which hold {share} of the parameters.", share=share)
