"""Norms, and frames: arrangements of norms, attention and feed-forward network as a layer."""

from __future__ import annotations

from collections.abc import Callable

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.weights import norm_tensors
from sphinx_llmsize.architecture.stages import Block, Group, NormKind, Parallel, Residual, Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, T
from sphinx_llmsize.translation import N_

Norm = Callable[[str, str], Stage]
"""Makes the stage of a norm from an id and a label."""
Frame = Callable[[Norm, Block, Block], Block]
"""Makes a layer of norms, attention and a feed-forward network, such as :func:`pre_norm`."""


def rms_norm_of(width: Size) -> Norm:
    """RMS norms of ``width`` dimensions: a scale only (Zhang & Sennrich 2019, https://arxiv.org/abs/1910.07467)."""
    return _norm_of(width, NormKind.RMS, bias=False)


def layer_norm_of(width: Size, *, bias: bool = True) -> Norm:
    """Layer norms of ``width`` dimensions: a scale and, with ``bias``, a shift.

    Ba et al. 2016, https://arxiv.org/abs/1607.06450
    """
    return _norm_of(width, NormKind.LAYER, bias=bias)


def _norm_of(width: Size, kind: NormKind, *, bias: bool) -> Norm:
    """Norms of one kind, with a scale and perhaps a bias of ``width`` numbers."""

    def norm(id: str, label: str) -> Stage:
        tensors = norm_tensors(id, width, "norms", bias=bias)
        return Stage(id, label, Group.NORMS, (T, width), tensors, norm=kind)

    return norm


rms_norm = rms_norm_of(D)
"""RMS norm of D dimensions."""
layer_norm = layer_norm_of(D)
"""Layer norm of D dimensions, with a bias."""
layer_norm_without_bias = layer_norm_of(D, bias=False)
"""Layer norm of D dimensions; its tensors are those of an RMS norm."""


def plain_norm(id: str, label: str) -> Stage:
    """A norm of D dimensions without weights (OLMo, https://arxiv.org/abs/2402.00838)."""
    return Stage(id, label, Group.NORMS, (T, D))


QK_NORM_OUTPUT: Shape = (T, H * D_H + 2 * H_KV * D_H)
"""Shape after norms on queries and keys: also of the values, which pass unchanged."""


def qk_norms(
    *, query: Size = D_H, key: Size = D_H, bias: bool = False, separate_weights: bool = False
) -> tuple[Stage, ...]:
    """Norms on queries and keys before the scores, of each head or across all heads.

    Args:
        query: dimensions of the queries' norm: those of one head, d_h, or of all heads.
        key: dimensions of the keys' norm, likewise.
        bias: a shift in addition to the scale.
        separate_weights: each head has weights of its own, in place of one set for all heads.
    """
    shapes: dict[str, Shape] = {"q": (query,), "k": (key,)}
    if separate_weights:
        shapes = {"q": (H, query), "k": (H_KV, key)}
    roles = {"weight": Role.SCALE, "bias": Role.BIAS} if bias else {"weight": Role.SCALE}
    tensors = tuple(
        Tensor(f"{name}_norm.{suffix}", shape, "qk_norm", name, role)
        for name, shape in shapes.items()
        for suffix, role in roles.items()
    )
    return (Stage("qk_norm", N_("Q and K norms"), Group.NORMS, QK_NORM_OUTPUT, tensors),)


def plain_qk_norms() -> Block:
    """Norms without weights on each head's queries and keys (nanochat, Muse)."""
    return (Stage("qk_norm", N_("Q and K norms"), Group.NORMS, QK_NORM_OUTPUT),)


def pre_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """A norm before attention and one before the feed-forward network (GPT-2, Llama)."""
    return pre_norm_decoder(norm, attention, (), feed_forward)


def mixer_pre_norm(norm: Norm, mixer: Block, feed_forward: Block = ()) -> Block:
    """A norm before a mixer and one before the feed-forward network, if any (Mamba, Jamba)."""
    mixing = mixer_residual(norm, mixer)
    if not feed_forward:
        return (mixing,)
    return (mixing, ffn_residual(norm, feed_forward))


def mixer_residual(norm: Norm, mixer: Block) -> Residual:
    """A norm and a mixer after it, added to their input."""
    return Residual((norm("mixer_norm", N_("Input norm")), *mixer))


