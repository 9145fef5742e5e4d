"""Exponents: how every component and every cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.blocks import Cell, Column, Line, Muted, Row, RowKind, Table
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.scaling.expressions import polynomial_line, power_line
from sphinx_llmsize.views.scaling.growth import Growth
from sphinx_llmsize.views.scaling.scaled_models import Scaled
from sphinx_llmsize.views.shared.wording import filled, in_sentence, joined, listed, title

UNKNOWN: Cell = (("–",),)


def exponent_table(scaled: Scaled, components: Sequence[Growth], costs: Sequence[Growth]) -> Table:
    """A row each: formula, exponent, and exponent measured between factors."""
    measured = dict.fromkeys((scaled.factors[:2], scaled.factors[-2:]))
    x = scaled.symbol
    columns = (
        Column(_("Component")),
        Column(_("In symbols, and in {x}", x=x)),
        Column(_("Exponent of {x}", x=x), numeric=True),
        *(
            Column(_("Measured {factor} to {next}", factor=f"{a}×", next=f"{b}×"), numeric=True)
            for a, b in measured
        ),
    )
    rows = (
        Row(
            (
                ((growth.name,),),
                _formula(growth),
                UNKNOWN if growth.exponent is None else ((str(growth.exponent),),),
                *(_measured(growth, *pair) for pair in measured),
            ),
            kind,
        )
        for kind, growths in ((RowKind.MEMBER, components), (RowKind.TOTAL, costs))
        for growth in growths
    )
    caption = _("{model}: exponents of {x}", model=title(scaled.base), x=x)
    return Table(caption, columns, tuple(rows))


def exponent_sentence(scaled: Scaled, components: Sequence[Growth]) -> Line:
    """Components by exponent: ``Parameters grow with D² in attention, with D in norms``."""
    by_exponent: dict[int, list[Line]] = {}
    for growth in components:
        if growth.exponent:
            by_exponent.setdefault(growth.exponent, []).append((in_sentence(growth.name),))
    sentence: Line = ()
    for exponent, names in sorted(by_exponent.items(), reverse=True):
        places = {"power": power_line(scaled.symbol, exponent), "components": listed(names)}
        if sentence:
            message = _("{sentence}, with {power} in {components}")
            sentence = filled(message, sentence=sentence, **places)
        else:
            sentence = filled(_("Parameters grow with {power} in {components}"), **places)
    return joined((*sentence, _("."))) if sentence else ()


def _formula(growth: Growth) -> Cell:
    if growth.polynomial is None:
        return (growth.symbols,) if growth.symbols else UNKNOWN
    line = polynomial_line(growth.polynomial, growth.scaled.symbol)
    if not growth.symbols:
        return (line,)
    return (growth.symbols, (Muted(f"= {''.join(map(str, line))}"),))


def _measured(growth: Growth, before: Fraction, after: Fraction) -> Cell:
    exponent = growth.measured_exponent(before, after)
    return UNKNOWN if exponent is None else ((f"{exponent:.2f}",),)
