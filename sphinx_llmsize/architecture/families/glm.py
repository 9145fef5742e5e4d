"""GLM-4 to GLM-5: fused gated MLPs; in later models experts, latent attention and indexers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3, DEEPSEEK_V32
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, PerLayer, first, from_list, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.translation import N_


def glm(config: Config) -> Items:
    """Pre-norm layers of GQA and a fused gated MLP."""
    return parts.uniform_decoder(
        config, parts.gqa(config, output_bias=False), parts.fused_gated_mlp()
    )


def glm4(config: Config) -> Items:
    """GLM-4-0414: GLM-4's layers with sandwich norms."""
    return _sandwich_decoder(config, parts.gqa(config, output_bias=False))


def glm4v(config: Config) -> Items:
    """GLM-4-0414's layers, always with biases on Q, K and V."""
    return _sandwich_decoder(config, parts.grouped_query_attention(bias=True, output_bias=False))


def glm_ocr(config: Config) -> Items:
    """GLM-4-0414's layers, always without biases."""
    return _sandwich_decoder(config, parts.grouped_query_attention())


def _sandwich_decoder(config: Config, attention: Block) -> Items:
    """Decoder with norms before and after attention and a fused gated MLP."""
    return parts.uniform_decoder(
        config, attention, parts.fused_gated_mlp(), frame=parts.sandwich_norm
    )


def glm4_moe(config: Config) -> Items:
    """GQA with optional QK norms; a gated MLP in the first layers, experts in the others."""
    return _decoder_with_experts(config, parts.qk_norms() if config.flag(k.QK_NORM) else ())


def glm4v_moe(config: Config) -> Items:
    """GLM-4.5's layers without QK norms (GLM-4.5V)."""
    return _decoder_with_experts(config, ())


def _decoder_with_experts(config: Config, qk_norms: Block) -> Items:
    """Decoder with GQA; a gated MLP in the first layers, experts in the others."""
    attention = parts.gqa(config, output_bias=False, norms=qk_norms)
    experts = parts.experts_and_shared(config)
    return parts.decoder_with_experts(config, attention, experts, parts.first_dense(config))


def glm4_moe_lite(config: Config) -> Items:
    """Latent attention; a gated MLP in the first layer, experts in the others."""
    kinds = parts.ffn_kinds(config, otherwise=first(1, parts.DENSE, then=parts.MOE))
    return parts.decoder_with_experts(
        config, parts.mla(config), parts.experts_and_shared(config), kinds
    )


def glm_moe_dsa(config: Config) -> Items:
    """DeepSeek-V3.2's layers; those without an indexer reuse an earlier layer's selected keys."""
    attention_with_indexer = parts.mla(config, index=parts.lightning_indexer())
    return parts.decoder_with_experts(
        config,
        {parts.OWN_INDEX: attention_with_indexer, parts.SHARED_INDEX: parts.mla(config)},
        parts.experts_and_shared(config),
        parts.ffn_kinds(config, otherwise=parts.first_dense(config)),
        mixers=parts.indexer_kinds(config, otherwise=kinds_by_pattern_or_interval(config)),
    )


def kinds_by_pattern_or_interval(config: Config) -> Kinds:
    """Layers with their own or a shared indexer, if ``indexer_types`` doesn't list them.

    They follow from a pattern of letters, or from an interval and the number of first layers that
    all have their own. With interval 4 and offset 2, layers 0, 1, 5, 9 … have their own.
    """
    if pattern := config[k.INDEXER_PATTERN]:
        kinds = {"F": parts.OWN_INDEX, "S": parts.SHARED_INDEX}
        return from_list([kinds[letter] for letter in str(pattern)])
    step, offset = config.count(k.INDEXER_INTERVAL), config.count(k.INDEXER_OFFSET)
    if step <= 1:
        return same(parts.OWN_INDEX)

    def kind(layer: int) -> LayerKind:
        # distance from the last of the first ``offset`` layers; 0 in all of these
        distance = max(layer - (offset - 1), 0)
        return parts.OWN_INDEX if distance % step == 0 else parts.SHARED_INDEX

    return PerLayer(kind)


