"""Groups of layers with equal blocks, and the stack of each group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.layer_counts import fewest_kinds, meaning_of_count, symbol_name
from sphinx_llmsize.architecture.stacks import LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.symbols import L

if TYPE_CHECKING:
    from sphinx_llmsize.architecture.layers import PerLayer


class LayerGroup(NamedTuple):
    """Layers with equal blocks.

    Attributes:
        block: the block of each layer.
        kinds: kinds that all of the layers have.
        numbers: the layers' numbers, from 0, in ascending order.
    """

    block: Block
    kinds: tuple[LayerKind, ...]
    numbers: tuple[int, ...]


def groups_of_equal_layers(
    layers: int, make: Callable[..., Block], values: Mapping[str, PerLayer[Any]]
) -> tuple[LayerGroup, ...]:
    """Group the layers by their blocks; the arguments are those of :func:`layer_stacks`."""
    # call make() only once for each combination of values: a model may have many layers
    numbers_by_combination: dict[tuple[Any, ...], list[int]] = {}
    for layer in range(layers):
        combination = tuple([each.at(layer) for each in values.values()])
        numbers_by_combination.setdefault(combination, []).append(layer)
    # different combinations may make equal blocks
    combinations: dict[Block, list[tuple[Any, ...]]] = {}
    numbers: dict[Block, list[int]] = {}
    for combination, layer_numbers in numbers_by_combination.items():
        block = make(**dict(zip(values, combination, strict=True)))
        combinations.setdefault(block, []).append(combination)
        numbers.setdefault(block, []).extend(layer_numbers)
    return tuple(
        LayerGroup(block, _common_kinds(combinations[block]), tuple(sorted(numbers[block])))
        for block in numbers
    )


def _common_kinds(combinations: Sequence[tuple[Any, ...]]) -> tuple[LayerKind, ...]:
    """Layer kinds that all of these combinations of values contain."""
    return tuple(
        value
        for value in combinations[0]
        if isinstance(value, LayerKind) and all(value in other for other in combinations)
    )


def stacks_of_groups(groups: Sequence[LayerGroup]) -> tuple[Stack, ...]:
    """Make a stack from each group of layers.

    Kinds that all groups have are omitted. The fewest of a group's other kinds that set it apart
    are the subscripts of the symbol for its number of layers. Where no kinds set it apart, or an
    earlier stack has the same symbol, the stack's number is another subscript.
    """
    common = set.intersection(*(set(group.kinds) for group in groups))
    kinds_by_group = [tuple(kind for kind in group.kinds if kind not in common) for group in groups]
    stacks: list[Stack] = []
    for index, (group, kinds) in enumerate(zip(groups, kinds_by_group, strict=True)):
        number = index + 1
        others = [*kinds_by_group[:index], *kinds_by_group[index + 1 :]]
        fewest = fewest_kinds([kinds], others)
        if not kinds:
            symbol = f"{L.name}_{number}"
        else:
            symbol = symbol_name(fewest or kinds)
            if not fewest or symbol in {str(stack.layers) for stack in stacks}:
                symbol = f"{symbol},{number}"
        count = len(group.numbers)
        layers = Quantity(symbol, meaning_of_count(fewest or kinds, count), count)
        stacks.append(Stack(f"layers{number}", layers, group.block, kinds, numbers=group.numbers))
    return tuple(stacks)
