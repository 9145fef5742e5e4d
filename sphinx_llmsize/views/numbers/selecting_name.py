"""The name that selects exactly some parts of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.views.numbers.part_selection import UNION, Ids, Part, has_id, select

MAX_KINDS = 2
"""Maximum number of kinds of layers in a name; beyond that it lists stacks."""


def selecting_name(
    parts: Sequence[Part],
    wanted: Sequence[Part],
    beginnings: Iterable[Ids],
    is_reserved: Callable[[str], bool] = lambda _name: False,
) -> str:
    """The first name that selects exactly the wanted parts; empty if there is none.

    A name without layers is preferred to one with layers.

    Args:
        parts: all parts.
        wanted: one or more of them.
        beginnings: ids to begin with, in order of preference; ids of layers are added if necessary.
        is_reserved: True for names that mean something else.
    """
    usable = [ids for ids in beginnings if all(has_id(parts, id) for id in ids)]
    stacks = {part.stack: None for part in wanted if part.stack}
    for layers in ((), *_layer_names(wanted, tuple(stacks))):
        for beginning in usable:
            ids = (*beginning, *layers)
            name = ".".join(ids)
            selects_wanted = _relevant(_selected(parts, ids)) == _relevant(wanted)
            if selects_wanted and not is_reserved(name):
                return name
    return ""


def _relevant(parts: Iterable[Part]) -> list[Part]:
    """Leave out parts without parameters that are outside the layers, such as a tied LM head."""
    return [part for part in parts if part.count or part.stack]


def _layer_names(wanted: Sequence[Part], stacks: Sequence[Stack]) -> Iterator[Ids]:
    """Ids that may select the layers of the wanted parts, in order of preference.

    They are a kind or two kinds of layers that all parts have, then two kinds of which each part
    has one, ``dense+moe``, then the stacks of the parts, then the stacks with a kind.
    """
    stack_ids = [stack.id for stack in stacks]
    shared = frozenset.intersection(*(part.ids.layers for part in wanted))  # stacks and kinds
    shared_kinds = sorted(shared - set(stack_ids))
    for number in range(1, MAX_KINDS + 1):
        yield from combinations(shared_kinds, number)
    all_kinds = dict.fromkeys(kind.id for stack in stacks for kind in stack.kinds)
    for alternatives in combinations(all_kinds, MAX_KINDS):
        yield (UNION.join(alternatives),)
    if stacks:
        yield (UNION.join(stack_ids),)
        for kind in shared_kinds:
            yield (UNION.join(stack_ids), kind)


def _selected(parts: Sequence[Part], ids: Ids) -> tuple[Part, ...]:
    """The parts that have all ids; none if :func:`select` raises an error."""
    try:
        return select(parts, ids, "")
    except ConfigError:
        return ()
