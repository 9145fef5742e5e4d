"""Text decoders of multimodal configurations: released models, tied embeddings, refusals."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import (
    FIXED_TEXT_TYPE,
    MODEL_TYPES,
    TEXT_TYPE_OF,
    family_named,
)
from sphinx_llmsize.architecture.multimodal_checks import OWN_DEFAULTS
from sphinx_llmsize.architecture.multimodal_ties import TIE_WAY_OF
from sphinx_llmsize.config.keys.common import TIE_EMBEDDINGS
from sphinx_llmsize.errors import ConfigError, Problem

SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100}
"""Sizes of a small text decoder; its LM head or token embedding has 6400 parameters."""
MISTRAL_SMALL = {
    "model_type": "mistral",
    "head_dim": 128,
    "hidden_size": 5120,
    "intermediate_size": 32_768,
    "max_position_embeddings": 131_072,
    "num_attention_heads": 32,
    "num_hidden_layers": 40,
    "num_key_value_heads": 8,
    "vocab_size": 131_072,
}
QWEN_05B = {
    "model_type": "qwen2",
    "hidden_size": 896,
    "intermediate_size": 4864,
    "num_attention_heads": 14,
    "num_hidden_layers": 24,
    "num_key_value_heads": 2,
}
GEMMA_2B = {
    "hidden_size": 2048,
    "intermediate_size": 16_384,
    "num_attention_heads": 8,
    "num_hidden_layers": 18,
    "num_key_value_heads": 1,
    "vocab_size": 257_216,
}
DEEPSEEK_CLASSES = {
    "architectures": ["DeepseekV2ForCausalLM"],
    "auto_map": {
        "AutoConfig": "configuration_deepseek.DeepseekV2Config",
        "AutoModel": "modeling_deepseek.DeepseekV2Model",
    },
}
DEEPSEEK_OCR = {
    **DEEPSEEK_CLASSES,
    "first_k_dense_replace": 1,
    "hidden_size": 1280,
    "intermediate_size": 6848,
    "kv_lora_rank": None,
    "moe_intermediate_size": 896,
    "n_routed_experts": 64,
    "n_shared_experts": 2,
    "num_attention_heads": 10,
    "num_experts_per_tok": 6,
    "num_hidden_layers": 12,
    "num_key_value_heads": 10,
    "q_lora_rank": None,
    "qk_nope_head_dim": 0,
    "qk_rope_head_dim": 0,
    "topk_method": "greedy",
    "use_mla": False,
    "v_head_dim": 0,
    "vocab_size": 129_280,
}
MOONLIGHT = {
    "first_k_dense_replace": 1,
    "hidden_size": 2048,
    "intermediate_size": 11_264,
    "kv_lora_rank": 512,
    "moe_intermediate_size": 1408,
    "n_routed_experts": 64,
    "n_shared_experts": 2,
    "num_attention_heads": 16,
    "num_experts_per_tok": 6,
    "num_hidden_layers": 27,
    "num_key_value_heads": 16,
    "q_lora_rank": None,
    "topk_method": "noaux_tc",
    "vocab_size": 163_840,
}
CLIP_L_224 = 303_177_728
CLIP_L_336 = 303_507_456
SAM_B = 89_670_912
WHISPER_LARGE_V3_ENCODER = 636_968_960
SIGLIP_B_512 = 86_433_024
SIGLIP_SO400M_224 = 412_442_352
"""Parameters of towers, from the shapes of their tensors."""


def config(model_type: str, version: str, text: dict[str, Any], **outer: Any) -> dict[str, Any]:
    """Make a multimodal configuration, as in a ``config.json``."""
    saved = {"model_type": model_type, "transformers_version": version}
    return {**saved, "text_config": text, "vision_config": {"num_hidden_layers": 3}, **outer}


@pytest.mark.parametrize(
    ("released", "others", "total"),
    [
        pytest.param(  # total of the safetensors files; vision tower, projector
            config("llava", "4.36.0.dev0", {"model_type": "llama", "vocab_size": 32_064})
            | {"architectures": ["LlavaForConditionalGeneration"], "tie_word_embeddings": False},
            CLIP_L_336 + 1024 * 4096 + 4096 + 4096 * 4096 + 4096,
            7_063_427_072,
            id="llava-1.5-7b-hf",
        ),
        pytest.param(  # audio encoder, projector
            config(
                "qwen2_audio",
                "4.38.1",
                {
                    "model_type": "qwen2",
                    "intermediate_size": 11_008,
                    "vocab_size": 156_032,
                    "num_hidden_layers": 32,
                    "num_attention_heads": 32,
                    "num_key_value_heads": 32,
                    "hidden_size": 4096,
                },
                audio_config={"encoder_layers": 32},
            ),
            WHISPER_LARGE_V3_ENCODER + 1280 * 4096 + 4096,
            8_397_094_912,
            id="Qwen2-Audio-7B",
        ),
        pytest.param(  # vision tower, projector of 4 × 4 patches
            config(
                "idefics3",
                "4.47.1",
                {
                    "model_type": "llama",
                    "hidden_size": 576,
                    "intermediate_size": 1536,
                    "num_attention_heads": 9,
                    "num_hidden_layers": 30,
                    "num_key_value_heads": 3,
                    "vocab_size": 49_280,
                },
                tie_word_embeddings=False,
            ),
            SIGLIP_B_512 + 16 * 768 * 576,
            256_484_928,
            id="SmolVLM-256M",
        ),
        pytest.param(
            config("paligemma", "4.41.0.dev0", {**GEMMA_2B, "model_type": "gemma"}),
            SIGLIP_SO400M_224 + 1152 * 2048 + 2048,
            2_923_466_480,
            id="paligemma-3b-pt-224",
        ),
        pytest.param(  # 4096 patches instead of 256; a norm before the projector
            config(
                "gemma3",
                "4.50.0.dev0",
                {
                    "model_type": "gemma3_text",
                    "hidden_size": 2560,
                    "intermediate_size": 10_240,
                    "num_hidden_layers": 34,
                },
            ),
            SIGLIP_SO400M_224 + (4096 - 256) * 1152 + 1152 * 2560 + 1152,
            4_300_079_472,
            id="gemma-3-4b",
        ),
        pytest.param(  # the text decoder of Mistral NeMo
            config(
                "llava",
                "4.45.0.dev0",
                {
                    "model_type": "mistral",
                    "head_dim": 128,
                    "hidden_size": 5120,
                    "intermediate_size": 14_336,
                    "num_hidden_layers": 40,
                    "num_key_value_heads": 8,
                    "vocab_size": 131_072,
                },
            ),
            0,
            12_247_782_400,
            id="pixtral-12b",
        ),
        pytest.param(
            config("mistral3", "4.50.0.dev0", MISTRAL_SMALL),
            0,
            23_572_403_200,
            id="Mistral-Small-3.1",
        ),
        pytest.param(
            config(
                "llava_onevision",
                "4.45.0.dev0",
                {**QWEN_05B, "tie_word_embeddings": True, "vocab_size": 151_936},
                tie_word_embeddings=False,
            ),
            0,
            494_032_768,
            id="llava-onevision-qwen2-0.5b",
        ),
        pytest.param(
            config(
                "blip-2",
                "4.47.0.dev0",
                {
                    "model_type": "opt",
                    "hidden_size": 2560,
                    "ffn_dim": 10_240,
                    "num_hidden_layers": 32,
                    "num_attention_heads": 32,
                    "word_embed_proj_dim": 2560,
                },
                tie_word_embeddings=False,
                qformer_config={"num_hidden_layers": 12},
            ),
            0,
            2_651_596_800,
            id="blip2-opt-2.7b",
        ),
        pytest.param(
            config(
                "internvl_chat",
                "4.37.2",
                {},
                llm_config={**QWEN_05B, "vocab_size": 151_674},
                architectures=["InternVLChatModel"],
                tie_word_embeddings=False,
            )
            | {"text_config": None},
            0,
            494_032_768 + (2 * 151_674 - 151_936) * 896,
            id="InternVL3-1B",
        ),
        pytest.param(  # total of the safetensors files; towers, two convolutions, projector, tokens
            config("deepseek_vl_v2", "4.46.3", {}, language_config=DEEPSEEK_OCR)
            | {"text_config": None, "architectures": ["DeepseekOCRForCausalLM"]},
            SAM_B + 9 * (256 * 512 + 512 * 1024) + CLIP_L_224 + 2048 * 1280 + 1280 + 2 * 1280,
            3_336_106_240,
            id="DeepSeek-OCR",
        ),
        pytest.param(  # the text decoder of DeepSeek LLM 7B, whose class decides most of its sizes
            config(
                "multi_modality",
                "4.33.1",
                {},
                language_config={
                    "model_type": "llama",
                    "num_hidden_layers": 30,
                    "vocab_size": 102_400,
                },
                architectures=["MultiModalityCausalLM"],
                aligner_config={"cls": "MlpProjector"},
            )
            | {"text_config": None},
            0,
            6_910_365_696,
            id="Janus-Pro-7B",
        ),
        pytest.param(  # Moonlight, "16B"
            config("kimi_vl", "4.50.3", MOONLIGHT, tie_word_embeddings=False)
            | {"architectures": ["KimiVLForConditionalGeneration"]},
            0,
            15_960_108_544,
            id="Kimi-VL-A3B",
        ),
        pytest.param(
            config(
                "ovis",
                "4.46.2",
                {},
                llm_config={**QWEN_05B, "tie_word_embeddings": True, "vocab_size": 151_936},
                architectures=["Ovis"],
                auto_map={"AutoModelForCausalLM": "modeling_ovis.Ovis"},
                disable_tie_weight=False,
            )
            | {"text_config": None},
            0,
            494_032_768,
            id="Ovis2-1B",
        ),
    ],
)
def test_released_models(released: dict[str, Any], others: int, total: int) -> None:
    assert load(released).total + others == total


FLAT = {
    "architectures": ["LlavaLlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 11_008,
    "mm_hidden_size": 1024,
    "mm_projector_type": "mlp2x_gelu",
    "mm_vision_tower": "openai/clip-vit-large-patch14-336",
    "model_type": "llava",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "tie_word_embeddings": False,
    "transformers_version": "4.31.0",
    "tune_mm_mlp_adapter": False,
    "vocab_size": 32_000,
}


def test_files_with_the_text_decoders_keys_at_the_top_level() -> None:
    assert load(FLAT).total == load("llama-7b").total
    with pytest.raises(ConfigError, match="mistral3 has the text decoder's sizes in text_config"):
        load({**FLAT, "model_type": "mistral3", "architectures": None})


FULL = {
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "head_dim": 128,
    "intermediate_size": 11_008,
    "vocab_size": 32_000,
}
"""Sizes of Llama 7B, for models whose section must have them."""
EXPERTS = {
    "n_routed_experts": 8,
    "n_shared_experts": 1,
    "moe_intermediate_size": 64,
    "first_k_dense_replace": 1,
}


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, {"model_type": "deepseek"}),
        ({"use_mla": True}, {"model_type": "deepseek_v2"}),
        ({"topk_method": "noaux_tc"}, {"model_type": "deepseek_v3"}),
    ],
)
def test_layers_of_deepseek_vl2(changes: dict[str, Any], same: dict[str, Any]) -> None:
    """Its section names DeepSeek-V2's classes, whichever attention and routing it has."""
    latent = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64}
    text = DEEPSEEK_OCR if not changes else {**DEEPSEEK_OCR, **latent, "v_head_dim": 128}
    written = {**text, "use_mla": bool(changes), **changes}
    same = {**{key: text[key] for key in text if key != "use_mla"}, **same}
    alone = load({key: same[key] for key in same if key not in DEEPSEEK_CLASSES})
    part = load(config("deepseek_vl_v2", "4.38.2", written, language_config=None))
    assert (part.model_type, part.components) == (alone.model_type, alone.components)


