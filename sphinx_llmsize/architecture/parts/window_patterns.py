"""How far back the attention of each layer reaches, as configurations tell it."""

from __future__ import annotations

from collections.abc import Callable

from sphinx_llmsize.architecture.layers import FAR, Kinds, among, every, first, listed, same
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import L

Windowed = Callable[[Config], Kinds]
"""Which layers have a window: True where they do."""
Tokens = Callable[[Config], int]
LayerWindows = Callable[[Config], Kinds]
"""The tokens of each layer's window; 0 where it has none."""


def tokens_of(key: Key) -> Tokens:
    """A key's number; 0 where it is null, or -1, which is another way to say so."""
    return lambda config: max(0, config.count(key)) if config.has(key) else 0


sliding_window = tokens_of(k.SLIDING_WINDOW)


def window_if_used(config: Config) -> int:
    """The sliding window, which only a flag makes one."""
    return sliding_window(config) if config.flag(k.USES_WINDOW) else 0


def in_all_layers(config: Config) -> Kinds:
    """One window for all layers, if there is one (Mistral)."""
    return same(sliding_window(config))


def with_windows(windowed: Windowed, tokens: Tokens = sliding_window) -> LayerWindows:
    """Windows of so many tokens in some of the layers."""

    def windows(config: Config) -> Kinds:
        kinds, window = windowed(config), tokens(config)
        named = tuple((window if kind else 0, where) for kind, where in kinds.named)
        return Kinds(named, window if kinds.others else 0)

    return windows


def by_layer_types(otherwise: Windowed, tokens: Tokens = sliding_window) -> LayerWindows:
    """Windows in the layers that ``layer_types`` lists as having one; where it is null, in others.

    Args:
        otherwise: which layers those are.
        tokens: how many there are in a window.
    """
    return with_windows(lambda config: _listed(config) or otherwise(config), tokens)


def _listed(config: Config) -> Kinds | None:
    names = config.names(k.LAYER_TYPES)
    return listed([name in k.WITH_WINDOW for name in names]) if names else None


def where(name: str, kinds: Callable[[Config], Kinds]) -> Windowed:
    """The layers that a family's own distinction calls that."""

    def windowed(config: Config) -> Kinds:
        found = kinds(config)
        named = tuple((kind == name, layers) for kind, layers in found.named)
        return Kinds(named, found.others == name)

    return windowed


def all_layers(config: Config) -> Kinds:
    """Every layer has a window."""
    return same(True)


def no_layer(config: Config) -> Kinds:
    """None has, unless it is listed."""
    return same(False)


def full_every(step: int, *, start: int | None = None) -> Windowed:
    """All but one layer in so many, the last of them, unless told with which they start."""
    begin = step - 1 if start is None else start
    return lambda config: every(step, False, others=True, start=begin)


def by_pattern(*, start: int | None = None) -> Windowed:
    """The same with the configuration's number; or as its letters have it, again and again."""

    def windowed(config: Config) -> Kinds:
        pattern = config[k.WINDOW_PATTERN]
        if isinstance(pattern, str):
            turns = (range(turn, FAR, len(pattern)) for turn in range(len(pattern)))
            return Kinds(tuple(zip((letter == "L" for letter in pattern), turns, strict=True)))
        return (
            full_every(config.count(k.WINDOW_PATTERN), start=start)(config) if pattern else same(0)
        )

    return windowed


def last_full(windowed: Windowed) -> Windowed:
    """As told, but the last layer has none."""
    return lambda config: among((config.count(L) - 1,), False, others=windowed(config))


def after_first(config: Config) -> Kinds:
    """All but the first layers, as many as ``max_window_layers`` says (Qwen2)."""
    return first(config.count(k.MAX_WINDOW_LAYERS), False, then=True)


def in_turn_at_first(config: Config) -> Kinds:
    """Every other of the first layers, as many as ``max_window_layers`` says (Qwen2 MoE)."""
    return every(2, True, others=False, stop=config.count(k.MAX_WINDOW_LAYERS))


def rotary_layers(config: Config) -> Kinds:
    """The layers that have rotary positions (Llama 4)."""
    if numbers := config.counts(k.ROTARY_LAYERS):
        return listed([bool(number) for number in numbers])
    return full_every(config.count(k.NO_ROPE_INTERVAL))(config)


def layers_without_positions(config: Config) -> Kinds:
    """The layers that have none, if a flag says that there are windows (SmolLM3)."""
    if not config.flag(k.USES_WINDOW):
        return same(False)
    rotary = rotary_layers(config)
    return Kinds(tuple((not kind, where) for kind, where in rotary.named), not rotary.others)
