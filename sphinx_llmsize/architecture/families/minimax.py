"""MiniMax-Text-01: lightning attention and softmax attention, experts in every layer."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.mistral import MIXTRAL
from sphinx_llmsize.architecture.layers import every, layered
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.linear_attention import lightning_attention
from sphinx_llmsize.architecture.parts.listed_mixers import mixer_names, mixers
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.pieces import Block, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.layer_keys import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer, only_these
from sphinx_llmsize.config.vocabulary import F, L

NAMES = mixer_names("lightning attention")


def minimax(config: Config) -> tuple[Item, ...]:
    """Both kinds of attention in turns, unless ``layer_types`` lists them."""
    experts = mixture_of_experts(gated_experts(width=F))

    def block(mixer: str) -> Block:
        if mixer == "full attention":
            return pre_norm(rms_norm, grouped_query_attention(), experts)
        return mixer_pre_norm(rms_norm, lightning_attention(), experts)

    in_turns = every(2, "full attention", others="lightning attention")
    mixer = mixers(config, NAMES, otherwise=in_turns)
    return decoder(config, layered(config.count(L), block, mixer=mixer), norm=rms_norm)


MINIMAX = replace(
    MIXTRAL,
    model_type="minimax",
    title="MiniMax-Text-01",
    source="https://arxiv.org/abs/2501.08313",
    architectures=("MiniMaxForCausalLM",),
    defaults={**MIXTRAL.defaults, LAYER_TYPES: None},
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES), only_these(LAYER_TYPES, NAMES)),
    compose=minimax,
)

FAMILIES = (MINIMAX,)
