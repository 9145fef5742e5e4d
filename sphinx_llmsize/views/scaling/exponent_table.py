"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from sphinx_llmsize.blocks import (
    Cell,
    Column,
    Line,
    Row,
    RowKind,
    Superscript,
    Table,
    Variable,
    cell,
    symbols_column,
)
from sphinx_llmsize.formats import fixed
from sphinx_llmsize.translation import N_, NARROW_SPACE, _
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.scaling.growth import CountGrowth
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.lengths import tokens_line
from sphinx_llmsize.views.shared.wording import filled, joined, listed_text, variable

Pair = tuple[Fraction, Fraction]
"""A factor of the scaled size, and a larger one."""
DECIMALS = 2
"""Decimal places of effective exponents."""
UNKNOWN = cell(DASH)
"""Cell in place of a formula that doesn't exist."""
EFFECTIVE = N_(
    "Below an exponent are the effective exponents {ranges}, if they differ from it. Where one is "
    "{p}, doubling {x} multiplies the number by {power}."
)


def exponent_table(
    scaled: ScaledModels,
    components: Iterable[CountGrowth],
    costs: Iterable[CountGrowth],
    tokens: int,
) -> Table:
    """A row per component and cost: formula, exponent, and effective exponents that differ from it.

    Args:
        scaled: the model at every factor.
        components: growth of the parameters of each component.
        costs: growth of each cost.
        tokens: length of the forward pass for FLOPs and activations.
    """
    x = variable(scaled.symbol)
    columns = (
        Column(_("Component")),
        Column(_("Formula")),
        symbols_column(filled(_("Exponent of {x}"), x=x), numeric=True),
    )
    rows = (
        *(_row(growth, RowKind.MEMBER) for growth in components),
        *(_row(growth, RowKind.TOTAL) for growth in costs),
    )
    _name, formula, exponent = range(len(columns))
    caption = filled(
        _("Exponents of {x} in the parameters and costs with {tokens}"),
        x=x,
        tokens=tokens_line(tokens),
    )
    return fitting(Table(caption, columns, rows), (exponent, formula))


def effective_note(scaled: ScaledModels, growths: Iterable[CountGrowth]) -> Line:
    """Note on effective exponents; empty if the table has none.

    Args:
        scaled: the model at every factor.
        growths: growth of each number in the table.
    """
    if not any(map(_effective_exponents, growths)):
        return ()
    ranges = [
        _("from {factor} to {next}", factor=f"{before}×", next=f"{after}×")
        for before, after in _pairs(scaled)
    ]
    p, x = Variable("p"), variable(scaled.symbol)
    power = ("2", Superscript(p))
    return filled(_(EFFECTIVE), ranges=(listed_text(ranges),), p=p, x=x, power=power)


def _pairs(scaled: ScaledModels) -> tuple[Pair, ...]:
    """The pairs of factors with effective exponents: the first two and the last two."""
    factors = scaled.factors
    first_pair, last_pair = (factors[0], factors[1]), (factors[-2], factors[-1])
    return (first_pair,) if first_pair == last_pair else (first_pair, last_pair)


def _row(growth: CountGrowth, kind: RowKind) -> Row:
    """The name, formula and exponent of a number, with its effective exponents below."""
    name = _("{name}, bytes", name=growth.name) if growth.is_in_bytes else growth.name
    effective = _effective_exponents(growth)
    exponent = DASH if growth.exponent is None else str(growth.exponent)
    cells = (cell(name), _formula(growth), cell(exponent, *effective.values()))
    return Row(cells, kind, names=((), (), _names(growth, effective)))


def _names(growth: CountGrowth, pairs: Iterable[Pair]) -> tuple[str, ...]:
    """Names of an exponent and its effective ones: ``("exponent.mlp:hidden_dim", …)``.

    They are empty if the author lists the keys that grow, or if there is no exponent.
    """
    if growth.scaled.has_own_followers or not growth.id:
        return ()
    quantity, key = f"exponent.{growth.id}", growth.scaled.key.name
    effective = (with_words(quantity, f"{key}*{before}..{after}") for before, after in pairs)
    return ("" if growth.exponent is None else with_words(quantity, key), *effective)


def _effective_exponents(growth: CountGrowth) -> dict[Pair, str]:
    """``1.94`` and ``1.99``: exponents between two factors; empty if all equal the exponent."""
    found = {pair: growth.exponent_between(*pair) for pair in _pairs(growth.scaled)}
    texts = {pair: fixed(each, DECIMALS) for pair, each in found.items() if each is not None}
    is_exponent = growth.exponent is not None and fixed(growth.exponent, DECIMALS)
    return {} if set(texts.values()) <= {is_exponent} else texts


def _formula(growth: CountGrowth) -> Cell:
    """Cell with the formula in symbols, and in powers of the scaled size; a dash without either."""
    if growth.polynomial is None:
        return cell(growth.symbols) if growth.symbols else UNKNOWN
    line = polynomial_line(growth.polynomial, growth.scaled.symbol, NARROW_SPACE)
    if not growth.symbols:
        return cell(line)
    return (growth.symbols, joined(("= ", *line)))  # both remain if the column folds
