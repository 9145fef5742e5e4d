"""Words of differences: each row and note names what the models have, in their own terms."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import pytest
from families import MODELS, SOME_PRESETS, WITHOUT_DEFAULTS

from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import all_keys, family_named
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.blocks import Note, Table, cell
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views.difference.costs_in_words import signed_percent
from sphinx_llmsize.views.difference.counted_difference import DifferenceOptions
from sphinx_llmsize.views.difference.difference_view import DIFFERENCE_VIEWS, difference_blocks
from sphinx_llmsize.views.difference.masks_and_positions import (
    describe_positions,
    masks_and_positions,
)
from sphinx_llmsize.views.in_words.parts_in_words import describe_part, describe_part_with_biases
from sphinx_llmsize.views.shared.key_text import flag_text, key_name
from sphinx_llmsize.views.shared.model_titles import title
from sphinx_llmsize.views.shared.words_for_false import WORDS_FOR_FALSE


def shown_rows(one: str, other: str) -> list[str]:
    """The first cells of the rows with changes, lines separated by slashes."""
    table, *_notes = difference_blocks(load(one), load(other), ("table",), DifferenceOptions())
    assert isinstance(table, Table)
    cells = (row.cells[0] for row in table.rows)
    texts = [" / ".join("".join(map(str, line)) for line in cell) for cell in cells]
    return texts[1:-2]


def shown_notes(one: str, other: str) -> list[str]:
    blocks = difference_blocks(load(one), load(other), ("table",), DifferenceOptions())
    return ["".join(map(str, block.content)) for block in blocks if isinstance(block, Note)]


def shown_text(one: Any, other: Any) -> str:
    blocks = difference_blocks(load(one), load(other), ("text",), DifferenceOptions())
    return "".join(str(piece) for block in blocks for piece in block.content)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("0.117", "+11.7%"),
        ("-0.12", "−12.0%"),
        ("-0.0005", "−0.1%"),
        ("0.0004", "<0.1%"),
        ("-0.0001", "<0.1%"),
        ("-0.9999", "<−99.9%"),
    ],
)
def test_percentages_of_changes_have_a_sign(change: str, text: str) -> None:
    assert signed_percent(Fraction(change)) == text


@pytest.mark.parametrize(
    ("one", "other", "layers"),
    [
        ("t5-small", "mamba-130m", "6 + 6 → 24"),
        ("mamba-130m", "t5-small", "24 → 6 + 6"),
        ("funnel-medium-base", "qwen2-vl-2b", "18 → 28"),
        ("funnel-small", "t5-small", "12 + 2 → 6 + 6"),
    ],
)
def test_layers_without_a_row_change_with_the_architecture(
    one: str, other: str, layers: str
) -> None:
    assert f"Changed with the architecture: layers ({layers})." in shown_notes(one, other)


def test_a_size_of_encoder_and_decoder_is_named_once() -> None:
    changed = "Changed with the architecture: layers (36 → 6 + 6), attention heads (32 → 12)."
    assert changed in shown_notes("granite-8b-code", "bart-base")


def test_tied_embeddings_are_no_difference_without_an_lm_head() -> None:
    bert = {"model_type": "bert", "architectures": ["BertModel"]}
    models = [{**bert, "tie_word_embeddings": is_tied} for is_tied in (True, False)]
    assert shown_text(*models).endswith(" have the same sizes.")


@pytest.mark.parametrize("name", ["smollm3-3b", "kolibri-1", "c4ai-command-r7b-12-2024"])
def test_positions_in_the_same_share_of_layers_are_no_change(name: str) -> None:
    rows = shown_rows(name, f"{name}?num_layers*2")
    assert [row.partition(" / ")[0] for row in rows] == ["Layers"]
    assert "positions" not in shown_text(name, f"{name}?num_layers*2")


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        # what the model computes from its configuration
        ("lfm2-350m", "lfm2-1.2b", "FFN dimension / 4,608 → 8,192"),
        (
            "llama-7b",
            "lfm2-1.2b",
            "FFN / gated FFN (11,008 wide) → gated FFN (8,192 wide)",
        ),
        # a size has the name of the part that it belongs to
        (
            "granite-4.0-h-tiny",
            "granite-4.0-micro",
            "FFN dimension of an expert, experts, experts per token and FFN "
            "dimension of the shared expert → FFN dimension / 512 → not used / 64 → 0 / "
            "6 → not used / 1,024 → 8,192 / FFN: 64 experts (6 active) plus 1 "
            "shared expert → gated FFN",
        ),
        (
            "granite-4.0-micro",
            "granite-4.0-micro?shared_expert_dim=4096",
            "FFN dimension / 8,192 → 4,096",
        ),
        ("xlstm-7b", "xlstm-7b?num_heads=4", "Heads / 8 → 4"),
        # layers of different sizes
        (
            "gemma-3-27b-it",
            "gemma-4-31b",
            "Norms / Q and K norms 128 → Q and K norms 256 in 50 layers and 512 in 10 layers",
        ),
        (
            "openelm-270m",
            "llama-7b",
            "FFN / gated FFN (768–5,120 wide) → gated FFN (11,008 wide)",
        ),
        (
            "openelm-270m",
            "llama-7b",
            "Attention / grouped-query attention (3 key/value heads with 64 dimensions in 5 "
            "layers, 4 key/value heads with 64 dimensions in 7 layers and 5 key/value heads with "
            "64 dimensions in 4 layers) → multi-head attention (128 dimensions per head)",
        ),
        (
            "deepseek-v2-lite",
            "deepseek-v3",
            "Attention / multi-head latent attention → multi-head latent attention (queries "
            "compressed to rank 1,536)",
        ),
        ("rwkv-4-169m-pile", "llama-7b", "FFN / channel mixing → gated FFN"),
        (
            "gpt-neox-japanese-2.7b",
            "telechat2-3b",
            "Attention / multi-head attention (with output projection biases in 1 of 32 layers) → "
            "multi-head attention (with output projection biases)",
        ),
    ],
)
def test_sizes_are_those_of_the_layers(one: str, other: str, row: str) -> None:
    assert row in shown_rows(one, other)


def test_heads_without_attention_are_not_attention_heads() -> None:
    assert [row.partition(" / ")[0] for row in shown_rows("llama-7b", "xlstm-7b")] == [
        "Vocabulary size",
        "Sequence mixing",
        "FFN",
    ]


def test_a_width_of_experts_is_not_that_of_dense_networks() -> None:
    assert (
        "Changed with the architecture: FFN dimension (8,192) → FFN dimension of an expert (512)."
    ) in shown_notes("granite-3.0-2b", "granite-3.0-1b-a400m")


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        (
            "telechat-12b",
            "telechat-52b",
            "Biases on all projections of a layer and RMS norms instead of layer norms / not used "
            "→ no / not used → yes / Attention: multi-head attention (with output projection "
            "biases) → multi-head attention (without biases) / FFN: gated FFN (with "
            "down projection biases) → gated FFN (without biases)",
        ),
        (
            "chatglm-6b",
            "chatglm2-6b",
            "Attention: multi-head attention with biases → grouped-query attention with Q, K and V "
            "biases / FFN: FFN with biases → gated FFN / Norms: 57 layer norms with biases (before "
            "each residual connection) → 57 RMS norms (before each block)",
        ),
    ],
)
def test_replaced_parts_within_a_family_are_named(one: str, other: str, row: str) -> None:
    assert [text for text in shown_rows(one, other) if text.endswith(row)]


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        # by a flag, a number of experts, or keys with a single part
        ("t5-base", "t5-v1.1-base", "FFN: FFN → gated FFN"),
        (
            "grok-1",
            "grok-2",
            "FFN: 8 experts (2 active) → gated FFN and 8 experts (2 active) in each of 64 layers",
        ),
        (
            "qwen3-30b-a3b",
            "qwen3-30b-a3b?num_experts=0",
            "FFN: 128 experts (8 active, 768 wide) → gated FFN (6,144 wide)",
        ),
        (
            "granite-4.0-micro",
            "granite-4.0-h-micro",
            "Sequence mixing: grouped-query attention → Mamba-2 in 36 layers and grouped-query "
            "attention in 4 layers",
        ),
        (
            "opt-350m",
            "opt-1.3b",
            "Norms: 48 layer norms with biases (after each residual connection) → 49 layer norms "
            "with biases (before each block)",
        ),
        # one key/value head, though the configuration says 71
        (
            "falcon-7b",
            "falcon-40b",
            "/ 1 → 8 / no → yes / Attention: multi-query attention → grouped-query attention / "
            "Norms: FFN norm in 60 layers added",
        ),
        (
            "falcon-40b",
            "falcon-7b",
            "/ 8 → 1 / yes → no / Attention: grouped-query attention → multi-query attention / "
            "Norms: FFN norm in 60 layers removed",
        ),
    ],
)
def test_parts_are_named_if_they_are_of_another_kind(one: str, other: str, row: str) -> None:
    assert [text for text in shown_rows(one, other) if text.endswith(row)]


def test_keys_that_change_together_are_in_their_usual_order() -> None:
    first = "Vocabulary size, hidden dimension, attention heads, key/value heads, "
    assert [row for row in shown_rows("minicpm-moe-8x2b", "minicpm4-8b") if row.startswith(first)]


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("llama-2-7b", "llama-3-8b", "Key/value heads"),
        ("stablelm-2-1_6b", "stablelm-2-12b", "Key/value heads"),
        ("deepseek-v3", "kimi-k2", "Dense layers at the start"),
        ("switch-c-2048", "switch-base-128", "Decoder layers"),
        ("qwen-1.8b", "qwen-14b", "FFN dimension"),  # another key is twice as much
        ("zamba2-1.2b", "zamba2-2.7b", "Shared transformer layers, used in turn"),
    ],
)
def test_sizes_and_details_are_named_by_their_key_alone(one: str, other: str, name: str) -> None:
    rows = [row for row in shown_rows(one, other) if row.startswith(f"{name} / ")]
    assert [row.count("→") for row in rows] == [1]


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        # a pooler has a bias in every model
        ("bert-base-uncased", "gpt2", "Head / pooler → LM head tied to the token embedding"),
        (
            "bert-base-uncased-maskedlm",
            "gpt2",
            "Head / head transform, head norm and LM head tied to the token embedding, with a "
            "bias → LM head tied to the token embedding",
        ),
        # the numbers of experts have rows of their own
        (
            "qwen3-30b-a3b",
            "qwen3-next-80b-a3b",
            "FFN / experts → experts plus 1 shared expert",
        ),
        (
            "deepseek-v3",
            "deepseek-v4-flash",
            "Attention / multi-head latent attention in 61 layers (no sliding windows) → "
            "multi-query attention (compressed in 41 layers) in 43 layers "
            "(windows of 128 tokens in 43 layers)",
        ),
        (
            "mixtral-8x7b",
            "grok-2",
            "FFN / 8 experts (2 active) → gated FFN (32,768 wide) and 8 experts (2 active) in each "
            "of 64 layers",
        ),
        # details are in one pair of parentheses
        (
            "mixtral-8x7b",
            "longcat-flash",
            "FFN / experts → gated FFN (2 in each layer, 12,288 wide) and experts plus 256 "
            "zero-computation experts in each of 28 layers",
        ),
        (
            "opus-mt-en-de",
            "switch-c-2048",
            "FFN / FFN (2,048 wide) → 2,048 experts (1 active, 6,144 wide)",
        ),
        # tied and untied weights have a row of their own
        (
            "ettin-decoder-68m",
            "mixtral-8x7b",
            "Head / head transform, head norm and LM head, with a bias → LM head",
        ),
        # a table in attention is one of relative positions
        (
            "umt5-small",
            "telechat-7b",
            "Attention / multi-head attention and cross-attention in 8 encoder layers and 8 "
            "decoder layers (relative positions, 64 dimensions per head) → multi-head attention "
            "with output projection biases in 30 layers (rotary positions, 128 dimensions per "
            "head)",
        ),
    ],
)
def test_replaced_parts_have_short_names(one: str, other: str, row: str) -> None:
    assert row in shown_rows(one, other)


def test_sentences_on_a_single_part_do_not_name_the_key() -> None:
    text = shown_text("t5-base", "t5-v1.1-base")
    assert "The FFN changed from FFN to gated FFN: 56,623,104 more" in text


def test_sentences_name_replaced_parts() -> None:
    assert "FFN (FFN with biases → gated FFN)" in shown_text("chatglm-6b", "chatglm2-6b")


def test_layers_with_experts_are_a_number_where_all_layers_have_them() -> None:
    """Another number has no effect there, but the number is true nonetheless."""
    (row,) = (row for row in shown_rows("switch-large-128", "switch-c-2048") if "with exp" in row)
    assert "/ 12 → 15 / 12 → 15 /" in row


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        (
            "deberta-base",
            "deberta-v2-xlarge",
            "Embeddings / relative positions 1,024 × 768 → relative positions 512 × 768, with "
            "norms",
        ),
        (
            "deberta-base",
            "deberta-v2-xlarge",
            "Sequence mixing / multi-head attention (with relative positions) → convolution in 1 "
            "layer and multi-head attention in 24 layers",
        ),
        (
            "gemma-2-9b",
            "deepseek-v3",
            "Attention / grouped-query attention (windows of 4,096 tokens in 21 layers) → "
            "multi-head latent attention (no sliding windows)",
        ),
    ],
)
def test_parts_name_all_that_only_one_model_has(one: str, other: str, row: str) -> None:
    assert row in shown_rows(one, other)


def test_copies_within_a_layer_are_counted() -> None:
    rows = shown_rows("deepseek-v3", "longcat-flash")
    assert (
        "Attention / multi-head latent attention → multi-head latent attention (2 in each layer)"
    ) in rows
    assert any("256 zero-computation experts" in row for row in rows)
    assert not any("(2)" in row for row in rows)


def test_experts_for_images_are_named() -> None:
    model = load({"model_type": "ernie4_5_vl_moe_text"})
    words = describe_part(model, Aspect.FEED_FORWARD).text
    experts = "64 experts (6 active) plus 64 experts for images plus 2 shared experts in 27 layers"
    assert words == f"gated FFN in 1 layer and {experts}"
    _router, router = stages_with(model, "router")
    assert (router.label, router.expert_count) == ("Router for images", None)
    assert model.architecture.count(router.active) == 0


def stages_with(model: Model, component: str) -> list[Stage]:
    stages = [placed.stage for placed in model.architecture.placed_stages()]
    return [s for s in stages if any(tensor.component == component for tensor in s.tensors)]


def test_one_expert_is_singular() -> None:
    model = load({"model_type": "hunyuan_v1_moe"})
    assert (
        describe_part(model, Aspect.FEED_FORWARD).text == "1 expert (1 active) plus 1 shared expert"
    )


LATENT_NORMS = "Q latent norm and KV latent norm in 61 layers"


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        ("gpt2-large", "bloom-1b7", "embedding norm added"),
        ("bloom-1b7", "gpt2-large", "embedding norm removed"),
        ("gemma-2-2b", "gemma-3-1b-it", "Q and K norms in 26 layers added"),
        ("lfm2-8b-a1b", "minicpm-1b", "Q and K norms in 6 layers removed"),
        ("qwen3-8b", "deepseek-v3", f"Q and K norms in 36 layers → {LATENT_NORMS}"),
        # each layer has two norms as one label says
        (
            "deepseek-v3",
            "longcat-flash",
            f"123 RMS norms, plus {LATENT_NORMS} → 113 RMS norms, plus Q latent norm and KV latent "
            "norm in 28 layers",
        ),
    ],
)
def test_only_norms_that_differ_are_named(one: str, other: str, row: str) -> None:
    assert f"Norms / {row}" in shown_rows(one, other)


def test_added_and_removed_norms_have_a_sentence() -> None:
    assert "Norms were added (Q and K norms in 36 layers)." in shown_text("qwen2.5-7b", "qwen3-8b")
    removed = "Some norms were removed (Q and K norms in 36 layers)."
    assert removed in shown_text("qwen3-8b", "qwen2.5-7b")


def test_norms_outside_the_layers_are_named_apart_from_those_inside() -> None:
    generic = {"hidden_dim": 64, "num_layers": 12, "num_heads": 4, "vocab_size": 100}
    added = "Norms were added (attention norm and FFN norm in 12 layers, and final norm)"
    assert added in shown_text(generic, "gpt2")
    removed = "Some norms were removed (Q and K norms in 20 layers, and embedding norm)"
    assert removed in shown_text("nanochat-d20", "olmo-1b")


def test_layers_that_the_flag_of_the_lm_head_unties_are_named() -> None:
    zamba, untied = "zamba-7b-v1", "zamba-7b-v1?tie_embeddings=false"
    name = "Weights of the LM head and of the shared layers"
    assert shown_rows(zamba, untied) == [f"{name} / tied and shared → their own"]
    assert shown_rows(untied, zamba) == [f"{name} / their own → tied and shared"]
    assert "and so has each of the layers that shared theirs" in shown_text(zamba, untied)
    assert "and several layers share theirs" in shown_text(untied, zamba)
    assert title(load(untied)).endswith(" with an LM head of its own and no shared layers")


def test_an_lm_head_costs_its_own_parameters_only() -> None:
    """Zamba's flag unties more than that of Llama, so that the shared layers are in other rows."""
    blocks = difference_blocks(
        load("zamba-7b-v1"), load("llama-2-7b"), ("table",), DifferenceOptions()
    )
    (table,) = (block for block in blocks if isinstance(block, Table))
    costs = {row.cells[0][0]: row.cells[1][0] for row in table.rows}
    assert costs["Head",] == ("+118,784,000",)


