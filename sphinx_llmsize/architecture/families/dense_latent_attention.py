"""MiniCPM3 and Youtu-LLM: multi-head latent attention without experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def youtu(config: Config) -> Items:
    """Latent attention with optional biases and a gated MLP without biases."""
    return parts.uniform_decoder(config, parts.mla(config), parts.gated_mlp())


def minicpm3(config: Config) -> Items:
    """Latent attention and a gated MLP, each with optional biases."""
    return parts.uniform_decoder(config, parts.mla(config), parts.gated_mlp_of(config))


def _derive_value_head_dim(settings: k.Settings) -> k.Settings:
    """MiniCPM3's default for the values' head dimension: D / H, at least 1."""
    head_dim = k.int_of(settings, k.HIDDEN_DIM) // k.int_of(settings, k.NUM_HEADS)
    return {k.V_HEAD_DIM: max(1, head_dim)}


YOUTU = Family(
    model_type="youtu",
    title="Youtu-LLM",
    source="https://huggingface.co/tencent/Youtu-LLM-2B",
    architectures=("YoutuForCausalLM",),
    defaults={
        **sizes(D=2048, L=32, H=16, V=128_256),
        **sizes(R_q=1536, R_kv=512, d_nope=128, d_rope=64, d_v=128, F=6144),
        k.TIE_EMBEDDINGS: True,
        k.ATTENTION_BIAS: False,
    },
    compose=youtu,
    rules=(),  # not the usual one of heads: D / H is no size of latent attention
    positions=parts.Positions.ROTARY,
)
MINICPM3 = variant(
    YOUTU,
    "minicpm3",
    "MiniCPM3",
    "MiniCPM3ForCausalLM",
    "https://huggingface.co/openbmb/MiniCPM3-4B",
    defaults={
        **sizes(D=2560, L=62, H=40, V=73_448),
        **sizes(R_q=768, R_kv=256, d_nope=64, d_rope=32, d_v=None, F=6400),
        k.MLP_BIAS: False,
    },
    compose=minicpm3,
    rules=(k.Rule(derive=_derive_value_head_dim),),
)
