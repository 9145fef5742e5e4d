"""ConvBERT: BERT with convolutions, whose weights depend on the tokens, in place of some heads."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.albert import embedding_width
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    ENCODER_TASKS,
    post_norm_encoder,
    summed_embeddings,
)
from sphinx_llmsize.architecture.family import Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.task_heads import UNPOOLED_HEADS
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_H, D, F, T, W
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

G_F = Symbol("G_F", N_("groups of the FFN"))
FFN_GROUPS = k.size_key(G_F, "num_ffn_groups num_groups")
HEAD_RATIO = k.make_key("head_ratio", N_("the number of heads is divided by this"))


def convbert(config: Config) -> Items:
    """BERT with half of each layer's attention output from self-attention, half from convolutions.

    Jiang et al. 2020, https://arxiv.org/abs/2008.02496
    """
    width = embedding_width(config)
    token_head = parts.masked_token_head(tied=config.flag(k.TIE_EMBEDDINGS), width=width)
    layer = parts.post_norm(parts.layer_norm, mixed_attention(config), feed_forward(config))
    return post_norm_encoder(
        config,
        embeddings=summed_embeddings(width),
        width=width,
        heads=parts.encoder_head(config, token_head=token_head, pooled=()),
        layer=layer,
    )


def mixed_attention(config: Config) -> Block:
    """Attention and convolutions in parallel, each D / 2 wide, before one output projection."""
    head_count = _reduced_heads(config.count(k.NUM_HEADS), config.count(HEAD_RATIO))
    heads = Quantity("H_c", N_("heads after division by the ratio"), head_count)
    label = N_("dimension of each of these heads")
    head_dim = Quantity("d_c", label, config.count(D) // head_count // 2)
    width = heads * head_dim
    attention = parts.attention(
        parts.qkv_projections(bias=True, width=width, kv_width=width),
        parts.linear("o_proj", D, D, "attn_o", bias=True),
        qkv_width=3 * width,
        width=width,
        kv_width=width,
        heads=heads,
    )
    # the output projection, which comes last, reads attention and convolutions together
    *steps, output = parts.with_sizes(parts.without_cache(attention), {D_H: head_dim})
    return (Parallel((tuple(steps), convolutions(heads, width))), output)


def convolutions(heads: Size, width: Size) -> Block:
    """Sums of the values of W tokens, with weights computed from queries times convolved keys.

    Args:
        heads: number of heads, as in attention.
        width: dimensions of all heads together.
    """
    keys = (
        Tensor("conv_depthwise.weight", (D, W), "ssm", N_("channels"), Role.FILTER),
        Tensor("conv_pointwise.weight", (D, width), "ssm", N_("keys"), Role.FILTER),
        parts.vector("conv.bias", width, "ssm", Role.BIAS, N_("keys")),
    )
    weights = parts.linear("conv_kernel", width, heads * W, "ssm", bias=True)
    values = parts.linear("conv_values", D, width, "ssm", bias=True)
    group = Group.MIXER
    return (
        Stage("conv_keys", N_("Convolution: keys"), group, (T, width), keys),
        Stage("conv_kernel", N_("Convolution: weights"), group, (T, heads * W), weights),
        Stage(
            "conv_values",
            N_("Convolution: values"),
            group,
            (T, width),
            values,
            computes=(MatMul(N_("values × weights"), T, W, width),),
        ),
    )


def feed_forward(config: Config) -> Block:
    """An MLP with biases; each of its matrices is split into one for each group of dimensions."""
    groups = config.count(G_F)
    mlp = parts.mlp(bias=True)
    if groups == 1:
        return mlp
    size_in_group: dict[Size, Size] = {
        size: Quantity(
            f"{size.name}_g",
            N_("{size} in one group", size=size.meaning),
            config.count(size) // groups,
        )
        for size in (D, F)
    }

    def split_matrix(tensor: Tensor) -> Tensor:
        if tensor.role is not Role.WEIGHT:
            return tensor
        return replace(tensor, shape=(G_F, *(size_in_group[size] for size in tensor.shape)))

    return parts.map_tensors(mlp, split_matrix)


def _reduced_heads(heads: int, ratio: int) -> int:
    """Number of heads of attention and of convolutions: heads / ratio, rounded down, at least 1."""
    return max(1, heads // ratio)


def _check_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that twice the reduced heads, those of attention and of convolutions, divide D."""
    hidden, heads, ratio = (
        k.int_or_none(settings, key) for key in (k.HIDDEN_DIM, k.NUM_HEADS, HEAD_RATIO)
    )
    if not (hidden and heads and ratio):
        return
    reduced_heads = _reduced_heads(heads, ratio)
    if hidden % (2 * reduced_heads):
        message = N_("twice the {heads} heads do not divide {key} {hidden}")
        hint = N_("choose {other} and {third} so that they do")
        keys = (k.HIDDEN_DIM, k.NUM_HEADS, HEAD_RATIO)
        raise parsed.error(message, *keys, hidden=hidden, heads=reduced_heads, hint=hint)


CONVBERT = variant(
    BERT,
    "convbert",
    "ConvBERT",
    "ConvBertModel",
    "https://arxiv.org/abs/2008.02496",
    defaults={**sizes(D_e=768, W=9), HEAD_RATIO: 2, FFN_GROUPS: 1},
    removed=(k.IS_DECODER,),
    compose=convbert,
    rules=(k.Rule(check=_check_heads), k.unsupported_flag(k.ADD_CROSS_ATTENTION)),
    tasks=ENCODER_TASKS,
    # not multiple choice: its head has another matrix if a file has the key summary_use_proj
    heads={task: head for task, head in UNPOOLED_HEADS.items() if task is not Task.CHOICE},
)
