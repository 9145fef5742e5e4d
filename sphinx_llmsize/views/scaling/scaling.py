"""Scaling view: costs as one size grows, each counted in a model built at that size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Line,
    Note,
    Paragraph,
    Row,
    Table,
    Variable,
    cell,
    number_columns,
)
from sphinx_llmsize.config.symbols import D, L, T
from sphinx_llmsize.formats import factor_text, thousands, three_digits
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.compute.scores_note import has_scores
from sphinx_llmsize.views.memory.training_formulas import (
    LAYER_BYTES,
    has_formula_for_activations,
)
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE
from sphinx_llmsize.views.numbers.row_names import size_names, with_words
from sphinx_llmsize.views.scaling.exponent_table import (
    effective_note,
    exponent_table,
    has_effective_exponents,
)
from sphinx_llmsize.views.scaling.growth import (
    CountGrowth,
    cache_elements_added,
    component_growths,
    cost_growths,
    without_weights,
)
from sphinx_llmsize.views.scaling.growth_chart import growth_chart
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels, scaled_models
from sphinx_llmsize.views.scaling.scaling_sentences import (
    HALF,
    doubling_line,
    layers_line,
)
from sphinx_llmsize.views.scaling.size_relations import relations_line, relations_of
from sphinx_llmsize.views.shared.folding import fitting
from sphinx_llmsize.views.shared.lengths import (
    equal_lengths_note,
    tokens_line,
    tokens_of,
    tokens_text,
)
from sphinx_llmsize.views.shared.model_titles import about_line
from sphinx_llmsize.views.shared.papers import KORTHIKANTI
from sphinx_llmsize.views.shared.size_facts import VIEWS_WITH_SIZES, listed_sizes
from sphinx_llmsize.views.shared.symbolic import factor_tex
from sphinx_llmsize.views.shared.tex_as_text import tex_line
from sphinx_llmsize.views.shared.wording import capital, filled, joined_sentences, variable
from sphinx_llmsize.views.view_options import ViewOptions

NO_CACHE = N_("No KV cache grows: generated tokens add nothing to what this model stores.")
DASH_NOTE = N_(
    "A dash instead of an exponent means that the number isn't a polynomial in the scaled size, "
    "because sizes are rounded or layers differ. Effective exponents are computed all the same."
)
NO_SCORES = N_("Attention scores are not among these elements.")
OF_TRAINING = N_(
    "For training, {paper} estimate {formula} bytes of stored activations, plus scores."
)


def scaling(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Costs at every factor as a table and as curves, and the exponent of each.

    Raises:
        ConfigError: the model has no such size, or a scaled size is invalid.
    """
    scaled = scaled_models(model, options)
    tokens = tokens_of(model, options)
    dtype = options.dtype or DEFAULT_DTYPE
    components = component_growths(scaled, options.labels)
    costs = tuple(cost_growths(scaled, tokens, dtype))
    growths = (*components, *without_weights(costs))
    has_dashes = any(growth.polynomial is None for growth in growths)
    cost_notes = (
        _conventions(model, tokens, dtype),
        () if "memory" in options.shown else _activations_of_training(model),
    )
    exponents = exponent_table(scaled, components, without_weights(costs), tokens)
    exponent_notes = (
        _sizes_in(exponents, scaled) if VIEWS_WITH_SIZES.isdisjoint(options.shown) else (),
        effective_note(scaled) if has_effective_exponents(growths) else (),
        (_(DASH_NOTE),) if has_dashes else (),
    )
    sentences = joined_sentences(doubling_line(scaled), relations_line(scaled), layers_line(scaled))
    return (
        Paragraph(sentences),
        _table(scaled, costs, tokens),
        *_notes(cost_notes),
        growth_chart(scaled, costs),
        exponents,
        *_notes(exponent_notes),
    )


