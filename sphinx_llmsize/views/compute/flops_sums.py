"""FLOPs as an exact sum, and as a polynomial in T."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import MatMul
from sphinx_llmsize.blocks import Block, Derivation, Formula, Paragraph
from sphinx_llmsize.config.symbols import T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.author_labels import (
    Labels,
    group_label,
    own_label,
    placed_stage_ids,
    placed_stage_label,
)
from sphinx_llmsize.views.compute.flops_polynomial import (
    break_even,
    coefficients,
    is_polynomial,
    lengths,
)
from sphinx_llmsize.views.compute.scores_note import multiplies_by_each_key
from sphinx_llmsize.views.numbers.row_names import flops_name, with_words
from sphinx_llmsize.views.shared.exact_sum import Bracket, ExactSum, Summand, derivation
from sphinx_llmsize.views.shared.layer_text import layers_text
from sphinx_llmsize.views.shared.lengths import longest_context, tokens_line
from sphinx_llmsize.views.shared.operations import Evaluator
from sphinx_llmsize.views.shared.symbolic import Notation, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed, number
from sphinx_llmsize.views.shared.wording import filled, variable

TOTAL_FLOPS = "C"
"""TeX of the symbol for the model's FLOPs."""
FLOPS = "flops"
"""First word of the names of FLOPs in the role ``llm-size``."""
UNIT = "FLOPs"
"""Heading of the results."""
SYMPY_T = sympy_symbol(T)
"""The number of tokens as a sympy symbol."""


def flops_sums(model: Model, tokens: int, labels: Labels = ()) -> tuple[Block, ...]:
    """The exact sum if all layers are equal, and the FLOPs for any T if they are a polynomial.

    Args:
        model: the model.
        tokens: length of the forward pass.
        labels: the author's own labels of stages and groups.
    """
    blocks: list[Block] = []
    stacks = tuple(model.architecture.stacks())
    if len(stacks) == 1:
        lead_in = filled(
            _("The components add up to the FLOPs of the forward pass with {tokens}:"),
            tokens=tokens_line(tokens),
        )
        blocks += [Paragraph(lead_in), _Sum(model, tokens, labels).of(stacks[0])]
    if is_polynomial(model.architecture):
        blocks += _polynomial(model, labels)
    return tuple(blocks)


@dataclass(frozen=True)
class _Sum:
    """Sum of the FLOPs of a model with equal layers.

    Attributes:
        model: the model.
        tokens: length of the forward pass.
        labels: the author's own labels of stages and groups.
    """

    model: Model
    tokens: int
    labels: Labels

    def of(self, stack: Stack) -> Derivation:
        """FLOPs of one of the equal layers, of all of them, and of the stages outside them."""
        architecture = self.model.architecture
        layers = architecture.count(stack.uses)
        factors = () if layers == 1 else (to_sympy(stack.uses),)
        in_layers = Bracket(
            tuple(self._layer_summands(stack)),
            factors,
            layers_text(layers),
            sum_label=_("One layer"),
            sum_symbol=indexed(TOTAL_FLOPS, pgettext("below a symbol", "layer")),
            number_name=self._name(f"{FLOPS}.{stack.id}"),
        )
        outside_layers = tuple(
            self._summand(placed)
            for placed in architecture.placed_stages()
            if not placed.stack and flops_of(placed.stage.matmuls) != 0
        )
        brackets = (in_layers, Bracket(outside_layers))
        notation = flops_notation(architecture, self.tokens)
        total = ExactSum(
            TOTAL_FLOPS, _("Total"), UNIT, brackets, notation, number_name=self._name(FLOPS)
        )
        return derivation(total)

    def _layer_summands(self, stack: Stack) -> Iterator[Summand]:
        """FLOPs of one layer, with one summand per group.

        A group with a single stage, or with products of activations such as scores, is listed stage
        by stage.
        """
        with_matmuls = [placed for placed in stack.placed_stages if placed.stage.matmuls]
        for group in Group:
            placed_stages = [placed for placed in with_matmuls if placed.stage.group is group]
            members = tuple(map(self._summand, placed_stages))
            has_products = any(placed.stage.computes for placed in placed_stages)
            is_listed_by_stage = len(members) == 1 or has_products
            if is_listed_by_stage:
                yield from members
            elif members:
                size = sympy.Add(*(member.size for member in members))
                label = group_label(self.labels, group)
                name = self._name(f"{FLOPS}.{stack.id}.{group.value}")
                yield Summand((size,), label, members, name)

    def _summand(self, placed: PlacedStage) -> Summand:
        """FLOPs of a stage, in one layer if it is in layers."""
        name = self._name(flops_name(self.model, placed.stage))
        label = placed_stage_label(self.labels, placed)
        return Summand((flops_of(placed.stage.matmuls),), label, number_name=name)

    def _name(self, ids: str) -> str:
        """Name of the number with these ids in the role ``llm-size``."""
        return with_words(ids, self.tokens)


def flops_notation(architecture: Architecture, tokens: int) -> Notation:
    """The values of all symbols in the sums, T among them."""
    symbols: set[Symbol] = {T}
    for placed in architecture.placed_stages():
        symbols |= placed.uses.symbols()
        for matmul in placed.stage.matmuls:
            symbols |= matmul.flops.symbols()
    evaluator = Evaluator(architecture, tokens)
    return Notation({symbol: evaluator.count(symbol) for symbol in sorted(symbols, key=str)})


def _polynomial(model: Model, labels: Labels) -> Iterator[Block]:
    """``C = a·T + b·T²`` in numbers, and the smallest T for which b·T² is at least a·T."""
    powers = {"constant": "", "linear": r" \, T", "quadratic": r" \, T^{2}"}
    by_power = coefficients(model).items()
    first, *others = [number(count) + powers[id] for id, count in by_power if count]
    yield Paragraph(filled(_("For any number of tokens {T}:"), T=variable(T)))
    yield Formula(((f"{TOTAL_FLOPS} = {first}", *(f" + {tex}" for tex in others)),))
    if tokens := break_even(model):
        message = _("From {T} = {number} on, {attention} costs more than the rest together.")
        context = longest_context(model) or tokens
        if tokens > context:
            message = _(
                "Up to the longest context, {T} = {context}, {attention} costs less than "
                "the rest together; it would cost more from {T} = {number} on."
            )
        numbers = {"number": thousands(tokens), "context": thousands(context)}
        attention = _scores_label(model, labels)
        yield Paragraph(filled(message, T=variable(T), attention=attention, **numbers))


def _scores_label(model: Model, labels: Labels) -> str:
    """The author's label of a stage whose FLOPs grow with T², or the usual one."""
    label = _("dot-product attention")
    for placed in model.architecture.placed_stages():
        if multiplies_by_each_key(placed.stage):
            label = own_label(labels, placed_stage_ids(placed), label)
    return label


def flops_of(products: Iterable[MatMul]) -> sympy.Expr:
    """FLOPs of products in symbols.

    Lengths that equal the number of tokens become T; pooled or limited ones keep their own symbol.
    """
    total = sympy.Integer(0)
    for matmul in products:
        equal_to_t = (sympy_symbol(s) for s in lengths(matmul) if s.equals_tokens)
        total += to_sympy(matmul.flops).subs(dict.fromkeys(equal_to_t, SYMPY_T))
    return total