def is_tied(model_type: str, version: str, outer: object, inner: object) -> bool:
    """Whether the text decoder of a multimodal model has tied embeddings."""
    text: dict[str, Any] = {} if inner is None else {"tie_word_embeddings": inner}
    top: dict[str, Any] = {"tie_word_embeddings": outer}
    if model_type in OWN_DEFAULTS:
        text |= {**FULL, **EXPERTS} if "deepseek" in TEXT_TYPE_OF[model_type] else FULL
    if model_type == "ovis2":  # its LM head has the sizes of the top level
        top |= {"hidden_size": 4096, "vocab_size": 151_936}
    return load(config(model_type, version, text, **top)).config.flag(TIE_EMBEDDINGS)


TIED_FROM_5 = {
    "alone": lambda outer, inner: inner,
    "either": lambda outer, inner: outer or inner,
    "never": lambda outer, inner: False,
    "untied": lambda outer, inner: outer,
    "tied": lambda outer, inner: outer,
    "inherited": lambda outer, inner: outer,
    "": lambda outer, inner: outer,
}


@pytest.mark.parametrize("model_type", TEXT_TYPE_OF)
def test_tied_embeddings_follow_the_version(model_type: str) -> None:
    text_type = TEXT_TYPE_OF[model_type]
    if text_type in TEXT_TYPE_OF or text_type in {"qwen4_exp_text", "deepseek_ocr2_text"}:
        return
    if family_named(text_type).defaults.get(TIE_EMBEDDINGS) is None:
        return
    way = TIE_WAY_OF.get(model_type, "")
    for outer, inner in product((True, False), repeat=2):
        assert is_tied(model_type, "5.24.0", outer, inner) == TIED_FROM_5[way](outer, inner)
        assert is_tied(model_type, "4.57.0", outer, inner) == inner
        assert is_tied(model_type, "", outer, inner) == inner


