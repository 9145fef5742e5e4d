"""What follows from other values, and what must fit together: rules that families list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sphinx_llmsize.config.vocabulary import FFN_DIM, HEAD_DIM, HIDDEN_DIM, NUM_HEADS, NUM_KV_HEADS
from sphinx_llmsize.errors import ConfigError, Problem

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.config.given import Given
    from sphinx_llmsize.config.vocabulary import Key

Settings = dict["Key", "Setting"]


def _accept(settings: Settings, given: Given) -> None:
    """Nothing to check."""


def _derive_nothing(settings: Settings) -> Settings:
    return {}


@dataclass(frozen=True)
class Rule:
    """A relation between keys.

    Attributes:
        derive: values for keys that are null, from settings in which no required key is null.
        check: raises a ConfigError where what was written does not fit; keys may be null.
    """

    derive: Callable[[Settings], Settings] = _derive_nothing
    check: Callable[[Settings, Given], None] = _accept


def whole(settings: Settings, key: Key) -> int | None:
    """A key's whole number, or None where it is null or the family does not know it."""
    value = settings.get(key)
    return value if isinstance(value, int) else None


def _derive_heads(settings: Settings) -> Settings:
    heads, hidden = whole(settings, NUM_HEADS), whole(settings, HIDDEN_DIM)
    assert heads is not None
    assert hidden is not None
    return {NUM_KV_HEADS: heads, HEAD_DIM: hidden // heads}


def _check_heads(settings: Settings, given: Given) -> None:
    hidden, heads = whole(settings, HIDDEN_DIM), whole(settings, NUM_HEADS)
    kv_heads, head_dim = whole(settings, NUM_KV_HEADS), whole(settings, HEAD_DIM)
    if hidden and heads and not head_dim and hidden % heads:
        way_out = "give head_dim, or " if HEAD_DIM in settings else ""
        raise ConfigError(
            f"{heads:,} heads do not divide {given.name(HIDDEN_DIM)} {hidden:,}",
            Problem.SHAPE,
            hint=f"{way_out}choose {given.name(NUM_HEADS)} so that it divides",
            line=given.line(NUM_HEADS, HIDDEN_DIM),
        )
    if heads and kv_heads and heads % kv_heads:
        raise ConfigError(
            f"{kv_heads:,} key/value heads do not divide {heads:,} heads",
            Problem.SHAPE,
            hint=f"choose {given.name(NUM_KV_HEADS)} so that it divides",
            line=given.line(NUM_KV_HEADS, NUM_HEADS),
        )


def _four_times_hidden(settings: Settings) -> Settings:
    hidden = whole(settings, HIDDEN_DIM)
    assert hidden is not None
    return {FFN_DIM: 4 * hidden}


ATTENTION_HEADS = Rule(_derive_heads, _check_heads)
"""Key/value heads are the heads, head_dim is D / H; heads divide D, key/value heads the heads."""

FFN_FOUR_TIMES_HIDDEN = Rule(_four_times_hidden)
"""The feed-forward width of the original transformer, 4·D."""
