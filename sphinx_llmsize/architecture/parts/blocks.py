"""How a layer puts its norms around attention and feed-forward."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sphinx_llmsize.architecture.parts.norms import Norm
from sphinx_llmsize.architecture.stages import Block, Parallel, Stage, Step
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.translation import N_


def pre_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """A norm before each (GPT-2, Llama)."""
    return (
        norm("attention_norm", N_("Attention norm")),
        *attention,
        norm("ffn_norm", N_("FFN norm")),
        *feed_forward,
    )


def mixer_pre_norm(norm: Norm, mixer: Block, feed_forward: Block = ()) -> Block:
    """A norm before what takes the place of attention, and before a feed-forward (Mamba, Jamba)."""
    after = (norm("ffn_norm", N_("FFN norm")), *feed_forward) if feed_forward else ()
    return (norm("mixer_norm", N_("Mixer norm")), *mixer, *after)


def post_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """A norm after each (the original transformer, OLMo 2)."""
    return (
        *attention,
        norm("attention_norm", N_("Attention norm")),
        *feed_forward,
        norm("ffn_norm", N_("FFN norm")),
    )


def sandwich_norm(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """A norm before and after each (Gemma 2, GLM-4)."""
    return (
        norm("attention_norm", N_("Attention norm")),
        *attention,
        norm("post_attention_norm", N_("Norm after attention")),
        norm("ffn_norm", N_("FFN norm")),
        *feed_forward,
        norm("post_ffn_norm", N_("Norm after FFN")),
    )


def mixer_sandwich_norm(norm: Norm, mixer: Block, feed_forward: Block) -> Block:
    """A norm before and after what takes the place of attention, and the feed-forward (LFM3)."""
    return (
        norm("mixer_norm", N_("Mixer norm")),
        *mixer,
        norm("post_mixer_norm", N_("Norm after mixer")),
        norm("ffn_norm", N_("FFN norm")),
        *feed_forward,
        norm("post_ffn_norm", N_("Norm after FFN")),
    )


def inserted(block: Block, *steps: Step, before: str) -> Block:
    """A block with steps put in before the stage of that id.

    Gates and norms inside attention or feed-forward (BitNet's sub-norms).
    """
    ids = [getattr(step, "id", "") for step in block]
    position = ids.index(before)
    return (*block[:position], *steps, *block[position:])


def beside(block: Block, *steps: Step, before: str) -> Block:
    """A block with steps in parallel to all that stands before the stage of that id."""
    ids = [getattr(step, "id", "") for step in block]
    position = ids.index(before)
    return (Parallel((block[:position], steps)), *block[position:])


def with_weights(block: Block, *tensors: Tensor, of: str) -> Block:
    """A block whose stage of that id has further tensors."""

    def with_them(stage: Stage) -> Stage:
        return replace(stage, tensors=(*stage.tensors, *tensors)) if stage.id == of else stage

    return changed(block, with_them)


def changed(block: Block, change: Callable[[Stage], Stage]) -> Block:
    """A block with every stage changed, in branches too."""
    return tuple(
        change(step)
        if isinstance(step, Stage)
        else Parallel(tuple(changed(branch, change) for branch in step.branches))
        for step in block
    )


def without_cache(block: Block) -> Block:
    """A block that keeps nothing for the next token.

    Encoders generate none, since their tokens see those after them too; other layers use what
    an earlier one keeps.
    """
    return changed(block, lambda stage: replace(stage, caches=()))


def parallel(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """One norm, then attention and feed-forward side by side (GPT-J, Cohere)."""
    return (
        norm("attention_norm", N_("Input norm")),
        Parallel((attention, feed_forward)),
    )


def parallel_with_two_norms(norm: Norm, attention: Block, feed_forward: Block) -> Block:
    """Attention and feed-forward side by side, each after a norm of its own (GPT-NeoX)."""
    first, second = norm("attention_norm", N_("Attention norm")), norm("ffn_norm", N_("FFN norm"))
    return (Parallel(((first, *attention), (second, *feed_forward))),)


def pre_norm_decoder(norm: Norm, attention: Block, cross: Block, feed_forward: Block) -> Block:
    """A norm before each, with attention to an encoder, if any, in between (T5, mBART)."""
    between = (norm("cross_norm", N_("Cross-attention norm")), *cross) if cross else ()
    return pre_norm(norm, (*attention, *between), feed_forward)


def post_norm_decoder(norm: Norm, attention: Block, cross: Block, feed_forward: Block) -> Block:
    """A norm after each, with attention to an encoder, if any, in between (the original one)."""
    between = (*cross, norm("cross_norm", N_("Cross-attention norm"))) if cross else ()
    return post_norm(norm, attention, (*between, *feed_forward))
