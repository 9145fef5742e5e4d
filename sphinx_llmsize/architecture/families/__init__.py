"""The table of families.

A new family stands in one of the files beside this one, its name in :data:`MODULES`. A file is
imported when a model of it is first asked for.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config.key import Key

MODULES: dict[str, tuple[str, ...]] = {
    "textbook": ("",),
    "llama": ("llama",),
    "gpt2": ("gpt2", "gpt-sw3", "gpt_bigcode", "openai-gpt"),
    "eleuther": ("gpt_neo", "gptj", "codegen", "gpt_neox", "gpt_neox_japanese"),
    "falcon": ("bloom", "mpt", "falcon"),
    "opt": ("opt", "biogpt", "xglm"),
    "xlm": ("ctrl", "xlm", "xlnet"),
    "reformer": ("reformer",),
    "rwkv": ("rwkv",),
    "xlstm": ("xlstm",),
    "mistral": ("mistral", "mixtral", "ministral", "ministral3"),
    "deepseek": ("deepseek_v2", "deepseek_v3", "deepseek_v32"),
    "deepseek_v4": ("deepseek_v4",),
    "glm_moe": ("glm4_moe", "glm4_moe_lite", "glm_moe_dsa"),
    "axk": ("axk1", "axk2"),
    "dots": ("dots1",),
    "dots3_note": ("dots3_note_text",),
    "longcat": ("longcat_flash",),
    "kimi_linear": ("kimi_linear", "bailing_hybrid"),
    "qwen4_exp": ("qwen4_exp_text",),
    "qwen": ("qwen2", "qwen3", "qwen2_moe", "qwen3_moe"),
    "glm": ("glm", "glm4"),
    "olmo": ("olmo", "olmo2", "olmo3", "olmoe", "flex_olmo"),
    "granite": ("granite", "granite_swa", "granitemoe", "granitemoeshared", "granitemoe_swa"),
    "phi": ("phi", "phi3", "phimoe"),
    "starcoder": ("starcoder2", "nemotron", "persimmon"),
    "stablelm": ("stablelm",),
    "exaone": ("exaone4",),
    "llama_like": (
        "internlm3",
        "iquestcoder",
        "cwm",
        "seed_oss",
        "smollm3",
        "helium",
        "ernie4_5",
        "emu3_text_model",
    ),
    "llama_norms": ("hyperclovax", "hunyuan_v1_dense"),
    "ungated": ("arcee", "jais2", "nanochat", "apertus"),
    "llama_variants": ("bitnet", "diffllama", "doge"),
    "dense_latent": ("youtu", "minicpm3"),
    "beam": ("beam", "kolibri1"),
    "hrm": ("hrm_text",),
    "cpmant": ("cpmant",),
    "attention_sinks": ("gpt_oss", "flint", "mimo_v2_flash"),
    "mamba": ("mamba", "mamba2", "falcon_mamba"),
    "bamba": ("bamba", "falcon_h1"),
    "jamba": ("jamba",),
    "granite_hybrid": ("granitemoehybrid",),
    "shared_experts": ("aria_text", "solar_open", "ernie4_5_moe", "exaone_moe", "mellum"),
    "bert": ("bert", "ernie", "big_bird", "megatron-bert"),
    "roberta": (
        "roberta",
        "xlm-roberta",
        "camembert",
        "data2vec-text",
        "roberta-prelayernorm",
        "xlm-roberta-xl",
    ),
    "gemma": ("gemma", "gemma2", "gemma3_text", "vaultgemma"),
    "gemma3n": ("gemma3n_text",),
    "gemma4": ("gemma4_text", "gemma4_unified_text"),
    "qwen3_next": ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"),
    "olmo_hybrid": ("olmo_hybrid",),
    "minimax": ("minimax",),
    "lfm": ("lfm2", "lfm2_moe", "lfm3"),
    "gated_attention": ("afmoe", "laguna"),
    "dbrx": ("dbrx",),
    "jetmoe": ("jetmoe",),
    "minimax_m": ("minimax_m2", "minimax_m3_vl_text"),
    "nemotron_h": ("nemotron_h",),
    "zamba": ("zamba", "zamba2"),
    "hunyuan_moe": ("hunyuan_v1_moe", "hy_v3", "hy_v4"),
    "narrow_encoders": ("albert", "electra", "roformer", "rembert"),
    "other_encoders": ("distilbert", "bert-generation", "roc_bert", "xmod"),
    "recurrent_gemma": ("recurrent_gemma",),
    "cohere": ("cohere", "cohere2", "cohere2_moe", "cohere_compass_text"),
    "llama4": ("llama4_text",),
    "mllama": ("mllama_text_model",),
    "modernbert_decoder": ("modernbert-decoder",),
    "inkling": ("inkling_text", "inkling2_text"),
    "zaya": ("zaya",),
    "t5": ("t5", "mt5", "umt5", "longt5"),
    "bart": ("bart", "plbart", "blenderbot-small", "mbart"),
    "bart_like": ("marian", "pegasus", "blenderbot", "bigbird_pegasus", "mvp", "m2m_100"),
    "blt": ("blt",),
    "prophetnet": ("prophetnet", "trocr"),
    "sentence_encoders": ("mpnet", "nomic_bert"),
    "led": ("led",),
}
"""Each file, with the ``model_type`` of every family that it has."""

WRAPPED: dict[str, str] = {
    "dots3_note": "dots3_note_text",
    "qwen4_exp": "qwen4_exp_text",
    "emu3": "emu3_text_model",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "gemma3": "gemma3_text",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text",
    "gemma4_unified": "gemma4_unified_text",
    "llama4": "llama4_text",
    "mllama": "mllama_text_model",
    "cohere_compass": "cohere_compass_text",
    "aria": "aria_text",
    "minimax_m3_vl": "minimax_m3_vl_text",
    "inkling_mm_model": "inkling_text",
    "inkling2": "inkling2_text",
}
"""Models of more than text: the ``model_type`` of the text decoder in their ``text_config``."""

MODULE_OF = {model_type: module for module, types in MODULES.items() for model_type in types}
"""The file of each family."""
MODEL_TYPES = tuple(sorted(filter(None, MODULE_OF)))
"""Every ``model_type`` that is supported."""


@lru_cache(maxsize=256)
def family_named(model_type: str) -> Family:
    """The family of a ``model_type`` that is known to exist."""
    module = import_module(f"{__name__}.{MODULE_OF[model_type]}")
    families: tuple[Family, ...] = module.FAMILIES
    return next(family for family in families if family.model_type == model_type)


def all_families() -> tuple[Family, ...]:
    """Every family, in the order of their files."""
    return tuple(family_named(model_type) for model_type in MODULE_OF)


def all_keys() -> tuple[Key, ...]:
    """Every key of every family, once."""
    return tuple(dict.fromkeys(key for family in all_families() for key in family.keys))
