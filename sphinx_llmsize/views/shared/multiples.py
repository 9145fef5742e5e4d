"""A size as a multiple of another, written alike in all views: ``43D/16``."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.views.shared.wording import formula_line, variable


def multiple_line(ratio: Fraction, symbol: Symbol) -> Line:
    """``43D/16``, ``D``, ``H/4``."""
    before = "" if ratio.numerator == 1 else f"{thousands(ratio.numerator)}"
    after = "" if ratio.denominator == 1 else f"/{thousands(ratio.denominator)}"
    return formula_line(filter(None, (before, variable(symbol), after)))
