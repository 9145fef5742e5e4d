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
    "falcon": "falcon RefinedWeb RefinedWebModel",
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
    "funnel": "funnel",
    "esm": "esm",
    "t5": "t5 mt5 umt5 longt5",
    "switch_transformers": "switch_transformers nllb-moe",
    "bart": "bart plbart blenderbot-small mbart",
    "mvp": "mvp",
    "prophetnet": "prophetnet",
    "bart_relatives": "pegasus blenderbot bigbird_pegasus m2m_100 led trocr",
    "marian": "marian",
    "llama": "llama llama4_text mllama_text_model",
    "llama_additions": "bitnet diffllama doge hyperclovax chameleon",
    "llama_relatives": "cwm seed_oss smollm3 helium emu3_text_model",
    "remote_llama": "internlm internlm2 internlm3 baichuan Yi aquila orion telechat3 iquestcoder "
    "solar plamo",
    "telechat": "telechat",
    "remote_experts": "deepseek minicpm xverse",
    "minicpmv": "minicpmv minicpmo",
    "llama_experts": "aria_text solar_open mellum",
    "mistral": "mistral mixtral ministral ministral3 mistral4 voxtral_realtime_text",
    "mistral_large": "mistral_large4_text",
    "remote_fused": "qwen jais",
    "qwen": "qwen2 qwen3 qwen2_moe qwen3_moe qwen2_vl_text qwen2_5_vl_text "
    "qwen2_5_omni_text qwen3_vl_text qwen3_vl_moe_text qwen3_omni_moe_text",
    "gemma": "gemma gemma2 gemma3_text vaultgemma",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text gemma4_unified_text",
    "phi": "phi phi3 phimoe phi4_multimodal",
    "phi_first_releases": "phi-msft mixformer-sequential",
    "olmo": "olmo olmo2 olmo3 olmoe flex_olmo olmo_hybrid",
    "granite": "granite granite_swa granitemoe granitemoeshared granitemoe_swa granitemoehybrid "
    "granite4_vision_text granite_docling_text",
    "cohere": "cohere cohere2 cohere2_moe cohere_compass_text",
    "chatglm": "chatglm",
    "glm": "glm glm4 glm4_moe glm4_moe_lite glm_moe_dsa glm4v_text glm_ocr_text glm4v_moe_text",
    "glm5_next": "glm5_next_text",
    "exaone": "exaone exaone4 exaone_moe",
    "ernie4_5": "ernie4_5 ernie4_5_moe paddleocr_vl_text ernie4_5_vl_moe_text",
    "hunyuan": "hunyuan_v1_dense hunyuan_v1_moe hy_v3 hy_v4 hy_v4_vl_text hunyuan_vl_text",
    "stablelm": "stablelm stablelm_epoch",
    "sizes_by_layer": "openelm deci",
    "nemotron_nas": "nemotron-nas",
    "ungated_mlp": "starcoder2 nemotron persimmon arcee jais2 nanochat apertus apertus1p5_text "
    "cosmos3_edge_text",
    "molmo": "molmo2_text",
    "gpt_oss": "gpt_oss flint",
    "dbrx": "dbrx",
    "grok": "grok-1",
    "arctic": "arctic",
    "bailing_moe": "bailing_moe bailing_moe_v2",
    "step": "step3p5",
    "jetmoe": "jetmoe",
    "dots": "dots1",
    "dots_note": "dots3_note_text",
    "afmoe": "afmoe",
    "deepseek_ocr": "deepseek_ocr2_text",
    "muse": "muse_glimmer_text muse_spark_text",
    "laguna": "laguna",
    "mimo": "mimo mimo_v2_flash",
    "beam": "beam kolibri1",
    "inkling": "inkling_text inkling2_text",
    "zaya": "zaya",
    "deepseek": "deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4 kimi_k2",
    "dense_latent_attention": "youtu minicpm3",
    "longcat": "longcat_flash",
    "axk": "axk1 axk2",
    "sarvam": "sarvam_moe sarvam_mla",
    "mamba": "mamba mamba2 falcon_mamba",
    "bamba": "bamba falcon_h1",
    "jamba": "jamba",
    "zamba": "zamba zamba2",
    "nemotron_h": "nemotron_h",
    "lfm": "lfm2 lfm2_moe lfm3",
    "minimax": "minimax minimax_text_01 minimax_m1 minimax_m2 minimax_m3_vl_text",
    "qwen_hybrid": "qwen3_next qwen3_5_text qwen3_5_moe_text qwen4_exp_text",
    "lara": "lara_mini",
    "kimi_linear": "kimi_linear bailing_hybrid",
    "recurrent_gemma": "recurrent_gemma",
    "rwkv": "rwkv",
    "xlstm": "xlstm",
    "blt": "blt",
    "hrm": "hrm_text",
}
"""The ``model_type`` of each family by module, separated by spaces.

The textbook decoder's ``model_type`` is empty.

The model reference in the documentation has the same order: GPT and its contemporaries, encoders,
encoder-decoders; Llama and similar, mixtures of experts, latent attention; state spaces and linear
attention; other architectures.
"""

