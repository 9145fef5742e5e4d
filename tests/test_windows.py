"""Sliding windows and the KV cache they limit."""

from __future__ import annotations

from typing import Any

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture.cost import cache_elements, cache_elements_per_token
from sphinx_llmsize.architecture.layers import MAX_LAYERS
from sphinx_llmsize.model import Model

GIB = 2**30
BF16 = 2
"""Bytes per element."""
FAR = 100_000
"""Number of tokens, larger than all windows in these tests."""


def model(model_type: str, **config: Any) -> Model:
    return load({"model_type": model_type, **config})


def numbers(model: Model, context: int) -> int:
    """Numbers of cached elements after some numbers of tokens."""
    return cache_elements(model.architecture, model.architecture.placed_stages(), context)


def for_each_token(model: Model) -> int:
    placed_stages = model.architecture.placed_stages()
    return int(cache_elements_per_token(model.architecture, placed_stages))


def windows(model: Model) -> dict[int, int]:
    """Each window's tokens, and the layers that have it."""
    found: dict[int, int] = {}
    for stack in model.architecture.stacks():
        for span in stack.windows:
            found[span.window] = found.get(span.window, 0) + span.layers
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mistral-7b-v0.1", {4096: 32}),
        ("mistral-7b-v0.3", {}),
        ("mixtral-8x7b", {}),
        ("gemma-2-2b", {4096: 13}),
        ("gemma-3-1b-it", {512: 22}),
        ("gemma-3-27b-it", {1024: 52}),
        ("gemma-3n-e2b", {512: 24}),
        ("gemma-4-e2b", {512: 28}),
        ("gpt-oss-20b", {128: 12}),
        ("gpt-oss-120b", {128: 18}),
        ("llama-4-scout-17b-16e", {8192: 36}),
        ("phi-3-mini-4k-instruct", {2047: 32}),
        ("phi-4", {}),
        ("gpt-neo-125m", {256: 6}),
        ("olmo-3-7b", {4096: 24}),
        ("exaone-4.0-32b", {4096: 48}),
        ("exaone-4.0-1.2b", {}),
        ("c4ai-command-a-03-2025", {4096: 48}),
        ("mimo-v2-flash", {129: 39}),
        ("ettin-decoder-17m", {64: 4}),
        ("starcoder2-7b", {4096: 32}),
        ("recurrentgemma-2b", {2048: 26}),
        ("qwen2.5-7b", {}),
        ("llama-3-8b", {}),
    ],
)
def test_windows_of_released_models(name: str, expected: dict[int, int]) -> None:
    assert windows(load(name)) == expected


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "qwen2"}, {}),
        ({"model_type": "qwen2", "use_sliding_window": True}, {4096: 4}),
        ({"model_type": "qwen2", "use_sliding_window": True, "max_window_layers": 32}, {}),
        ({"model_type": "qwen2_moe", "use_sliding_window": True}, {4096: 12}),
        ({"model_type": "qwen3_moe", "use_sliding_window": True, "sliding_window": 9}, {9: 24}),
        ({"model_type": "smollm3", "use_sliding_window": True, "sliding_window": 9}, {9: 9}),
        ({"model_type": "gemma3_text", "sliding_window_pattern": 2}, {4096: 13}),
        ({"model_type": "exaone4", "sliding_window_pattern": "LLLG"}, {4096: 24}),
        ({"model_type": "llama4_text", "attention_chunk_size": 7}, {7: 36}),
        ({"model_type": "llama4_text", "no_rope_layers": [1] * 6 + [0] * 42}, {8192: 6}),
        ({"model_type": "mimo_v2_flash", "sliding_window_size": 128}, {129: 39}),
        ({"model_type": "mimo_v2_flash", "sliding_window_size": 0}, {1: 39}),
        (
            {"model_type": "gpt_neo", "attention_types": [[["global"], 8], [["local"], 16]]},
            {256: 16},
        ),
        ({"model_type": "cohere2_moe", "first_k_dense_replace": 2}, {4096: 29}),
        ({"model_type": "modernbert-decoder", "local_attention": None}, {}),
        ({"model_type": "reformer"}, {128: 3}),
        ({"model_type": "deepseek_v4"}, {128: 43}),
        ({"model_type": "inkling_text", "sliding_window_size": 50}, {50: 55}),
    ],
)
def test_windows_of_configurations(config: dict[str, Any], expected: dict[int, int]) -> None:
    assert windows(load(config)) == expected


@pytest.mark.parametrize("none", [None, 0, -1])
def test_no_window(none: int | None) -> None:
    assert windows(model("mistral", sliding_window=none)) == {}


def test_a_window_larger_than_the_context() -> None:
    assert numbers(model("phi3", sliding_window=262_144), 4096) == numbers(model("phi3"), 4096)


