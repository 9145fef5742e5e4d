"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sphinx_llmsize.blocks import Cell, Column, Row, RowKind, Table, cell, symbols_column
from sphinx_llmsize.formats import fixed
from sphinx_llmsize.translation import NARROW_SPACE, _
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.scaling.growth import CountGrowth, without_weights
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.lengths import tokens_line
from sphinx_llmsize.views.shared.wording import filled, joined, variable

Pair = tuple[Fraction, Fraction]
"""A factor of the scaled size, and a larger one."""
DECIMALS = 2
"""Decimal places of effective exponents."""
UNKNOWN = cell(DASH)
"""Cell in place of an exponent or a formula that doesn't exist."""


def exponent_table(
    scaled: ScaledModels,
    components: Sequence[CountGrowth],
    costs: Sequence[CountGrowth],
    pairs: Sequence[Pair],
    tokens: int,
) -> Table:
    """A row per component and cost: formula, exponent, and effective ones between two factors.

    Args:
        scaled: the model at every factor.
        components: growth of the parameters of each component.
        costs: growth of each cost.
        pairs: pairs of factors with a column for the effective exponents between them.
        tokens: length of the forward pass for FLOPs and activations.
    """
    x = variable(scaled.symbol)
    columns = [
        Column(_("Component")),
        Column(_("Formula")),
        symbols_column(filled(_("Exponent of {x}"), x=x), numeric=True),
    ]
    for before, after in pairs:
        heading = _("Effective, {factor} to {next}", factor=f"{before}×", next=f"{after}×")
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


def effective_pairs(scaled: ScaledModels, growths: Sequence[CountGrowth]) -> tuple[Pair, ...]:
    """The pairs of factors between which a number grows with another exponent than its own.

    Args:
        scaled: the model at every factor.
        growths: growth of each number in the table.
    """
    return tuple(
        pair for pair in _pairs(scaled) if any(_effective(growth, pair) for growth in growths)
    )


def _pairs(scaled: ScaledModels) -> tuple[Pair, ...]:
    """The pairs of factors that may have a column: the first two and the last two."""
    factors = scaled.factors
    first_pair, last_pair = (factors[0], factors[1]), (factors[-2], factors[-1])
    return (first_pair,) if first_pair == last_pair else (first_pair, last_pair)


def _row(growth: CountGrowth, pairs: Iterable[Pair], kind: RowKind) -> Row:
    """The name, formula and exponent of a number, and its effective exponents."""
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
        text = _effective(growth, (before, after))
        cells.append(cell(text))
        names.append(_exponent_name(growth, f"{key}*{before}..{after}") if text else ())
    return Row(tuple(cells), kind, tuple(names))


def _effective(growth: CountGrowth, pair: Pair) -> str:
    """``1.97``: exponent between two factors; empty if it is the exponent, or if there is none."""
    effective = growth.exponent_between(*pair)
    if effective is None:
        return ""
    text = fixed(effective, DECIMALS)
    is_same = growth.exponent is not None and text == fixed(growth.exponent, DECIMALS)
    return "" if is_same else text


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
    line = polynomial_line(growth.polynomial, growth.scaled.symbol, NARROW_SPACE)
    if not growth.symbols:
        return cell(line)
    return (growth.symbols, joined(("= ", *line)))  # both remain if the column folds
