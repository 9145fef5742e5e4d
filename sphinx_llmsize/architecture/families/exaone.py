"""EXAONE 3.0 to 4.0 and K-EXAONE.

EXAONE 3.0 and 3.5 have Llama's layers, 4.0 has norms on the sublayers' outputs, and
K-EXAONE has experts.
"""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def exaone4(config: Config) -> Items:
    """QK norms, and norms on the sublayers' outputs; most layers have a sliding window."""
    attention = parts.grouped_query_attention(norms=parts.qk_norms())
    return parts.uniform_decoder(config, attention, parts.gated_mlp(), frame=parts.output_norm)


def exaone_moe(config: Config) -> Items:
    """Pre-norm layers with QK norms; a gated MLP in the first layers, then experts."""
    kinds = parts.ffn_kinds(config, otherwise=parts.first_dense(config))
    attention = parts.grouped_query_attention(norms=parts.qk_norms())
    return parts.decoder_with_experts(config, attention, parts.experts_and_shared(config), kinds)


WINDOWS = parts.windows_by_layer_types(otherwise=parts.pattern_layers())
POSITIONS = parts.rotary_with_window_or_all(WINDOWS)
EXAONE = variant(
    LIKE_LLAMA,
    "exaone",
    "EXAONE 3",
    "ExaoneForCausalLM",
    "https://arxiv.org/abs/2408.03541",
    defaults=sizes(H_kv=8, F=14_336, V=102_400),
    rules=(k.ATTENTION_HEADS_RULE, k.FFN_FOUR_TIMES_HIDDEN_RULE),
)
EXAONE4 = Family(
    model_type="exaone4",
    title="EXAONE 4.0",
    source="https://arxiv.org/abs/2507.11407",
    architectures=("Exaone4ForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=32, d_h=None, F=16_384, V=102_400, w=4096),
        k.WINDOW_PATTERN: 4,
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: False,
    },
    compose=exaone4,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=WINDOWS,
    positions=POSITIONS,
)
EXAONE_MOE = variant(
    EXAONE4,
    "exaone_moe",
    "K-EXAONE",
    "ExaoneMoeForCausalLM",
    "https://huggingface.co/LGAI-EXAONE/K-EXAONE-236B-A23B",
    defaults={
        **sizes(E=64, k=8, F_e=1024, E_s=1),
        k.FIRST_DENSE_LAYERS: 1,
        **unset(k.FFN_LAYER_TYPES, k.MTP_LAYERS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS_RULE),
    compose=exaone_moe,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE),
)