def attention_residual(norm: Norm, attention: Block, *, before: Block = ()) -> Residual:
    """A norm and attention after it, added to their input.

    Args:
        norm: type of the norm.
        attention: steps after the norm.
        before: steps between the input and the norm, such as a sum of several residual streams.
    """
    return Residual((*before, norm("attention_norm", N_("Attention norm")), *attention))


def ffn_residual(norm: Norm, feed_forward: Block, *, before: Block = ()) -> Residual:
    """A norm and a feed-forward network after it, added to their input.

    Args:
        norm: type of the norm.
        feed_forward: steps after the norm.
        before: steps between the input and the norm, such as a sum of several residual streams.
    """
    return Residual((*before, norm("ffn_norm", N_("FFN norm")), *feed_forward))


def norm_outside(residual: Residual) -> Block:
    """Change ``x + sublayer(norm(x))`` to ``norm(x) + sublayer(norm(x))``.

    The first step of ``residual`` must be the norm.
    """
    norm, *sublayer = residual.steps
    return (norm, Residual(tuple(sublayer)))


def add_to_norms(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """Pre-norm layer that adds to the norms' outputs, not to their inputs (ChatGLM-6B)."""
    return (
        *norm_outside(attention_residual(norm, attention)),
        *norm_outside(ffn_residual(norm, feed_forward)),
    )


def output_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """Norms on the outputs of attention and feed-forward network, before the additions (OLMo 2)."""
    return (
        Residual((*attention, norm("attention_norm", N_("Attention norm")))),
        Residual((*feed_forward, norm("ffn_norm", N_("FFN norm")))),
    )


def post_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """Norms after the residual additions of attention and feed-forward network (BERT)."""
    return post_norm_decoder(norm, attention, (), feed_forward)


def sandwich_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """Norms before and after both attention and feed-forward network (Gemma 2, GLM-4)."""
    after = norm("post_attention_norm", N_("Norm after attention"))
    return (attention_residual(norm, (*attention, after)), _ffn_sandwich(norm, feed_forward))


def mixer_sandwich_norm(norm: Norm, mixer: Block, feed_forward: Block) -> Block:
    """Norms before and after both mixer and feed-forward network (LFM3)."""
    after = norm("post_mixer_norm", N_("Norm after sequence mixing"))
    return (mixer_residual(norm, (*mixer, after)), _ffn_sandwich(norm, feed_forward))


def _ffn_sandwich(norm: Norm, feed_forward: Block) -> Residual:
    """Norms before and after the feed-forward network."""
    return ffn_residual(norm, (*feed_forward, norm("post_ffn_norm", N_("Norm after FFN"))))


def parallel(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """One norm, then attention and feed-forward network in parallel (GPT-J, Cohere)."""
    both = Parallel((attention, feed_forward))
    return (Residual((norm("attention_norm", N_("Input norm")), both)),)


def parallel_with_two_norms(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """Attention and feed-forward network in parallel, each after its own norm (GPT-NeoX)."""
    attention_branch = (norm("attention_norm", N_("Attention norm")), *attention)
    ffn_branch = (norm("ffn_norm", N_("FFN norm")), *feed_forward)
    return (Residual((Parallel((attention_branch, ffn_branch)),)),)


def pre_norm_decoder(norm: Norm, attention: Block, cross: Block, feed_forward: Block) -> Block:
    """A norm before each of attention, cross-attention (if any) and feed-forward (T5, mBART)."""
    attention_step = attention_residual(norm, attention)
    ffn_step = ffn_residual(norm, feed_forward)
    if not cross:
        return (attention_step, ffn_step)
    cross_step = Residual((norm("cross_norm", N_("Cross-attention norm")), *cross))
    return (attention_step, cross_step, ffn_step)


def post_norm_decoder(norm: Norm, attention: Block, cross: Block, feed_forward: Block) -> Block:
    """Norms after the additions of attention, cross-attention (if any) and feed-forward (BART)."""
    cross_norm = norm("cross_norm", N_("Cross-attention norm"))
    cross_steps = (Residual(cross), cross_norm) if cross else ()
    return (
        Residual(attention),
        norm("attention_norm", N_("Attention norm")),
        *cross_steps,
        Residual(feed_forward),
        norm("ffn_norm", N_("FFN norm")),
    )
