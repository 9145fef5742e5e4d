"""GPT-Neo, GPT-J, CodeGen, GPT-NeoX and GPT-NeoX Japanese: variants of GPT-2's layers.

GPT-J and CodeGen have attention and MLP in parallel, and so has GPT-NeoX by default.
"""

from __future__ import annotations

from typing import cast

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.gpt2 import TOKENS_AND_POSITIONS, ffn_width
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.layers import PerLayer, every, first
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, L
from sphinx_llmsize.translation import N_

EARLIER = LayerKind("earlier", N_("earlier"), label_is_position=True)
LAST = LayerKind("last", N_("last"), label_is_position=True)
M = Symbol("M", N_("expansion factor of the FFN"))
FFN_MULTIPLE = k.size_key(M, "ffn_multiple intermediate_multiple_size")


def gpt_neo(config: Config) -> Items:
    """GPT-2's layers with separate Q, K and V projections without biases."""
    attention = parts.multi_head_attention(output_bias=True)
    return parts.uniform_decoder(
        config,
        attention,
        parts.mlp(bias=True, width=ffn_width(config)),
        norm=parts.layer_norm,
        embeddings=TOKENS_AND_POSITIONS,
    )


def local_layers(config: Config) -> PerLayer[bool]:
    """Layers with local attention, from ``attention_types``; by default every second layer."""
    if not config[k.KINDS_IN_TURN]:
        return every(2, True, others=False, start=1)
    # a pattern: kinds of attention in turn, and the number of times that they are repeated
    patterns = cast("tuple[tuple[tuple[str, ...], int], ...]", config[k.KINDS_IN_TURN])

    def is_local(layer: int) -> bool:
        first_layer = 0
        for kinds, repetitions in patterns:
            number = layer - first_layer
            if number < len(kinds) * repetitions:
                return kinds[number % len(kinds)] == "local"
            first_layer += len(kinds) * repetitions
        return False

    return PerLayer(is_local)


def gptj(config: Config) -> Items:
    """Attention without biases and MLP with biases, in parallel after one norm."""
    return _parallel_decoder(config, parts.multi_head_attention())


def codegen(config: Config) -> Items:
    """GPT-J with a fused QKV projection."""
    return _parallel_decoder(config, parts.fused_attention(bias=False))


def _parallel_decoder(config: Config, attention: Block) -> Items:
    """Decoder with attention and MLP in parallel after one norm, and a bias on the LM head."""
    return parts.uniform_decoder(
        config,
        attention,
        parts.mlp(bias=True, width=ffn_width(config)),
        frame=parts.parallel,
        norm=parts.layer_norm,
        head_bias=True,
    )


def gpt_neox(config: Config) -> Items:
    """Attention and MLP in parallel, each after its own norm, or in sequence."""
    frame = parts.parallel_with_two_norms if config.flag(k.PARALLEL_RESIDUAL) else parts.pre_norm
    attention = parts.fused_attention(bias=config.flag(k.ATTENTION_BIAS))
    return parts.uniform_decoder(
        config, attention, parts.mlp(bias=True), frame=frame, norm=parts.layer_norm
    )


def gpt_neox_japanese(config: Config) -> Items:
    """Pre-norm layers; the only bias on a projection is on the last layer's attention output."""

    def block(kind: LayerKind) -> Block:
        attention = parts.fused_attention(bias=False, output_bias=kind == LAST)
        return parts.pre_norm(parts.layer_norm, attention, parts.mlp(width=M * D))

    kinds = first(config.count(L) - 1, EARLIER, then=LAST)
    return parts.layered_decoder(config, block, norm=parts.layer_norm, kind=kinds)


GPT_NEO = Family(
    model_type="gpt_neo",
    title="GPT-Neo",
    source="https://github.com/EleutherAI/gpt-neo",
    architectures=("GPTNeoForCausalLM",),
    defaults={
        **sizes(D=2048, L=24, H=16, F=None, V=50_257, P=2048, w=256),
        k.KINDS_IN_TURN: None,
        k.TIE_EMBEDDINGS: True,
    },
    compose=gpt_neo,
    rules=(k.ATTENTION_HEADS_RULE, k.FFN_FOUR_TIMES_HIDDEN_RULE),
    names={"window_size": k.SLIDING_WINDOW},
    windows=parts.windows_in(local_layers),
)
GPTJ = Family(
    model_type="gptj",
    title="GPT-J",
    source="https://github.com/kingoflolz/mesh-transformer-jax",
    architectures=("GPTJForCausalLM",),
    defaults={**sizes(D=4096, L=28, H=16, F=None, V=50_400, P=2048), k.TIE_EMBEDDINGS: False},
    compose=gptj,
    rules=(k.ATTENTION_HEADS_RULE, k.FFN_FOUR_TIMES_HIDDEN_RULE),
    positions=parts.Positions.ROTARY,
)
CODEGEN = variant(
    GPTJ,
    "codegen",
    "CodeGen",
    "CodeGenForCausalLM",
    "https://arxiv.org/abs/2203.13474",
    compose=codegen,
)
GPT_NEOX = Family(
    model_type="gpt_neox",
    title="GPT-NeoX",
    source="https://arxiv.org/abs/2204.06745",
    architectures=("GPTNeoXForCausalLM",),
    defaults={
        **sizes(D=6144, L=44, H=64, F=24_576, V=50_432, P=2048),
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: True,
        k.PARALLEL_RESIDUAL: True,
    },
    compose=gpt_neox,
    positions=parts.Positions.ROTARY,
)
GPT_NEOX_JAPANESE = Family(
    model_type="gpt_neox_japanese",
    title="GPT-NeoX Japanese",
    source="https://huggingface.co/docs/transformers/model_doc/gpt_neox_japanese",
    architectures=("GPTNeoXJapaneseForCausalLM",),
    defaults={
        **sizes(D=2560, L=32, H=32, V=32_000, P=2048),
        FFN_MULTIPLE: 4,
        k.TIE_EMBEDDINGS: True,
    },
    compose=gpt_neox_japanese,
    positions=parts.Positions.ROTARY,
)