def test_tied_embeddings_of_a_decoder_have_no_row() -> None:
    assert not [row for row in shown_rows("llama-7b", "umt5-small") if "Embeddings" in row]


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        (
            "t5-3b",
            "gpt-neox-japanese-2.7b",
            "multi-head attention with output projection biases in 1 of 32 layers (rotary ",
        ),
        ("gpt-oss-120b", "zaya1-8b", "16 experts (1 active, with router biases)"),
        ("olmo-7b-0724", "zaya1-8b", "(with values of the previous token)"),
        ("deberta-v3-base", "llama-7b", "(bidirectional, relative positions, "),
        ("funnel-large", "xlnet-large-cased", "with queries × segments"),
        ("llama-7b", "phi-2", "LM head → LM head (with a bias)"),
        ("roformer-chinese-base", "phi-2", "none → LM head with a bias"),
    ],
)
def test_details_are_named_as_an_author_would(one: str, other: str, text: str) -> None:
    assert text in " ".join(shown_rows(one, other))


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        ("gpt2", "llama-7b", "25 layer norms with biases → 65 RMS norms"),
        (
            "bert-base-uncased",
            "modernbert-base",
            "25 layer norms with biases (after each residual connection) → 45 layer norms without "
            "biases (before each block)",
        ),
        ("llama-7b", "mpt-7b", "65 RMS norms → 65 layer norms without biases"),
        (
            "bert-base-uncased",
            "gpt2",
            "25 layer norms with biases (after each residual connection) → 25 layer norms with "
            "biases (before each block)",
        ),
        (
            "llama-7b",
            "olmo-2-1124-7b",
            "65 RMS norms (before each block) → 65 RMS norms (on the output of each block), plus Q "
            "and K norms in 32 layers",
        ),
        (
            "gpt-j-6b",
            "llama-7b",
            "29 layer norms with biases (before attention and FFN in parallel) → 65 RMS "
            "norms (before each block)",
        ),
        (  # layers that differ
            "llama-7b",
            "olmo-hybrid-7b",
            "65 RMS norms (before each block) → 65 RMS norms (before each block in 24 layers and "
            "on the output of each block in 8 layers), plus Q and K norms in 8 layers",
        ),
        (  # the output of a norm is added to that of the block after it
            "gpt2",
            "chatglm-6b",
            "25 layer norms with biases (before each block) → 57 layer norms with biases (before "
            "each residual connection)",
        ),
        (
            "llama-7b",
            "minimax-text-01",
            "65 RMS norms (before each block) → 161 RMS norms (before each residual connection)",
        ),
        (  # a layer beside its experts
            "bert-base-uncased",
            "arctic",
            "25 layer norms with biases (after each residual connection) → 106 RMS norms (before "
            "each block)",
        ),
        (  # a layer in a residual connection
            "gpt2",
            "mobilebert-uncased",
            "25 layer norms with biases (before each block) → 121 layer norms with biases (after "
            "each residual connection)",
        ),
        (
            "gemma-2-2b",
            "llama-7b",
            "105 RMS norms before and after each block → 65 RMS norms (before each block)",
        ),
    ],
)
def test_norms_are_named_by_kind_and_place(one: str, other: str, row: str) -> None:
    """In a row and in a sentence, even if nothing costs more or less."""
    assert f"Norms / {row}" in shown_rows(one, other)
    before, after = row.split(" → ")
    assert f"The norms changed from {before} to {after}" in shown_text(one, other)


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        (  # biases may differ at the same sizes, but not at the models' own
            "polyglot-ko-3.8b",
            "ettin-encoder-400m",
            "Attention / multi-head attention (causal, no sliding windows, with a KV cache) → "
            "multi-head attention "
            "(bidirectional, windows of 64 tokens to each side in 18 layers, no KV cache)",
        ),
        ("solar-open-100b", "gpt-j-6b", "Head / LM head → LM head (with a bias)"),
        (
            "llama-7b",
            "ettin-decoder-1b",
            # tying has a row of its own
            "Head / LM head → head transform, head norm and LM head, with a bias",
        ),
        (
            "zamba-7b-v1",
            "zamba2-1.2b",
            "FFN / gated FFN (the same weights in 13 layers) → gated FFN (with adapters, "
            "the same weights in 6 layers)",
        ),
        (
            "t5-base",
            "bart-base",
            "Attention / multi-head attention and cross-attention (relative positions, without "
            "biases) → multi-head attention and cross-attention (absolute positions, with biases)",
        ),
    ],
)
def test_details_are_named_once(one: str, other: str, row: str) -> None:
    assert row in shown_rows(one, other)


