"""GPT-Neo, GPT-J and GPT-NeoX, and CodeGen after GPT-J: GPT-3's shape, then parallel blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.gpt2 import LEARNED_POSITIONS, ffn_width
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import PerLayer, every, first, layered
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN
from sphinx_llmsize.config.symbols import D, L
from sphinx_llmsize.translation import N_

EARLIER, LAST = LayerKind("earlier", N_("earlier")), LayerKind("last", N_("last"))
M = Symbol("M", N_("feed-forward dimension relative to D"))
FFN_MULTIPLE = size_key(M, "ffn_multiple", "intermediate_multiple_size")


def gpt_neo(config: Config) -> tuple[Item, ...]:
    """GPT-2's block with separate projections, of which only the output's has a bias."""
    attention = parts.multi_head_attention(output_bias=True)
    block = parts.pre_norm(
        parts.layer_norm, attention, parts.mlp(bias=True, width=ffn_width(config))
    )
    return parts.decoder(config, block, norm=parts.layer_norm, embeddings=LEARNED_POSITIONS)


def local_layers(config: Config) -> PerLayer[bool]:
    """The local ones of ``attention_types``; where it is null, every other layer."""
    if not config[k.KINDS_IN_TURN]:
        return every(2, True, others=False, start=1)
    turns = cast("tuple[tuple[tuple[str, ...], int], ...]", config[k.KINDS_IN_TURN])

    def is_local(layer: int) -> bool:
        for kinds, times in turns:
            if layer < len(kinds) * times:
                return kinds[layer % len(kinds)] == "local"
            layer -= len(kinds) * times
        return False

    return PerLayer(is_local)


def gptj(config: Config) -> tuple[Item, ...]:
    """Attention without biases and an MLP with, side by side after one norm."""
    return _side_by_side(config, parts.multi_head_attention())


def codegen(config: Config) -> tuple[Item, ...]:
    """GPT-J with fused QKV."""
    return _side_by_side(config, parts.fused_attention(bias=False))


def _side_by_side(config: Config, attention: Block) -> tuple[Item, ...]:
    block = parts.parallel(
        parts.layer_norm, attention, parts.mlp(bias=True, width=ffn_width(config))
    )
    return parts.decoder(config, block, norm=parts.layer_norm, head_bias=True)


def gpt_neox(config: Config) -> tuple[Item, ...]:
    """Attention and MLP side by side, each after its own norm."""
    arranged = parts.parallel_with_two_norms if config.flag(k.PARALLEL_RESIDUAL) else parts.pre_norm
    attention = parts.fused_attention(bias=config.flag(k.ATTENTION_BIAS))
    return parts.decoder(
        config, arranged(parts.layer_norm, attention, parts.mlp(bias=True)), norm=parts.layer_norm
    )


def gpt_neox_japanese(config: Config) -> tuple[Item, ...]:
    """No biases but one: the attention output's in the last layer."""

    def block(layer: LayerKind) -> Block:
        attention = parts.fused_attention(bias=False, output_bias=layer == LAST)
        return parts.pre_norm(parts.layer_norm, attention, parts.mlp(width=M * D))

    layers = config.count(L)
    stacks = layered(layers, block, layer=first(layers - 1, EARLIER, then=LAST))
    return parts.decoder(config, stacks, norm=parts.layer_norm)


GPT_NEO = Family(
    model_type="gpt_neo",
    title="GPT-Neo",
    source="https://github.com/EleutherAI/gpt-neo",
    architectures=("GPTNeoForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 24,
        k.NUM_HEADS: 16,
        k.FFN_DIM: None,
        k.SLIDING_WINDOW: 256,
        k.KINDS_IN_TURN: None,
        k.VOCAB_SIZE: 50_257,
        k.MAX_POSITIONS: 2048,
        k.TIE_EMBEDDINGS: True,
    },
    compose=gpt_neo,
    rules=(ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN),
    names={"window_size": k.SLIDING_WINDOW},
    windows=parts.with_windows(local_layers),
)
GPTJ = Family(
    model_type="gptj",
    title="GPT-J",
    source="https://github.com/kingoflolz/mesh-transformer-jax",
    architectures=("GPTJForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 28,
        k.NUM_HEADS: 16,
        k.FFN_DIM: None,
        k.VOCAB_SIZE: 50_400,
        k.MAX_POSITIONS: 2048,
        k.TIE_EMBEDDINGS: False,
    },
    compose=gptj,
    rules=(ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN),
)
CODEGEN = replace(
    GPTJ,
    model_type="codegen",
    title="CodeGen",
    source="https://arxiv.org/abs/2203.13474",
    architectures=("CodeGenForCausalLM",),
    compose=codegen,
)
GPT_NEOX = Family(
    model_type="gpt_neox",
    title="GPT-NeoX",
    source="https://arxiv.org/abs/2204.06745",
    architectures=("GPTNeoXForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 6144,
        k.NUM_LAYERS: 44,
        k.NUM_HEADS: 64,
        k.FFN_DIM: 24_576,
        k.VOCAB_SIZE: 50_432,
        k.MAX_POSITIONS: 2048,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: True,
        k.PARALLEL_RESIDUAL: True,
    },
    compose=gpt_neox,
)
GPT_NEOX_JAPANESE = Family(
    model_type="gpt_neox_japanese",
    title="GPT-NeoX Japanese",
    source="https://huggingface.co/docs/transformers/model_doc/gpt_neox_japanese",
    architectures=("GPTNeoXJapaneseForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2560,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        FFN_MULTIPLE: 4,
        k.VOCAB_SIZE: 32_000,
        k.MAX_POSITIONS: 2048,
        k.TIE_EMBEDDINGS: True,
    },
    compose=gpt_neox_japanese,
)

FAMILIES = (GPT_NEO, GPTJ, CODEGEN, GPT_NEOX, GPT_NEOX_JAPANESE)
