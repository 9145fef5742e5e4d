"""Scaling: what it costs to make one size of a model larger, really built at every factor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.blocks import Block, Cell, Column, Line, Muted, Paragraph, Row, Table
from sphinx_llmsize.charts import Curves, Series
from sphinx_llmsize.formats import significant, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import CACHE_DTYPE
from sphinx_llmsize.views.scaling.costs import KV_CACHE, Cost, costs
from sphinx_llmsize.views.scaling.exponents import Exponents
from sphinx_llmsize.views.scaling.growth import Growth
from sphinx_llmsize.views.scaling.scaled import Scaled, Step, scaled
from sphinx_llmsize.views.scaling.words import doubling_line, layers_line, relations_line
from sphinx_llmsize.views.shared.lengths import as_long, tokens_of
from sphinx_llmsize.views.shared.wording import capital, filled, listed_text, sentences, title
from sphinx_llmsize.views.view_options import ViewOptions

NO_CACHE = N_("There is no KV cache to grow: what is kept does not become more with each token.")
IN_STEPS = N_(
    "Where no exponent stands, the number is no polynomial of what is scaled, since sizes are "
    "rounded or layers differ; what is measured between two factors is exact."
)


def scaling(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Costs at every factor as a table and as curves, and the exponent of each.

    Raises:
        ConfigError: the model has no such size, or a scaled one does not fit.
    """
    found = scaled(model, options)
    growth = Growth(found, tokens_of(model, options))
    dtype = options.dtype or CACHE_DTYPE
    of = tuple(costs(model, growth.tokens, dtype))
    exponents = Exponents(growth, of)
    sentences = (relations_line(growth), layers_line(growth), doubling_line(found))
    return (
        *map(Paragraph, filter(None, sentences)),
        _table(found, of),
        _curves(found, of),
        exponents.table(),
        *map(
            Paragraph, filter(None, (exponents.sentence(), _notes(model, growth.tokens, dtype, of)))
        ),
        *(() if exponents.are_known else (Paragraph((_(IN_STEPS),)),)),
    )


def _table(found: Scaled, of: tuple[Cost, ...]) -> Table:
    columns = (Column(capital(_(found.key.meaning))), *(Column(c.name, numeric=True) for c in of))
    rows = (Row((_head(found, step), *_cells(found, step, of))) for step in found.steps)
    caption = _("{model}: costs by {size}", model=title(found.base), size=_(found.key.meaning))
    return Table(caption, columns, tuple(rows))


def _head(found: Scaled, step: Step) -> Cell:
    return ((thousands(found.value(step.factor)),), (Muted(f"× {step.factor}"),))


def _cells(found: Scaled, step: Step, of: tuple[Cost, ...]) -> Iterator[Cell]:
    """Each cost, and how many times it is that of the model as it is."""
    for cost in of:
        number, *exact = cost.lines(cost.of(step.model))
        ratio: Line = (Muted(f"× {significant(_ratio(found, step, cost))}"),)
        yield (number, ratio, *exact)


def _curves(found: Scaled, of: tuple[Cost, ...]) -> Curves:
    last = found.steps[-1]
    grown = listed_text([f"{c.name} × {significant(_ratio(found, last, c))}" for c in of])
    meaning = _(found.key.meaning)
    base = thousands(found.value())
    return Curves(
        title=_("{model}: growth with the {size}", model=title(found.base), size=meaning),
        description=_(
            "At × {factor}: {costs}. Both axes are logarithmic.", factor=last.factor, costs=grown
        ),
        x_label=_("{size}, relative to {number}", size=capital(meaning), number=base),
        y_label=_("Relative to the model as it is"),
        x=tuple(float(step.factor) for step in found.steps),
        x_ticks=tuple(f"×{step.factor}" for step in found.steps),
        series=tuple(
            Series(c.name, tuple(float(_ratio(found, step, c)) for step in found.steps)) for c in of
        ),
    )


def _notes(model: Model, tokens: int, dtype: str, of: tuple[Cost, ...]) -> Line:
    """What is counted."""
    cached = any(cost.name == _(KV_CACHE) for cost in of)
    held = _("Weights and KV cache are in {dtype}.") if cached else _("Weights are in {dtype}.")
    computed = _(
        "FLOPs are those of the matrix products when {number} tokens pass at once, activations the "
        "numbers that then leave the stages, each divided by the tokens.",
        number=thousands(tokens),
    )
    return sentences(
        () if cached else (_(NO_CACHE),),
        filled(held, dtype=dtype),
        (computed,),
        as_long(model),
    )


def _ratio(found: Scaled, step: Step, cost: Cost) -> Fraction:
    return cost.of(step.model) / cost.of(found.base)