@pytest.mark.parametrize(
    ("one", "other", "change"),
    [
        ("mpt-7b", "llama-7b", ("ALiBi", "rotary positions")),
        ("gpt2", "bloom-7b1", ("absolute positions", "ALiBi")),
        ("llama-7b", "umt5-small", ("rotary positions", "relative positions")),
        ("xglm-564m", "mistral-7b-v0.1", ("absolute positions", "rotary positions")),
        ("mpt-7b", "falcon-7b", ("ALiBi", "rotary positions")),
        ("jais-13b", "jais-2-8b", ("ALiBi", "rotary positions")),
        ("esm2-650m", "bert-large-uncased", ("rotary positions", "absolute positions")),
        (
            "llama-3.2-3b",
            "smollm3-3b",
            ("rotary positions", "rotary positions in 27 of 36 layers"),
        ),
        (
            "exaone-3.5-32b",
            "exaone-4.0-32b",
            ("rotary positions", "rotary positions in 48 of 64 layers"),
        ),
        ("jamba-v0.1", "llama-3.1-8b", ("no position encoding", "rotary positions")),
        ("granite-4.0-h-micro", "granite-3.3-2b", ("no position encoding", "rotary positions")),
        ("deberta-base", "roberta-base", ("relative positions", "absolute positions")),
        ("bert-base-uncased", "gpt2", ("bidirectional", "causal")),
        ("mistral-7b-v0.1", "eurobert-210m", ("causal", "bidirectional")),
        ("bert-base-uncased", "mamba-130m", ("bidirectional", "causal")),
        ("bert-small", "rwkv-4-430m-pile", ("bidirectional", "causal")),
    ],
)
def test_positions_and_masks_are_named_even_if_they_cost_nothing(
    one: str, other: str, change: tuple[str, str]
) -> None:
    for before, after, texts in ((one, other, change), (other, one, change[::-1])):
        rows = (row.partition(" / ") for row in shown_rows(before, after))
        (row,) = (text for label, _, text in rows if label in {"Attention", "Sequence mixing"})
        found = row.split(" → ")
        assert [text in half for text, half in zip(texts, found, strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("llama-7b", "qwen2.5-7b"),  # the same
        ("bloom-7b1", "mpt-7b"),
        ("mamba-2.8b", "llama-7b"),  # no attention
    ],
)
def test_equal_or_unknown_positions_are_not_named(one: str, other: str) -> None:
    assert not [row for row in shown_rows(one, other) if "position" in row or "ALiBi" in row]