def _sizes_in(table: Table, scaled: ScaledModels) -> Line:
    """The sizes beside the scaled one in a table, with meanings; some depend on the scaled one.

    The scaled one has several values, and the sentences above name it.
    """
    lines = (line for row in table.rows for cell in row.cells for line in cell)
    shown = {piece for line in lines for piece in line if isinstance(piece, Variable)}
    shown.discard(variable(scaled.symbol))
    model = scaled.base
    sizes = (symbol for symbol in model.architecture.sizes if variable(symbol) in shown)
    return listed_sizes(model, sizes, relations_of(scaled))


def _notes(lines: Iterable[Line]) -> Iterator[Note]:
    """Notes with the lines that are not empty."""
    return (Note(line) for line in lines if line)


def _table(scaled: ScaledModels, costs: Sequence[CountGrowth], tokens: int) -> Table:
    """Table with a row for each factor: the size, and every cost."""
    size = _(scaled.key.meaning)
    columns = number_columns(capital(size), *(cost.heading for cost in costs))
    rows = (
        Row(
            tuple(_cells(scaled, factor, costs)),
            names=tuple(_names(scaled, factor, costs)),
        )
        for factor in scaled.factors
    )
    caption = about_line(
        scaled.base,
        N_("Costs of {model} by {size} with {tokens}"),
        N_("Costs by {size} with {tokens}"),
        size=size,
        tokens=tokens_line(tokens),
    )
    table = Table(caption, columns, tuple(rows), is_compared=True)
    # where a phone has no space for all columns even if they become rows, the first ones stay
    return table if table.turns else fitting(table, range(1, len(columns)))


def _cells(scaled: ScaledModels, factor: Fraction, costs: Sequence[CountGrowth]) -> Iterator[Cell]:
    """The size, then each cost and its ratio to that of the unchanged model."""
    yield cell(thousands(scaled.value(factor)), _factor_in_words(factor))
    for cost in costs:
        ratio = f"{three_digits(cost.ratio(factor))}×"
        yield cell(cost.text(factor), "" if factor == 1 else ratio)


def _factor_in_words(factor: Fraction) -> str:
    """``1×``, ``2×``; ``half``."""
    return _("half") if factor == HALF else f"{factor_text(factor)}×"


def _names(
    scaled: ScaledModels, factor: Fraction, costs: Sequence[CountGrowth]
) -> Iterator[tuple[str, ...]]:
    """The names of the numbers in each cell of a row: of the number itself, and of its growth.

    Growth has no name if the author lists the keys that grow.
    """
    change = scaled.change(factor)
    size = size_names(scaled.base)[scaled.symbol]
    for id in (size, *(cost.id for cost in costs)):
        if not id:
            yield ()
        elif factor == 1:
            yield (id,)
        elif id == size or scaled.has_own_followers:
            yield (with_words(f"?{change}", id),)
        else:
            yield (with_words(f"?{change}", id), with_words(f"growth.{id}", change))


def _conventions(model: Model, tokens: int, dtype: str) -> Line:
    """Data types of the numbers, and the forward pass of FLOPs and activations."""
    if cache_elements_added(model):
        no_cache: Line = ()
        types = _("Weights and KV cache are in {dtype}.")
    else:
        is_unknown = model.architecture.has_unknown_lengths
        no_cache = (_(UNKNOWN_CACHE, name=model.label) if is_unknown else _(NO_CACHE),)
        types = _("Weights are in {dtype}.")
    computed = _(
        "FLOPs and activations are those of a forward pass of {tokens}, divided by the "
        "number of tokens: the operations of all matrix products, and the elements in the outputs "
        "of all steps.",
        tokens=tokens_text(tokens),
    )
    scores = (_(NO_SCORES),) if has_scores(model) else ()
    return joined_sentences(
        no_cache,
        filled(types, dtype=dtype),
        (computed,),
        scores,
        equal_lengths_note(model),
    )


def _activations_of_training(model: Model) -> Line:
    """Estimate of the activations that training stores, if the model has one."""
    if not has_formula_for_activations(model):
        return ()
    formula = tex_line((factor_tex(product(LAYER_BYTES, L, T, D)),), (L, T, D))
    return filled(_(OF_TRAINING), paper=KORTHIKANTI, formula=formula)
