"""The two widths for which charts and diagrams are drawn, in px."""

from __future__ import annotations

NARROW = 340
"""Width that is legible on a phone and in a card."""
WIDE = 684
"""Width that fills the column of a page on a larger screen or on paper."""
