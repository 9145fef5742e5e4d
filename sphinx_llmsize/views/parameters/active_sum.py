"""Active parameters as an exact sum: all of them, minus the experts that a token doesn't use."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import Derivation
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.numbers.byte_measures import ACTIVE
from sphinx_llmsize.views.numbers.part_selection import TOTAL
from sphinx_llmsize.views.parameters.bracket_layers import SYMBOL, BracketLayers
from sphinx_llmsize.views.parameters.parameter_sums import grouped_by
from sphinx_llmsize.views.shared.exact_sum import Bracket, ExactSum, Summand, derivation
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_with_tensors
from sphinx_llmsize.views.shared.product_tex import Factors
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed


def active_sum(model: Model) -> Derivation:
    """``N_active = N − L·(E − k)·(the parameters of an expert)``."""
    total = sympy.Symbol(SYMBOL)
    stages = [
        each
        for each in occurrences_with_tensors(model.architecture)
        if each.stage.expert_count or each.stage.is_for_images
    ]
    experts = grouped_by(stages, lambda each: (each.stacks, each.stage.expert_count))
    names = _names_of_unused(model, experts)
    brackets = [Bracket((Summand((total,), _("Total"), number_name=TOTAL),))]
    for members, name in zip(experts, names, strict=True):
        brackets.append(_unused_experts(model, members, name))
    notation = Notation(model.architecture.sizes, {total: (SYMBOL, model.total)})
    symbol = indexed(SYMBOL, pgettext("below a symbol", "active"))
    label = _("Active parameters")
    return derivation(ExactSum(symbol, label, _("Parameters"), tuple(brackets), notation, ACTIVE))


def _names_of_unused(model: Model, groups: Sequence[Sequence[Occurrence]]) -> list[str]:
    """Names of what a token doesn't use; with the layers if there are several groups."""
    if len(groups) == 1:
        return [_("Unused experts")]
    has_images = any(members[0].stage.is_for_images for members in groups)
    names = []
    for members in groups:
        name = _name_of_unused(members[0].stage, has_images)
        names.append(BracketLayers(model, members[0].stacks).name(name))
    return names


def _name_of_unused(stage: Stage, has_images: bool) -> str:
    """``Unused experts``; those for text and those for images, if a model has both."""
    if not stage.expert_count:  # a router for images isn't one of several experts
        return _(stage.label)
    if stage.is_for_images:
        return _("Experts for images")
    return _("Unused experts for text") if has_images else _("Unused experts")


def _unused_experts(model: Model, members: Sequence[Occurrence], name: str) -> Bracket:
    """``L·(E − k)·(the parameters of an expert)``, to subtract.

    Args:
        model: the model.
        members: the stages of the experts, in the same layers and as many; or a router for images.
        name: display name.
    """
    count = members[0].stage.expert_count
    tensors = [t for each in members for t in each.stage.tensors if t.expert_count == count]
    expert = sympy.Add(*(to_sympy(tensor.parameters_of_one_expert) for tensor in tensors))
    factors: Factors = (expert,)
    if count:
        factors = (to_sympy(count.total) - to_sympy(count.per_token), expert)
    in_layers = BracketLayers(model, members[0].stacks).factors
    return Bracket((Summand(factors, name),), in_layers, name, is_subtracted=True)
