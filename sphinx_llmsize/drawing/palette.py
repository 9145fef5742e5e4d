"""Palette of colours that colour-blind readers can distinguish; neighbours differ in lightness.

The colours were found by a search: in OKLab, any two are at least 0.06 apart for readers who lack
one kind of cone (Machado et al. 2009), and each has a contrast of at least 3:1 with a nearly white
page. The stylesheet contains the colours for dark themes, of the same hues.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """A colour that a stylesheet can replace.

    Attributes:
        name: NAME in the CSS custom property ``--llmsize-NAME``.
        hex: default colour, as ``RRGGBB``.
    """

    name: str
    hex: str


PARTS = (
    Colour("part-1", "3A74AB"),
    Colour("part-2", "D47B34"),
    Colour("part-3", "905CDB"),
    Colour("part-4", "469A70"),
    Colour("part-5", "A02828"),
    Colour("part-6", "767420"),
    Colour("part-7", "3A3A3A"),
    Colour("part-8", "C63091"),
    Colour("part-9", "5C5C5C"),
)
"""Colours of the parts of bars, by the index in :attr:`BarPart.colour`, and of curves."""
OTHER = len(PARTS) - 1
"""Index of the grey for parts that are too small to distinguish."""

ACCENT = Colour("accent", "0A7D5A")
"""Colour of boxes that grow with D."""


def ink(background: Colour) -> Colour:
    """Black or white, whichever has more contrast with a colour."""
    light = luminance(background.hex)
    black_is_better = contrast(light, 0) > contrast(1, light)
    return Colour("ink", "000000" if black_is_better else "FFFFFF")


def contrast(lighter: float, darker: float) -> float:
    """Contrast ratio of two luminances (WCAG 2.2); text needs 4.5, graphics need 3."""
    return (lighter + 0.05) / (darker + 0.05)


def luminance(hex: str) -> float:
    """The relative luminance of an sRGB colour, from 0 to 1 (WCAG 2.2)."""
    channels = (int(hex[start : start + 2], 16) / 255 for start in (0, 2, 4))
    # remove the gamma correction
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4  # noqa: PLR2004
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