PARALLEL, SEQUENTIAL = "in parallel", "one after the other"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pythia-1.4b", "pythia-1.4b?use_parallel_residual=false"),
        # two norms in both
        ("gpt-neox-20b", "gpt-neox-20b?use_parallel_residual=false"),
    ],
)
def test_parallel_blocks_have_a_row_and_a_sentence_at_no_cost(one: str, other: str) -> None:
    pairs = (((one, other), PARALLEL, SEQUENTIAL), ((other, one), SEQUENTIAL, PARALLEL))
    for pair, before, after in pairs:
        assert f"Attention and FFN / {before} → {after}" in shown_rows(*pair)
        sentence = f"FFN of a layer are {after} instead of {before}."
        assert sentence in shown_text(*pair)
        assert not [note for note in shown_notes(*pair) if "parallel" in note]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gpt-j-6b", "llama-7b"),  # the places of the norms
        ("stablelm-2-1_6b", "stablelm-2-12b"),  # a changed key that costs norms
        ("llama-7b", "qwen2.5-7b"),
        ("pythia-1.4b", "gpt-j-6b"),
        ("pythia-1.4b", "mamba-2.8b"),  # no feed-forward network
    ],
)
def test_parallel_blocks_are_named_once(one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        assert not [row for row in shown_rows(*pair) if SEQUENTIAL in row]
        assert len([row for row in shown_rows(*pair) if "parallel" in row]) <= 1


def test_a_replaced_part_that_costs_the_same_has_a_sentence() -> None:
    text = shown_text("xlnet-large-cased", "jina-embeddings-v3")
    assert (
        " The embeddings changed from token embedding and mask embedding to token embedding and "
        "token type embedding. " in text
    )


FROM_KEYS_WITHOUT_A_SIZE = {
    "olmo_hybrid",  # rope_parameters
    "beam",
    "cohere_compass_text",
    "muse_glimmer_text",  # layer_rope_theta
    "muse_spark_text",
    "zamba2",  # use_mem_rope
}
"""Families whose positions depend on keys that aren't read, since no size depends on them."""


def test_positions_of_all_other_families_are_known() -> None:
    models = [load(each) for each in MODELS.values()]
    with_attention = [
        model
        for model in models
        if any(
            placed.stage.group is Group.ATTENTION for placed in model.architecture.placed_stages()
        )
    ]
    unknown = {each.model_type for each in with_attention if not describe_positions(each)}
    assert unknown == FROM_KEYS_WITHOUT_A_SIZE


@pytest.mark.parametrize("model_type", WITHOUT_DEFAULTS)
def test_positions_of_families_without_defaults_are_known(model_type: str) -> None:
    """:data:`MODELS` lacks those of them that have no preset."""
    assert family_named(model_type).positions


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("t5-base", "gpt2", ("encoder-decoder", "decoder-only")),
        ("bert-base-uncased", "llama-7b", ("encoder-only", "decoder-only")),
        ("bert-base-uncased", "mamba-130m", ("encoder-only", "decoder-only")),
        ("bert-small", "rwkv-4-430m-pile", ("encoder-only", "decoder-only")),
    ],
)
def test_other_kinds_of_models_are_named(one: str, other: str, kinds: tuple[str, str]) -> None:
    for pair, (before, after) in (((one, other), kinds), ((other, one), kinds[::-1])):
        assert f"Architecture / {before} → {after}" in shown_rows(*pair)
        assert f" The architecture changed from {before} to {after}. " in shown_text(*pair)


