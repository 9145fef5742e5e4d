"""StableLM 3B and StableLM 2: GQA and a gated MLP with layer norms, and optional QK norms."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def stablelm(config: Config) -> Items:
    """GQA and a gated MLP in sequence, or in parallel after one norm."""
    attention = parts.grouped_query_attention(
        bias=config.flag(k.QKV_BIAS),
        output_bias=False,
        norms=parts.qk_norms(separate_weights=True) if config.flag(k.QK_NORM) else (),
    )
    frame = parts.parallel if config.flag(k.PARALLEL_RESIDUAL) else parts.pre_norm
    return parts.uniform_decoder(
        config, attention, parts.gated_mlp(), frame=frame, norm=parts.layer_norm
    )


STABLELM = Family(
    model_type="stablelm",
    title="StableLM",
    source="https://arxiv.org/abs/2402.17834",
    architectures=("StableLmForCausalLM",),
    defaults={
        **sizes(D=2560, L=32, H=32, H_kv=32, F=6912, V=50_304),
        **off(k.QKV_BIAS, k.QK_NORM, k.PARALLEL_RESIDUAL, k.TIE_EMBEDDINGS),
    },
    compose=stablelm,
    positions=parts.Positions.ROTARY,
)
STABLELM_EPOCH = variant(
    STABLELM,
    "stablelm_epoch",
    "StableLM (first release)",
    "StableLMEpochForCausalLM",
    "https://huggingface.co/stabilityai/stablelm-3b-4e1t",
)
