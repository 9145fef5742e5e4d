"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from sphinx_llmsize.formats import factor_text, fixed
from sphinx_llmsize.translation import N_, NARROW_SPACE, _
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.scaling.growth import CountGrowth
from sphinx_llmsize.views.scaling.polynomial_text import coefficient, polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.lengths import tokens_line
from sphinx_llmsize.views.shared.wording import filled, formula_line, variable

DECIMALS = 2
"""Decimal places of effective exponents."""
UNKNOWN = cell(DASH)
"""Cell in place of a formula that doesn't exist."""
EFFECTIVE = N_(
    "From {factor} to {next}, an effective exponent of {p} means growth by a factor of {power}."
)


def exponent_table(
    scaled: ScaledModels,
    components: Sequence[CountGrowth],
    costs: Sequence[CountGrowth],
    tokens: int,
) -> Table:
    """A row per component and cost: formula, exponent and, if any differs, effective exponent.

    Components whose effective exponent is the same have none.

    Args:
        scaled: the model at every factor.
        components: growth of the parameters of each component.
        costs: growth of each cost.
        tokens: length of the forward pass for FLOPs and activations.
    """
    x = variable(scaled.symbol)
    columns: tuple[Column, ...] = (
        Column(_("Quantity")),
        Column(_("Formula")),
        symbols_column(filled(_("Exponent of {x}"), x=x), numeric=True),
    )
    has_effective = has_effective_exponents((*components, *costs))
    if has_effective:
        columns += (Column(_("Effective exponent"), numeric=True),)
    rows = (
        *(_row(growth, RowKind.MEMBER, has_effective) for growth in components),
        *(_row(growth, RowKind.TOTAL, has_effective) for growth in costs),
    )
    _name, formula, *exponents = range(len(columns))
    caption = filled(
        _("Exponents of {x} in the parameters and costs with {tokens}"),
        x=x,
        tokens=tokens_line(tokens),
    )
    return fitting(Table(caption, columns, rows), (*exponents, formula))


def has_effective_exponents(growths: Iterable[CountGrowth]) -> bool:
    """True if the effective exponent of a number differs from its exponent as displayed."""
    return any(map(_differs, growths))


def effective_note(scaled: ScaledModels) -> Line:
    """Note on the effective exponents."""
    first, last = _range(scaled)
    p = Variable("p")
    growth = coefficient(scaled.factors[-1] / scaled.factors[0])
    power = formula_line((growth, Superscript(p)))
    return filled(_(EFFECTIVE), factor=first, next=last, p=p, power=power)


def _range(scaled: ScaledModels) -> tuple[str, str]:
    """``1×`` and ``4×``: the factors between which exponents are effective."""
    first, *_others, last = (f"{factor_text(factor)}×" for factor in scaled.factors)
    return first, last


def _row(growth: CountGrowth, kind: RowKind, has_effective: bool) -> Row:
    """The name, formula and exponent of a number, and its effective exponent, if there are any."""
    name = _("{name}, bytes", name=growth.name) if growth.is_in_bytes else growth.name
    exponent = DASH if growth.exponent is None else str(growth.exponent)
    effective = _effective_exponent(growth)
    if kind is RowKind.MEMBER and not _differs(growth):
        effective = ""
    texts = (exponent, effective) if has_effective else (exponent,)
    names = ((each,) if each else () for each in _names(growth, effective)[: len(texts)])
    return Row((cell(name), _formula(growth), *map(cell, texts)), kind, names=((), (), *names))


def _names(growth: CountGrowth, effective: str) -> tuple[str, str]:
    """Names of the exponent and the effective one: ``("exponent.mlp:hidden_dim", …)``.

    They are empty if the author lists the keys that grow, or if there is no such exponent.
    """
    if growth.scaled.has_own_followers or not growth.id:
        return "", ""
    quantity, key, factors = f"exponent.{growth.id}", growth.scaled.key.name, growth.scaled.factors
    return (
        "" if growth.exponent is None else with_words(quantity, key),
        with_words(quantity, f"{key}*{factors[0]}..{factors[-1]}") if effective else "",
    )


def _differs(growth: CountGrowth) -> bool:
    """True if there is an effective exponent that differs from the exponent as displayed."""
    effective = _effective_exponent(growth)
    exponent = "" if growth.exponent is None else fixed(growth.exponent, DECIMALS)
    return effective not in ("", exponent)


def _effective_exponent(growth: CountGrowth) -> str:
    """``1.94``: the exponent from the first to the last factor; empty if there is none."""
    factors = growth.scaled.factors
    between = growth.exponent_between(factors[0], factors[-1])
    return "" if between is None else fixed(between, DECIMALS)


def _formula(growth: CountGrowth) -> Cell:
    """Cell with the formula in symbols, and in powers of the scaled size; a dash without either."""
    if growth.polynomial is None:
        return cell(growth.symbols) if growth.symbols else UNKNOWN
    line = polynomial_line(growth.polynomial, growth.scaled.symbol, NARROW_SPACE)
    if not growth.symbols:
        return cell(line)
    return (growth.symbols, formula_line(("= ", *line)))  # both remain if the column folds
