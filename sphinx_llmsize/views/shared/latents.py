"""Test for multi-head latent attention, which caches latents instead of keys and values."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.config.symbols import R_KV


def caches_latents(stages: Iterable[Stage]) -> bool:
    """True if one of the stages caches latents (of rank R_kv), from which K and V are computed."""
    sizes = (size for stage in stages for shape in stage.caches for size in shape)
    return any(R_KV in size.symbols() for size in sizes)
