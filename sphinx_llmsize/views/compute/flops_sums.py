"""FLOPs as exact sums: of a layer, of all layers, and as a polynomial in T."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack, by_group
from sphinx_llmsize.architecture.tensors import MatMul
from sphinx_llmsize.blocks import Block, Derivation, Formula, Paragraph
from sphinx_llmsize.config.symbols import T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.author_labels import Labels, group_label, placed_stage_label
from sphinx_llmsize.views.compute.flops_polynomial import (
    break_even,
    coefficients,
    is_polynomial,
    lengths,
)
from sphinx_llmsize.views.shared.exact_sum import Bracket, ExactSum, Summand, derivation
from sphinx_llmsize.views.shared.layer_text import layers_text
from sphinx_llmsize.views.shared.operations import Evaluator
from sphinx_llmsize.views.shared.symbolic import Notation, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed, number
from sphinx_llmsize.views.shared.wording import filled, variable

TOTAL_FLOPS = "C"
"""TeX of the symbol for the model's FLOPs."""
UNIT = "FLOPs"
"""Heading of the results."""
SYMPY_T = sympy_symbol(T)
"""The number of tokens as a sympy symbol."""


def flops_sums(model: Model, tokens: int, labels: Labels = ()) -> tuple[Block, ...]:
    """Exact sums, if all layers are alike, and the polynomial in T, if the FLOPs are one.

    Args:
        model: the model.
        tokens: length of the forward pass.
        labels: the author's own labels of stages and groups.
    """
    blocks: list[Block] = []
    has_equal_layers = len(tuple(model.architecture.stacks())) == 1
    if has_equal_layers:
        lead = _("FLOPs of one layer and of the whole model for {T} = {number} tokens, exactly:")
        blocks.append(Paragraph(filled(lead, T=variable(T), number=thousands(tokens))))
        blocks += _layer_sums(model.architecture, tokens, labels)
    if is_polynomial(model.architecture):
        blocks += _polynomial(model)
    return tuple(blocks)


def _layer_sums(
    architecture: Architecture, tokens: int, labels: Labels
) -> tuple[Derivation, Derivation]:
    """FLOPs of one of the equal layers; FLOPs of all layers and the stages outside them."""
    (stack,) = architecture.stacks()
    notation = _notation(architecture, tokens)
    name_of_layer = indexed(TOTAL_FLOPS, pgettext("below a symbol", "layer"))
    layer = ExactSum(name_of_layer, _("One layer"), UNIT, _layer_brackets(stack, labels), notation)
    symbol = sympy.Symbol(name_of_layer)
    layers = architecture.count(stack.uses)
    all_layers = Summand((to_sympy(stack.uses), symbol), layers_text(layers))
    outside_layers = (
        Summand((size,), placed_stage_label(labels, placed))
        for placed in architecture.placed_stages()
        if not placed.stack and (size := _flops(placed.stage.matmuls)) != 0
    )
    whole_model = ExactSum(
        TOTAL_FLOPS,
        _("Total"),
        UNIT,
        (Bracket((all_layers, *outside_layers)),),
        Notation(notation.sizes, {symbol: (name_of_layer, layer.result)}),
    )
    return (derivation(layer), derivation(whole_model))


def _layer_brackets(stack: Stack, labels: Labels) -> tuple[Bracket, ...]:
    """FLOPs of one layer: a bracket of products with weights, and one of other products."""
    # each weight takes one multiplication and one addition per token: 2·T FLOPs
    weights = tuple(
        Summand((sympy.expand(size / (2 * SYMPY_T)),), group_label(labels, group))
        for group, placed_stages in by_group(stack.placed_stages)
        if (size := _flops(_products_with_weights(placed_stages))) != 0
    )
    activations = tuple(
        Summand((_flops(placed.stage.computes),), placed_stage_label(labels, placed))
        for placed in stack.placed_stages
        if placed.stage.computes
    )
    times = _("× 2 per weight and token")
    brackets: list[Bracket] = []
    if len(weights) == 1:
        brackets.append(Bracket(weights, (2 * SYMPY_T,), f"{weights[0].label} {times}"))
    elif weights:
        brackets.append(Bracket(weights, (2 * SYMPY_T,), _weights_label(stack), times))
    if activations:
        brackets.append(Bracket(activations))
    return tuple(brackets)


def _weights_label(stack: Stack) -> str:
    """Heading above the weights of a layer, which are not FLOPs yet."""
    has_experts = any(placed.stage.expert_count for placed in stack.placed_stages)
    return _("Active weights of one layer") if has_experts else _("Weights of one layer")


def _notation(architecture: Architecture, tokens: int) -> Notation:
    """The values of all symbols in the sums, T among them."""
    symbols: set[Symbol] = {T}
    for placed in architecture.placed_stages():
        symbols |= placed.uses.symbols()
        for matmul in placed.stage.matmuls:
            symbols |= matmul.flops.symbols()
    evaluator = Evaluator(architecture, tokens)
    return Notation({symbol: evaluator.count(symbol) for symbol in sorted(symbols, key=str)})


def _products_with_weights(placed_stages: Iterable[PlacedStage]) -> Iterator[MatMul]:
    """The matrix products of these stages, except those between activations."""
    stages = (placed.stage for placed in placed_stages)
    return (matmul for s in stages for matmul in s.matmuls if matmul not in s.computes)


def _polynomial(model: Model) -> Iterator[Block]:
    """``C = a·T + b·T²`` in numbers, and the smallest T for which b·T² is at least a·T."""
    powers = {"constant": "", "linear": r" \, T", "quadratic": r" \, T^{2}"}
    by_power = coefficients(model).items()
    first, *others = [number(count) + powers[id] for id, count in by_power if count]
    yield Paragraph(filled(_("For any number of tokens {T}:"), T=variable(T)))
    yield Formula(((f"{TOTAL_FLOPS} = {first}", *(f" + {tex}" for tex in others)),))
    if tokens := break_even(model):
        message = _(
            "From {T} = {number} on, the scores of all pairs of tokens cost more than everything "
            "else."
        )
        yield Paragraph(filled(message, T=variable(T), number=thousands(tokens)))


def _flops(products: Iterable[MatMul]) -> sympy.Expr:
    """FLOPs of products, with T for the length of every sequence of tokens."""
    total = sympy.Integer(0)
    for matmul in products:
        equal_to_t = (sympy_symbol(s) for s in lengths(matmul) if s.equals_tokens)
        total += to_sympy(matmul.flops).subs(dict.fromkeys(equal_to_t, SYMPY_T))
    return total