def test_models_of_one_kind_are_not_named() -> None:
    for pair in (("llama-7b", "gpt2"), ("bert-base-uncased", "modernbert-base")):
        assert "architecture" not in shown_text(*pair)
        assert not [row for row in shown_rows(*pair) if row.startswith("Architecture")]


def pair(seed: int) -> tuple[str, str]:
    """Two presets: of one family for even seeds, of any for odd ones."""
    chosen = random.Random(seed)
    names = list(presets())
    while True:
        one, other = chosen.sample(names, 2)
        models = load(one), load(other)
        are_of_one_family = models[0].family is models[1].family
        if (seed % 2 or are_of_one_family) and models[0].components != models[1].components:
            return one, other


@pytest.mark.parametrize("seed", range(16))
def test_sentences_and_rows_name_the_same_changes_without_cost(seed: int) -> None:
    one, other = pair(seed)
    for before, after in ((one, other), (other, one)):
        models = load(before), load(after)
        rows, text = " ".join(shown_rows(before, after)), shown_text(before, after)
        for change in masks_and_positions(models):
            assert all(each.text in rows and each.text in text for each in change if each)
        named = ("Attention / ", "Sequence mixing / ", "window")
        assert "Attention changed" not in text or any(each in rows for each in named)


def test_a_kind_of_attention_has_one_row() -> None:
    """That of the key/value heads; where there is none, the row of attention names it."""
    assert shown_rows("llama-2-7b", "mistral-7b-v0.1")[-2:] == [
        "FFN dimension / 11,008 → 14,336",
        "Attention / no sliding windows → windows of 4,096 tokens in 32 layers",
    ]
    (row,) = (row for row in shown_rows("mpt-7b", "mistral-7b-v0.1") if "Attention" in row)
    assert "multi-head attention (ALiBi" in row


