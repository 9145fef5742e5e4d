"""DeepSeek-OCR 2: grouped-query attention with the experts of DeepSeek-V2."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.layers import same
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def deepseek_ocr2(config: Config) -> Items:
    """GQA, then a gated MLP or routed and shared experts, by ``ffn_layer_types``."""
    experts = parts.experts_and_shared(config, shared_bias=config.flag(k.MLP_BIAS))
    kinds = parts.ffn_kinds(config, otherwise=same(parts.MOE))
    return parts.decoder_with_experts(
        config, parts.gqa(config), experts, kinds, dense=parts.gated_mlp_of(config)
    )


DEEPSEEK_OCR2 = Family(
    model_type="deepseek_ocr2_text",
    title="DeepSeek-OCR 2",
    source="https://huggingface.co/docs/transformers/model_doc/deepseek_ocr2",
    architectures=("DeepseekOcr2ForConditionalGeneration",),
    required=(k.FFN_LAYER_TYPES,),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=32, F=11_008, V=102_400, E=64, k=None, F_e=1407, E_s=2),
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=deepseek_ocr2,
    rules=(k.ATTENTION_HEADS_RULE, k.ALL_EXPERTS_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    positions=parts.Positions.ROTARY,
)
