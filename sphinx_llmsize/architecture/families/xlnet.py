"""XLNet: Transformer-XL's attention, and a mask embedding."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Number, size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.task_heads import CLASSIFIER, classifier, dense, usual_summary
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS, heads_fill_hidden
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, D, H, T
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_


def xlnet(config: Config) -> Items:
    """Post-norm layers of Transformer-XL's attention and an MLP; a mask embedding."""
    block = parts.post_norm(parts.layer_norm, transformer_xl_attention(), parts.mlp(bias=True))
    mask = parts.table("mask_embedding.weight", (D,), "mask_embedding")
    label, source = N_("Mask embedding"), Source.NONE
    masked = Stage("mask", label, Group.EMBEDDING, (T, D), (mask,), source=source)
    embeddings = (parts.token_embedding(), masked)
    return parts.decoder(config, block, norm=None, embeddings=embeddings, head_bias=True)


BIAS_LABELS = {"content": N_("content"), "position": N_("position"), "segment": N_("segment")}
"""Labels of the biases on queries, by the start of the tensor's name."""


def transformer_xl_attention() -> Block:
    """Attention to contents, relative positions and segments, each with a bias on queries.

    Dai et al. 2019, https://arxiv.org/abs/1901.02860, section 3.3; Yang et al. 2019,
    https://arxiv.org/abs/1906.08237, section 2.5
    """
    width = parts.QUERY_WIDTH
    projections = (
        *parts.linear("q_proj", D, width, "attn_q", label="q"),
        *parts.linear("k_proj", D, width, "attn_k", label="k"),
        *parts.linear("v_proj", D, width, "attn_v", label="v"),
        *parts.linear("r_proj", D, width, "attn_r", label="r"),
    )
    output = parts.linear("o_proj", width, D, "attn_o")
    # the layers' inputs are cached; keys and values are recomputed from them
    attention = parts.attention(
        projections, output, qkv_width=4 * width, cache_width=D, scores=query_biases()
    )
    return parts.map_stages(attention, add_relative_positions)


def query_biases() -> tuple[Tensor, ...]:
    """Biases on the queries for contents, positions and segments, and the two segments' vectors."""
    biases = (
        Tensor(
            f"{name}_bias", (H, D_H), "attn_position_bias", N_("{name} bias", name=label), Role.BIAS
        )
        for name, label in BIAS_LABELS.items()
    )
    segments = Tensor(
        "segment_embedding", (size(2), H, D_H), "attn_segment", N_("segments"), Role.TABLE
    )
    return (*biases, segments)


def add_relative_positions(stage: Stage) -> Stage:
    """Count the products for 2·T relative positions (both directions): r_proj and queries × r."""
    if stage.id == "qkv":
        tensors = (
            replace(tensor, applications=Number(2)) if tensor.name == "r_proj.weight" else tensor
            for tensor in stage.tensors
        )
        return replace(stage, tensors=tuple(tensors))
    if stage.id == "scores":
        return replace(
            stage, computes=(*stage.computes, MatMul(N_("queries × r"), T, D_H, 2 * T, H))
        )
    return stage


XLNET = Family(
    model_type="xlnet",
    title="XLNet",
    source="https://arxiv.org/abs/1906.08237",
    architectures=("XLNetLMHeadModel",),
    defaults={
        **sizes(D=1024, L=24, H=16, d_h=None, F=4096, V=32_000),
        **dict.fromkeys((k.TIE_EMBEDDINGS, k.SUMMARY_PROJECTION), True),
        k.SUMMARY_TO_LABELS: False,
    },
    compose=xlnet,
    heads={
        Task.HIDDEN_STATES: (),
        Task.SEQUENCE_CLASS: (dense(), *CLASSIFIER),
        Task.TOKEN_CLASSES: (classifier(),),
    },
    rules=(heads_fill_hidden(), ATTENTION_HEADS, usual_summary(to_labels=False)),
    names={"d_inner": k.FFN_DIM, "n_token": k.VOCAB_SIZE},
)
