"""Sarvam: GLM-4.5's layers in the 30B model, DeepSeek-V3's in the 105B model."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3
from sphinx_llmsize.architecture.families.glm import GLM4_MOE
from sphinx_llmsize.architecture.family import sizes, variant
from sphinx_llmsize.config import keys as k

SARVAM_MOE = variant(
    GLM4_MOE,
    "sarvam_moe",
    "Sarvam 30B",
    "SarvamMoEForCausalLM",
    "https://huggingface.co/sarvamai/sarvam-30b",
    defaults={
        **sizes(L=19, H=64, H_kv=4, d_h=64, F=8192, V=262_144, k=6, F_e=1024),
        k.QK_NORM: True,
    },
    names={"use_qkv_bias": k.ATTENTION_BIAS},
)
SARVAM_MLA = variant(
    DEEPSEEK_V3,
    "sarvam_mla",
    "Sarvam 105B",
    "SarvamMLAForCausalLM",
    "https://huggingface.co/sarvamai/sarvam-105b",
    defaults={
        **sizes(D=4096, L=32, H=64, V=262_144, R_q=None, F=16_384, E=128),
        k.FIRST_DENSE_LAYERS: 1,
    },
)