FIXED_TEXT_TYPE: dict[str, str] = {
    "dots3_note": "dots3_note_text",
    "step3p7": "step3p5",
    "qwen4_exp": "qwen4_exp_text",
    "emu3": "emu3_text_model",
    "Emu3": "emu3_text_model",
    "multi_modality": "llama",
    "kimi_vl": "deepseek_v3",
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
    "qwen2_vl": "qwen2_vl_text",
    "qwen2_5_vl": "qwen2_5_vl_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
    "qwen2_5_omni": "qwen2_5_omni_thinker",
    "qwen2_5_omni_thinker": "qwen2_5_omni_text",
    "qwen3_omni_moe": "qwen3_omni_moe_thinker",
    "qwen3_omni_moe_thinker": "qwen3_omni_moe_text",
    "glm4v": "glm4v_text",
    "glm46v": "glm4v_text",
    "glm4v_moe": "glm4v_moe_text",
    "glm_ocr": "glm_ocr_text",
    "glm5_next": "glm5_next_text",
    "ernie4_5_vl_moe": "ernie4_5_vl_moe_text",
    "paddleocr_vl": "paddleocr_vl_text",
    "hunyuan_vl": "hunyuan_vl_text",
    "hy_v4_vl": "hy_v4_vl_text",
    "granite4_vision": "granite4_vision_text",
    "granite_docling": "granite_docling_text",
    "molmo2": "molmo2_text",
    "deepseek_ocr2": "deepseek_ocr2_text",
    "voxtral_realtime": "voxtral_realtime_text",
    "mistral_large4": "mistral_large4_text",
    "cosmos3_edge": "cosmos3_edge_text",
    "apertus1p5": "apertus1p5_text",
    "cosmos3_omni": "qwen3_vl_text",
    "muse_glimmer": "muse_glimmer_text",
    "muse_spark": "muse_spark_text",
}
"""The only type of text decoder of each of these multimodal ``model_type``s.

The text decoder of Qwen-Omni is itself in a multimodal model, the thinker.
"""

MODELS_BY_DEFAULT_TEXT_TYPE: dict[str, str] = {
    "llama": (
        "llava llava_next llava_next_video video_llava vipllava idefics3 smolvlm perception_lm "
        "janus deepseek_vl deepseek_vl_hybrid voxtral glmasr llava_llama"
    ),
    "mistral": "mistral3 idefics2 llava_mistral",
    "qwen2": (
        "llava_onevision internvl internvl_chat ovis2 video_llama_3 fast_vlm got_ocr2 "
        "pp_chart2table qwen2_audio audioflamingo3 musicflamingo vibevoice vibevoice_asr "
        "llava_qwen llava_qwen2 ovis"
    ),
    "qwen3": "qwen3_asr fun_asr_nano lighton_ocr moss_transcribe_diarize qianfan_ocr",
    "qwen3_5_text": "minicpm_ocr minicpmv4_6 minicpmv4_7",
    "gemma": "paligemma",
    "opt": "blip-2 instructblip instructblipvideo",
    "persimmon": "fuyu",
    "cohere2": "aya_vision cohere2_vision",
    "granite": "granite_speech granite_speech_plus",
    "exaone4": "exaone4_5",
    "hyperclovax": "hyperclovax_vision_v2",
    "deepseek_v2": "deepseek_vl_v2",
    "deepseek_v3": "kimi_k25",
    "nemotron_h": "nemotron_h_omni nemo_speechlm",
    "lfm2": "lfm2_vl",
    "lfm3": "lfm3_vl",
}
"""Other multimodal ``model_type``s, separated by spaces, by the default type of text decoder."""

TEXT_TYPE_OF = FIXED_TEXT_TYPE | {
    model_type: text_type
    for text_type, model_types in MODELS_BY_DEFAULT_TEXT_TYPE.items()
    for model_type in model_types.split()
}
"""The only or default type of text decoder of every multimodal ``model_type``.

For Qwen-Omni it is the thinker, another multimodal model, which must be looked up again.
"""

MODULE_OF = {
    model_type: module for module, types in MODULES.items() for model_type in types.split(" ")
}
"""Module of each ``model_type``; ``""``, which ``"".split(" ")`` gives, is the textbook decoder."""
MODEL_TYPES = tuple(sorted(filter(None, MODULE_OF)))
"""Supported values of ``model_type``."""


@cache
def family_named(model_type: str) -> Family:
    """The family with this ``model_type``; the textbook decoder for ``""``.

    Raises:
        KeyError: no family has it.
    """
    module = import_module(f"{__name__}.{MODULE_OF[model_type]}")
    families = (value for value in vars(module).values() if isinstance(value, Family))
    return next(family for family in families if family.model_type == model_type)


def all_families() -> tuple[Family, ...]:
    """All families in the order of :data:`MODULES`."""
    return tuple(family_named(model_type) for model_type in MODULE_OF)


def all_keys() -> tuple[Key, ...]:
    """Configuration keys of all families, without duplicates."""
    return tuple(dict.fromkeys(key for family in all_families() for key in family.keys))
