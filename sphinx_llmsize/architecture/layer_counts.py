"""Symbols for the number of layers in some of a model's stacks, with as few kinds as possible.

In Jamba, Mamba layers alternate with attention layers, and dense layers with MoE layers. Its three
stacks are combinations of these kinds, but the symbols are L_Mamba, L_attn, L_dense and L_MoE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from sphinx_llmsize.algebra import ZERO, Number, Quantity, Size, Symbol
from sphinx_llmsize.architecture.stacks import LayerKind, Stack, label_of, layers_of
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.translation import N_

StackKinds = tuple[LayerKind, ...]
"""The kinds of a stack's layers, such as Mamba and dense."""
MAX_TERMS = 2
"""Number of symbols above which layers are counted in numbers."""


@dataclass(frozen=True)
class LayerCount:
    """Number of layers in some stacks.

    Attributes:
        size: the number in symbols: ``L_Mamba``, ``L_dense + L_MoE``, ``L``.
        kinds: kinds of the layers that each symbol counts; empty for all layers of the model.
    """

    size: Size
    kinds: tuple[StackKinds, ...] = ()


def fewest_kinds(chosen: Sequence[StackKinds], others: Sequence[StackKinds]) -> StackKinds:
    """The fewest kinds that all the chosen layers have and none of the others; empty if none do."""
    shared = [kind for kind in chosen[0] if all(kind in kinds for kinds in chosen)]
    for number in range(1, len(shared) + 1):
        for found in combinations(shared, number):
            if not any(set(found) <= set(kinds) for kinds in others):
                return found
    return ()


def symbol_name(kinds: Iterable[LayerKind]) -> str:
    """``L_Mamba,dense``: L with the kinds as its subscript."""
    return f"{L.name}_{','.join(kind.subscript for kind in kinds)}"


def meaning(kinds: Iterable[LayerKind], count: int) -> str:
    """``Mamba layers``: what a symbol counts."""
    label = label_of(kinds)
    if not label:
        return N_("layer") if count == 1 else N_("layers")
    return N_("{kind} layer", kind=label) if count == 1 else N_("{kind} layers", kind=label)


class LayerCounts:
    """Numbers of layers in the stacks of a model.

    Args:
        stacks: all of the model's stacks.
        configured: value of each symbol that has a configuration key.
    """

    def __init__(self, stacks: Iterable[Stack], configured: Mapping[Symbol, int]) -> None:
        self._stacks, self._configured = tuple(stacks), dict(configured)
        kinds = [(place, kind) for s in self._stacks for place, kind in enumerate(s.kinds)]
        # those of the sequence mixers before those of the feed-forward networks
        self._kinds = tuple(dict.fromkeys(k for _place, k in sorted(kinds, key=itemgetter(0))))
        self._subscripts = Counter(kind.subscript for kind in self._kinds)

    def of(self, stacks: Sequence[Stack]) -> LayerCount:
        """The number of layers in these stacks, one or more."""
        is_all = len(stacks) > 1 and self._count(stacks) == self._configured.get(L)
        if is_all or [stack.layers for stack in stacks] == [L]:
            return LayerCount(L)
        named = self._in_one_symbol(stacks)
        counts = (named,) if named else tuple(self._in_several_symbols(stacks))
        is_everywhere = len(stacks) == len(self._stacks)
        kinds = () if is_everywhere else tuple(each for count in counts for each in count.kinds)
        if len(counts) > MAX_TERMS:
            return LayerCount(Number(self._count(stacks)), kinds)
        times = Counter(count.size for count in counts)
        size = sum((Number(number) * each for each, number in times.items()), start=ZERO)
        return LayerCount(size, kinds)

    def quantities(self) -> Iterator[Quantity]:
        """A symbol for the layers of each kind, if several stacks have it."""
        for kind in self._kinds:
            found = self._in_one_symbol([stack for stack in self._stacks if kind in stack.kinds])
            if found and isinstance(found.size, Quantity):
                yield found.size

    def _in_one_symbol(self, stacks: Sequence[Stack]) -> LayerCount | None:
        """The number of layers in one symbol; None if no kinds are common to these stacks only."""
        others = [stack.kinds for stack in self._stacks if stack not in stacks]
        kinds = fewest_kinds([stack.kinds for stack in stacks], others)
        if len(stacks) == 1:
            of_stack = kinds or stacks[0].kinds
            return LayerCount(stacks[0].layers, (of_stack,) if of_stack else ())
        if not kinds or any(self._subscripts[kind.subscript] > 1 for kind in kinds):
            return None
        count, name = self._count(stacks), symbol_name(kinds)
        quantity = Quantity(name, meaning(kinds, count), count)
        # the number of encoder or decoder layers has a configuration key, and so a symbol already
        configured = {symbol.name: symbol for symbol in self._configured}
        return LayerCount(configured.get(name, quantity), (kinds,))

    def _in_several_symbols(self, stacks: Sequence[Stack]) -> Iterator[LayerCount]:
        """Numbers whose sum is that of these stacks: all layers of a kind, then single stacks."""
        rest = list(stacks)
        for kind in self._kinds:
            members = [stack for stack in self._stacks if kind in stack.kinds]
            found = (
                self._in_one_symbol(members) if all(stack in rest for stack in members) else None
            )
            if found:
                yield found
                rest = [stack for stack in rest if stack not in members]
        for stack in rest:
            if found := self._in_one_symbol([stack]):
                yield found

    def _count(self, stacks: Iterable[Stack]) -> int:
        return layers_of(stacks).evaluate(self._configured)
