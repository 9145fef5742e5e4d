"""Layers that are not all alike: which is of which kind, counted and never listed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice, product
from math import gcd
from typing import Union

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.pieces import Block, Interleaved, Item, Stack
from sphinx_llmsize.config.vocabulary import L
from sphinx_llmsize.errors import ConfigError, Problem

Where = Union[range, frozenset[int]]
Kind = Union[str, int, bool]
Make = Callable[..., Block]
"""The block of a layer, given its kind by each distinction."""
FAR = 10**18
"""A layer that no model has."""
LOOK_AHEAD = 1024
"""How far the first layer of a kind is looked for, to tell the kinds in their order."""


@dataclass(frozen=True)
class Kinds:
    """A distinction between layers: the kinds that are named, and that of all others.

    Attributes:
        named: each kind and the layers (from 0) that are of it; of a layer that stands with
            several, the first.
        others: the kind of every other layer.
    """

    named: tuple[tuple[Kind, Where], ...]
    others: Kind | None = None

    def of(self, layer: int) -> Kind | None:
        """The kind of a layer."""
        return next((kind for kind, where in self.named if layer in where), self.others)

    @property
    def options(self) -> tuple[tuple[Kind, Where | None, tuple[Where, ...]], ...]:
        """Every kind, its layers (those of all others cannot be named), and those without it."""
        wheres = tuple(where for _, where in self.named)
        named = tuple(
            (kind, where, wheres[:position]) for position, (kind, where) in enumerate(self.named)
        )
        return named if self.others is None else (*named, (self.others, None, wheres))

    @property
    def runs(self) -> bool:
        """Whether each kind's layers stand together."""
        return all(isinstance(where, range) and where.step == 1 for _, where in self.named)


def same(kind: Kind) -> Kinds:
    """All layers of one kind."""
    return Kinds((), kind)


def first(count: int, kind: Kind, *, then: Kind) -> Kinds:
    """The first ``count`` layers of one kind, the others of another."""
    return Kinds(((kind, range(count)),), then)


def every(step: int, kind: Kind, *, others: Kind, start: int = 0, stop: int = FAR) -> Kinds:
    """Layers ``start``, ``start + step`` … of one kind, the others of another."""
    return Kinds(((kind, range(start, stop, step)),), others)


def among(layers: Sequence[int], kind: Kind, *, others: Kind | Kinds) -> Kinds:
    """The layers of these numbers of one kind, the others of another, or as those have it."""
    rest = others if isinstance(others, Kinds) else same(others)
    chosen = frozenset(layers)
    beginning = range(len(chosen))
    where = beginning if chosen == frozenset(beginning) else chosen
    return Kinds(((kind, where), *rest.named), rest.others)


def listed(kinds: Sequence[Kind]) -> Kinds:
    """The kind of each layer as a configuration lists them."""
    found: dict[Kind, list[int]] = {}
    for layer, kind in enumerate(kinds):
        found.setdefault(kind, []).append(layer)
    return Kinds(tuple((kind, _together(layers)) for kind, layers in found.items()))


def _together(layers: list[int]) -> Where:
    """Layers in ascending order as a range, if they are one."""
    run = range(layers[0], layers[-1] + 1)
    return run if len(run) == len(layers) else frozenset(layers)


def layered(layers: int, make: Make, **distinctions: Kinds) -> tuple[Item, ...]:
    """The stacks of a model whose layers differ in one or more respects.

    Args:
        layers: how many there are in all.
        make: the block of a layer; it takes each distinction's kind by its name.
        distinctions: which layer is of which kind; only such as change the block.

    Raises:
        ConfigError: there are none.
    """
    found: dict[Block, tuple[int, list[str], int]] = {}
    for kinds, count, start in _combined(layers, tuple(distinctions.values())):
        block = make(**dict(zip(distinctions, kinds, strict=True)))
        names = [kind for kind in kinds if isinstance(kind, str)]
        before, other_names, earliest = found.get(block, (0, names, start))
        kept = [name for name in other_names if name in names]
        found[block] = (before + count, kept, min(start, earliest))
    if not found:
        raise ConfigError("a model without layers", Problem.SHAPE, "list one or more")
    if len(found) == 1:
        return (Stack("layers", L, next(iter(found))),)
    return _stacks(found, in_turn=not all(kinds.runs for kinds in distinctions.values()))


