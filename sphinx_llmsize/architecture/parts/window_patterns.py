"""Functions that read each layer's attention window from a configuration."""

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
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import L

HasWindow = Callable[[Config], PerLayer[bool]]
"""Returns, for each layer, True if it has a window."""
Tokens = Callable[[Config], int]
"""Returns the number of tokens in a window; 0 if there is none."""
LayerWindows = Callable[[Config], PerLayer[int]]
"""Returns the number of tokens in each layer's window; 0 for a layer without one."""


def tokens_of(key: Key) -> Tokens:
    """Return a function that reads a window from a key; 0 (no window) if it is null or -1."""
    return lambda config: max(0, config.count(key)) if config.has(key) else 0


sliding_window = tokens_of(k.SLIDING_WINDOW)


def window_if_used(config: Config) -> int:
    """The sliding window, or 0 unless ``use_sliding_window`` is true."""
    return sliding_window(config) if config.flag(k.USES_WINDOW) else 0


def in_all_layers(config: Config) -> PerLayer[int]:
    """The sliding window in every layer (Mistral)."""
    return same(sliding_window(config))


def with_windows(has_window: HasWindow, tokens: Tokens = sliding_window) -> LayerWindows:
    """Windows of one size in some of the layers."""

    def windows(config: Config) -> PerLayer[int]:
        window = tokens(config)
        if not window:
            return same(0)
        return has_window(config).map(lambda has: window if has else 0)

    return windows


def by_layer_types(otherwise: HasWindow, tokens: Tokens = sliding_window) -> LayerWindows:
    """Windows in the layers whose type in ``layer_types`` has one.

    Args:
        otherwise: layers with a window if ``layer_types`` is null.
        tokens: size of the windows.
    """

    def has_window(config: Config) -> PerLayer[bool]:
        names = config.names(k.LAYER_TYPES)
        return from_list([name in k.WITH_WINDOW for name in names]) if names else otherwise(config)

    return with_windows(has_window, tokens)


def layers_of_kind(kind: LayerKind, kinds: Callable[[Config], Kinds]) -> HasWindow:
    """Windows in the layers of one kind."""
    return lambda config: kinds(config).map(lambda found: found == kind)


def all_layers(config: Config) -> PerLayer[bool]:
    """Windows in all layers."""
    return same(True)


def no_layer(config: Config) -> PerLayer[bool]:
    """Windows in no layer."""
    return same(False)


def full_every(step: int, *, start: int | None = None) -> HasWindow:
    """Windows in all but every ``step``-th layer; layer ``start`` is the first without one."""
    begin = step - 1 if start is None else start
    return lambda config: every(step, False, others=True, start=begin)


def by_pattern(*, start: int | None = None) -> HasWindow:
    """Windows as set by ``sliding_window_pattern``.

    A number is the interval between layers without a window; a string is repeated, and each
    ``L`` in it means a layer with a window.

    Args:
        start: first layer without a window, for a number (:func:`full_every`).
    """

    def has_window(config: Config) -> PerLayer[bool]:
        pattern = config[k.WINDOW_PATTERN]
        if isinstance(pattern, str):
            return cycle([letter == "L" for letter in pattern])
        if not pattern:
            return same(False)
        return full_every(config.count(k.WINDOW_PATTERN), start=start)(config)

    return has_window


def full_in_last_layer(has_window: HasWindow) -> HasWindow:
    """Windows in the layers that ``has_window`` selects, except the last layer of the model."""
    return lambda config: among((config.count(L) - 1,), False, others=has_window(config))


def all_but_first_layers(config: Config) -> PerLayer[bool]:
    """Windows in all but the first ``max_window_layers`` layers (Qwen2)."""
    return first(config.count(k.MAX_WINDOW_LAYERS), False, then=True)


def alternating_first_layers(config: Config) -> PerLayer[bool]:
    """Windows in every other of the first ``max_window_layers`` layers (Qwen2 MoE)."""
    return every(2, True, others=False, stop=config.count(k.MAX_WINDOW_LAYERS))


def rotary_layers(config: Config) -> PerLayer[bool]:
    """Windows in the layers with rotary positions (Llama 4)."""
    if numbers := config.counts(k.ROTARY_LAYERS):
        return from_list([bool(number) for number in numbers])
    return full_every(config.count(k.NO_ROPE_INTERVAL))(config)


def layers_without_positions(config: Config) -> PerLayer[bool]:
    """Windows in the layers without rotary positions, if windows are in use (SmolLM3)."""
    if not config.flag(k.USES_WINDOW):
        return same(False)
    return rotary_layers(config).map(lambda is_rotary: not is_rotary)
