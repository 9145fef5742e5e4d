"""Merging of layers that differ: common steps once, and alternatives by layer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import (
    Block,
    Group,
    Parallel,
    Residual,
    Source,
    Stage,
    Step,
    stages_of,
)
from sphinx_llmsize.views.pipeline.layer_items import (
    ForkItem,
    Item,
    ResidualItem,
    Variant,
    items_of,
)
from sphinx_llmsize.views.pipeline.step_keys import names_key, step_key, structure_key, weights_key

StepKey = Callable[[Step], Hashable]
"""Function from a step to a key that is equal for steps that aren't told apart."""
MAX_ALTERNATIVES = 3
"""Number of alternatives above which those that differ only in sizes are joined."""


def merged_layers(variants: Iterable[Variant], key: StepKey = step_key) -> tuple[Item, ...]:
    """The steps of layers that differ: common first and last steps once, others side by side.

    Args:
        variants: the steps of each kind of layers.
        key: which steps are told apart.
    """
    variants = _joined(variants, key)
    if len(variants) == 1:
        return items_of(variants[0])
    if items := _with_added_branches(variants, key):
        return items
    first = _common_steps([variant.block for variant in variants], key)
    last = _common_steps([variant.block[first:][::-1] for variant in variants], key)
    # its blocks differ; only their common first and last steps are used, which are alike
    all_layers = Variant(tuple(member for variant in variants for member in variant.members))
    middles = [variant.map(lambda block: block[first : len(block) - last]) for variant in variants]
    return (
        *items_of(all_layers.map(lambda block: block[:first])),
        *_differing(middles, key),
        *items_of(all_layers.map(lambda block: block[len(block) - last :])),
    )


def sharing_stacks(variants: Iterable[Variant]) -> Iterator[tuple[Stack, ...]]:
    """Yield the stacks of layers that differ, but have steps with the same names.

    Pooling, which only some of them may have, is left out.
    """
    without_pooling = (variant.map(_without_pooling) for variant in variants)
    for variant in _joined(without_pooling, names_key):
        if len(_joined(variant.of_each_stack, step_key)) > 1:
            yield variant.stacks


def _without_pooling(block: Block) -> Block:
    """The steps without those that change the number of vectors."""
    return tuple(s for s in block if not (isinstance(s, Stage) and s.input_length))


def _with_added_branches(variants: Sequence[Variant], key: StepKey) -> tuple[Item, ...]:
    """Items for layers of which some add more to the output of steps that all layers have.

    The added branches, and the steps after the sum, are labelled with the layers that have them
    (DeBERTa V2: a convolution beside the first layer). Empty for other variants.
    """
    with_sum = [variant for variant in variants if _is_sum(variant)]
    if len(with_sum) != 1:
        return ()
    (adding,) = with_sum
    first, *added = adding.step_at(0).branches
    others = [variant for variant in variants if variant is not adding]
    common, *rest = _joined((first, *others), key)
    if rest:  # the first branch isn't what the others have
        return ()
    fork = ForkItem((items_of(common), *((_only_in(each),) for each in added)), is_sum=True)
    after = adding.map(lambda block: block[1:])
    return (fork, _only_in(after)) if after.block else (fork,)


def _only_in(variant: Variant) -> ForkItem:
    """A fork with a single branch, the steps of a variant, which other layers don't have."""
    return ForkItem((items_of(variant),), (variant.stacks,))


def _differing(variants: Sequence[Variant], key: StepKey) -> tuple[Item, ...]:
    """Items for variants that have no first or last step in common.

    Residual connections are merged one by one, so that alternatives are inside of them. Gates
    become one fork: the merged gate, and a branch without steps for the gate's input. Other
    variants are alternatives as a whole.
    """
    blocks = [variant.block for variant in variants]
    if all(_has_residual(block) for block in blocks if block):
        if all(len(block) <= 1 for block in blocks):
            return (_one_residual(variants, key),)
        return tuple(item for aligned in _aligned(variants) for item in merged_layers(aligned, key))
    if all(len(block) == 1 and _is_gate(block[0]) for block in blocks):
        gates = [variant.map(lambda block: tuple(stages_of(block))) for variant in variants]
        return (ForkItem((merged_layers(_joined(gates, structure_key), key), ())),)
    if branches := _branches_of_fork(variants, key):
        return (ForkItem(branches, is_sum=_is_sum(variants[0])),)
    return _alternatives(variants)


