"""Nemotron-NAS: Llama's layers, of which a search has removed, narrowed or replaced parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Union

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import gqa
from sphinx_llmsize.architecture.families.llama import LLAMA
from sphinx_llmsize.architecture.families.sizes_by_layer import (
    HEAD_DIMENSION,
    ffn_width,
    with_kv_heads,
)
from sphinx_llmsize.architecture.family import Family, Items, without
from sphinx_llmsize.architecture.layers import listed
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.stacks import Interleaved, Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind, make_key
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none
from sphinx_llmsize.config.symbols import D, T
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

BLOCKS = make_key(
    "block_configs",
    N_("for each layer, its query heads per key/value head and its feed-forward multiplier"),
    Kind.SECTIONS,
)
REMOVED, LINEAR = "no_op", "replace_with_linear"
Sublayer = Union[str, int, float]
"""Size of a sublayer in ``block_configs``; REMOVED or LINEAR."""
SIZES = {"attention": "n_heads_in_group", "ffn": "ffn_mult"}
"""Names of the sizes in ``block_configs``."""
WITHOUT_EFFECT = ("sparsify", "hidden_act")
"""Keys in ``block_configs`` that change no size."""
FFN_MULTIPLE = 256


def nemotron_nas(config: Config) -> Items:
    """GQA and a gated MLP, each of its own width, removed, or replaced by a matrix D × D."""
    settings = dict(config.settings)
    heads, hidden = config.count(k.NUM_HEADS), config.count(k.HIDDEN_DIM)

    def block(attention: Sublayer, ffn: Sublayer) -> Block:
        norm = parts.rms_norm
        steps: Block = ()
        if attention == LINEAR:
            steps = (norm("attention_norm", N_("Attention norm")), _linear_attention())
        elif isinstance(attention, int):
            mixer = with_kv_heads(gqa(config), heads // attention)
            steps = (norm("attention_norm", N_("Attention norm")), *mixer)
        if ffn == LINEAR:
            return (*steps, norm("ffn_norm", N_("FFN norm")), _linear_ffn())
        if isinstance(ffn, (int, float)):
            width = ffn_width(ffn_dim(ffn, hidden))
            mlp = parts.gated_mlp(bias=config.flag(k.MLP_BIAS), width=width)
            return (*steps, norm("ffn_norm", N_("FFN norm")), *mlp)
        return steps

    pairs = [(sublayer(entry, "attention"), sublayer(entry, "ffn")) for entry in blocks(settings)]
    items = parts.layered_decoder(
        config,
        block,
        attention=listed([attention for attention, _ffn in pairs]),
        ffn=listed([ffn for _attention, ffn in pairs]),
    )
    return tuple(map(_without_empty_layers, items))


def _without_empty_layers(item: Item) -> Item:
    """Stacks without the layers of which nothing is left."""
    if isinstance(item, Interleaved):
        return replace(item, stacks=tuple(stack for stack in item.stacks if stack.block))
    return item


def _linear_attention() -> Stage:
    weight = parts.linear("linear_attn", D, D, "attn_linear")
    label = N_("Matrix in place of attention")
    return Stage("attention_linear", label, Group.ATTENTION, (T, D), weight)


def _linear_ffn() -> Stage:
    weight = parts.linear("linear_mlp", D, D, "mlp_linear")
    label = N_("Matrix in place of FFN")
    return Stage("ffn_linear", label, Group.FEED_FORWARD, (T, D), weight)


def ffn_dim(multiplier: float, hidden: int) -> int:
    """Feed-forward dimension: 2/3 of ``multiplier`` × D, rounded up to a multiple of 256."""
    return -(-int(2 * round(multiplier, 6) * hidden / 3) // FFN_MULTIPLE) * FFN_MULTIPLE


def blocks(settings: Settings) -> tuple[Section, ...]:
    """Entries of ``block_configs``."""
    value = settings[BLOCKS]
    entries = value if isinstance(value, tuple) else ()
    return tuple(entry for entry in entries if isinstance(entry, Section))


def sublayer(block: Section, part: str) -> Sublayer | None:
    """Size of a layer's attention or FFN; None if it is missing or has unknown settings."""
    entry = block.get(part)
    inner = entry.value.entries if entry and isinstance(entry.value, Section) else ()
    values = {e.key: e.value for e in inner if e.value not in (None, False)}
    for way in (REMOVED, LINEAR):
        if values.get(way) is True:
            return way
    size = values.pop(SIZES[part], None)
    fits = Kind.COUNT if part == "attention" else Kind.RATIO
    others = values.keys() - set(WITHOUT_EFFECT)
    return size if isinstance(size, (int, float)) and fits.fits(size) and not others else None


def _check_blocks(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that each layer's attention and FFN have a known size, or none.

    Raises:
        ConfigError: an unknown setting, such as a window or experts, or heads that don't divide.
    """
    heads = int_or_none(settings, k.NUM_HEADS) or 0
    for number, entry in enumerate(blocks(settings)):
        for part, size in SIZES.items():
            found = sublayer(entry, part)
            if found is None:
                message = N_("{key}: the {part} of layer {number} is not {size} or a known form")
                hint = N_("{size}, no_op and replace_with_linear are supported")
                raise parsed.error(message, BLOCKS, part=part, number=number, size=size, hint=hint)
            if part == "attention" and isinstance(found, int) and heads % found:
                message = N_("{key}: {value} heads in a group do not divide {heads} heads")
                raise parsed.error(message, BLOCKS, k.NUM_HEADS, value=found, heads=heads)


NEMOTRON_NAS = Family(
    model_type="nemotron-nas",
    title="Llama-Nemotron",
    source="https://arxiv.org/abs/2505.00949",
    architectures=("DeciLMForCausalLM",),
    required=(BLOCKS,),
    defaults=without(
        LLAMA.defaults,
        k.NUM_KV_HEADS,
        k.HEAD_DIM,
        k.FFN_DIM,
        k.MULTIPLE_OF,
        k.FFN_DIM_MULTIPLIER,
        k.MAX_POSITIONS,
    ),
    rules=(HEAD_DIMENSION, k.one_for_each_layer(BLOCKS), Rule(check=_check_blocks)),
    compose=nemotron_nas,
    notes=(Note(N_("L includes layers of which nothing is left, if there are any.")),),
)
