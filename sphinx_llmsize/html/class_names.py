"""Names of the classes in the stylesheet, which all hosts use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.row_kinds import RowKind, SumRowKind

if TYPE_CHECKING:
    from sphinx_llmsize.blocks import Note
    from sphinx_llmsize.inline import Key, KeyItem, Variable
    from sphinx_llmsize.tables import Table

OUTPUT_CLASS = "llmsize"
"""Class of the element around all output."""
ERROR_CLASS = "llmsize-error"
"""Class of the author's text where it has a mistake, and of notices in place of output."""
BARS_CLASS = "llmsize-bars"
"""Class of the heading of a column with bars."""
CAPTION_CLASS = "caption-text"
"""Class of a caption's text, which themes style; Sphinx has it too."""
CONTROLLED_CLASS = "llmsize-controlled"
"""Class of sizes in lists that a reader of an interactive page can set."""
DISPLAY_CLASS = "llmsize-display"
"""Class of the element that lays out the lines of equations or of a sum."""
DRAWN_CLASS = "llmsize-drawn"
"""Class of text that refers to a drawing, removed where nothing is drawn."""
FACTS_CLASS = "llmsize-facts"
"""Class of lists of sizes."""
FOLDED_CLASS = "llmsize-folded"
"""Class of lines that replace hidden cells on narrow screens."""
FOLDS_CLASS = "llmsize-folds"
"""Class of cells that are hidden on narrow screens."""
FORMULA_CLASS = "llmsize-formula"
"""Class of a formula's outermost element, which may be the one with :data:`DISPLAY_CLASS`."""
GROUPED_CLASS = "llmsize-grouped"
"""Class of tables whose rows are members of groups."""
HEADING_CLASS = "llmsize-heading"
"""Class of the name of a view."""
KEY_CLASS, UNCOLORED_CLASS = "llmsize-key", "llmsize-uncolored"
"""Classes of the meanings of frames, and of those without their colours."""
MUTED_CLASS = "llmsize-muted"
"""Class of text of secondary importance."""
NOTE_CLASS, OF_PRESET_CLASS = "llmsize-note", "llmsize-of-preset"
"""Classes of a remark on the table before it, and of text on the author's sizes only."""
NUMBER_CLASS = "llmsize-number"
"""Class of cells in columns of numbers."""
NUMBERS_OF_CHART_CLASS = "llmsize-numbers-of-chart"
"""Class of a table below a chart with the same caption: only screen readers get the table's."""
PLAIN_CLASS, STYLED_CLASS = "llmsize-plain", "llmsize-styled"
"""Classes of plain text for readers without the stylesheet, and of the output for all others."""
SAMPLE_CLASS, SPOKEN_CLASS = "llmsize-sample", "llmsize-spoken"
"""Classes of the name of a frame, drawn as a sample of it, and of other text for screen readers."""
SCROLL_CLASS = "llmsize-scroll"
"""Class of elements that scroll if their table or picture is too wide."""
SHARE_CLASS = "llmsize-share"
"""Class of numbers with a bar."""
SIZE_CLASS, SIZES_CLASS = "llmsize-size", "llmsize-sizes"
"""Classes of a symbol with its value, and of a model's name, total and sizes."""
SPANS_CLASS = "llmsize-spans"
"""Class of a row's heading whose lines may extend over the empty cells beside it."""
SIGNS_CLASS = "llmsize-signs"
"""Class of the digits, signs and brackets of formulas in a line of text."""
SYMBOL_CLASS = "llmsize-symbol"
"""Class of a symbol with its subscript, such as d_h."""
LEANING_CLASS = "llmsize-leaning"
"""Class of a symbol without a subscript that leans over what follows, such as F."""
SUM_CLASS = "llmsize-sum"
"""Class of sums with a row for each addend."""
TABLE_CLASS = "llmsize-table"
"""Class of tables."""
TURNED_CLASS = "llmsize-turned"
"""Class of tables whose columns become rows on narrow screens."""
STACKED_CLASS = "llmsize-stacked"
"""Class of tables whose names stand above their numbers on narrow screens."""
UNBROKEN_CLASS = "llmsize-unbroken"
"""Class of cells with math that stays on one line, unless the screen is narrow."""
UPRIGHT_CLASS = "llmsize-upright"
"""Class of a word in a subscript, such as kv."""
WIDE_CLASS, NARROW_CLASS = "llmsize-wide", "llmsize-narrow"
"""Classes of pictures for wide and for narrow columns; the first is also that of wide tables."""

LEANING_LETTERS = frozenset("FNPTVWY")
"""Letters that are followed by more space in formulas, since they lean to the right."""
HIDDEN = "until-found"
"""Value of the attribute ``hidden`` of elements that the stylesheet shows to some readers.

Tailwind's styles hide elements with any other value, whatever the stylesheet says.
"""


def table_classes(table: Table) -> tuple[str, ...]:
    """Classes of a table that depend on its groups, and on what it does on narrow screens."""
    classes = {
        GROUPED_CLASS: table.has_groups,
        WIDE_CLASS: table.folds,
        TURNED_CLASS: table.turns,
        STACKED_CLASS: table.stacks,
        NUMBERS_OF_CHART_CLASS: table.has_numbers_of_chart,
    }
    return tuple(name for name, is_true in classes.items() if is_true)


def row_class(kind: RowKind | SumRowKind) -> str:
    """Class of a row of a table or sum."""
    return f"llmsize-{kind.value}"


def symbol_classes(symbol: Variable) -> str:
    """Classes of a symbol."""
    is_leaning = not symbol.subscript and symbol.base[-1:] in LEANING_LETTERS
    return f"{SYMBOL_CLASS} {LEANING_CLASS}" if is_leaning else SYMBOL_CLASS


def key_classes(key: Key) -> str:
    """Classes of the meanings of frames."""
    classes = f"{DRAWN_CLASS} {KEY_CLASS}"
    return classes if key.has_colors else f"{classes} {UNCOLORED_CLASS}"


def sample_classes(item: KeyItem) -> str:
    """Classes of the name of a frame: the second is also that of its boxes in diagrams."""
    return f"{SAMPLE_CLASS} llmsize-{item.frame}"


def figure_class(kind: str) -> str:
    """Class of a figure; its kind is ``diagram`` or ``chart``."""
    return f"llmsize-{kind}"


def share_style(percent: float) -> str:
    """Value of ``style`` that sets the length of a number's bar."""
    return f"--llmsize-share: {percent:.6f}%"


def note_style(note: Note) -> str:
    """Value of ``style`` that sets the position of a note below a turned table; may be empty."""
    return f"--llmsize-turned: {note.turned_position}" if note.turned_position else ""