@pytest.mark.parametrize("name", ["xlnet-base-cased", "chatglm2-6b", "t5-base"])
def test_masks_of_other_kinds_are_not_named(name: str) -> None:
    """Permutations, prompts in which all tokens see each other, and encoders with decoders."""
    for other in ("bert-base-uncased", "gpt2"):
        rows = " ".join(shown_rows(name, other))
        assert "causal" not in rows
        assert "bidirectional" not in rows


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("llama-7b", "mpt-7b"),
        ("falcon-7b", "falcon-rw-1b"),  # of one family
        ("baichuan-7b", "baichuan-13b"),
    ],
)
def test_positions_that_cost_nothing_have_a_row_and_a_sentence(one: str, other: str) -> None:
    (row,) = (row for row in shown_rows(one, other) if row.startswith("Attention / "))
    before, after = row.split(" → ")
    assert "rotary positions" in before
    assert "ALiBi" in after
    assert not [note for note in shown_notes(one, other) if "at no cost" in note]
    there, back = shown_text(one, other), shown_text(other, one)
    assert there.endswith("Attention changed from rotary positions to ALiBi.")
    assert back.endswith("Attention changed from ALiBi to rotary positions.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("c4ai-command-r7b-12-2024", "aya-23-8b"),  # two families
        ("mistral-7b-v0.1", "mistral-7b-v0.2"),  # a key of one family
    ],
)
def test_windows_have_one_sentence(one: str, other: str) -> None:
    for text in (shown_text(one, other), shown_text(other, one)):
        assert text.count("no sliding windows") == text.count(" changed from ") == 1


def test_heads_of_layers_that_differ_are_named() -> None:
    heads = (
        "16 key/value heads with 256 dimensions in 50 layers and 4 key/value heads with 512 "
        "dimensions in 10 layers"
    )
    (row,) = (r for r in shown_rows("gemma-3-27b-it", "gemma-4-31b") if r.startswith("Attention /"))
    before, after = row.split(" → ")
    assert "128 dimensions per head" in before
    assert heads in after


@pytest.mark.parametrize(
    ("name", "windows"),
    [
        ("longformer-base", "windows of 256 tokens to each side in 12 layers"),
        ("led-base-16384", "windows of 512 tokens to each side in 6 layers"),
        ("modernbert-base", "windows of 64 tokens to each side in 14 layers"),
    ],
)
def test_windows_of_encoders_are_named(name: str, windows: str) -> None:
    for other in ("roberta-base", "bart-base", "mistral-7b-v0.1"):
        for pair in ((name, other), (other, name)):
            (row,) = (row for row in shown_rows(*pair) if row.startswith("Attention / "))
            assert windows in row