@pytest.mark.parametrize(
    ("model_type", "version", "outer", "inner", "tied"),
    [
        ("mistral3", "5.0.0.dev0", None, False, False),
        ("mistral3", "4.50.0", None, None, False),
        ("mistral3", "", True, None, True),
        ("gemma3", "4.50.0", None, None, True),
        ("gemma3", "4.50.0", False, None, False),
        ("llava", "4.50.0", None, True, True),
        ("voxtral", "5.1.0", None, True, False),
        ("voxtral", "4.57.0", None, True, True),
        ("blip-2", "5.1.0", False, None, True),
        ("perception_lm", "5.1.0", None, True, True),
        ("internvl", "not a version", True, False, False),
        ("internvl", "5", True, False, True),
    ],
)
def test_tied_embeddings_that_only_one_place_sets(
    model_type: str, version: str, outer: object, inner: object, tied: bool
) -> None:
    assert is_tied(model_type, version, outer, inner) == tied


def test_notes_name_what_is_not_counted_and_which_place_was_followed() -> None:
    saved = config("internvl", "5.24.0", {**SMALL, "tie_word_embeddings": False})
    counted, tied = load({**saved, "tie_word_embeddings": True}).notes
    assert "Not counted: vision tower (vision_config), and the layers" in counted
    assert tied == (
        "The LM head is counted as tied: tie_word_embeddings is true at the top level and false in "
        "the text decoder's section, and the top level decides, as in transformers 5."
    )
    _, untied, built = load({**saved, "transformers_version": "4.52.0"}).notes
    assert "is absent at the top level and false in" in untied
    assert "the text decoder's section decides, as in transformers 4" in untied
    assert "transformers 5 builds a model with tied embeddings" in built


