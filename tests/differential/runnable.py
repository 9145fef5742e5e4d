"""Random models that can run: changes of a drawn configuration, and arguments of a model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from transformers import AutoConfig
from transformers.modeling_outputs import BaseModelOutput

from differential.built import TextPart, build
from differential.draw import Space

Config = dict[str, Any]
LARGEST = 60_000_000
"""Most parameters of a model that is run; defaults of keys that are not drawn may be large."""
SECTIONS = ("encoder", "decoder", "global", "patcher")
SECTION_KEYS = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "intermediate_size",
    "vocab_size",
    "cross_attn_all_layers",
)
LARGEST_SECTION = 64
"""Largest width of a section that was drawn; wider ones are BLT's defaults."""
CHUNK = 4
"""Tokens of a window or chunk of models that pad their input to a multiple of it."""


def _expert_groups(config: Config) -> Config:
    """One group of experts, whatever their number."""
    return {name: 1 for name in ("n_group", "topk_group") if name in config}


def _index_heads(config: Config) -> Config:
    """Indexer heads at least as wide as their part with rotary positions."""
    rotary, width = config.get("qk_rope_head_dim") or 0, config.get("index_head_dim")
    return {"index_head_dim": 2 * rotary} if width and width < rotary else {}


def _key_heads(config: Config) -> Config:
    """As many key/value heads as query heads, if a default does not divide the drawn heads."""
    pairs = {
        "num_key_value_heads": config.get("num_attention_heads"),
        "swa_num_key_value_heads": config.get("swa_num_attention_heads"),
    }
    return {
        name: heads for name, heads in pairs.items() if heads and heads % (config.get(name) or 1)
    }


