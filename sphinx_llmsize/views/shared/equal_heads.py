"""Models without grouped-query attention: H in place of H_kv in all shapes."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.model import Model

_SIZES = {H_KV: H}
"""Replacements of sizes in shapes."""


def with_equal_heads(model: Model) -> Model:
    """The model with H in place of H_kv in all shapes if both have the same value.

    Formulas are shorter then: a layer of LLaMA 7B has 4·D·H·d_h weights of attention, instead of
    2·D·H·d_h + 2·D·H_kv·d_h.
    """
    if not has_equal_heads(model.architecture):
        return model
    items = tuple(map(_with_equal_heads, model.architecture.items))
    return replace(model, architecture=replace(model.architecture, items=items))


def _with_equal_heads(item: Item) -> Item:
    """The item with H in place of H_kv."""
    if isinstance(item, Interleaved):
        return replace(item, stacks=tuple(map(_in_stack, item.stacks)))
    if isinstance(item, Stack):
        return _in_stack(item)
    (step,) = with_sizes((item,), _SIZES)
    return step


def _in_stack(stack: Stack) -> Stack:
    """The stack with H in place of H_kv."""
    return replace(stack, block=with_sizes(stack.block, _SIZES))