def test_other_parts_have_the_names_of_their_sections() -> None:
    sections = {"vision_config": {"model_type": "gemma4_unified_vision"}, "vq_config": {"a": 1}}
    saved = config("gemma4_unified", "5.24.0", {}, quantization_config={"bits": 4}) | sections
    *_, towers = load(saved).notes
    assert towers.startswith("Text decoder only. Not counted: vision_config, vq_conf")
    *_, towers = load(FLAT).notes
    assert "the other parts of the model are not counted" in towers


@pytest.mark.parametrize(
    ("model_type", "text_type"),
    [("llava", "qwen3"), ("llava", "mistral"), ("llava_next", "llama"), ("internvl", "gpt_oss")],
)
def test_a_text_decoder_of_another_type(model_type: str, text_type: str) -> None:
    text = {"model_type": text_type, "num_hidden_layers": 2, "tie_word_embeddings": False}
    assert load(config(model_type, "5.24.0", text, tie_word_embeddings=False)).total == (
        load(text).total
    )


def test_lm_heads_that_the_top_level_or_the_text_model_sets() -> None:
    saved = config("ovis2", "5.24.0", {"hidden_size": 896, "vocab_size": 151_936})
    assert load({**saved, "tie_word_embeddings": True}).config.flag(TIE_EMBEDDINGS)
    untied = {"hidden_size": 896, "vocab_size": 151_936, "tie_word_embeddings": False}
    tied_total, total = (
        load({**saved, **top}).total for top in ({"tie_word_embeddings": True}, untied)
    )
    assert total == tied_total + 896 * 151_936
    projected = {"model_type": "opt", "word_embed_proj_dim": 512}
    assert load(config("blip-2", "5.24.0", projected)).total == load(projected).total


def test_an_encoder_decoder_as_the_text_part() -> None:
    text = {"model_type": "t5", "d_model": 64, "tie_word_embeddings": False}
    assert load(config("blip-2", "4.47.0", text)).total == load(text).total


def test_a_multimodal_part_of_a_larger_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TEXT_TYPE_OF, "larger", "internvl")
    text = {"model_type": "qwen2", "tie_word_embeddings": False}
    thinker = {"text_config": text, "tie_word_embeddings": True, "audio_config": {"depth": 2}}
    saved = {"model_type": "larger", "thinker_config": thinker, "talker_config": {"a": 1}}
    model = load({**saved, "transformers_version": "5.1.0"})
    assert model.config.flag(TIE_EMBEDDINGS)
    assert "audio encoder (audio_config), talker_config, and the" in model.notes[0]