def _check_pattern(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the pattern has an F (own indexer) or S (shared indexer) for each layer."""
    pattern, layers = settings[k.INDEXER_PATTERN], k.int_or_none(settings, k.NUM_LAYERS) or 0
    if isinstance(pattern, str) and (len(pattern) != layers or {*pattern} - {"F", "S"}):
        message = N_("{key} does not have an F or S for each of {value} layers")
        hint = N_("write F for a layer with its own indexer, S for a shared one")
        raise parsed.error(message, k.INDEXER_PATTERN, value=layers, hint=hint)


INDEXER_RULES = (
    k.one_for_each_layer(k.FFN_LAYER_TYPES, k.INDEXER_TYPES),
    k.Rule(check=_check_pattern),
)
"""Rules for lists of the layers' indexers and feed-forward networks."""

GLM = variant(
    LIKE_LLAMA,
    "glm",
    "GLM-4",
    "GlmForCausalLM",
    "https://arxiv.org/abs/2406.12793",
    defaults={**sizes(L=40, H_kv=2, d_h=128, F=13_696, V=151_552), k.ATTENTION_BIAS: True},
    removed=(k.MLP_BIAS,),
    compose=glm,
)
GLM4 = variant(GLM, "glm4", "GLM-4-0414", "Glm4ForCausalLM", compose=glm4)
GLM4_MOE = Family(
    model_type="glm4_moe",
    title="GLM-4.5",
    source="https://arxiv.org/abs/2508.06471",
    architectures=("Glm4MoeForCausalLM",),
    defaults={
        **sizes(D=4096, L=46, H=96, H_kv=8, d_h=None, F=10_944, V=151_552),
        **sizes(E=128, k=8, F_e=1408, E_s=1),
        k.FIRST_DENSE_LAYERS: 1,
        **off(k.ATTENTION_BIAS, k.QK_NORM, k.TIE_EMBEDDINGS),
        k.MTP_LAYERS: None,
    },
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
    compose=glm4_moe,
    notes=(MTP_NOTE, CORRECTION_BIAS_NOTE),
    positions=parts.Positions.ROTARY,
)
GLM4_MOE_LITE = variant(
    DEEPSEEK_V3,
    "glm4_moe_lite",
    "GLM-4.7-Flash",
    "Glm4MoeLiteForCausalLM",
    "https://huggingface.co/zai-org/GLM-4.7-Flash",
    defaults={
        **sizes(D=2048, L=47, H=20, V=154_880, R_q=768, d_nope=192, d_v=256, F=10_240),
        **sizes(E=64, k=4, F_e=1536),
        **unset(k.FFN_LAYER_TYPES),
    },
    removed=(k.FIRST_DENSE_LAYERS,),
    rules=(k.one_for_each_layer(k.FFN_LAYER_TYPES),),
    names={"head_dim": k.ROPE_HEAD_DIM},  # in this class, an alias of qk_rope_head_dim
    compose=glm4_moe_lite,
)
GLM_MOE_DSA = variant(
    DEEPSEEK_V32,
    "glm_moe_dsa",
    "GLM-5",
    "GlmMoeDsaForCausalLM",
    "https://huggingface.co/zai-org/GLM-5",
    defaults={
        **sizes(D=6144, L=78, H=64, V=154_880, R_q=2048, d_nope=192, d_v=256, F=12_288, H_i=32),
        **unset(k.INDEXER_TYPES, k.INDEXER_PATTERN),
        k.INDEXER_INTERVAL: 1,
        k.INDEXER_OFFSET: 2,
    },
    rules=(k.QUERY_LATENT_RULE, *INDEXER_RULES),
    compose=glm_moe_dsa,
)

GLM4V = variant(
    GLM4,
    "glm4v_text",
    "GLM-4.1V",
    "Glm4vForConditionalGeneration",
    removed=(k.HEAD_DIM, k.ATTENTION_BIAS),
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
    compose=glm4v,
)
GLM_OCR = variant(
    GLM4,
    "glm_ocr_text",
    "GLM-OCR",
    "GlmOcrForConditionalGeneration",
    defaults={**sizes(D=1024, L=16, H=16, H_kv=8, d_h=None, F=4096, V=59_392), k.MTP_LAYERS: None},
    removed=(k.ATTENTION_BIAS,),
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
    compose=glm_ocr,
    notes=(MTP_NOTE,),
)
GLM4V_MOE = variant(
    GLM4_MOE,
    "glm4v_moe_text",
    "GLM-4.5V",
    "Glm4vMoeForConditionalGeneration",
    defaults={k.VOCAB_SIZE: 151_424, k.ATTENTION_BIAS: True},
    removed=(k.QK_NORM,),
    compose=glm4v_moe,
)
