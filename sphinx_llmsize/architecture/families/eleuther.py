"""GPT-Neo, GPT-J and GPT-NeoX, and CodeGen after GPT-J: GPT-3's shape, then parallel blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.gpt2 import LEARNED_POSITIONS, ffn_width
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import FAR, Kinds, first, layered
from sphinx_llmsize.architecture.parts.attention import fused_attention, multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import parallel, parallel_with_two_norms, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.parts.windows import with_windows
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    PARALLEL_RESIDUAL,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    L,
)
from sphinx_llmsize.config.windows import KINDS_IN_TURN, SLIDING_WINDOW

DEFAULT_TURNS = ((("global", "local"), FAR),)
M = Symbol("M", "feed-forward dimension relative to D")
FFN_MULTIPLE = size_key(M, "ffn_multiple", "intermediate_multiple_size")


def gpt_neo(config: Config) -> tuple[Item, ...]:
    """GPT-2's block with separate projections, of which only the output's has a bias."""
    attention = multi_head_attention(output_bias=True)
    block = pre_norm(layer_norm, attention, mlp(bias=True, width=ffn_width(config)))
    return decoder(config, block, norm=layer_norm, embeddings=LEARNED_POSITIONS)


def local_layers(config: Config) -> Kinds:
    """The local ones of ``attention_types``; where it is null, every other layer."""
    turns = cast("tuple[tuple[tuple[str, ...], int], ...]", config[KINDS_IN_TURN] or DEFAULT_TURNS)
    named: list[tuple[bool, range]] = []
    start = 0
    for kinds, times in turns:
        stop = start + len(kinds) * times
        named += (
            (kind == "local", range(start + turn, stop, len(kinds)))
            for turn, kind in enumerate(kinds)
        )
        start = stop
    return Kinds(tuple(named), False)


def gptj(config: Config) -> tuple[Item, ...]:
    """Attention without biases and an MLP with, side by side after one norm."""
    return _side_by_side(config, multi_head_attention())


def codegen(config: Config) -> tuple[Item, ...]:
    """GPT-J with fused QKV."""
    return _side_by_side(config, fused_attention(bias=False))


def _side_by_side(config: Config, attention: Block) -> tuple[Item, ...]:
    block = parallel(layer_norm, attention, mlp(bias=True, width=ffn_width(config)))
    return decoder(config, block, norm=layer_norm, head_bias=True)


def gpt_neox(config: Config) -> tuple[Item, ...]:
    """Attention and MLP side by side, each after its own norm."""
    arranged = parallel_with_two_norms if config.flag(PARALLEL_RESIDUAL) else pre_norm
    attention = fused_attention(bias=config.flag(ATTENTION_BIAS))
    return decoder(config, arranged(layer_norm, attention, mlp(bias=True)), norm=layer_norm)


def gpt_neox_japanese(config: Config) -> tuple[Item, ...]:
    """No biases but one: the attention output's in the last layer."""

    def block(layer: str) -> Block:
        attention = fused_attention(bias=False, output_bias=layer == "last")
        return pre_norm(layer_norm, attention, mlp(width=M * D))

    layers = config.count(L)
    stacks = layered(layers, block, layer=first(layers - 1, "earlier", then="last"))
    return decoder(config, stacks, norm=layer_norm)


GPT_NEO = Family(
    model_type="gpt_neo",
    title="GPT-Neo",
    source="https://github.com/EleutherAI/gpt-neo",
    architectures=("GPTNeoForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        FFN_DIM: None,
        SLIDING_WINDOW: 256,
        KINDS_IN_TURN: None,
        VOCAB_SIZE: 50_257,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: True,
    },
    compose=gpt_neo,
    rules=(ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN),
    names={"window_size": SLIDING_WINDOW},
    spans=with_windows(local_layers),
)
GPTJ = Family(
    model_type="gptj",
    title="GPT-J",
    source="https://github.com/kingoflolz/mesh-transformer-jax",
    architectures=("GPTJForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 28,
        NUM_HEADS: 16,
        FFN_DIM: None,
        VOCAB_SIZE: 50_400,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: False,
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
        HIDDEN_DIM: 6144,
        NUM_LAYERS: 44,
        NUM_HEADS: 64,
        FFN_DIM: 24_576,
        VOCAB_SIZE: 50_432,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: True,
        PARALLEL_RESIDUAL: True,
    },
    compose=gpt_neox,
)
GPT_NEOX_JAPANESE = Family(
    model_type="gpt_neox_japanese",
    title="GPT-NeoX Japanese",
    source="https://huggingface.co/docs/transformers/model_doc/gpt_neox_japanese",
    architectures=("GPTNeoXJapaneseForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        FFN_MULTIPLE: 4,
        VOCAB_SIZE: 32_000,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: True,
    },
    compose=gpt_neox_japanese,
)

FAMILIES = (GPT_NEO, GPTJ, CODEGEN, GPT_NEOX, GPT_NEOX_JAPANESE)
