"""Number of elements in transformers' caches after a forward pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import Cache, DynamicCache, EncoderDecoderCache
from transformers.cache_utils import DynamicSlidingWindowLayer

from differential.runnable import first_pass

CACHE_OUTPUTS = ("cache", "past_buckets_states", "state", "mems")
"""Attributes of a model's output that contain its caches."""
MODULE_CACHES = ("conv1d_state", "recurrent_states")
"""Attributes of RecurrentGemma's modules: inputs of the convolution, and recurrent states."""
NOT_RETURNED = ("recurrent_gemma", "granite4_vision_text")
"""Types that don't return a cache, but fill the one in their arguments."""
NOT_YET_COMPRESSED = ("buffer_kv", "buffer_gate", "overlap_kv", "overlap_gate")
"""Buffers of DeepSeek-V4's compressors: tokens that aren't compressed yet."""


def cached_elements(model: torch.nn.Module, ids: torch.Tensor) -> int:
    """Number of cached elements after a forward pass of these tokens.

    Raises:
        ValueError: the model does not return its caches.
    """
    inputs = first_pass(model, ids, cache=True)
    cache = DynamicCache(config=model.config) if model.config.model_type in NOT_RETURNED else None
    if cache is not None:
        inputs["cache"] = cache
    with torch.no_grad():
        output = model(**inputs)
    found = [getattr(output, name) for name in CACHE_OUTPUTS if hasattr(output, name)]
    if not found and getattr(model.config, "is_decoder", False):
        raise ValueError("with this head, a decoder does not return its cache")
    returned = next((value for value in found if value is not None), cache)
    return sum(_numbers(returned)) + sum(map(_in_module, model.modules()))


def _numbers(cache: Any) -> Iterator[int]:
    """Number of elements of each floating-point tensor in a cache, not of ids and positions."""
    if isinstance(cache, torch.Tensor):
        if cache.is_floating_point():
            yield cache.numel()
    elif isinstance(cache, EncoderDecoderCache):
        yield from _numbers((cache.self_attention_cache, cache.cross_attention_cache))
    elif isinstance(cache, Cache):
        yield from _numbers((cache.layers, getattr(cache, "linear_cache", ())))
    elif isinstance(cache, (list, tuple)):
        for item in cache:
            yield from _numbers(item)
    elif isinstance(cache, dict):
        yield from _numbers(list(cache.values()))
    elif hasattr(cache, "__dict__"):
        yield from _numbers(list(_parts(cache).values()))


def _parts(layer: Any) -> dict[str, Any]:
    """Attributes of a layer's cache, with whole windows; values equal to the keys are left out."""
    parts = {k: v for k, v in vars(layer).items() if k not in NOT_YET_COMPRESSED}
    keys, values = parts.get("keys"), parts.get("values")
    if keys is None or values is None:
        return parts
    if isinstance(layer, DynamicSlidingWindowLayer):
        full = layer.cumulative_length >= layer.sliding_window
        parts["keys"], parts["values"] = (_one_more(t, -2) if full else t for t in (keys, values))
    if keys is values or (keys.shape == values.shape and torch.equal(keys, values)):
        del parts["values"]
    return parts


def _in_module(module: torch.nn.Module) -> int:
    """Number of elements that a module of RecurrentGemma caches itself."""
    inputs, states = (getattr(module, name, None) for name in MODULE_CACHES)
    return sum(_numbers((None if inputs is None else _one_more(inputs, -1), states)))


def _one_more(cached: torch.Tensor, dimension: int) -> torch.Tensor:
    """Tensor with one more token in place of the one that the sliding window has just dropped."""
    return torch.cat((cached, torch.ones_like(cached.sum(dimension, keepdim=True))), dimension)
