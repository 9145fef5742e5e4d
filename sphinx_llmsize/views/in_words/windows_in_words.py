"""Attention windows in words: ``windows of 4,096 tokens in 32 layers``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.in_words.description import Description, layers_fact, named
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    layers_with,
    parts_in_layers,
)
from sphinx_llmsize.views.shared.lengths import longest_context
from sphinx_llmsize.views.shared.wording import listed_text

SPARSE = N_("sparse attention pattern")
"""Text on attention to blocks or buckets of tokens, which aren't recorded."""


class WindowKind(IntEnum):
    """A kind of attention windows."""

    SLIDING = 0
    """The last tokens."""
    TWO_SIDED = 1
    """Tokens on both sides of a token."""
    CHUNK = 2
    """Earlier tokens in the same chunk of the text."""


WINDOWS_OF = {
    WindowKind.SLIDING: N_("windows of {numbers} tokens"),
    WindowKind.TWO_SIDED: N_("windows of {numbers} tokens to each side"),
    WindowKind.CHUNK: N_("chunks of {numbers} tokens"),
}
"""Text on the windows of each kind, with their sizes."""


class Window(NamedTuple):
    """An attention window.

    Attributes:
        kind: its kind.
        tokens: number of tokens; if two-sided, on each side.
    """

    kind: WindowKind
    tokens: int


def layers_by_window(model: Model, stacks: Iterable[Stack]) -> Counter[Window]:
    """The number of layers with each window.

    Windows as long as the longest context are left out, since they never hide a token.
    """
    longest = longest_context(model)
    kind = WindowKind.CHUNK if has_chunks(model) else WindowKind.SLIDING
    two_sided = WindowKind.TWO_SIDED
    layers: Counter[Window] = Counter()
    for stack in stacks:
        found = [(Window(kind, each.window), each.layers) for each in stack.windows]
        found += [
            (Window(two_sided, each.window // 2), each.layers) for each in stack.two_sided_windows
        ]
        for window, number in found:
            if longest is None or window.tokens < longest:
                layers[window] += number
    return layers


def describe_windows(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``windows of 4,096 tokens in 32 layers``; None without attention."""
    stacks = stacks_with_attention(placed_stages)
    layers = layers_by_window(model, stacks)
    text = listed_text([_window_in_layers(*each) for each in sorted(layers.items())])
    facts = (*layers.items(), *map(layers_fact, layers.values()))
    return _described(model, stacks, layers, facts, text)


def describe_window_sizes(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``windows of 4,096 tokens``; None without attention."""
    stacks = stacks_with_attention(placed_stages)
    layers = layers_by_window(model, stacks)
    return _described(model, stacks, layers, layers, listed_text(_sizes(layers)))


def describe_windows_among_layers(
    model: Model, placed_stages: PlacedStages, all_layers: int
) -> Description | None:
    """``windows of 4,096 tokens in 62 of 124 layers``; None without attention.

    The layers are left out if all layers with attention have windows.

    Args:
        model: the model.
        placed_stages: the stages.
        all_layers: number of all layers beside these stages, with and without attention.
    """
    sizes = describe_window_sizes(model, placed_stages)
    number = layers_by_window(model, stacks_with_attention(placed_stages)).total()
    if sizes is None or number in {0, layers_with(model, placed_stages)}:
        return sizes
    text = _(
        "{windows} in {layers} of {all} layers", windows=sizes.text, layers=number, all=all_layers
    )
    return replace(sizes, facts=sizes.facts | {(number, all_layers)}, text=text)


def _described(
    model: Model,
    stacks: Sequence[Stack],
    found: Iterable[Window],
    facts: Iterable[Hashable],
    text: str,
) -> Description | None:
    """The attention windows in words.

    Args:
        model: the model.
        stacks: its stacks with attention; the result is None without any.
        found: their sliding windows.
        facts: the facts that the text states.
        text: text on the sliding windows; empty if there are none.
    """
    if not stacks:
        return None
    if has_sparse_pattern(model):
        return named(SPARSE)
    if not text:
        return named(N_("no sliding windows"))
    kinds = tuple(window.kind for window in sorted(found))
    return Description(("windows", kinds), frozenset(facts), text)


def has_chunks(model: Model) -> bool:
    """True if the windows of the model's family are chunks of the text."""
    return k.ATTENTION_CHUNK in model.family.defaults


def has_sparse_pattern(model: Model) -> bool:
    """True if tokens attend to blocks or hash buckets of tokens instead of to the last tokens."""
    return model.config.value_of(model.family.has_sparse_pattern)


def _window_in_layers(window: Window, layers: int) -> str:
    """``windows of 4,096 tokens in 32 layers``."""
    return parts_in_layers(_(WINDOWS_OF[window.kind], numbers=thousands(window.tokens)), layers)


def _sizes(windows: Iterable[Window]) -> list[str]:
    """``windows of 512 and 4,096 tokens``: a text for the windows of each kind."""
    by_kind = groupby(sorted(windows), key=lambda window: window.kind)
    return [
        _(WINDOWS_OF[kind], numbers=listed_text([thousands(each.tokens) for each in of_kind]))
        for kind, of_kind in by_kind
    ]


def window_shares(model: Model, placed_stages: PlacedStages) -> dict[Window, Fraction]:
    """Each window with its share of the layers with attention."""
    stacks = stacks_with_attention(placed_stages)
    layers = sum(model.architecture.count(stack.uses) for stack in stacks)
    return {
        window: Fraction(number, layers)
        for window, number in layers_by_window(model, stacks).items()
    }


def stacks_with_attention(placed_stages: PlacedStages) -> tuple[Stack, ...]:
    """The different stacks of the stages of attention, in order."""
    attention = (placed for placed in placed_stages if placed.stage.group is Group.ATTENTION)
    return tuple(dict.fromkeys(placed.stack for placed in attention if placed.stack))