@pytest.mark.parametrize(
    ("one", "other", "windows", "windows_of_other"),
    [
        # of another pattern
        (
            "longformer-base",
            "bigbird-roberta-base",
            "windows of 256 tokens to each side in 12 layers",
            "sparse attention pattern",
        ),
        # in another share of the layers
        (
            "gemma-4-31b",
            "gemma-3-27b-it",
            "windows of 1,024 tokens in 50 layers",
            "windows of 1,024 tokens in 52 layers",
        ),
    ],
)
def test_other_windows_are_named_both_ways(
    one: str, other: str, windows: str, windows_of_other: str
) -> None:
    for pair in ((one, other), (other, one)):
        (row,) = (row for row in shown_rows(*pair) if row.startswith("Attention / "))
        before, after = row.split(" → ") if pair == (one, other) else row.split(" → ")[::-1]
        assert windows in before
        assert windows_of_other in after


@pytest.mark.parametrize("name", ["phi-4-mini-instruct", "phi-3.5-moe-instruct"])
def test_windows_as_long_as_the_context_are_none(name: str) -> None:
    assert "windows" not in shown_text("phi-2", name) + shown_text(name, "phi-2")


def test_empty_layers_have_a_note() -> None:
    """The row on layers counts them; the diagram and the texts on parts don't."""
    note = "81 of the 162 layers of Llama-3.1-Nemotron-Ultra-253B are empty."
    assert note in shown_notes("vaultgemma-1b", "llama-3.1-nemotron-ultra-253b")
    assert not [note for note in shown_notes("gpt2", "llama-7b") if "empty" in note]


def test_sizes_that_stayed_beside_a_changed_width_have_a_note() -> None:
    assert (
        "LLaMA 7B with hidden dimension 8,192: Unchanged, although they usually change with the "
        "hidden dimension: attention heads (32) and FFN dimension (11,008)."
    ) in shown_notes("llama-7b", "llama-7b?hidden_dim=8192")


def test_lists_and_flags_read_as_things() -> None:
    (row,) = (each for each in shown_rows("llama-7b", "gemma-3n-e2b") if "Laurel" in each)
    assert row.endswith("none → embedding projection, and AltUp and Laurel")
    (row,) = (each for each in shown_rows("falcon-7b", "falcon-40b") if "Key/value" in each)
    assert row.startswith("Key/value heads and grouped key/value heads / 1 → 8 / no → yes")


def test_chunks_are_no_sliding_windows() -> None:
    text = shown_text("llama-7b", "llama-4-scout-17b-16e")
    assert "from no sliding windows to chunks of 8,192 tokens in 36 layers." in text


def test_windows_that_are_not_recorded_are_not_denied() -> None:
    assert "sliding windows" not in " ".join(shown_rows("bigbird-roberta-base", "mistral-7b-v0.1"))


def test_changes_are_relative_to_the_first_model() -> None:
    models = load("llama-7b"), load("llama-7b?num_layers=31&ffn_dim=11530")
    table, *_notes = difference_blocks(*models, ("table",), DifferenceOptions())
    assert isinstance(table, Table)
    assert [row.cells[1] for row in table.rows] == [
        cell("6,738,415,616"),
        cell("−202,383,360", "−3.0%"),
        cell("+205,258,752", "+3.0%"),
        cell("−6,414,336", "−0.1%"),
        cell("−3,538,944", "−0.1%"),
        cell("6,734,876,672"),
    ]


def test_every_number_of_a_change_is_relative_to_that_of_the_first_model() -> None:
    table, *_notes = difference_blocks(
        load("llama-2-7b"), load("llama-3-8b"), ("table",), DifferenceOptions()
    )
    assert isinstance(table, Table)
    # 131,072 of 524,288 bytes remain; the vocabulary doesn't change the cache
    cache = [row.cells[2] for row in table.rows[1:-1]]
    assert cache == [cell("0"), cell("−393,216", "−75.0%"), cell("0"), cell("−393,216", "−75.0%")]
    assert table.rows[-2].cells[3] == cell("+1,795,162,112", "+11.7%")


def test_very_large_changes_have_no_percentage() -> None:
    table, *_notes = difference_blocks(
        load("gpt2"), load("llama-7b"), ("table",), DifferenceOptions()
    )
    assert isinstance(table, Table)
    assert len(table.rows[-2].cells[1]) == 1  # 54 times as many parameters


def test_a_small_change_has_no_sentence_if_no_change_has_a_cache() -> None:
    """The change with the most KV cache has a sentence, but of none, the first isn't that one."""
    text = shown_text("eurobert-2.1b", "gte-multilingual-base")
    assert "hidden dimension" in text
    assert "vocabulary" not in text


@pytest.mark.parametrize("aspect", Aspect)
def test_parts_that_read_the_same_are_described_the_same(aspect: Aspect) -> None:
    """Differences compare descriptions, never their texts."""
    found = [describe_part_with_biases(load(each), aspect) for each in MODELS.values()]
    by_text = {each.text: each for each in found}
    assert [by_text[each.text] for each in found] == found
    assert len(set(found)) == len(by_text)


def test_numbers_are_no_difference_of_kind() -> None:
    """Neither are singular and plural: 1 shared expert and 2 of them."""
    configs = [{"model_type": "deepseek_v3", "n_shared_experts": number} for number in (1, 2)]
    one, other = (describe_part(load(config), Aspect.FEED_FORWARD) for config in configs)
    assert one != other
    assert one.about == other.about


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ("bert-base-uncased?is_decoder=true", "Attention became causal, so that each token sees"),
        (
            "mobilebert-uncased?narrow_attention=true",
            "The model now has queries, keys and values from the bottleneck",
        ),
        (
            "funnel-large?pool_q_only=false",
            "The model now has pooling of queries, keys and values in a block's first layer",
        ),
        ("qwen-72b?no_bias=false", "The model now has biases on all projections of a layer"),
        ("chatglm3-6b?rms_norm=false", "The model now has layer norms instead of RMS norms"),
        ("lfm2-700m?adjust_ffn_dim=false", "The model now has an unadjusted FFN dimension"),
        ("opt-125m?no_final_norm=true", "The model now has no norm after the layers"),
        ("gpt2?tie_embeddings=false", "The LM head has weights of its own"),
    ],
)
def test_flags_are_described_as_one_would_write(changed: str, text: str) -> None:
    name, _question_mark, _change = changed.partition("?")
    assert text in shown_text(name, changed)
    for found in (shown_text(name, changed), shown_text(changed, name)):
        assert " from no to yes" not in found
        assert " from yes to no" not in found


