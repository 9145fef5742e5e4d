"""View ``features``: what is special about an architecture, derived from its tensors."""

from __future__ import annotations

import pytest
from families import PRESETS

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Paragraph, Table
from sphinx_llmsize.views import document
from sphinx_llmsize.views.difference.layer_arrangement import different_arrangements
from sphinx_llmsize.views.features.features import features_of
from sphinx_llmsize.views.features.layer_sizes import layer_sizes
from sphinx_llmsize.views.features.shared_key_heads import share_of_multi_head_cache
from sphinx_llmsize.views.memory.kv_cache import separate_parts, with_keys_and_values
from sphinx_llmsize.views.view_options import ViewOptions


def sentences(name: str) -> list[str]:
    blocks = document(load(name), ("features",), ViewOptions())
    return ["".join(map(str, each.content)) for each in blocks if isinstance(each, Paragraph)]


def test_a_plain_decoder_has_no_special_part() -> None:
    assert sentences("llama-7b") == ["32 layers. Attention: multi-head attention. FFN: gated FFN."]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("deepseek-v3", ["experts", "latent_attention"]),
        ("deepseek-v3.2", ["experts", "latent_attention", "sparse_attention"]),
        ("jamba-v0.1", ["hybrid", "experts", "grouped_queries"]),
        ("gemma-3-4b-it", ["grouped_queries", "windows", "tied"]),
        ("falcon-7b", ["one_key_head", "parallel", "tied"]),
        ("t5-base", ["encoder_decoder", "tied"]),
        ("albert-base-v2", ["encoder", "shared_layers", "vocabulary"]),
        ("mamba-130m", ["recurrent", "tied", "vocabulary"]),
        ("deepseek-v4-flash", ["experts", "sparse_attention", "windows", "residual_streams"]),
        # one number as the gate of each connection
        ("llama-3.2-11b-vision", ["cross_attention", "grouped_queries"]),
    ],
)
def test_special_parts(name: str, ids: list[str]) -> None:
    assert [feature.id for feature in features_of(load(name))] == ids


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mixtral-8x7b", "one token uses 12.9B of 46.7B parameters, 27.6%."),
        ("llama-3-70b", "64 query heads share 8 key/value heads, so the KV cache is 1/8 as large"),
        (
            "deepseek-v3",
            "for each token, a layer caches latents of 576 elements, which all 128 heads share.",
        ),
        ("deepseek-v3.2", "An indexer caches 128 elements for each token."),
        ("deepseek-v4-flash", "in 21 of 43 layers, a query attends only to the keys"),
        ("glm-5.2", "Of 78 layers, 21 have an indexer (own index); the others use the selection"),
        ("gpt-oss-20b", "of 24 layers, 12 attend to the last 128 tokens."),
        ("mistral-7b-v0.1", "every layer attends to the last 4,096 tokens."),
        ("jamba-v0.1", "of 32 layers, 4 have attention, and 28 a mixer"),
        ("llama-3.2-11b-vision", "of 40 layers, 8 attend to the output of an encoder, which isn't"),
        ("mistral-7b-v0.1?sliding_window=512", "every layer attends to the last 512 tokens."),
        ("falcon-h1-7b", "each layer has attention, and beside it a mixer"),
        ("gpt2", "uses the weights of the token embedding, which saves 38,597,376 parameters."),
    ],
)
def test_sentences_have_the_numbers(name: str, sentence: str) -> None:
    assert any(sentence in each for each in sentences(name))


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        # key/value heads, or query heads, differ by layer, and windows limit the cache of some
        ("gemma-4-31b", "several query heads share a key/value head."),
        ("mimo-v2-flash", "several query heads share a key/value head."),
        ("step-3.5-flash", "several query heads share a key/value head."),
        # layers have key/value heads of two dimensions, but equally many
        ("gemma-4-e4b", "8 query heads share 2 key/value heads, so the KV cache is 1/4 as large"),
        (
            "llama-3.3-nemotron-super-49b",
            "several query heads share a key/value head, so the KV cache is 1/8 as large",
        ),
    ],
)
def test_shared_key_heads_are_those_of_all_layers(model: str, sentence: str) -> None:
    assert any(sentence in each for each in sentences(model))


@pytest.mark.presets
def test_the_share_of_the_multi_head_cache_holds_for_any_length() -> None:
    for model in map(load, PRESETS):
        share = share_of_multi_head_cache(model)
        parts = with_keys_and_values(separate_parts(model.architecture), model.architecture)
        for tokens in (1, 100, 10_000) if share else ():
            cached = sum(part.elements_at(model.architecture, tokens) for part in parts)
            multi_head = sum(part.mha_elements_at(model.architecture, tokens) for part in parts)
            assert cached == share * multi_head, (model.name, tokens)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("longformer-base", "every layer attends to 256 tokens on each side."),
        ("modernbert-base", "of 22 layers, 14 attend to 64 tokens on each side."),
        (
            "gemma-3-4b-it?bidirectional_attention=true",
            "of 34 layers, 29 attend to 512 tokens on each side.",
        ),
        ("mistral-7b-v0.1", "every layer attends to the last 4,096 tokens."),
    ],
)
def test_windows_extend_to_each_side_in_encoders(model: str, sentence: str) -> None:
    (found,) = (each for each in sentences(model) if each.startswith("Sliding window"))
    assert found.endswith(sentence)