def test_layers_as_listed() -> None:
    kinds = ["full_attention", "sliding_attention", "sliding_attention"]
    listed = model("gemma2", num_hidden_layers=3, layer_types=kinds)
    assert windows(listed) == {4096: 2}


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        (["full_attention"], "layer_types has 1 entries for 2 layers"),
        (["full_attention", "slidng_attention"], "has the unknown entry 'slidng_attention'"),
    ],
)
def test_lists_that_do_not_fit(kinds: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        model("gemma2", num_hidden_layers=2, layer_types=kinds)


def test_a_list_for_fewer_layers() -> None:
    with pytest.raises(ConfigError, match="no list entry for layer 2"):
        model("llama4_text", num_hidden_layers=3, no_rope_layers=[1, 0])


def test_the_last_layer_of_gemma_4_has_full_attention() -> None:
    kinds = ["sliding_attention"] * 3
    assert windows(model("gemma4_text", num_hidden_layers=3, layer_types=kinds)) == {512: 2}


@pytest.mark.parametrize("model_type", ["gemma3_text", "llama4_text", "qwen2", "gpt_neo"])
def test_many_layers_with_and_without_windows(model_type: str) -> None:
    many = model(model_type, num_hidden_layers=MAX_LAYERS, use_sliding_window=True)
    assert sum(windows(many).values()) >= MAX_LAYERS // 2
    with pytest.raises(ConfigError, match="not all alike"):
        model(model_type, num_hidden_layers=MAX_LAYERS + 1, use_sliding_window=True)


@pytest.mark.parametrize("model_type", ["mistral", "phi3"])
def test_any_number_of_layers_with_equal_windows(model_type: str) -> None:
    many = model(model_type, num_hidden_layers=10**15, sliding_window=100)
    assert windows(many) == {100: 10**15}


@pytest.mark.parametrize(
    ("name", "context", "cache"),
    [
        ("llama-2-7b", 4096, 2 * GIB),
        ("mistral-7b-v0.1", 4096, GIB // 2),
        ("mistral-7b-v0.1", 32_768, GIB // 2),
        ("mistral-7b-v0.3", 32_768, 4 * GIB),
    ],
)
def test_cache_of_released_models(name: str, context: int, cache: int) -> None:
    assert BF16 * numbers(load(name), context) == cache


@pytest.mark.parametrize(
    ("name", "of_a_token"),
    [
        ("llama-2-7b", 524_288),
        ("llama-3-70b", 327_680),
        ("deepseek-v3", 70_272),
        ("gpt2", 36_864),
    ],
)
def test_bytes_of_each_token(name: str, of_a_token: int) -> None:
    assert BF16 * for_each_token(load(name)) == of_a_token


def test_beyond_the_window_only_full_attention_grows() -> None:
    gemma = load("gemma-2-2b")
    full = numbers(gemma, FAR + 1) - numbers(gemma, FAR)
    assert 2 * full == for_each_token(gemma)


def test_layers_that_reuse_earlier_keys_cache_nothing() -> None:
    shared, alone = (model("gemma3n_text", num_kv_shared_layers=n) for n in (15, 0))
    assert 35 * numbers(shared, 10) == 20 * numbers(alone, 10)


@pytest.mark.parametrize("model_type", ["mamba", "mamba2", "falcon_mamba", "rwkv", "xlstm"])
def test_states_do_not_grow(model_type: str) -> None:
    states = model(model_type)
    assert numbers(states, 1) == numbers(states, FAR) > 0
    assert for_each_token(states) == 0


def test_mamba_caches_states_and_convolution_inputs() -> None:
    states = model("mamba", hidden_size=10, num_hidden_layers=3, expand=2, state_size=4)
    assert numbers(states, FAR) == 3 * 20 * (4 + 4)


def test_hybrids_cache_keys_values_and_states() -> None:
    jamba = model("jamba", hidden_size=64, num_attention_heads=4, num_key_value_heads=2)
    attention, mamba = 4, 28
    assert for_each_token(jamba) == attention * 2 * 2 * 16
    states = mamba * 128 * (16 + 4)
    assert numbers(jamba, 10) == states + 10 * for_each_token(jamba)


@pytest.mark.parametrize("model_type", ["bert", "albert", "distilbert", "nomic_bert", "xlm"])
def test_encoders_cache_nothing(model_type: str) -> None:
    assert numbers(model(model_type), 100) == 0


def test_a_decoder_used_as_an_encoder_caches_nothing() -> None:
    assert numbers(model("gemma3_text", use_bidirectional_attention=True), 100) == 0


def test_bert_as_a_decoder_caches_keys_and_values() -> None:
    assert numbers(model("bert", is_decoder=True), 10) == 12 * 10 * 2 * 768


def test_encoder_decoders_cache_both_sequences_in_the_decoder() -> None:
    t5 = model("t5", num_layers=5, num_decoder_layers=2)
    own, cross = 10 * 2 * 512, 10 * 2 * 512
    assert numbers(t5, 10) == 2 * (own + cross)


def test_compressed_entries_replace_several_tokens() -> None:
    heavy = model("deepseek_v4", num_hidden_layers=1)
    assert numbers(heavy, 127) == 127 * 512
    assert numbers(heavy, 128 * 100) == (128 + 100) * 512


def test_indexers_cache_a_key_for_each_token() -> None:
    with_indexer, without = model("deepseek_v32"), model("deepseek_v3")
    assert for_each_token(with_indexer) - for_each_token(without) == 61 * 128
