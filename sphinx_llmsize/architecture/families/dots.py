"""dots.llm1: experts after a few dense layers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.translation import N_


def dots1(config: Config) -> Items:
    """GQA with QK norms; a gated MLP in the first layers, experts in the others."""
    experts = parts.experts_and_shared(config)
    attention = parts.gqa_with_qk_norm(config)
    return parts.decoder_with_experts(config, attention, experts, parts.first_dense(config))


def _check_experts(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the numbers of experts are set if any layer has experts."""
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    dense_layers = k.int_or_none(settings, k.FIRST_DENSE_LAYERS)
    keys = (k.NUM_EXPERTS, k.NUM_SHARED_EXPERTS)
    missing_names = [key.name for key in keys if k.int_or_none(settings, key) is None]
    if missing_names and layers and dense_layers is not None and dense_layers < layers:
        hint = N_("dots.llm1 has 128 and 2; or make all layers dense with num_first_dense_layers")
        raise parsed.missing(missing_names, hint)


DOTS1 = Family(
    model_type="dots1",
    title="dots.llm1",
    source="https://arxiv.org/abs/2506.05767",
    architectures=("Dots1ForCausalLM",),
    defaults={
        **sizes(D=4608, L=62, H=32, H_kv=32, d_h=None, F=10_944, V=152_064),
        **sizes(E=None, k=None, F_e=1408, E_s=None, w=4096),
        k.FIRST_DENSE_LAYERS: 0,
        k.MAX_WINDOW_LAYERS: 62,
        k.LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(
        k.ROUNDED_HEAD_DIM_RULE,
        k.ALL_EXPERTS_RULE,
        k.Rule(check=_check_experts),
        k.LISTED_WINDOWS_RULE,
    ),
    compose=dots1,
    notes=(CORRECTION_BIAS_NOTE,),
    windows=parts.windows_by_layer_types(otherwise=parts.all_but_first_layers),
    positions=parts.Positions.ROTARY,
)