def _rotary(config: Config) -> Config:
    """Rotary positions in the whole head."""
    return {"rotary_dim": config["n_embd"] // config["n_head"]}


def _double_width(config: Config) -> Config:
    """Attention of Zamba's shared block, whose input is twice as wide as the model."""
    width = 2 * config["hidden_size"]
    head_dim = width // config["num_attention_heads"]
    return {"attention_hidden_size": width, "attention_head_dim": head_dim}


def _sections(config: Config) -> Config:
    """BLT's four transformers: small defaults, and sizes that fit each other."""
    sections = {f"{name}_config": _section(config[f"{name}_config"]) for name in SECTIONS}
    sections["encoder_config"]["cross_attn_k"] = config["cross_attn_k"]
    sections["decoder_config"] |= {
        "cross_attn_k": config["cross_attn_k"],
        "hidden_size_global": sections["global_config"]["hidden_size"],
    }
    return {"encoder_hash_byte_group_vocab": 20, **sections}


def _section(section: Config) -> Config:
    """Sizes of a section that was drawn, or small ones in place of its defaults."""
    if section["hidden_size"] > LARGEST_SECTION:
        return {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    return {name: section[name] for name in SECTION_KEYS if section.get(name) is not None}


def _axes(config: Config) -> Config:
    """Reformer's two position axes, and short chunks."""
    return {
        "axial_pos_shape": [8, 16],
        "axial_pos_embds_dim": [config["hidden_size"] // 2] * 2,
        "local_attn_chunk_length": CHUNK,
        "lsh_attn_chunk_length": CHUNK,
    }


def _three_axes(config: Config) -> Config:
    """Rotary positions on three axes that together have half of the dimensions they turn."""
    width = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    rope = config["rope_parameters"]
    half = int(width * rope.get("partial_rotary_factor", 1)) // 2
    return {"rope_parameters": {**rope, "mrope_section": [half - 2, 1, 1]}}


def _change(**changes: Any) -> Callable[[Config], Config]:
    return lambda config: changes


FOR_ALL = (_expert_groups, _index_heads, _key_heads)
FOR_TYPE: Mapping[str, Callable[[Config], Config]] = {
    "gptj": _rotary,
    "codegen": _rotary,
    "zamba": _double_width,
    "zamba2": _double_width,
    "dbrx": lambda config: {"attn_config": {**config["attn_config"], "clip_qkv": 8.0}},
    "xmod": lambda config: {"default_language": config["languages"][0]},
    "phimoe": _change(num_experts_per_tok=2),
    "big_bird": _change(attention_type="original_full"),
    "bigbird_pegasus": _change(attention_type="original_full"),
    "blt": _sections,
    "led": _change(attention_window=CHUNK),
    "longformer": _change(attention_window=CHUNK),
    "reformer": _axes,
    **dict.fromkeys(
        (
            "qwen2_vl_text",
            "qwen2_5_vl_text",
            "qwen2_5_omni_text",
            "glm4v_text",
            "glm_ocr_text",
            "glm4v_moe_text",
            "paddleocr_vl_text",
        ),
        _three_axes,
    ),
}
"""Changes needed to run a model, or to process all tokens in the same way."""
IN_CHUNKS = ("led", "longformer", "reformer")
LONGT5_BLOCK = 16
FUNNEL_TOKENS = 9
"""Fewest tokens that are pooled before each of four blocks."""


def runnable(model_type: str, drawn: Config) -> Config:
    """Drawn configuration with the changes that the model needs to run."""
    config = dict(drawn)
    for change in (*FOR_ALL, FOR_TYPE.get(model_type, _change())):
        config |= change(AutoConfig.for_model(model_type, **config).to_dict())
    return config


def build_to_run(model_type: str, config: Config, space: Space) -> torch.nn.Module:
    """Model on the CPU; each expert processes only the tokens that are routed to it.

    Raises:
        ValueError: the model is too large to be run.
    """
    size = sum(p.numel() for p in build(model_type, config, space.auto).parameters())
    if size > LARGEST:
        raise ValueError(f"larger than {LARGEST:,} parameters")
    model = build(model_type, config, space.auto, "cpu").eval().requires_grad_(False)
    decoder = getattr(model, "decoder", model)
    if hasattr(decoder, "set_experts_implementation"):
        decoder.set_experts_implementation("eager")
    return model


def tokens_of(model_type: str, tokens: int) -> int:
    """Number of tokens to run: whole chunks for models that pad, less than a block for LongT5.

    LongT5's encoder adds a key and a value for every complete block.
    """
    if model_type == "longt5":
        return min(tokens, LONGT5_BLOCK - 1)
    if model_type == "funnel":
        return max(tokens, FUNNEL_TOKENS)
    return tokens - tokens % CHUNK + CHUNK if model_type in IN_CHUNKS else tokens


def first_pass(model: torch.nn.Module, ids: torch.Tensor, *, cache: bool = False) -> Config:
    """Arguments of the model for a whole sequence; an encoder's input has the same length."""
    inputs: Config = {"input_ids": ids}
    called = model.decoder if isinstance(model, TextPart) else model
    names = frozenset(inspect.signature(called.forward).parameters)
    if "use_cache" in names:
        inputs["use_cache"] = cache
    if model.config.model_type == "voxtral_realtime_text":
        inputs["t_cond"] = torch.randn(1, 1, model.config.hidden_size)
    if "decoder_input_ids" in names:
        inputs["decoder_input_ids"] = ids
    elif model.config.model_type == "blt":
        inputs["patch_lengths"] = torch.ones_like(ids)
    elif "cross_attention_states" in names:
        inputs["cross_attention_states"] = _vectors(model, ids, "hidden_size")
    elif "encoder_hidden_states" in names and _has_cross_attention(model):
        inputs["encoder_hidden_states"] = _vectors(model, ids, "cross_attention_hidden_size")
    elif getattr(model.config, "add_cross_attention", False):
        raise ValueError("cross-attention without an argument for the states it attends to")
    return inputs


def next_pass(model: torch.nn.Module, ids: torch.Tensor) -> Config | None:
    """Arguments of the model for the last token after cached ones; None without a cache."""
    inputs = first_pass(model, ids, cache=True)
    own = "decoder_input_ids" if "decoder_input_ids" in inputs else "input_ids"
    if "use_cache" not in inputs:
        return None
    with torch.no_grad():
        before = model(**{**inputs, own: ids[:, :-1]})
    if getattr(before, "cache", None) is None:
        return None
    inputs |= {own: ids[:, -1:], "cache": before.cache}
    inputs.pop("cross_attention_states", None)
    if own == "decoder_input_ids":
        del inputs["input_ids"]
        inputs["encoder_outputs"] = BaseModelOutput(before.encoder_last_hidden_state)
    return inputs


def _has_cross_attention(model: torch.nn.Module) -> bool:
    config = model.config
    flags = ("is_decoder", "add_cross_attention")
    return any(getattr(config, flag, False) for flag in flags)


def _vectors(model: torch.nn.Module, ids: torch.Tensor, width: str) -> torch.Tensor:
    """Random states of another sequence; ``width`` is the key of their width."""
    config = model.config
    size = getattr(config, width, None) or config.hidden_size
    return torch.randn(1, ids.shape[1], size)