def test_classes_do_not_reach_the_text_decoder() -> None:
    text = {**SMALL, "architectures": ["LlamaModel"]}
    saved = config("llava", "4.50.0", text, architectures=["LlavaForConditionalGeneration"])
    assert load(saved).total == load({"model_type": "llama", **SMALL}).total


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "my_vl"}, "'my_vl' is not supported"),
        (
            {"model_type": "gemma4_unified_assistant"},
            "names of this line: gemma4_unified, gemma4_unified_text",
        ),
        ({"model_type": "qwen9_vl"}, "names of this line: qwen, qwen2, "),
        ({"model_type": "llama"}, "model_type llama has no text_config"),
        (
            {"model_type": "gemma3", "text_config": {"model_type": "llama"}},
            "gemma3 cannot be llama",
        ),
        ({"text_config": {"model_type": "bert"}}, "text decoder of llava cannot be bert"),
        ({"text_config": {"model_type": "phi"}}, "text decoder of llava cannot be phi"),
        ({"text_config": {"model_type": "xyz"}}, "model_type 'xyz' is not supported"),
        ({"text_config": "llama"}, "text_config must be a mapping"),
        ({"model_type": "mistral3", "text_config": None}, "sizes in text_config"),
        ({"architectures": ["LlavaModel"]}, "class 'LlavaModel' of llava is not supported"),
        ({"architectures": ["GemmaForCausalLM"]}, "class 'GemmaForCausalLM' of llava"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings must be true or false"),
        (
            {"model_type": "voxtral", "text_config": {"num_hidden_layers": 2}},
            "missing hidden_dim, num_heads, num_kv_heads, ffn_dim, vocab_size, "
            "head_dim (voxtral has other defaults than the text decoder's type; add them)",
        ),
        ({"model_type": "voxtral_realtime", "text_config": None}, "missing hidden_dim, "),
        ({"model_type": "glmasr", "text_config": {**FULL, "vocab_size": None}}, "missing vocab_s"),
        (
            {"text_config": {"model_type": "opt", "word_embed_proj_dim": 512}},
            "llava cannot have a text decoder with projected embeddings",
        ),
        (
            {"model_type": "deepseek_vl_v2", "text_config": {"architectures": ["LlamaModel"]}},
            "LlamaModel is not a class of deepseek_v2",
        ),
        (
            {"model_type": "deepseek_vl_v2", "text_config": {"model_type": "llama"}},
            "deepseek_vl_v2 cannot be llama",
        ),
        ({"model_type": "kimi_vl", "text_config": {"model_type": "qwen3"}}, "vl cannot be qwen3"),
        ({"model_type": "kimi_vl", "text_config": {"model_type": "deepseek_v3"}}, "missing hidden"),
        (
            {"model_type": "ovis", "disable_tie_weight": True}
            | {"text_config": {"model_type": "qwen2", "tie_word_embeddings": True}},
            "disable_tie_weight contradicts tied embeddings",
        ),
        ({"architectures": ["MultiModalityCausalLM"]}, "class 'MultiModalityCausalLM' of llava"),
        (
            {"model_type": "blip-2", "text_config": {"model_type": "bart"}},
            "the text decoder of blip-2 cannot be bart",
        ),
        ({"text_config": {"model_type": "inkling_text"}}, "llava cannot be inkling_text"),
        (
            {"model_type": "ovis2", "text_config": {}, "vocab_size": 151_936},
            "hidden_size of ovis2 is 1536 at the top level (the LM head has that size; write 4096",
        ),
        (
            {"model_type": "ovis2", "text_config": {"vocab_size": 99}, "hidden_size": 4096},
            "vocab_size of ovis2 is 151643 at the top level",
        ),
    ],
)
def test_refusals(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(config("llava", "4.50.0", {"model_type": "llama"}) | changes)
    assert message in str(caught.value)


def test_a_text_section_without_model_type_of_the_whole() -> None:
    with pytest.raises(ConfigError, match="without the model_type of the whole") as caught:
        load({"text_config": {"model_type": "llama"}})
    assert caught.value.problem is Problem.MISSING


def test_text_decoders_are_supported() -> None:
    assert {*TEXT_TYPE_OF.values()} <= {*MODEL_TYPES, *TEXT_TYPE_OF}
    assert not {*TEXT_TYPE_OF} & {*MODEL_TYPES}
    assert {*TIE_WAY_OF} <= {*TEXT_TYPE_OF}
    assert {*FIXED_TEXT_TYPE} < {*TEXT_TYPE_OF}
