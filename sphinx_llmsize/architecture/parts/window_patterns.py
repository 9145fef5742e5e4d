"""Functions that read each layer's attention window, and its kind of positions.

A family sets ``windows`` to ``two_sided_windows``, or to a function named ``windows_…`` or to its
result, and ``positions`` to the result of ``rotary_in`` or ``rotary_with…``. Most other functions
are their arguments: some select the layers with a window, some return its size.
"""

from __future__ import annotations

from collections.abc import Callable

from sphinx_llmsize.architecture.layers import (
    Kinds,
    PerLayer,
    among,
    cycle,
    every,
    first,
    from_list,
    same,
)
from sphinx_llmsize.architecture.positions import Positions
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import L

SelectLayers = Callable[[Config], PerLayer[bool]]
"""Function that returns True for each layer with a window."""
WindowSize = Callable[[Config], int]
"""Function that returns the number of tokens in a window; 0 if there is none."""
LayerWindows = Callable[[Config], PerLayer[int]]
"""Function that returns the number of tokens in each layer's window; 0 for a layer without one."""


def window_from(key: Key) -> WindowSize:
    """Function that reads a window from a key; 0 (no window) if it is null or -1."""
    return lambda config: max(0, config.count(key)) if config.has(key) else 0


sliding_window = window_from(k.SLIDING_WINDOW)
"""Tokens in the sliding window; 0 if there is none."""


def window_if_used(config: Config) -> int:
    """Tokens in the sliding window; 0 unless ``use_sliding_window`` is true."""
    return sliding_window(config) if config.flag(k.USES_WINDOW) else 0


def windows_in_all_layers(config: Config) -> PerLayer[int]:
    """The sliding window in every layer (Mistral)."""
    return same(sliding_window(config))


def two_sided_windows(config: Config) -> PerLayer[int]:
    """The windows of an encoder: one size for all layers, or one for each (Longformer)."""
    windows = config.counts(k.TWO_SIDED_WINDOW)
    return same(windows[0]) if len(windows) == 1 else from_list(windows)


def windows_in(select: SelectLayers, size: WindowSize = sliding_window) -> LayerWindows:
    """Windows of one size in the selected layers."""

    def windows(config: Config) -> PerLayer[int]:
        window = size(config)
        if not window:
            return same(0)
        return select(config).map(lambda has_window: window if has_window else 0)

    return windows


def windows_by_layer_types(
    *, otherwise: SelectLayers, size: WindowSize = sliding_window
) -> LayerWindows:
    """Windows in the layers whose type in ``layer_types`` has one.

    Args:
        otherwise: selects the layers with a window if ``layer_types`` is null.
        size: size of the windows.
    """

    def select(config: Config) -> PerLayer[bool]:
        names = config.names(k.LAYER_TYPES)
        return from_list([name in k.WITH_WINDOW for name in names]) if names else otherwise(config)

    return windows_in(select, size)


def layers_of_kind(kind: LayerKind, kinds: Callable[[Config], Kinds]) -> SelectLayers:
    """The layers of one kind."""
    return lambda config: kinds(config).map(lambda kind_of_layer: kind_of_layer == kind)


def all_layers(config: Config) -> PerLayer[bool]:
    """All layers."""
    return same(True)


def no_layer(config: Config) -> PerLayer[bool]:
    """No layer."""
    return same(False)


def full_every(step: int, *, start: int | None = None) -> SelectLayers:
    """All but every ``step``-th layer, which has full attention.

    Args:
        step: interval between layers without a window.
        start: number of the first of them; ``step - 1`` by default.
    """
    first_full = step - 1 if start is None else start
    return lambda config: every(step, False, others=True, start=first_full)


def pattern_layers(*, start: int | None = None) -> SelectLayers:
    """The layers that ``sliding_window_pattern`` selects.

    A number is the interval between layers without a window; a string is repeated, and each
    ``L`` in it means a layer with a window.

    Args:
        start: number of the first layer without a window if the pattern is a number; the last of
            the interval by default.
    """

    def select(config: Config) -> PerLayer[bool]:
        pattern = config[k.WINDOW_PATTERN]
        if isinstance(pattern, str):
            return cycle([letter == "L" for letter in pattern])
        if not pattern:
            return same(False)
        return full_every(config.count(k.WINDOW_PATTERN), start=start)(config)

    return select


def all_but_last_layer(select: SelectLayers) -> SelectLayers:
    """The selected layers except the last layer of the model."""
    return lambda config: among((config.count(L) - 1,), False, others=select(config))


def all_but_first_layers(config: Config) -> PerLayer[bool]:
    """All but the first ``max_window_layers`` layers (Qwen2)."""
    return first(config.count(k.MAX_WINDOW_LAYERS), False, then=True)


def alternating_first_layers(config: Config) -> PerLayer[bool]:
    """Layers 0, 2, 4 … of the first ``max_window_layers`` layers (Qwen2 MoE)."""
    return every(2, True, others=False, stop=config.count(k.MAX_WINDOW_LAYERS))


def rotary_layers(config: Config) -> PerLayer[bool]:
    """The layers with rotary positions (Llama 4)."""
    if numbers := config.counts(k.ROTARY_LAYERS):
        return from_list([bool(number) for number in numbers])
    return full_every(config.count(k.NO_ROPE_INTERVAL))(config)


def rotary_in(select: SelectLayers) -> Callable[[Config], PerLayer[Positions]]:
    """Rotary positions in the selected layers, none in others."""
    return lambda config: select(config).map(
        lambda is_rotary: Positions.ROTARY if is_rotary else Positions.NONE
    )


def rotary_with_window(windows: LayerWindows) -> Callable[[Config], PerLayer[Positions]]:
    """Rotary positions in the layers with a window, none in others (Cohere 2)."""
    return rotary_in(lambda config: windows(config).map(bool))


def rotary_with_window_or_all(windows: LayerWindows) -> Callable[[Config], PerLayer[Positions]]:
    """Rotary positions in the layers with a window, or in all if ``sliding_window`` is null.

    EXAONE 4, in transformers.
    """
    return rotary_in(
        lambda config: windows(config).map(bool) if config.has(k.SLIDING_WINDOW) else same(True)
    )


def layers_without_positions(config: Config) -> PerLayer[bool]:
    """The layers without rotary positions if ``use_sliding_window`` is true, otherwise no layer.

    SmolLM3 has its windows there.
    """
    if not config.flag(k.USES_WINDOW):
        return same(False)
    return rotary_layers(config).map(lambda is_rotary: not is_rotary)
