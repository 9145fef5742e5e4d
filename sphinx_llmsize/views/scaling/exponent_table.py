"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from sphinx_llmsize.blocks import Cell, Column, Row, RowKind, Table, cell, symbols_column
from sphinx_llmsize.formats import fixed
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.scaling.growth import CountGrowth
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.folding import DASH, folding_row
from sphinx_llmsize.views.shared.wording import about_line, filled, joined, variable

UNKNOWN = cell(DASH)
"""Cell in place of a number or a formula that doesn't exist."""


def exponent_table(
    scaled: ScaledModels, components: Sequence[CountGrowth], costs: Sequence[CountGrowth]
) -> Table:
    """A row per component and cost: formula, exponent, and measured exponents."""
    pairs = _measured_pairs(scaled)
    x = variable(scaled.symbol)
    columns = [
        Column(_("Component")),
        symbols_column(filled(_("In symbols, and in {x}"), x=x), folds=True),
        symbols_column(filled(_("Exponent of {x}"), x=x), numeric=True),
    ]
    for before, after in pairs:
        heading = _("Measured {factor} to {next}", factor=f"{before}×", next=f"{after}×")
        columns.append(Column(heading, numeric=True, folds=True))
    rows = (
        *(_row(growth, columns, pairs, RowKind.MEMBER) for growth in components),
        *(_row(growth, columns, pairs, RowKind.TOTAL) for growth in costs),
    )
    caption = about_line(
        scaled.base,
        N_("Exponents of {x} in the parameters and costs of {model}"),
        N_("Exponents of {x} in the parameters and costs"),
        x=x,
    )
    return Table(caption, tuple(columns), rows)


def _measured_pairs(scaled: ScaledModels) -> tuple[tuple[Fraction, Fraction], ...]:
    """The pairs of factors to measure exponents between: the first two and the last two."""
    factors = scaled.factors
    first_pair, last_pair = (factors[0], factors[1]), (factors[-2], factors[-1])
    return (first_pair,) if first_pair == last_pair else (first_pair, last_pair)


def _row(
    growth: CountGrowth,
    columns: Sequence[Column],
    pairs: Iterable[tuple[Fraction, Fraction]],
    kind: RowKind,
) -> Row:
    """The name, formula and exponent of a number, and an exponent measured between each pair."""
    key = growth.scaled.key.name
    cells = [cell(growth.name), _formula(growth)]
    names: list[tuple[str, ...]] = [(), ()]
    if growth.exponent is None:
        cells.append(UNKNOWN)
        names.append(())
    else:
        cells.append(cell(str(growth.exponent)))
        names.append(_exponent_name(growth, key))
    for before, after in pairs:
        measured = growth.measured_exponent(before, after)
        if measured is None:
            cells.append(UNKNOWN)
            names.append(())
        else:
            cells.append(cell(fixed(measured, 2)))
            names.append(_exponent_name(growth, f"{key}*{before}..{after}"))
    return replace(folding_row(columns, cells, kind), names=tuple(names))


def _exponent_name(growth: CountGrowth, size: str) -> tuple[str, ...]:
    """``("exponent.mlp:hidden_dim",)``; empty if the author lists the keys that grow.

    Args:
        growth: growth of a component or a cost.
        size: key of the scaled size, with the factors of a measured exponent.
    """
    if growth.scaled.has_own_followers or not growth.id:
        return ()
    return (with_words(f"exponent.{growth.id}", size),)


def _formula(growth: CountGrowth) -> Cell:
    """Cell with the formula in symbols, and in powers of the scaled size; a dash without either."""
    if growth.polynomial is None:
        return cell(growth.symbols) if growth.symbols else UNKNOWN
    line = polynomial_line(growth.polynomial, growth.scaled.symbol)
    if not growth.symbols:
        return cell(line)
    return cell(growth.symbols, joined(("= ", *line)))
