"""Cohere's Command models: attention in parallel with an MLP or experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Items, off, sizes, variant
from sphinx_llmsize.architecture.layers import PerLayer
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def cohere(config: Config) -> Items:
    """Parallel attention and gated MLP; optional norms on each query and key head."""
    norms = parts.qk_norms(separate_weights=True) if config.flag(k.QK_NORM) else ()
    return _parallel_decoder(config, parts.gqa(config, norms=norms))


def cohere2(config: Config) -> Items:
    """Command R's layers without QK norms (Command R7B, Command A)."""
    return _parallel_decoder(config, parts.gqa(config))


def _parallel_decoder(config: Config, attention: Block) -> Items:
    """Decoder with attention and a gated MLP in parallel after one norm without a bias."""
    norm = parts.layer_norm_without_bias
    return parts.uniform_decoder(
        config, attention, parts.gated_mlp(), frame=parts.parallel, norm=norm
    )


def cohere2_moe(config: Config) -> Items:
    """Command A's layers with experts in place of the MLP after a few dense layers (Command A+)."""
    kinds = parts.ffn_kinds(config, otherwise=parts.first_dense(config))
    experts = parts.experts_and_shared(config)
    norm = parts.layer_norm_without_bias
    return parts.decoder_with_experts(
        config, parts.gqa(config), experts, kinds, frame=parts.parallel, norm=norm
    )


def moe_rotary_layers(config: Config) -> PerLayer[bool]:
    """Layers with rotary positions: those with a window, and dense layers if their step is 1."""
    windows = parts.windows_by_layer_types(otherwise=moe_sliding_layers)(config)
    kinds = parts.ffn_kinds(config, otherwise=parts.first_dense(config))
    is_in_dense_layers = config.count(k.DENSE_WINDOW_PATTERN) == 1
    return PerLayer(
        lambda layer: (
            windows.at(layer) > 0 or (is_in_dense_layers and kinds.at(layer) == parts.DENSE)
        )
    )


def moe_sliding_layers(config: Config) -> PerLayer[bool]:
    """Layers with a window: all but every n-th.

    The first dense layers and those after them have separate values of n, and are numbered
    separately.
    """
    dense_layers = config.count(k.FIRST_DENSE_LAYERS)
    dense_step, later_step = config.count(k.DENSE_WINDOW_PATTERN), config.count(k.WINDOW_PATTERN)

    def has_window(layer: int) -> bool:
        if layer < dense_layers:
            step, number = dense_step, layer
        else:
            step, number = later_step, layer - dense_layers
        # the last layer of each interval has no window, and no layer has one if the step is 0
        return step > 0 and (number + 1) % step != 0

    return PerLayer(has_window)


WINDOWS = parts.windows_by_layer_types(otherwise=parts.pattern_layers())

COHERE = variant(
    LIKE_LLAMA,
    "cohere",
    "Command R",
    "CohereForCausalLM",
    defaults={
        **sizes(D=8192, L=40, H=64, F=22_528, V=256_000),
        k.TIE_EMBEDDINGS: True,
        **off(k.QK_NORM),
    },
    removed=(k.MLP_BIAS,),
    compose=cohere,
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
)
COHERE2 = variant(
    COHERE,
    "cohere2",
    "Command A",
    "Cohere2ForCausalLM",
    "https://arxiv.org/abs/2504.00698",
    defaults={k.SLIDING_WINDOW: 4096, k.WINDOW_PATTERN: 4, k.LAYER_TYPES: None},
    removed=(k.QK_NORM,),
    rules=(*COHERE.rules, k.LISTED_WINDOWS_RULE),
    compose=cohere2,
    windows=WINDOWS,
    positions=parts.rotary_with_window(WINDOWS),
)
COHERE_COMPASS = variant(
    COHERE2,
    "cohere_compass_text",
    "Cohere Compass",
    "CohereCompassForCausalLM",
    windows=parts.windows_by_layer_types(otherwise=parts.no_layer),
    positions=None,  # rope_parameters, which isn't read, has them for each kind of layer
)
COHERE2_MOE = variant(
    COHERE2,
    "cohere2_moe",
    "Command A+",
    "Cohere2MoeForCausalLM",
    defaults={
        **sizes(d_h=128, F=None, F_e=22_528, E=8, k=2, E_s=0),
        k.FIRST_DENSE_LAYERS: 0,
        k.DENSE_WINDOW_PATTERN: 1,
        k.FFN_LAYER_TYPES: None,
    },
    compose=cohere2_moe,
    rules=(
        *COHERE2.rules,
        k.one_for_each_layer(k.FFN_LAYER_TYPES),
        k.same_as(k.EXPERT_DIM, k.FFN_DIM),
    ),
    names={"intermediate_size": k.EXPERT_DIM, "prefix_dense_intermediate_size": k.FFN_DIM},
    windows=parts.windows_by_layer_types(otherwise=moe_sliding_layers),
    positions=parts.rotary_in(moe_rotary_layers),
)
