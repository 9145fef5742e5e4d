"""Nemotron-NAS: Llama's layers after a search, which removed, narrowed or replaced sublayers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Union

from sphinx_llmsize.algebra import round_up
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.llama import LLAMA
from sphinx_llmsize.architecture.families.sizes_by_layer import (
    DERIVED_HEAD_DIM_RULE,
    ffn_quantity,
    with_kv_heads,
)
from sphinx_llmsize.architecture.family import Family, Items, without
from sphinx_llmsize.architecture.layers import from_list
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D, T
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

BLOCKS = k.make_key(
    "block_configs",
    N_("for each layer, its query heads per key/value head and its FFN multiplier"),
    k.ValueKind.SECTIONS,
)
REMOVED, LINEAR = "no_op", "replace_with_linear"
"""Settings of a sublayer that is left out, or replaced by a matrix."""
SublayerSize = Union[str, int, float]
"""Number in ``block_configs`` for a layer's attention or FFN; or REMOVED, or LINEAR."""
SIZE_NAMES = {"attention": "n_heads_in_group", "ffn": "ffn_mult"}
"""Name of a sublayer's number in ``block_configs``, by the name of the sublayer."""
WITHOUT_EFFECT = {"sparsify", "hidden_act"}
"""Settings of a sublayer that change no size."""
FFN_MULTIPLE = 256
"""Feed-forward dimensions are rounded up to a multiple of this."""


def nemotron_nas(config: Config) -> Items:
    """GQA and a gated MLP, each of its own width, removed, or replaced by a matrix D × D."""

    def block(attention: SublayerSize, ffn: SublayerSize) -> Block:
        return (*_attention(config, attention), *_feed_forward(config, ffn))

    layers = block_configs(dict(config.settings))
    items = parts.layered_decoder(
        config,
        block,
        attention=from_list([sublayer_size(layer, "attention") for layer in layers]),
        ffn=from_list([sublayer_size(layer, "ffn") for layer in layers]),
    )
    return tuple(_without_empty_stacks(items))


def _attention(config: Config, size: SublayerSize) -> Block:
    """Norm and attention, or the matrix in its place; empty if removed."""
    if isinstance(size, int):
        attention = with_kv_heads(parts.gqa(config), config.count(k.NUM_HEADS) // size)
        return (parts.attention_residual(parts.rms_norm, attention),)
    if size == REMOVED:
        return ()
    weight = parts.linear("linear_attn", D, D, "attn_linear")
    label = N_("Matrix in place of attention")
    matrix = Stage("attention_linear", label, Group.ATTENTION, (T, D), weight)
    return (parts.attention_residual(parts.rms_norm, (matrix,)),)


def _feed_forward(config: Config, size: SublayerSize) -> Block:
    """Norm and gated MLP, or the matrix in its place; empty if removed."""
    if isinstance(size, (int, float)):
        width = ffn_quantity(ffn_dim(size, config.count(k.HIDDEN_DIM)))
        mlp = parts.gated_mlp(bias=config.flag(k.MLP_BIAS), width=width)
        return (parts.ffn_residual(parts.rms_norm, mlp),)
    if size == REMOVED:
        return ()
    weight = parts.linear("linear_mlp", D, D, "mlp_linear")
    label = N_("Matrix in place of FFN")
    matrix = Stage("ffn_linear", label, Group.FEED_FORWARD, (T, D), weight)
    return (parts.ffn_residual(parts.rms_norm, (matrix,)),)


def _without_empty_stacks(items: Items) -> Iterator[Item]:
    """Yield the items without stacks of layers that have neither attention nor FFN."""
    for item in items:
        if isinstance(item, Interleaved):
            yield replace(item, stacks=tuple(stack for stack in item.stacks if stack.block))
        elif not isinstance(item, Stack) or item.block:
            yield item


def ffn_dim(multiplier: float, hidden: int) -> int:
    """Feed-forward dimension: 2/3 of ``multiplier`` × D, rounded up to a multiple of 256.

    The multiplier is first rounded to 6 decimals, as in the model's ``block_config.py``.
    """
    return round_up(int(2 * round(multiplier, 6) * hidden / 3), FFN_MULTIPLE)


def block_configs(settings: k.Settings) -> tuple[Section, ...]:
    """Entries of ``block_configs``, one for each layer."""
    value = settings[BLOCKS]
    entries = value if isinstance(value, tuple) else ()
    return tuple(entry for entry in entries if isinstance(entry, Section))


def sublayer_size(layer: Section, part: str) -> SublayerSize | None:
    """Size of a layer's ``attention`` or ``ffn``; None if it is missing or invalid.

    It is also None if there are unsupported settings, unless the sublayer is removed or replaced,
    which makes them ineffective.
    """
    values = _sublayer_settings(layer, part)
    for replacement in (REMOVED, LINEAR):
        if values.get(replacement) is True:
            return replacement
    if unsupported_setting(layer, part):
        return None
    size = values.get(SIZE_NAMES[part])
    kind = k.ValueKind.COUNT if part == "attention" else k.ValueKind.POSITIVE
    return size if isinstance(size, (int, float)) and kind.fits(size) else None


def unsupported_setting(layer: Section, part: str) -> str:
    """The first unsupported setting of a layer's ``attention`` or ``ffn``; empty if none."""
    known = {SIZE_NAMES[part], REMOVED, LINEAR, *WITHOUT_EFFECT}
    return next((name for name in _sublayer_settings(layer, part) if name not in known), "")


def _sublayer_settings(layer: Section, part: str) -> dict[str, object]:
    """Settings of a layer's ``attention`` or ``ffn``, without those that are null, false or 0."""
    entry = layer.get(part)
    if entry is None or not isinstance(entry.value, Section):
        return {}
    return {setting.key: setting.value for setting in entry.value.entries if setting.value}


def _check_blocks(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check the size of each layer's attention and FFN: no windows, experts or unknown settings.

    Messages name the keys {key} and {other}, as in the check of any :class:`k.Rule`.
    """
    heads = k.int_or_none(settings, k.NUM_HEADS) or 0
    for number, layer in enumerate(block_configs(settings)):
        for part, setting in SIZE_NAMES.items():
            size = sublayer_size(layer, part)
            if size is None:
                name = unsupported_setting(layer, part)
                if name:
                    message = N_("{key}: {name} in the {part} of layer {number}, counted from 0")
                else:
                    message = N_("{key}: the {part} of layer {number}, counted from 0, has no size")
                raise parsed.error(
                    message,
                    BLOCKS,
                    name=name,
                    part=part,
                    number=str(number),
                    setting=setting,
                    hint=N_("{setting}, no_op and replace_with_linear are supported"),
                )
            if part == "attention" and isinstance(size, int) and heads % size:
                message = N_("{key}: {value} heads in a group do not divide {heads} heads")
                hint = N_("choose heads in a group that divide {other}")
                raise parsed.error(message, BLOCKS, k.NUM_HEADS, value=size, heads=heads, hint=hint)


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
    rules=(DERIVED_HEAD_DIM_RULE, k.one_for_each_layer(BLOCKS), k.Rule(check=_check_blocks)),
    compose=nemotron_nas,
    notes=(CountNote(N_("L counts all layers of the configuration, also any that are empty.")),),
    positions=parts.Positions.ROTARY,
)
