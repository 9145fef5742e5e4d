"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable

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
from sphinx_llmsize.views.shared.wording import filled, joined, variable

DECIMALS = 2
"""Decimal places of effective exponents."""
UNKNOWN = cell(DASH)
"""Cell in place of a formula that doesn't exist."""
EFFECTIVE = N_(
    "A smaller number below an exponent is the effective exponent {p} from {factor} to {next}: "
    "over this range, the quantity grows by a factor of {power}."
)


def exponent_table(
    scaled: ScaledModels,
    components: Iterable[CountGrowth],
    costs: Iterable[CountGrowth],
    tokens: int,
) -> Table:
    """A row per component and cost: formula, exponent, and an effective exponent that differs.

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
    """Note on the effective exponents; empty if the table has none.

    Args:
        scaled: the model at every factor.
        growths: growth of each number in the table.
    """
    if not any(map(_effective_exponent, growths)):
        return ()
    first, last = scaled.factors[0], scaled.factors[-1]
    p = Variable("p")
    return filled(
        _(EFFECTIVE),
        factor=f"{first}×",
        next=f"{last}×",
        p=p,
        power=(str(last / first), Superscript(p)),
    )


def _row(growth: CountGrowth, kind: RowKind) -> Row:
    """The name, formula and exponent of a number, with its effective exponent below."""
    name = _("{name}, bytes", name=growth.name) if growth.is_in_bytes else growth.name
    exponent = DASH if growth.exponent is None else str(growth.exponent)
    effective = _effective_exponent(growth)
    lines = (exponent, effective) if effective else (exponent,)
    names = _names(growth)[: len(lines)]
    return Row((cell(name), _formula(growth), cell(*lines)), kind, names=((), (), names))


def _names(growth: CountGrowth) -> tuple[str, ...]:
    """Names of the exponent and the effective one: ``("exponent.mlp:hidden_dim", …)``.

    They are empty if the author lists the keys that grow, or if there is no exponent.
    """
    if growth.scaled.has_own_followers or not growth.id:
        return ()
    quantity, key, factors = f"exponent.{growth.id}", growth.scaled.key.name, growth.scaled.factors
    effective = with_words(quantity, f"{key}*{factors[0]}..{factors[-1]}")
    return ("" if growth.exponent is None else with_words(quantity, key), effective)


def _effective_exponent(growth: CountGrowth) -> str:
    """``1.94``: the exponent from the first to the last factor; empty if it is the exact one."""
    factors = growth.scaled.factors
    effective = growth.exponent_between(factors[0], factors[-1])
    if effective is None:
        return ""
    text = fixed(effective, DECIMALS)
    is_exact = growth.exponent is not None and text == fixed(growth.exponent, DECIMALS)
    return "" if is_exact else text


def _formula(growth: CountGrowth) -> Cell:
    """Cell with the formula in symbols, and in powers of the scaled size; a dash without either."""
    if growth.polynomial is None:
        return cell(growth.symbols) if growth.symbols else UNKNOWN
    line = polynomial_line(growth.polynomial, growth.scaled.symbol, NARROW_SPACE)
    if not growth.symbols:
        return cell(line)
    return (growth.symbols, joined(("= ", *line)))  # both remain if the column folds
