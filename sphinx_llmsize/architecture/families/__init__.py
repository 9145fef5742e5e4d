"""Table of families.

Define a new family in a file of this package and list it in :data:`MODULES`. A file is imported
when a model of one of its families is loaded.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config.key import Key

MODULES: dict[str, str] = {
    "textbook": "",
    "gpt2": "gpt2 gpt-sw3 gpt_bigcode openai-gpt",
    "xlm": "xlm",
    "xlnet": "xlnet",
    "reformer": "reformer",
    "eleuther": "gpt_neo gptj codegen gpt_neox gpt_neox_japanese",
    "opt": "opt biogpt xglm ctrl",
    "bloom": "bloom mpt",
    "falcon": "falcon",
    "cpmant": "cpmant",
    "bert": "bert ernie big_bird megatron-bert",
    "roberta": "roberta xlm-roberta camembert data2vec-text roberta-prelayernorm xlm-roberta-xl",
    "albert": "albert electra roformer rembert",
    "distilbert": "distilbert bert-generation",
    "bert_relatives": "mpnet nomic_bert roc_bert xmod",
    "modernbert": "modernbert modernbert-decoder",
    "rotary_encoders": "gte new jina_embeddings_v3 eurobert",
    "longformer": "longformer",
    "deberta": "deberta deberta-v2",
    "mobilebert": "mobilebert",
    "convbert": "convbert",
    "esm": "esm",
    "t5": "t5 mt5 umt5 longt5",
    "switch_transformers": "switch_transformers nllb-moe",
    "bart": "bart plbart blenderbot-small mbart mvp",
    "prophetnet": "prophetnet",
    "bart_relatives": "pegasus blenderbot bigbird_pegasus m2m_100 marian led trocr",
    "llama": "llama llama4_text mllama_text_model",
    "llama_additions": "bitnet diffllama doge hyperclovax",
    "llama_biases": "internlm3 iquestcoder cwm seed_oss smollm3 helium emu3_text_model",
    "llama_experts": "aria_text solar_open mellum",
    "mistral": "mistral mixtral ministral ministral3",
    "qwen": "qwen2 qwen3 qwen2_moe qwen3_moe",
    "gemma": "gemma gemma2 gemma3_text vaultgemma",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text gemma4_unified_text",
    "phi": "phi phi3 phimoe",
    "olmo": "olmo olmo2 olmo3 olmoe flex_olmo olmo_hybrid",
    "granite": "granite granite_swa granitemoe granitemoeshared granitemoe_swa granitemoehybrid",
    "cohere": "cohere cohere2 cohere2_moe cohere_compass_text",
    "glm": "glm glm4 glm4_moe glm4_moe_lite glm_moe_dsa",
    "exaone": "exaone4 exaone_moe",
    "ernie4_5": "ernie4_5 ernie4_5_moe",
    "hunyuan": "hunyuan_v1_dense hunyuan_v1_moe hy_v3 hy_v4",
    "stablelm": "stablelm",
    "ungated_mlp": "starcoder2 nemotron persimmon arcee jais2 nanochat apertus",
    "gpt_oss": "gpt_oss flint",
    "dbrx": "dbrx",
    "jetmoe": "jetmoe",
    "dots": "dots1 dots3_note_text",
    "afmoe": "afmoe",
    "laguna": "laguna",
    "mimo": "mimo_v2_flash",
    "beam": "beam kolibri1",
    "inkling": "inkling_text inkling2_text",
    "zaya": "zaya",
    "deepseek": "deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4",
    "dense_latent_attention": "youtu minicpm3",
    "longcat": "longcat_flash",
    "axk": "axk1 axk2",
    "mamba": "mamba mamba2 falcon_mamba",
    "bamba": "bamba falcon_h1",
    "jamba": "jamba",
    "zamba": "zamba zamba2",
    "nemotron_h": "nemotron_h",
    "lfm": "lfm2 lfm2_moe lfm3",
    "minimax": "minimax minimax_m2 minimax_m3_vl_text",
    "qwen_hybrid": "qwen3_next qwen3_5_text qwen3_5_moe_text qwen4_exp_text",
    "kimi_linear": "kimi_linear bailing_hybrid",
    "recurrent_gemma": "recurrent_gemma",
    "rwkv": "rwkv",
    "xlstm": "xlstm",
    "blt": "blt",
    "hrm": "hrm_text",
}
"""``model_type`` of each module's families, separated by spaces; empty for the textbook decoder.

The model reference in the documentation has the same order: GPT and its contemporaries, encoders,
encoder-decoders; Llama and similar, mixtures of experts, latent attention; state spaces and linear
attention; other architectures.
"""

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
"""Map the ``model_type`` of a multimodal model to that of its text decoder (``text_config``)."""

MODULE_OF = {
    model_type: module for module, types in MODULES.items() for model_type in types.split(" ")
}
"""Module that defines each ``model_type``."""
MODEL_TYPES = tuple(sorted(filter(None, MODULE_OF)))
"""Supported values of ``model_type``."""


@cache
def family_named(model_type: str) -> Family:
    """Family of a supported ``model_type``."""
    module = import_module(f"{__name__}.{MODULE_OF[model_type]}")
    families = (value for value in vars(module).values() if isinstance(value, Family))
    return next(family for family in families if family.model_type == model_type)


def all_families() -> tuple[Family, ...]:
    """All families in the order of :data:`MODULES`."""
    return tuple(family_named(model_type) for model_type in MODULE_OF)


def all_keys() -> tuple[Key, ...]:
    """Configuration keys of all families, without duplicates."""
    return tuple(dict.fromkeys(key for family in all_families() for key in family.keys))
