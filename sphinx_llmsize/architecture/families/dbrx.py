"""DBRX: fine-grained experts, fused QKV projection with grouped heads."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import uniform_decoder
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F


def dbrx(config: Config) -> Items:
    """Layer norms without bias; experts in every layer."""
    attention = parts.fused_attention(bias=False, kv_width=parts.KEY_WIDTH)
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return uniform_decoder(config, attention, experts, norm=parts.layer_norm_without_bias)


DBRX = Family(
    model_type="dbrx",
    title="DBRX",
    source="https://github.com/databricks/dbrx",
    architectures=("DbrxForCausalLM",),
    defaults={
        **sizes(D=2048, L=24, H=16, H_kv=1, d_h=None, F=3584, V=32_000, E=4, k=1),
        k.TIE_EMBEDDINGS: False,
    },
    names={
        "attn_config.kv_n_heads": k.NUM_KV_HEADS,
        "ffn_config.ffn_hidden_size": k.FFN_DIM,
        "ffn_config.moe_num_experts": k.NUM_EXPERTS,
        "ffn_config.moe_top_k": k.EXPERTS_PER_TOKEN,
    },
    compose=dbrx,
)
