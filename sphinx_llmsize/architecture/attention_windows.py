"""How far back attention reaches: windows of tokens, and which layers have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.layers import Kinds, Option
from sphinx_llmsize.architecture.selection import Selection
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack, WindowedLayers


def assign_windows(items: Iterable[Item], windows: Kinds, layers: int) -> tuple[Item, ...]:
    """The pieces of a model, its stacks with the layers that have a window.

    Args:
        items: of the model.
        windows: the tokens of each layer's window; 0 where it sees all.
        layers: how many there are in all.
    """
    limited = tuple(option for option in windows.options if option[0])
    return tuple(_assign_windows(item, limited, Selection(range(layers))) for item in items)


def _assign_windows(item: Item, windows: tuple[Option, ...], every: Selection) -> Item:
    if isinstance(item, Stack):
        return replace(
            item, windows=tuple(_windowed_layers(item.which or (every,), windows, every))
        )
    if isinstance(item, Interleaved):
        stacks = (_assign_windows(stack, windows, every) for stack in item.stacks)
        return replace(item, stacks=tuple(stack for stack in stacks if isinstance(stack, Stack)))
    return item


def _windowed_layers(
    which: tuple[Selection, ...], windows: tuple[Option, ...], every: Selection
) -> Iterator[WindowedLayers]:
    for window, where in windows:
        layers = sum(selection.both(where).both(every).count for selection in which)
        if layers:
            yield WindowedLayers(int(window), layers)
