"""Number of elements in the caches of transformers after a forward pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import Cache, DynamicCache, EncoderDecoderCache
from transformers.cache_utils import DynamicSlidingWindowLayer

from differential.runnable import first_pass

OUTPUTS = ("past_key_values", "cache_params", "past_buckets_states", "state", "mems")
"""Attributes of a model's output that contain its caches."""
IN_MODULES = ("conv1d_state", "recurrent_states")
"""Attributes of RecurrentGemma's modules: inputs of the convolution, and recurrent states."""
NOT_RETURNED = ("recurrent_gemma", "granite4_vision_text")
"""Models that don't return a cache, but fill the one that they get."""
NOT_YET_COMPRESSED = ("buffer_kv", "buffer_gate", "overlap_kv", "overlap_gate")
"""Buffers of DeepSeek-V4's compressors: tokens that aren't compressed yet."""


def elements(model: torch.nn.Module, ids: torch.Tensor) -> int:
    """Number of cached elements after a forward pass of these tokens.

    Raises:
        ValueError: the model does not return its caches.
    """
    inputs = first_pass(model, ids, cache=True)
    cache = DynamicCache(config=model.config) if model.config.model_type in NOT_RETURNED else None
    if cache is not None:
        inputs["past_key_values"] = cache
    with torch.no_grad():
        output = model(**inputs)
    found = [getattr(output, name) for name in OUTPUTS if hasattr(output, name)]
    if not found and getattr(model.config, "is_decoder", False):
        raise ValueError("what a decoder keeps is not returned with this head")
    returned = next((kept for kept in found if kept is not None), cache)
    return sum(_numbers(returned)) + sum(map(_in_module, model.modules()))


def _numbers(kept: Any) -> Iterator[int]:
    """Elements of each floating-point tensor in a cache; ids and positions are skipped."""
    if isinstance(kept, torch.Tensor):
        if kept.is_floating_point():
            yield kept.numel()
    elif isinstance(kept, EncoderDecoderCache):
        yield from _numbers((kept.self_attention_cache, kept.cross_attention_cache))
    elif isinstance(kept, Cache):
        yield from _numbers((kept.layers, getattr(kept, "linear_cache", ())))
    elif isinstance(kept, (list, tuple)):
        for item in kept:
            yield from _numbers(item)
    elif isinstance(kept, dict):
        yield from _numbers(list(kept.values()))
    elif hasattr(kept, "__dict__"):
        yield from _numbers(list(_parts(kept).values()))


def _parts(layer: Any) -> dict[str, Any]:
    """Tensors of a layer's cache: complete windows, and equal keys and values only once."""
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
    inputs, states = (getattr(module, name, None) for name in IN_MODULES)
    return sum(_numbers((None if inputs is None else _one_more(inputs, -1), states)))


def _one_more(kept: torch.Tensor, dimension: int) -> torch.Tensor:
    """Tensor with one more token, which the sliding window has just dropped."""
    return torch.cat((kept, torch.ones_like(kept.sum(dimension, keepdim=True))), dimension)
