"""Layers that are not all alike: which is of which kind, counted and never listed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice, product
from typing import Union

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.selection import Selection, Where
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import N_, _

Kind = Union[str, int, bool]
Make = Callable[..., Block]
"""The block of a layer, given its kind by each distinction."""
FAR = 10**18
"""A layer that no model has."""
EVERY = range(FAR)
LOOK_AHEAD = 1024
"""How far the first layer of a kind is looked for, to tell the kinds in their order."""


Option = tuple[Kind, Selection]
"""A kind, and the layers that are of it."""


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
    def options(self) -> tuple[Option, ...]:
        """Every kind and its layers; those of all others are told by what they are not."""
        wheres = tuple(where for _, where in self.named)
        named = tuple(
            (kind, Selection(where, wheres[:position]))
            for position, (kind, where) in enumerate(self.named)
        )
        if self.others is None:
            return named
        return (*named, (self.others, Selection(EVERY, wheres)))

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
    found: dict[Block, _Alike] = {}
    for kinds, selection, start in _combined(layers, tuple(distinctions.values())):
        block = make(**dict(zip(distinctions, kinds, strict=True)))
        names = tuple(kind for kind in kinds if isinstance(kind, str))
        alike = _Alike((selection,), names, start)
        found[block] = found[block].with_(alike) if block in found else alike
    if not found:
        raise ConfigError(_("a model without layers"), Problem.SHAPE, _("list one or more"))
    if len(found) == 1:
        return (Stack("layers", L, next(iter(found))),)
    return _stacks(found, in_turn=not all(kinds.runs for kinds in distinctions.values()))


@dataclass(frozen=True)
class _Alike:
    """Layers of one block: which they are, the kinds they have in common, the first of them."""

    selections: tuple[Selection, ...]
    names: tuple[str, ...]
    start: int

    @property
    def count(self) -> int:
        return sum(selection.count for selection in self.selections)

    def with_(self, other: _Alike) -> _Alike:
        names = tuple(name for name in self.names if name in other.names)
        return _Alike((*self.selections, *other.selections), names, min(self.start, other.start))


def _stacks(found: dict[Block, _Alike], *, in_turn: bool) -> tuple[Item, ...]:
    in_order = sorted(found.items(), key=lambda item: item[1].start)
    common = set.intersection(*(set(alike.names) for _, alike in in_order))
    stacks: list[Stack] = []
    for position, (block, alike) in enumerate(in_order, start=1):
        own = [name for name in alike.names if name not in common]
        kind = kind_of(map(adjective, own))
        subscript = ",".join(re.split("[ -]", name)[0] for name in own) or str(position)
        taken = {str(stack.layers) for stack in stacks}
        symbol = f"L_{subscript}" if f"L_{subscript}" not in taken else f"L_{subscript},{position}"
        layers = Quantity(symbol, _meaning(kind, alike.count), alike.count)
        stacks.append(Stack(f"layers{position}", layers, block, kind, which=alike.selections))
    return (Interleaved("layers", tuple(stacks)),) if in_turn else tuple(stacks)


def kind_of(words: Iterable[str]) -> str:
    """What sets layers apart, of the words for each respect: ``full-attention MoE``."""
    named = [_with_number(word) for word in words] or [""]
    return reduce(lambda kind, other: N_("{kind} {other}", kind=kind, other=other), named)


def _with_number(word: str) -> str:
    """``8-heads``: the number in a word apart, so that each of them is not another word."""
    number = next(filter(str.isdigit, word.split("-")), "")
    apart = number and not word.startswith("Mamba")
    return N_(word.replace(number, "{number}"), number=number) if apart else word


def _meaning(kind: str, count: int) -> str:
    if not kind:
        return N_("layer") if count == 1 else N_("layers")
    return N_("{kind} layer", kind=kind) if count == 1 else N_("{kind} layers", kind=kind)


def adjective(name: str) -> str:
    """A kind's name before a noun: ``full-attention``."""
    return name.replace(" ", "-")


def how_many(kind: Kind, kinds: Kinds, *, of: int) -> int:
    """Of so many layers those of that kind."""
    return sum(
        selection.count for (found,), selection, _ in _combined(of, (kinds,)) if found == kind
    )


Combination = tuple[tuple[Kind, ...], Selection, int]


def _combined(layers: int, distinctions: tuple[Kinds, ...]) -> Iterator[Combination]:
    """Every combination of kinds that occurs: the kinds, which layers, the first of them."""
    for chosen in product(*(distinction.options for distinction in distinctions)):
        selection = selected(layers, chosen)
        if selection.count:
            kinds = tuple(kind for kind, _ in chosen)
            yield kinds, selection, _first(layers, kinds, distinctions)


def selected(layers: int, chosen: Iterable[Option]) -> Selection:
    """Of so many layers those that are of every chosen kind."""
    return reduce(Selection.both, (where for _, where in chosen), Selection(range(layers)))


def _first(layers: int, kinds: tuple[Kind, ...], distinctions: tuple[Kinds, ...]) -> int:
    near = (
        layer
        for layer in islice(range(layers), LOOK_AHEAD)
        if all(d.of(layer) == kind for d, kind in zip(distinctions, kinds, strict=True))
    )
    return next(near, layers)
