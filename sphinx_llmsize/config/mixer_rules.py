"""What follows from other values in state-space mixers, and what must fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.mixers import (
    EXPAND,
    MAMBA_HEAD_DIM,
    MAMBA_WIDTH,
    NUM_MAMBA_HEADS,
    TIME_STEP_RANK,
)
from sphinx_llmsize.config.rules import Rule, Settings, whole
from sphinx_llmsize.config.vocabulary import HIDDEN_DIM
from sphinx_llmsize.errors import ConfigError, Problem

if TYPE_CHECKING:
    from sphinx_llmsize.config.given import Given


def _one_sixteenth(settings: Settings) -> Settings:
    hidden = whole(settings, HIDDEN_DIM)
    assert hidden is not None
    return {TIME_STEP_RANK: -(-hidden // 16)}


def _inner_width(settings: Settings) -> int | None:
    hidden, expand = whole(settings, HIDDEN_DIM), whole(settings, EXPAND)
    return whole(settings, MAMBA_WIDTH) or (hidden * expand if hidden and expand else None)


def _derive_head_dim(settings: Settings) -> Settings:
    width, heads = _inner_width(settings), whole(settings, NUM_MAMBA_HEADS)
    assert width is not None
    assert heads is not None
    return {MAMBA_HEAD_DIM: width // heads}


def _check_heads(settings: Settings, given: Given) -> None:
    width, heads = _inner_width(settings), whole(settings, NUM_MAMBA_HEADS)
    head_dim = whole(settings, MAMBA_HEAD_DIM)
    if not width or not heads:
        return
    if head_dim and heads * head_dim != width:
        raise ConfigError(
            f"{heads:,} state-space heads of {head_dim:,} are not the mixer's width {width:,}",
            Problem.SHAPE,
            hint=f"{given.name(NUM_MAMBA_HEADS)} × {given.name(MAMBA_HEAD_DIM)} must be "
            f"{given.name(EXPAND)} × {given.name(HIDDEN_DIM)}",
            line=given.line(MAMBA_HEAD_DIM, NUM_MAMBA_HEADS, HIDDEN_DIM, EXPAND),
        )
    if width % heads:
        raise ConfigError(
            f"{heads:,} state-space heads do not divide the mixer's width {width:,}",
            Problem.SHAPE,
            hint=f"choose {given.name(NUM_MAMBA_HEADS)} so that it divides",
            line=given.line(NUM_MAMBA_HEADS, HIDDEN_DIM, EXPAND),
        )


TIME_STEPS = Rule(_one_sixteenth)
"""The rank of the time steps is D / 16, rounded up."""

STATE_SPACE_HEADS = Rule(_derive_head_dim, _check_heads)
"""The state-space heads divide the mixer's inner width."""
