"""Models without grouped-query attention: H in place of H_kv in all shapes."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.stacks import map_blocks
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.model import Model


def with_equal_heads(model: Model) -> Model:
    """The model with H in place of H_kv in all shapes if both have the same value.

    Formulas are shorter then: a layer of LLaMA 7B has 4D·H·d_h weights of attention, instead of
    2D·H·d_h + 2D·H_kv·d_h.
    """
    if not has_equal_heads(model.architecture):
        return model
    items = map_blocks(model.architecture.items, lambda block: with_sizes(block, {H_KV: H}))
    return replace(model, architecture=replace(model.architecture, items=items))
