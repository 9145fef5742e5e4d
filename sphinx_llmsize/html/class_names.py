"""Class names that the stylesheet refers to, the same in every host."""

from __future__ import annotations

from sphinx_llmsize.blocks import RowKind, SumRowKind

PAGE_CLASS = "llmsize"
"""Class of the element around all output."""
ERROR_CLASS = "llmsize-error"
"""Class of text that is wrong, and of notices in place of output."""
DISPLAY_CLASS = "llmsize-display"
"""Class of elements that contain equations or a sum."""
DRAWN_CLASS = "llmsize-drawn"
"""Class of text that refers to a drawing, removed where nothing is drawn."""
FACTS_CLASS = "llmsize-facts"
"""Class of lists of sizes."""
FOLDED_CLASS = "llmsize-folded"
"""Class of lines that stand for hidden cells on narrow screens."""
FOLDS_CLASS = "llmsize-folds"
"""Class of cells that are hidden on narrow screens."""
FORMULA_CLASS = "llmsize-formula"
"""Class of displayed math."""
GROUPED_CLASS = "llmsize-grouped"
"""Class of tables whose rows are members of groups."""
MUTED_CLASS = "llmsize-muted"
"""Class of text of secondary importance."""
NUMBER_CLASS = "llmsize-number"
"""Class of cells in columns of numbers."""
SCROLL_CLASS = "llmsize-scroll"
"""Class of elements that scroll if their table or picture is too wide."""
SHARE_CLASS = "llmsize-share"
"""Class of numbers with a bar."""
SYMBOL_CLASS = "llmsize-symbol"
"""Class of a symbol with its subscript, such as d_h."""
SUM_CLASS = "llmsize-sum"
"""Class of sums with a row for each addend."""
TABLE_CLASS = "llmsize-table"
"""Class of tables."""
WIDE_CLASS, NARROW_CLASS = "llmsize-wide", "llmsize-narrow"
"""Classes of tables that need space, and of a chart's pictures for wide and narrow columns."""


def row_class(kind: RowKind | SumRowKind) -> str:
    """Class of a row of a table or sum."""
    return f"llmsize-{kind.value}"


def share_style(percent: float) -> str:
    """Style of a number with a bar."""
    return f"--llmsize-share: {percent:.6f}%"
