"""Feed-forward networks of another kind, with widths that no row or note names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import F_DEC, F_E, F_ENC, F_S, F
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.kinds_of_parts import Kinds, have_different_biases, parts_of
from sphinx_llmsize.views.difference.pairs import Models
from sphinx_llmsize.views.in_words.description import Description, with_biases
from sphinx_llmsize.views.in_words.experts_in_words import describe_experts
from sphinx_llmsize.views.in_words.mlp_in_words import describe_mlp
from sphinx_llmsize.views.in_words.part_components import PlacedStages
from sphinx_llmsize.views.in_words.part_details import inner_width, inner_widths
from sphinx_llmsize.views.in_words.parts_in_words import biases_of_part, describe_part

WIDTHS = frozenset((F, F_E, F_S, F_ENC, F_DEC))
"""Symbols of the widths of feed-forward networks."""


def with_widths(
    models: Models,
    same_sizes: Models,
    key_changes: Iterable[KeyChange],
    *,
    has_row_of_experts: bool,
) -> Kinds:
    """``gated FFN (11,008 wide)``, ``8 experts (2 active, 14,336 wide)``, with different biases.

    Args:
        models: the models to describe.
        same_sizes: models whose biases are compared; between them, a flag that changes biases and
            has a row of its own is the same.
        key_changes: changed keys that are named elsewhere; widths among them are omitted.
        has_row_of_experts: the numbers of experts are named elsewhere; they are omitted unless the
            descriptions only differ in them.
    """
    sizes = [each.values for each in key_changes if each.key.symbol in WIDTHS]
    stages = parts_of(models, Aspect.FEED_FORWARD)
    widths = [inner_widths(model, part) for model, part in zip(models, stages, strict=True)]
    are_shown = all(widths) and widths[0] != widths[1]
    unnamed = [
        of_model - {pair[side] for pair in sizes} if are_shown else set()
        for side, of_model in enumerate(widths)
    ]
    names_biases = have_different_biases(same_sizes, Aspect.FEED_FORWARD)

    def kinds(*, with_numbers: bool) -> Kinds:
        describe = partial(_with_width, names_biases=names_biases, with_numbers=with_numbers)
        before, after = (
            describe_part(model, Aspect.FEED_FORWARD, partial(describe, widths=shown))
            for model, shown in zip(models, unnamed, strict=True)
        )
        return before, after

    found = kinds(with_numbers=not has_row_of_experts)
    return found if found[0] != found[1] else kinds(with_numbers=True)


def _with_width(
    model: Model,
    placed_stages: PlacedStages,
    *,
    widths: Collection[int],
    names_biases: bool,
    with_numbers: bool,
) -> Description:
    """Networks of one group, dense or experts, with their biases and their width.

    Args:
        model: the model.
        placed_stages: stages of the group.
        widths: the widths to name; if one is of these networks, all of theirs are named.
        names_biases: True to name the biases.
        with_numbers: False to leave out the numbers of experts.
    """
    biases = biases_of_part(model, Aspect.FEED_FORWARD) if names_biases else None
    is_unnamed = inner_widths(model, placed_stages).isdisjoint(widths)
    width = None if is_unnamed else inner_width(model, placed_stages)
    if placed_stages[0].stage.group is Group.EXPERTS:
        experts = describe_experts(model, placed_stages, width, with_numbers=with_numbers)
        return with_biases(experts, biases)
    return describe_mlp(placed_stages, biases, width)
