"""Changes that are always made together, though each would be possible alone."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.differences.change_groups import ChangeGroup, with_changes
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.used_keys import is_used
from sphinx_llmsize.model import Model


def with_companions(
    one: Model, other: Model, changes: Sequence[KeyChange]
) -> tuple[ChangeGroup, ...]:
    """The changes, each alone or with its companions, in the order of the last of each.

    Key/value heads change with the query heads if both models have as many of both. A key that
    only one of the models depends on changes with the key by which it comes into use: the number
    of state-space heads with the kinds of layers.
    """
    leaders: dict[KeyChange, KeyChange] = {}
    for number, change in enumerate(changes):
        others = [each for each in changes if each.is_shared or each in changes[:number]]
        leader = _leader(one, other, change, [each for each in others if each != change])
        leaders[change] = leaders.get(leader, leader)
    groups = [
        tuple(each for each in changes if leaders[each] == leader)
        for leader in dict.fromkeys(leaders.values())
    ]
    return tuple(sorted(groups, key=lambda group: changes.index(group[-1])))


def _leader(one: Model, other: Model, change: KeyChange, others: Sequence[KeyChange]) -> KeyChange:
    """Which of the other changes this one is made with; the change itself if with none."""
    if change.key.symbol == H_KV and all(map(_is_multi_head, (one, other))):
        return next((each for each in others if each.key.symbol == H), change)
    if change.is_shared:
        return change
    return next((each for each in others if _brings_into_use(each, change, one, other)), change)


def _is_multi_head(model: Model) -> bool:
    """True if each query head has a key/value head of its own."""
    sizes = model.config.sizes
    return sizes.get(H_KV) == sizes.get(H)


def _brings_into_use(change: KeyChange, unused: KeyChange, one: Model, other: Model) -> bool:
    """True if after the change, the model that doesn't depend on the unused key does."""
    if unused.is_used_after:
        model, value = with_changes(one, (change,), (unused,)), unused.after
    else:
        model, value = with_changes(other, (change.reverse,), (unused.reverse,)), unused.before
    return model is not None and is_used(model, unused.key, value)