def test_names_of_keys_stand_for_themselves() -> None:
    """``multiple of this`` needs the key's name beside it."""
    families = map(family_named, {load(each).model_type for each in MODELS.values()})
    keys = {key for family in families for key in family.vocabulary.values()}
    assert not [key.name for key in keys if " this" in key_name(key)]


def test_flags_are_things_that_a_model_has() -> None:
    """A flag with another meaning than ``biases in attention`` has words for false, too."""
    several_things = re.compile("(?!no )([a-z]+ )?[a-z]+s (H × H )?(on|in|of|for|that|beside) ")
    flags = {key for key in all_keys() if key.kind is ValueKind.FLAG} - {k.TIE_EMBEDDINGS}
    without_words = {key for key in flags if key.name not in WORDS_FOR_FALSE}
    assert not [key.name for key in without_words if not several_things.match(key_name(key))]
    assert not WORDS_FOR_FALSE.keys() - {key.name for key in flags}
    texts = [flag_text(key, value) for key in flags for value in (False, True)]
    clause = re.compile(" (is|are|has|have|attend|read|uses?)( |$)|^(no )+(an?|no) ")
    assert not [text for text in texts if clause.search(text.partition(" that ")[0])]


def test_positions_of_some_layers_are_beside_those_of_all() -> None:
    text = shown_text("codellama-7b", "llama-4-scout-17b-16e")
    assert "from rotary positions in all layers to rotary positions in 36 of 48 layers" in text
    assert "in all layers" not in shown_text("llama-7b", "gpt2")


def test_details_do_not_repeat_the_biases() -> None:
    (attention,) = [row for row in shown_rows("deberta-xlarge", "arctic") if "(bid" in row]
    assert attention.startswith(
        "Attention / multi-head attention with relative positions and output projection biases "
        "(bidirectional, no KV cache) →"
    )


@pytest.mark.parametrize(
    ("one", "other", "row"),
    [
        ("llama-7b", "nemotron-h-8b", "FFN / gated FFN in 32 layers → FFN in 24 layers"),
        (
            "mixtral-8x7b",
            "nemotron-h-8b",
            "FFN / 8 experts (2 active) in 32 layers → FFN in 24 layers",
        ),
        (
            "llama-7b",
            "llama-3.3-nemotron-super-49b",
            "Attention / multi-head attention in 32 layers → grouped-query attention in 49 layers",
        ),
        (
            "jamba-v0.1",
            "zamba2-7b",
            "FFN / gated FFN in 16 layers and 16 experts (2 active) in 16 layers → gated FFN (with "
            "adapters, 2 sets of weights in 13 layers)",
        ),
        (
            "jamba-v0.1",
            "zamba2-7b",
            "Sequence mixing / Mamba in 28 layers and grouped-query attention in 4 layers → "
            "Mamba-2 in 81 layers and multi-head attention with 2 sets of weights in 13 layers",
        ),
        (
            "qwen3-30b-a3b",
            "zamba-7b-v1",
            "FFN / 128 experts (8 active) in 48 layers → gated FFN (the same weights in 13 layers)",
        ),
        (
            "llama-7b",
            "longcat-flash",
            "Attention / multi-head attention → multi-head latent attention (2 in each layer)",
        ),
        # attention has keys and values of the source in each decoder layer
        (
            "t5-base",
            "mamba-130m",
            "Sequence mixing / multi-head attention and cross-attention in 12 encoder layers and "
            "12 decoder layers → Mamba in 24 layers",
        ),
    ],
)
def test_layers_are_named_if_another_kind_is_in_others(one: str, other: str, row: str) -> None:
    assert row in shown_rows(one, other)


def test_a_gate_may_be_in_the_matrix_of_queries() -> None:
    (row,) = (r for r in shown_rows("qwen3-30b-a3b", "qwen3-next-80b-a3b") if "attention in" in r)
    assert row.endswith("and grouped-query attention in 12 layers (with output gate)")
    rows = " ".join(shown_rows("qwen3-next-80b-a3b", "step-3.5-flash"))
    assert "linear attention in 36 layers and" in rows
    assert "grouped-query attention (with output gate" not in rows
    assert "with q" not in rows


def test_single_letters_are_projections() -> None:
    text = " ".join(shown_rows("llama-3.1-8b", "gemma-4-31b"))
    assert "(V projection in 50 of 60 layers, " in text


@pytest.mark.presets
@pytest.mark.parametrize("name", [*SOME_PRESETS, "deberta-large"])
def test_every_flag_can_be_shown(name: str) -> None:
    """Also one whose matrices are used once for each score, such as DeBERTa's talking heads."""
    one = load(name)
    for key in one.family.keys:
        for value in ("true", "false") if key.kind is ValueKind.FLAG else ():
            try:
                other = load(f"{name}?{key.name}={value}")
            except ConfigError:  # without effect, or not without other changes
                continue
            assert difference_blocks(one, other, tuple(DIFFERENCE_VIEWS), DifferenceOptions())