def _branches_of_fork(variants: Sequence[Variant], key: StepKey) -> tuple[tuple[Item, ...], ...]:
    """The merged branches of variants that are parallel branches of which only one differs.

    It is empty for other variants.
    """
    numbers = {len(variant.branches) for variant in variants}
    if numbers == {0} or len(numbers) > 1 or len(set(map(_is_sum, variants))) > 1:
        return ()
    branches = list(zip(*(variant.branches for variant in variants), strict=True))
    if sum(len(_joined(branch, key)) > 1 for branch in branches) != 1:
        return ()
    return tuple(merged_layers(branch, key) for branch in branches)


def _is_sum(variant: Variant) -> bool:
    """True if its first step adds the outputs of parallel branches."""
    step = variant.block[0] if variant.block else None
    return isinstance(step, Parallel) and step.is_sum


def _is_gate(step: Step) -> bool:
    """True for steps whose input the next step reads too, such as a router."""
    return isinstance(step, Parallel) and () in step.branches


def _has_residual(block: Block) -> bool:
    """True if one of the steps is a residual connection."""
    return any(isinstance(step, Residual) for step in block)


def _one_residual(variants: Sequence[Variant], key: StepKey) -> Item:
    """A residual connection around the steps of variants with at most one step.

    Layers of a variant without a step take none of the alternatives in the connection.
    """
    inner = [variant.inside_residual() for variant in variants if variant.block]
    if len(inner) == len(variants):
        return ResidualItem(merged_layers(inner, key))
    branches = tuple(merged_layers((variant,), key) for variant in inner)
    return ResidualItem((ForkItem(branches, tuple(variant.stacks for variant in inner)),))


def _alternatives(variants: Sequence[Variant]) -> tuple[Item, ...]:
    """The variants side by side; those with the same weights are joined.

    If there are many, those that differ only in sizes are joined too.
    """
    variants = _joined(variants, weights_key)
    if len(variants) > MAX_ALTERNATIVES:
        variants = _joined(variants, structure_key)
    if len(variants) == 1:
        return items_of(variants[0])
    branches = tuple(map(items_of, variants))
    return (ForkItem(branches, tuple(variant.stacks for variant in variants)),)


def _aligned(variants: Sequence[Variant]) -> Iterator[list[Variant]]:
    """For each step of the layers, the variants reduced to this step.

    This is the step at the same position or, if some variants lack a step, of the same purpose.
    """
    longest = max(variants, key=lambda variant: len(variant.block))
    if all(len(variant.block) == len(longest.block) for variant in variants):
        for position in range(len(longest.block)):
            yield [variant.step_at(position) for variant in variants]
        return
    steps = (step for variant in (longest, *variants) for step in variant.block)
    for purpose in dict.fromkeys(map(_purpose, steps)):
        yield [_steps_for(variant, purpose) for variant in variants]


def _steps_for(variant: Variant, purpose: str) -> Variant:
    """The variant reduced to its steps for a purpose."""
    return variant.map(lambda block: tuple(s for s in block if _purpose(s) == purpose))


def _purpose(step: Step) -> str:
    """``mixer``, ``cross`` or ``ffn`` for a residual connection; the first id of any other step."""
    stages = tuple(stages_of((step,)))
    if not isinstance(step, Residual):
        return stages[0].id
    if any(stage.source is Source.ENCODER for stage in stages):
        return "cross"
    groups = {stage.group for stage in stages}
    is_mixer = bool(groups & {Group.ATTENTION, Group.MIXER})
    is_ffn = bool(groups & {Group.FEED_FORWARD, Group.EXPERTS})
    if is_mixer:
        return "mixer"
    return "ffn" if is_ffn else stages[0].id


def _joined(variants: Iterable[Variant], key: StepKey) -> list[Variant]:
    """The variants; those whose steps have equal keys become one."""
    members: dict[Hashable, list[tuple[Block, Stack | None]]] = {}
    for variant in variants:
        keys = tuple(map(key, variant.block))
        members.setdefault(keys, []).extend(variant.members)
    return [Variant(tuple(alike)) for alike in members.values()]


def _common_steps(blocks: Sequence[Block], key: StepKey) -> int:
    """Number of first steps that are equal in all blocks."""
    number = 0
    for steps in zip(*blocks, strict=False):  # as many as the shortest block has
        if len(set(map(key, steps))) > 1:
            break
        number += 1
    return number
