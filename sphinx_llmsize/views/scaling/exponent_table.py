"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sphinx_llmsize.blocks import Cell, Column, Row, RowKind, Table, cell, symbols_column
from sphinx_llmsize.formats import fixed
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.scaling.growth import CountGrowth, without_weights
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.lengths import tokens_line
from sphinx_llmsize.views.shared.wording import filled, joined, variable

UNKNOWN = cell(DASH)
"""Cell in place of a number or a formula that doesn't exist."""


def exponent_table(
    scaled: ScaledModels,
    components: Sequence[CountGrowth],
    costs: Sequence[CountGrowth],
    tokens: int,
) -> Table:
    """A row per component and cost: formula, exponent, and effective ones between two factors.

    Args:
        scaled: the model at every factor.
        components: growth of the parameters of each component.
        costs: growth of each cost.
        tokens: length of the forward pass for FLOPs and activations.
    """
    pairs = _pairs(scaled)
    x = variable(scaled.symbol)
    columns = [
        Column(_("Component")),
        Column(_("Formula")),
        symbols_column(filled(_("Exponent of {x}"), x=x), numeric=True),
    ]
    for before, after in pairs:
        heading = _("Effective exponent, {factor} to {next}", factor=f"{before}×", next=f"{after}×")
        columns.append(Column(heading, numeric=True))
    rows = (
        *(_row(growth, pairs, RowKind.MEMBER) for growth in components),
        *(_row(growth, pairs, RowKind.TOTAL) for growth in without_weights(costs)),
    )
    _name, formula, *numbers = range(len(columns))
    caption = filled(
        _("Exponents of {x} in the parameters and costs with {tokens}"),
        x=x,
        tokens=tokens_line(tokens),
    )
    return fitting(Table(caption, tuple(columns), rows), (*numbers, formula))


def _pairs(scaled: ScaledModels) -> tuple[tuple[Fraction, Fraction], ...]:
    """The pairs of factors that have a column: the first two and the last two."""
    factors = scaled.factors
    first_pair, last_pair = (factors[0], factors[1]), (factors[-2], factors[-1])
    return (first_pair,) if first_pair == last_pair else (first_pair, last_pair)


def _row(growth: CountGrowth, pairs: Iterable[tuple[Fraction, Fraction]], kind: RowKind) -> Row:
    """The name, formula and exponent of a number, and its exponent between each two factors."""
    key = growth.scaled.key.name
    name = _("{name}, bytes", name=growth.name) if growth.is_in_bytes else growth.name
    cells = [cell(name), _formula(growth)]
    names: list[tuple[str, ...]] = [(), ()]
    if growth.exponent is None:
        cells.append(UNKNOWN)
        names.append(())
    else:
        cells.append(cell(str(growth.exponent)))
        names.append(_exponent_name(growth, key))
    for before, after in pairs:
        exponent = growth.exponent_between(before, after)
        if exponent is None:
            cells.append(UNKNOWN)
            names.append(())
        else:
            cells.append(cell(fixed(exponent, 2)))
            names.append(_exponent_name(growth, f"{key}*{before}..{after}"))
    return Row(tuple(cells), kind, tuple(names))


def _exponent_name(growth: CountGrowth, size: str) -> tuple[str, ...]:
    """``("exponent.mlp:hidden_dim",)``; empty if the author lists the keys that grow.

    Args:
        growth: growth of a component or a cost.
        size: key of the scaled size, with the factors of an exponent between two.
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
    return (growth.symbols, joined(("= ", *line)))  # both remain if the column folds