def test_empty_layers_are_counted_apart() -> None:
    first, *_others = sentences("llama-3.1-nemotron-ultra-253b")
    assert first.startswith("81 layers and 81 empty layers. ")


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (
            "recurrentgemma-2b",
            "Sliding window: every attention layer attends to the last 2,048 tokens.",
        ),
        (
            "llama-4-scout-17b-16e",
            "Chunked attention: of 48 layers, 36 attend only to earlier tokens in the same chunk "
            "of 8,192 tokens.",
        ),
        (
            "deepseek-v4-flash",
            "Sliding window: every layer attends to the last 128 tokens. Of 43 layers, 41 also "
            "attend to compressed entries, each of several tokens.",
        ),
    ],
)
def test_windows_say_which_layers_attend_to_what(model: str, sentence: str) -> None:
    assert sentence in sentences(model)


def test_windows_as_long_as_the_context_are_none() -> None:
    """They are counted in longer contexts, though."""
    model = load("phi-4-mini-instruct")
    assert "windows" not in [feature.id for feature in features_of(model)]
    assert model.cache_elements(2**19) == model.cache_elements(2**18)


def test_the_encoder_of_an_encoder_decoder_is_an_encoder() -> None:
    model = load({"model_type": "t5", "architectures": ["T5EncoderModel"]})
    assert next(feature.id for feature in features_of(model)) == "encoder"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "llama-3.3-nemotron-super-49b",
            "Layers of several sizes: attention in 49 of 80 layers and FFNs that are 2,816–28,672 "
            "wide.",
        ),
        ("gemma-4-e2b", "Layers of several sizes: FFNs that are 6,144 and 12,288 wide."),
        ("deepseek-v3", ""),  # experts beside dense networks
        ("jamba-v0.1", ""),  # mixers beside attention
        ("bart-base", ""),
        ("llama-7b", ""),
    ],
)
def test_layers_of_several_sizes(name: str, sentence: str) -> None:
    assert layer_sizes(load(name)) == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        # a shared layer runs inside another one
        ("zamba2-7b", "of 81 layers, 13 have attention, and 81 a mixer"),
        ("zamba-7b-v1", "of 76 layers, 13 have attention, and 76 a mixer"),
        ("zamba2-7b", "68 Mamba layers and 13 hybrid layers. Sequence"),
    ],
)
def test_a_use_of_shared_weights_is_no_further_layer(name: str, sentence: str) -> None:
    assert any(sentence in each for each in sentences(name))
    assert not any("shared layers." in each for each in sentences(name))


@pytest.mark.parametrize("name", ["deberta-v2-xlarge", "conv-bert-base"])
def test_convolutions_without_a_state_make_no_hybrid(name: str) -> None:
    assert "hybrid" not in [feature.id for feature in features_of(load(name))]


@pytest.mark.parametrize(
    # experts beside attention and FFN; experts beside FFN, attention and FFN; a convolution
    # beside a layer
    "name",
    ["arctic", "longcat-flash", "deberta-v2-xlarge"],
)
def test_blocks_are_parallel_only_if_attention_and_ffn_read_the_same_input(name: str) -> None:
    assert "parallel" not in [feature.id for feature in features_of(load(name))]
    arrangements = different_arrangements((load("falcon-7b"), load(name)))
    assert [each.text for each in arrangements if each] == ["in parallel", "one after the other"]


@pytest.mark.parametrize(
    ("name", "end"),
    [
        # other numbers of heads in each layer
        ("openelm-270m", "share a key/value head, so the KV cache is 1/4 as large as with multi-"),
        ("llama-3.3-nemotron-super-49b", "so the KV cache is 1/8 as large as with multi-head"),
        # without a cache
        ("eurobert-610m", "18 query heads share 6 key/value heads."),
    ],
)
def test_grouped_queries_of_layers_that_differ_and_of_encoders(name: str, end: str) -> None:
    (found,) = (each for each in sentences(name) if each.startswith("Grouped-query"))
    assert end in found


def test_a_pooler_is_no_part_of_a_large_vocabulary() -> None:
    (found,) = (each for each in sentences("albert-base-v2") if each.startswith("Large"))
    # 30,000 + 512 + 2 rows of width 128, and the matrix from there to 768 with its bias
    number = (30_000 + 512 + 2) * 128 + 128 * 768 + 768
    assert f" {number:,} parameters" in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nemotron-h-8b", "FFN: without a gate."),
        ("gpt2", "FFN: without a gate, with biases."),
        ("llama-7b", "FFN: gated FFN."),
        ("mixtral-8x7b", "FFN: 8 experts (2 active)."),
    ],
)
def test_the_network_does_not_repeat_its_label(name: str, text: str) -> None:
    assert sentences(name)[0].endswith(text)


def test_the_kv_cache_of_chunks_names_them() -> None:
    blocks = document(load("llama-4-scout-17b-16e"), ("memory",), ViewOptions())
    cells = [row.cells[0] for block in blocks if isinstance(block, Table) for row in block.rows]
    assert "chunk of 8,192 tokens" in ["".join(map(str, line)) for each in cells for line in each]
