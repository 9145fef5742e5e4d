"""How far back attention reaches: windows of tokens, and which layers have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.layers import Kinds, Option
from sphinx_llmsize.architecture.selection import Selection
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Span, Stack


def with_spans(items: Iterable[Item], windows: Kinds, layers: int) -> tuple[Item, ...]:
    """The pieces of a model, its stacks with the layers that have a window.

    Args:
        items: of the model.
        windows: the tokens of each layer's window; 0 where it sees all.
        layers: how many there are in all.
    """
    limited = tuple(option for option in windows.options if option[0])
    return tuple(_with_spans(item, limited, Selection(range(layers))) for item in items)


def _with_spans(item: Item, windows: tuple[Option, ...], every: Selection) -> Item:
    if isinstance(item, Stack):
        return replace(item, spans=tuple(_spans(item.which or (every,), windows, every)))
    if isinstance(item, Interleaved):
        stacks = (_with_spans(stack, windows, every) for stack in item.stacks)
        return replace(item, stacks=tuple(stack for stack in stacks if isinstance(stack, Stack)))
    return item


def _spans(
    which: tuple[Selection, ...], windows: tuple[Option, ...], every: Selection
) -> Iterator[Span]:
    for window, where in windows:
        layers = sum(selection.both(where).both(every).count for selection in which)
        if layers:
            yield Span(int(window), layers)
