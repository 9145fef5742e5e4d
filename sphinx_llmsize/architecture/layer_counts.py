"""Symbols for the number of layers in some stacks, with as few kinds of layers as possible.

In Jamba, Mamba layers alternate with attention layers, and dense layers with MoE layers. Its three
stacks are combinations of these kinds, but the symbols are L_Mamba, L_attn, L_dense and L_MoE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, zip_longest

from sphinx_llmsize.algebra import ZERO, Number, Quantity, Size, Symbol
from sphinx_llmsize.architecture.stacks import LayerKind, Stack, label_of, layers_of
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.translation import N_

StackKinds = tuple[LayerKind, ...]
"""The kinds of a stack's layers, such as Mamba and dense."""
MAX_TERMS = 2
"""Maximum number of symbols in a sum of layer counts; a longer sum is written as its value."""


@dataclass(frozen=True)
class LayerCount:
    """Number of layers in some stacks.

    Attributes:
        size: the number in symbols: ``L_Mamba``, ``L_dense + L_MoE``, ``L``.
        kinds: kinds of the layers that each symbol counts, ``((dense,), (MoE,))`` for
            ``L_dense + L_MoE``; empty for all layers of the model.
    """

    size: Size
    kinds: tuple[StackKinds, ...] = ()


def fewest_kinds(chosen: Sequence[StackKinds], others: Sequence[StackKinds]) -> StackKinds:
    """The fewest kinds that set the chosen stacks apart: no other stack has all of these kinds.

    Empty if no combination of their common kinds does.
    """
    shared = [kind for kind in chosen[0] if all(kind in kinds for kinds in chosen)]
    for number in range(1, len(shared) + 1):
        for combination in combinations(shared, number):
            if not any(set(combination) <= set(kinds) for kinds in others):
                return combination
    return ()


def symbol_name(kinds: Iterable[LayerKind], letter: str = L.name) -> str:
    """``L_Mamba,dense``: a letter with the kinds as its subscript."""
    return f"{letter}_{','.join(kind.subscript for kind in kinds)}"


def meaning_of_count(kinds: Iterable[LayerKind], count: int) -> str:
    """Meaning of a symbol for a number of layers: ``Mamba layers``."""
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
        self._stacks = tuple(stacks)
        self._configured = dict(configured)
        self._kinds = _different_kinds(self._stacks)
        self._subscripts = Counter(kind.subscript for kind in self._kinds)

    def of(self, stacks: Sequence[Stack]) -> LayerCount:
        """The number of layers in these stacks, one or more."""
        # a single stack has a symbol of its own, even if its number of layers happens to be L
        is_all = len(stacks) > 1 and self._count(stacks) == self._configured.get(L)
        if is_all or [stack.layers for stack in stacks] == [L]:
            return LayerCount(L)
        count = self._in_one_symbol(stacks)
        terms = (count,) if count else tuple(self._in_several_symbols(stacks))
        kinds: tuple[StackKinds, ...] = ()  # of all layers together, no kind is named
        with_weights = {stack for stack in self._stacks if not stack.repeats}
        if not with_weights <= set(stacks):
            kinds = tuple(chain.from_iterable(term.kinds for term in terms))
        if len(terms) > MAX_TERMS:
            return LayerCount(Number(self._count(stacks)), kinds)
        factors = Counter(term.size for term in terms)  # L + L is written as 2·L
        size = sum((Number(factor) * each for each, factor in factors.items()), start=ZERO)
        return LayerCount(size, kinds)

    def quantities(self) -> Iterator[Quantity]:
        """Yield a symbol for the number of layers of each kind, if one symbol can express it."""
        for kind in self._kinds:
            count = self._in_one_symbol([stack for stack in self._stacks if kind in stack.kinds])
            if count and isinstance(count.size, Quantity):
                yield count.size

    def _in_one_symbol(self, stacks: Sequence[Stack]) -> LayerCount | None:
        """The number of layers in one symbol; None if no kinds are common to these stacks only."""
        others = [stack.kinds for stack in self._stacks if stack not in stacks]
        kinds = fewest_kinds([stack.kinds for stack in stacks], others)
        if len(stacks) == 1:
            stack_kinds = kinds or stacks[0].kinds
            return LayerCount(stacks[0].layers, (stack_kinds,) if stack_kinds else ())
        if not kinds or any(self._subscripts[kind.subscript] > 1 for kind in kinds):
            return None
        count, name = self._count(stacks), symbol_name(kinds)
        quantity = Quantity(name, meaning_of_count(kinds, count), count)
        # the number of encoder or decoder layers has a configuration key, and so a symbol already
        configured = {symbol.name: symbol for symbol in self._configured}
        return LayerCount(configured.get(name, quantity), (kinds,))

    def _in_several_symbols(self, stacks: Sequence[Stack]) -> Iterator[LayerCount]:
        """Yield the terms of a sum for these stacks: all layers of a kind, then single stacks."""
        rest = list(stacks)
        for kind in self._kinds:
            members = [stack for stack in self._stacks if kind in stack.kinds]
            if not all(stack in rest for stack in members):
                continue
            if count := self._in_one_symbol(members):
                yield count
                rest = [stack for stack in rest if stack not in members]
        for stack in rest:
            if count := self._in_one_symbol([stack]):
                yield count

    def _count(self, stacks: Iterable[Stack]) -> int:
        """Value of the number of layers in these stacks."""
        return layers_of(stacks).evaluate(self._configured)


def _different_kinds(stacks: Iterable[Stack]) -> tuple[LayerKind, ...]:
    """Kinds of the layers, each once: those of sequence mixers before those of feed-forward."""
    kinds: dict[LayerKind, None] = {}
    # the first kinds of all stacks, then the second ones
    for column in zip_longest(*(stack.kinds for stack in stacks)):
        kinds |= dict.fromkeys(kind for kind in column if kind)
    return tuple(kinds)