def _stacks(found: dict[Block, tuple[int, list[str], int]], *, in_turn: bool) -> tuple[Item, ...]:
    in_order = sorted(found.items(), key=lambda item: item[1][2])
    common = set.intersection(*(set(names) for _, (_, names, _) in in_order))
    stacks: list[Stack] = []
    for position, (block, (count, names, _)) in enumerate(in_order, start=1):
        own = [name for name in names if name not in common]
        kind = " ".join(map(_adjective, own))
        subscript = ",".join(re.split("[ -]", name)[0] for name in own) or str(position)
        taken = {str(stack.layers) for stack in stacks}
        symbol = f"L_{subscript}" if f"L_{subscript}" not in taken else f"L_{subscript},{position}"
        noun = "layer" if count == 1 else "layers"
        layers = Quantity(symbol, f"{kind} {noun}".strip(), count)
        stacks.append(Stack(f"layers{position}", layers, block, kind))
    return (Interleaved("layers", tuple(stacks)),) if in_turn else tuple(stacks)


def _adjective(name: str) -> str:
    """A kind's name before a noun: ``full-attention``."""
    return name.replace(" ", "-")


def how_many(kind: Kind, kinds: Kinds, *, of: int) -> int:
    """Of so many layers those of that kind."""
    return sum(count for (found,), count, _ in _combined(of, (kinds,)) if found == kind)


Combination = tuple[tuple[Union[Kind, None], ...], int, int]


def _combined(layers: int, distinctions: tuple[Kinds, ...]) -> Iterator[Combination]:
    """Every combination of kinds that occurs: the kinds, how many layers, the first of them."""
    for chosen in product(*(distinction.options for distinction in distinctions)):
        within = [where for _, where, _ in chosen if where is not None]
        without = [where for _, _, excluded in chosen for where in excluded]
        every_layer: Where = range(layers)
        if count := _count(reduce(_both, within, every_layer), without):
            kinds = tuple(kind for kind, _, _ in chosen)
            yield kinds, count, _first(layers, kinds, distinctions)


def _count(layers: Where, without: Sequence[Where]) -> int:
    """How many layers are in none of the others: by inclusion and exclusion."""
    if not layers:
        return 0
    excluded = (
        _count(_both(layers, where), without[position + 1 :])
        for position, where in enumerate(without)
    )
    return len(layers) - sum(excluded)


def _first(layers: int, kinds: tuple[Kind | None, ...], distinctions: tuple[Kinds, ...]) -> int:
    near = (
        layer
        for layer in islice(range(layers), LOOK_AHEAD)
        if all(d.of(layer) == kind for d, kind in zip(distinctions, kinds, strict=True))
    )
    return next(near, layers)


def _both(one: Where, other: Where) -> Where:
    """The layers in both."""
    if isinstance(one, frozenset):
        return frozenset(layer for layer in one if layer in other)
    if isinstance(other, frozenset):
        return _both(other, one)
    return _both_ranges(one, other)


def _both_ranges(one: range, other: range) -> range:
    """The range of what two ranges have in common, by the Chinese remainder theorem."""
    divisor = gcd(one.step, other.step)
    start, stop = max(one.start, other.start), min(one.stop, other.stop)
    if (other.start - one.start) % divisor:
        return range(0)
    step = one.step // divisor * other.step
    inverse = pow(one.step // divisor, -1, other.step // divisor)
    meets = one.start + one.step * ((other.start - one.start) // divisor * inverse)
    return range(start + (meets - start) % step, max(start, stop), step)
