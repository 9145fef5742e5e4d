"""Tests for multi-head latent attention, which caches latents instead of keys and values."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.config.symbols import D_ROPE, R_KV


def caches_latents(stages: Iterable[Stage]) -> bool:
    """True if one of the stages caches latents (of rank R_kv), from which K and V are computed."""
    sizes = (size for stage in stages for shape in stage.caches for size in shape)
    return any(R_KV in size.symbols() for size in sizes)


def shares_rope_key(stage: Stage) -> bool:
    """True for scores of keys with a rotary part that all heads share, beside the latent."""
    return caches_latents([stage]) and D_ROPE in stage.computes[0].inner.symbols()
