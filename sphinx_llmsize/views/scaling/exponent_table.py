"""Table of exponents: how each component and each cost grows with the scaled size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from sphinx_llmsize.blocks import Cell, Column, RowKind, Table, cell, symbols_column
from sphinx_llmsize.formats import fixed
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.scaling.growth import Growth
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.folding import DASH, folding_row
from sphinx_llmsize.views.shared.wording import about_line, filled, joined, variable

UNKNOWN = cell(DASH)


def exponent_table(
    scaled: ScaledModels, components: Sequence[Growth], costs: Sequence[Growth]
) -> Table:
    """A row per component and cost: formula, exponent, and measured exponents."""
    measured = dict.fromkeys((scaled.factors[:2], scaled.factors[-2:]))
    x = variable(scaled.symbol)
    columns = (
        Column(_("Component")),
        symbols_column(filled(_("In symbols, and in {x}"), x=x), folds=True),
        symbols_column(filled(_("Exponent of {x}"), x=x), numeric=True),
        *(
            Column(
                _("Measured {factor} to {next}", factor=f"{a}×", next=f"{b}×"),
                numeric=True,
                folds=True,
            )
            for a, b in measured
        ),
    )
    rows = (
        replace(
            folding_row(columns, tuple(_cells(growth, measured)), kind),
            names=((), (), *_exponent_names(growth, (), *measured)),
        )
        for kind, growths in ((RowKind.MEMBER, components), (RowKind.TOTAL, costs))
        for growth in growths
    )
    caption = about_line(
        scaled.base,
        N_("Exponents of {x} in the parameters and costs of {model}"),
        N_("Exponents of {x} in the parameters and costs"),
        x=x,
    )
    return Table(caption, columns, tuple(rows))


def _cells(growth: Growth, measured: Iterable[tuple[Fraction, ...]]) -> Iterator[Cell]:
    """The cells of the name, the formula, the exponent, and those measured between two factors."""
    yield cell(growth.name)
    yield _formula(growth)
    yield UNKNOWN if growth.exponent is None else cell(str(growth.exponent))
    yield from (_measured(growth, *pair) for pair in measured)


def _exponent_names(growth: Growth, *between: tuple[Fraction, ...]) -> Iterator[tuple[str, ...]]:
    """The names of exponents; there are none if the author lists the keys that grow.

    Args:
        growth: growth of a component or a cost.
        between: for each exponent, the two factors between which it is measured, or none for the
            degree of the polynomial.
    """
    if growth.scaled.has_own_followers or not growth.id:
        return
    name, key = f"exponent.{growth.id}", growth.scaled.key.name
    for factors in between:
        text = "..".join(map(str, factors))
        found = growth.measured_exponent(*factors) if factors else growth.polynomial
        if found is None:
            yield ()
        else:
            yield (with_words(name, f"{key}*{text}" if text else key),)


def _formula(growth: Growth) -> Cell:
    """Cell with the formula in symbols, and in powers of the scaled size; a dash without either."""
    if growth.polynomial is None:
        return cell(growth.symbols) if growth.symbols else UNKNOWN
    line = polynomial_line(growth.polynomial, growth.scaled.symbol)
    if not growth.symbols:
        return cell(line)
    return cell(growth.symbols, joined(("= ", *line)))


def _measured(growth: Growth, before: Fraction, after: Fraction) -> Cell:
    exponent = growth.measured_exponent(before, after)
    return UNKNOWN if exponent is None else cell(fixed(exponent, 2))
