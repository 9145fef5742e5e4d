"""MVP: BART with optional prompts, from which each decoder layer gets more keys and values."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.bart import LIKE_BART, bart
from sphinx_llmsize.architecture.family import Items, sizes, variant
from sphinx_llmsize.architecture.stacks import Item, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import L_DEC, P_PROMPT, T_SEEN, T_SOURCE, D
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

D_PROMPT = Symbol("D_prompt", N_("inner dimension of the prompt MLP"))
USE_PROMPT = k.flag("has_prompt use_prompt", N_("learned prompts in every layer"))
PROMPT_DIM = k.size_key(D_PROMPT, "prompt_dim prompt_mid_dim")


def mvp(config: Config) -> Items:
    """BART; with prompts, the decoder also attends to learned keys and values."""
    # in transformers, a decoder without an encoder has no prompts
    if not config.flag(USE_PROMPT) or task_of(config) is Task.CONTINUATION:
        return bart(config)
    return (
        prompt("decoder_prompt", N_("Prompts of the decoder")),
        prompt("cross_prompt", N_("Prompts of the cross-attention")),
        *map(_attend_to_prompts, bart(config)),
    )


def _attend_to_prompts(item: Item) -> Item:
    """Let the queries of the decoder's layers attend to the prompts too.

    Any other item is returned unchanged.
    """
    if not isinstance(item, Stack) or item.id != "decoder":
        return item
    # only the products of scores grow; the KV cache is counted without the prompts
    lengths: parts.Sizes = {T_SEEN: T_SEEN + P_PROMPT, T_SOURCE: T_SOURCE + P_PROMPT}
    return replace(item, block=parts.with_sizes_in_products(item.block, lengths))


def prompt(id: str, label: str) -> Stage:
    """One vector per prompt token, from which an MLP computes the keys and values of all layers.

    Li & Liang 2021, https://arxiv.org/abs/2101.00190
    """
    width = 2 * L_DEC * D
    layers = (
        *parts.linear("prompt_up", D, D_PROMPT, "prompt", bias=True, label=N_("up")),
        *parts.linear("prompt_down", D_PROMPT, width, "prompt", bias=True, label=N_("down")),
    )
    tensors = (
        parts.table("prompt_embedding.weight", (P_PROMPT, D), "prompt", N_("tokens")),
        # the MLP runs on each prompt token, once for the whole sequence
        *(replace(tensor, applications=P_PROMPT) for tensor in layers),
    )
    return Stage(id, label, Group.EMBEDDING, (P_PROMPT, width), tensors)


MVP = variant(
    LIKE_BART,
    "mvp",
    "MVP",
    "MvpForConditionalGeneration",
    "https://arxiv.org/abs/2206.12131",
    defaults={**sizes(V=50_267, P_prompt=100), USE_PROMPT: False, PROMPT_DIM: 800},
    compose=mvp,
    notes=(
        CountNote(
            N_(
                "Only the decoder's prompts are counted, as transformers builds them; the released "
                "weights also have prompts for the encoder."
            ),
            USE_PROMPT,
        ),
    ),
)
