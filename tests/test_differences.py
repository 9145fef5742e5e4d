"""Differences of two models: the changed keys, their costs, and how pages show them."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from families import EVERY_PRESET, ONE_OF_EACH_FAMILY, PRESETS, SOME_PRESETS
from project import Build

from sphinx_llmsize import ConfigError, diff, load
from sphinx_llmsize.architecture.cost import next_token
from sphinx_llmsize.architecture.numbers_in_blocks import block_in_numbers
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Note, Paragraph, Table, cell
from sphinx_llmsize.cli import main
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import BoxKind, Mark
from sphinx_llmsize.diagram_connections import End, LineKind, ranks_of
from sphinx_llmsize.diagram_joints import JointKind
from sphinx_llmsize.diagram_tree import Fork, boxes_of, clusters_of
from sphinx_llmsize.differences.costs import Cost, cost_of, sum_of
from sphinx_llmsize.differences.difference import (
    ConfigChange,
    Difference,
    cumulative_difference,
    difference,
)
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.directives.page import MarkdownPage
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.drawing.spacing import MOST_WIDTH
from sphinx_llmsize.hosts.json import SCHEMA
from sphinx_llmsize.html.svg import draw_svg
from sphinx_llmsize.picture_widths import NARROW, WIDE
from sphinx_llmsize.views.difference.aligned_rows import (
    AlignedSection,
    Pair,
    aligned_sections,
)
from sphinx_llmsize.views.difference.changed_values import key_change_text
from sphinx_llmsize.views.difference.changes_without_cost import LABELS
from sphinx_llmsize.views.difference.counted_difference import (
    CountedDifference,
    DifferenceOptions,
    count_difference,
)
from sphinx_llmsize.views.difference.difference_view import DIFFERENCE_VIEWS, difference_blocks
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.marked_rows import marked_sections, rows_of_changed_keys
from sphinx_llmsize.views.difference.part_changes import PARTS_OF_KEYS, part_change_in_words
from sphinx_llmsize.views.numbers.role_text import role_text
from sphinx_llmsize.views.shared.folding import DASH

PAIRS = 160 if EVERY_PRESET else 12
MINE = "{hidden_dim: 8, num_layers: 2, num_heads: 2, vocab_size: 99}"
PAGES = 120 if EVERY_PRESET else 6
CHANGES = (
    *("hidden_dim*2", "num_layers*2", "num_heads/2", "num_kv_heads=1", "ffn_dim*1.5"),
    *("vocab_size=50257", "max_positions=2048", "tie_embeddings=true", "num_experts*2"),
)
SIZES = ("hidden_dim", "num_layers", "num_heads", "vocab_size")


def between(one: str, other: str) -> Difference:
    return difference(load(one), load(other), next_token(1024))


def row_costs(found: Difference) -> list[Cost]:
    changes = (*found.config_changes, *found.structure_changes)
    return [*(change.cost for change in changes), found.interaction]


def keys(change: ConfigChange) -> list[str]:
    return [each.key.name for each in change.key_changes]


def text_of(one: str, other: str) -> str:
    blocks = difference_blocks(load(one), load(other), ("text",), DifferenceOptions())
    return "".join(str(piece) for block in blocks for piece in block.content)  # type: ignore[union-attr]


def test_a_row_for_each_changed_key_in_order() -> None:
    found = between("llama-2-7b", "llama-3-8b")
    changed = ["vocab_size", "num_kv_heads", "ffn_dim"]
    assert [keys(change) for change in found.config_changes] == [[name] for name in changed]
    vocabulary, kv_heads, *_others = (change.cost for change in found.config_changes)
    assert vocabulary.parameters == 2 * (128_256 - 32_000) * 4096
    assert kv_heads.cache == 2 * 32 * (8 - 32) * 128
    assert found.interaction == Cost()


def test_each_key_is_changed_alone() -> None:
    one, other = load("llama-2-7b"), load("llama-2-70b")
    # sizes that follow from others keep their values too
    others = {"head_dim": 128, "num_kv_heads": 32}
    for change in difference(one, other, next_token(8)).config_changes:
        (key,) = change.key_changes
        changed = load("llama-2-7b", {**others, key.key.name: key.after})
        assert change.cost == cost_of(changed, next_token(8)) - cost_of(one, next_token(8))


def test_a_change_that_is_impossible_alone_is_counted_as_the_last_one() -> None:
    grouped = between("falcon-7b", "falcon-40b").config_changes[-1]
    assert keys(grouped) == GROUPED_HEADS
    # 8 key/value heads of 64 in place of a single one, in 60 layers
    assert grouped.cost.cache == 60 * 2 * 7 * 64
    assert between("falcon-7b", "falcon-40b").interaction.cache == 0


def test_what_depends_on_the_order_is_a_cost_of_its_own() -> None:
    one, wider, deeper = "gpt2", "gpt2?ffn_dim=4096", "gpt2?ffn_dim=4096&num_layers=24"
    found = between(one, deeper)
    alone = between(one, wider).total + between(one, "gpt2?num_layers=24").total
    assert found.interaction == found.total - alone
    # either change costs this much more if the other one is made first
    after = between(wider, deeper).total - between(one, "gpt2?num_layers=24").total
    assert found.interaction == after


def test_keys_that_cannot_change_alone_change_at_the_same_time() -> None:
    # 12 heads do not divide 1,600 dimensions
    assert [keys(change) for change in between("gpt2", "gpt2-xl").config_changes] == [
        ["hidden_dim", "num_heads"],
        ["num_layers"],
        ["ffn_dim"],
    ]


GROUPED_HEADS = ["num_kv_heads", "grouped_kv_heads"]
"""Keys of Falcon: without the second one, no tensor depends on the first one."""
EXPERTS = ["num_experts", "num_experts_per_token", "num_shared_experts", "ffn_dim"]
KINDS = ["num_mamba_heads", "mamba_width", "layer_types"]
"""Keys of Granite 4.0: without Mamba layers, no tensor depends on the first two."""


@pytest.mark.parametrize(
    ("one", "other", "groups"),
    [
        ("bart-base", "bart-large", [["hidden_dim", "num_encoder_heads", "num_decoder_heads"]]),
        ("zamba2-2.7b", "zamba2-7b", [["num_layers", "layer_types"]]),
        ("qwen2-vl-72b", "qwen2-vl-2b", [["hidden_dim", "num_heads", "num_kv_heads"]]),
        (
            "gemma-4-e2b",
            "gemma-4-26b-a4b",
            [
                ["num_global_kv_heads", "keys_as_values"],
                ["double_wide_mlp", "num_shared_kv_layers"],
                ["num_experts", "num_experts_per_token", "expert_dim", "has_experts"],
            ],
        ),
        ("llama-2-7b", "llama-2-7b?num_heads=16", [["num_heads", "num_kv_heads"]]),
        ("granite-4.0-micro", "granite-4.0-h-micro", [KINDS]),
        ("granite-4.0-h-micro", "granite-4.0-micro", [KINDS]),
        ("qwen-1.8b", "qwen-7b", [["hidden_dim", "num_heads"], ["ffn_dim", "gate_up_dim"]]),
        ("falcon-40b", "falcon-11b", [["hidden_dim", "num_heads"]]),
        # neither depends on its number of key/value heads: it has one, or as many as query heads
        ("falcon-7b", "falcon-rw-1b", [["hidden_dim", "num_heads"]]),
        ("falcon-rw-1b", "falcon-7b", [["hidden_dim", "num_heads"]]),
        # 8 key/value heads don't fit 71 query heads, so they are changed after these
        ("falcon-7b", "falcon-40b", [["hidden_dim", "num_heads"], GROUPED_HEADS]),
        ("falcon-40b", "falcon-7b", [GROUPED_HEADS, ["hidden_dim", "num_heads"]]),
        # a width of an FFN doesn't become that of experts, in a change of its own
        ("xverse-moe-a4.2b", "xverse-7b", [["hidden_dim", "ffn_dim", *EXPERTS[:-1]]]),
        # query heads don't share more key/value heads, or a number that doesn't divide theirs
        ("command-r-v01", "llama-3-8b", [["num_heads", "num_kv_heads"]]),
        ("smollm2-1.7b", "smollm3-3b", [["num_heads", "num_kv_heads"]]),
        ("zamba-7b-v1", "zamba2-7b", [["num_heads", "num_kv_heads"]]),
        ("xlm-roberta-large", "bge-reranker-large", [["num_labels", "architectures"]]),
    ],
)
def test_only_keys_that_need_each_other_change_together(
    one: str, other: str, groups: list[list[str]]
) -> None:
    changes = [keys(change) for change in between(one, other).config_changes]
    assert [names for names in changes if len(names) > 1] == groups


def test_sizes_that_two_families_share_are_the_same_in_both() -> None:
    """Also those that one family derives, such as the head dimension of Qwen2.5."""
    for pair in (("llama-2-70b", "mistral-7b-v0.1"), ("seed-oss-36b", "qwen2.5-math-7b")):
        found = between(*pair)
        assert {change.cost for change in found.structure_changes} == {Cost()}
    sizes = {"hidden_dim": 64, "num_layers": 2, "num_kv_heads": 4, "ffn_dim": 99, "vocab_size": 9}
    one = load("one", {"model_type": "llama", "num_heads": 8, **sizes})
    other = load("other", {"model_type": "mistral", "num_heads": 16, **sizes})
    found = difference(one, other, next_token(8))
    assert {change.cost for change in found.structure_changes} == {Cost()}
    # encoder and decoder have a size each, or share one
    found = between("t5-base", "bart-large")
    assert ["num_heads"] in [keys(change) for change in found.config_changes]
    assert ["ffn_dim"] in [keys(change) for change in found.config_changes]


@pytest.mark.parametrize(
    ("one", "other", "aspect", "texts"),
    [
        (
            "albert-large-v2",
            "electra-base-discriminator",
            Aspect.FEED_FORWARD,
            ("FFN (the same weights in 24 layers)", "FFN"),
        ),
        (
            "gpt2",
            "gpt-neo-125m",
            Aspect.SEQUENCE,
            (
                "multi-head attention (with biases, no sliding windows)",
                "multi-head attention (with output projection biases, windows of 256 tokens in "
                "6 layers)",
            ),
        ),
        (
            "olmo-1b",
            "olmo-2-0425-1b",
            Aspect.NORMS,
            (
                "33 norms without weights (before each block)",
                "33 RMS norms (on the output of each block), plus Q and K norms in 16 layers",
            ),
        ),
        (
            "deepseek-v2-lite",
            "mixtral-8x7b",
            Aspect.FEED_FORWARD,
            (
                # their numbers have rows of their own
                "gated FFN (10,944 wide) in 1 layer and experts plus 2 shared experts in 26 layers",
                "experts",
            ),
        ),
        # the words on the second model are on itself, not on one of its family with other sizes
        (
            "zamba-7b-v1",
            "zamba2-7b",
            Aspect.SEQUENCE,
            (
                "Mamba in 76 layers and multi-head attention with the same weights in 13 layers",
                "Mamba-2 in 81 layers and multi-head attention with 2 sets of weights in 13 layers",
            ),
        ),
        (
            "plbart-base",
            "led-base-16384",
            Aspect.EMBEDDING,
            (
                "position embedding (encoder) 1,026 × 768, position embedding (decoder) 1,026 × "
                "768, with 2 reserved rows of positions",
                "position embedding (encoder) 16,384 × 768, position embedding (decoder) 1,024 × "
                "768",
            ),
        ),
        # unless only its sizes make up for the difference
        (
            "zamba-7b-v1",
            "zamba2-7b",
            Aspect.RESIDUAL,
            (
                "in 13 layers, at the sizes of Zamba 7B v1",
                "in 12 layers, at the sizes of Zamba 7B v1",
            ),
        ),
        (
            "deepseek-v3",
            "deepseek-v3.2",
            Aspect.SEQUENCE,
            ("multi-head latent attention", "multi-head latent attention (with indexer)"),
        ),
        (
            "gemma-3-4b-it",
            "gemma-3n-e4b",
            Aspect.SEQUENCE,
            (
                "grouped-query attention (windows of 1,024 tokens in 29 layers)",
                "grouped-query attention (K and V projections in 20 of 35 layers, windows of 512 "
                "tokens in 28 layers)",
            ),
        ),
        (
            "longformer-base",
            "bigbird-roberta-base",
            Aspect.SEQUENCE,
            (
                "multi-head attention (with global Q, K and V projections, windows of 256 tokens "
                "to each side in 12 layers)",
                "multi-head attention (sparse attention pattern)",
            ),
        ),
        (
            "mimo-v2-flash",
            "mimo-7b",
            Aspect.SEQUENCE,
            (
                "grouped-query attention (with sinks, without biases, windows of 129 tokens in 39 "
                "layers)",
                "grouped-query attention (with Q, K and V biases, no sliding windows)",
            ),
        ),
        # biases of other matrices, in parts of other kinds
        (
            "phi-2",
            "telechat2-3b",
            Aspect.FEED_FORWARD,
            ("FFN with biases", "gated FFN with down projection biases"),
        ),
        (
            "gpt-neo-125m",
            "qwen2.5-7b",
            Aspect.SEQUENCE,
            (
                "multi-head attention with output projection biases (absolute positions, windows "
                "of 256 tokens in 6 layers)",
                "grouped-query attention with Q, K and V biases (rotary positions, no sliding "
                "windows)",
            ),
        ),
        (
            "llama-3.1-70b",
            "llama-3.3-nemotron-super-49b",
            Aspect.SEQUENCE,
            (
                "grouped-query attention (in 80 layers)",
                "grouped-query attention (in 49 layers)",
            ),
        ),
    ],
)
def test_replaced_parts_in_words(
    one: str, other: str, aspect: Aspect, texts: tuple[str, str]
) -> None:
    found = between(one, other)
    (change,) = (each for each in found.structure_changes if each.aspect is aspect)
    assert part_change_in_words(found, change) == texts


def _structure_changes(one: str, other: str) -> dict[Aspect, StructureChange]:
    return {change.aspect: change for change in between(one, other).structure_changes}


@pytest.mark.parametrize(
    ("one", "other", "cost"),
    [
        # Q, K and V biases in GLM, which in Llama would be on the output projection too
        ("glm-4-9b-0414", "llama-3-8b", -40 * (4096 + 2 * 2 * 128)),
        ("glm-4.5-air", "gemma-2-2b", -46 * (96 + 2 * 8) * 128),
    ],
)
def test_a_flag_on_other_biases_changes_with_the_architecture(
    one: str, other: str, cost: int
) -> None:
    found = between(one, other)
    assert ["attention_bias"] not in [keys(change) for change in found.config_changes]
    assert _structure_changes(one, other)[Aspect.SEQUENCE].cost.parameters == cost


def test_a_flag_that_ties_other_tables_changes_with_the_architecture() -> None:
    """In BART, it also ties the token embedding of the decoder."""
    found = between("aquila2-34b", "distilbart-cnn-12-6")
    assert ["tie_embeddings"] not in [keys(change) for change in found.config_changes]
    (change,) = (c for c in found.structure_changes if c.aspect is Aspect.EMBEDDING)
    assert change.cost.parameters == 2 * 1026 * 6144  # the positions of encoder and decoder


def test_biases_with_a_row_of_their_own_are_not_in_the_words_on_attention() -> None:
    found = between("pythia-70m", "qwen3-8b")
    assert ["attention_bias"] in [keys(change) for change in found.config_changes]
    (change,) = (c for c in found.structure_changes if c.aspect is Aspect.SEQUENCE)
    texts = part_change_in_words(found, change)
    assert texts == (
        "multi-head attention (64 dimensions per head)",
        "grouped-query attention (128 dimensions per head)",
    )


COMPARED_WIDTHS = [
    ("gpt2", "opt-1.3b"),
    ("opt-1.3b", "gpt2"),
    ("qwen1.5-14b", "opt-1.3b"),
    ("bloom-560m", "opt-125m"),
    ("opt-125m", "opt-1.3b"),
    ("deberta-base", "glm-4-9b-0414"),
    ("phi-4", "electra-base-discriminator"),
]


@pytest.mark.parametrize(("one", "other"), COMPARED_WIDTHS)
def test_no_row_counts_components_that_neither_model_has(one: str, other: str) -> None:
    """OPT's embedding dimension follows the hidden dimension, so nothing is projected."""
    found = between(one, other)
    known = load(one).components.keys() | load(other).components.keys()
    for change in (*found.config_changes, *found.structure_changes):
        for model in change.models:
            assert model.components.keys() <= known


def test_the_head_has_no_row_if_only_its_sizes_and_tying_change() -> None:
    heads = [_structure_changes(*pair)[Aspect.HEAD] for pair in COMPARED_WIDTHS[:4]]
    assert [change.cost for change in heads] == [Cost()] * 4
    # 2,048 positions and 2 reserved rows
    embeddings = _structure_changes("qwen1.5-14b", "opt-1.3b")[Aspect.EMBEDDING]
    assert embeddings.cost.parameters == 2050 * 5120


def test_embeddings_and_head_are_described_as_they_are_counted() -> None:
    """The vocabulary has a row of its own, so it is the same in both."""
    found = between("falcon-7b", "exaone-3.5-7.8b")
    assert "hidden_dim" in [each.key.name for each in found.with_structure]
    texts = {c.aspect: part_change_in_words(found, c) for c in found.structure_changes}
    assert texts[Aspect.EMBEDDING] == ("65,024 × 4,544", "65,024 × 4,096")
    cumulative = cumulative_difference(found.one, found.other, next_token(1024))
    texts = {c.aspect: part_change_in_words(cumulative, c) for c in cumulative.structure_changes}
    assert texts[Aspect.EMBEDDING] == ("102,400 × 4,544", "102,400 × 4,096")


@pytest.mark.parametrize(
    ("one", "other"), [("bloom-3b", "qwen3-30b-a3b"), ("ettin-encoder-1b", "qwen3-embedding-4b")]
)
def test_the_hidden_dimension_has_a_row_although_its_heads_get_another_size(
    one: str, other: str
) -> None:
    found = between(one, other)
    assert any("hidden_dim" in keys(change) for change in found.config_changes)
    assert "hidden_dim" not in [each.key.name for each in found.with_structure]


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        ("llama-7b", "mpt-7b", ("gated FFN (11,008 wide)", "FFN (16,384 wide)")),
        ("llama-7b", "bloom-7b1", ("gated FFN (11,008 wide)", "FFN with biases (16,384 wide)")),
        # a row of its own
        ("llama-7b", "gpt2", ("gated FFN", "FFN with biases")),
        (
            "llama-7b",
            "bart-base",
            (
                "gated FFN in 32 layers",
                "FFN with biases in 6 encoder layers and 6 decoder layers",
            ),
        ),
        # a row of its own for the dense networks only, or for the experts only
        (
            "llama-3-8b",
            "deepseek-v3",
            (
                "gated FFN",
                "gated FFN in 3 layers and 256 experts (8 active, 2,048 wide) plus 1 shared expert "
                "in 58 layers",
            ),
        ),
        (
            "mixtral-8x7b",
            "deepseek-v3",
            (
                "experts",
                "gated FFN (18,432 wide) in 3 layers and experts plus 1 shared expert in 58 layers",
            ),
        ),
        # a row of its own for some of the widths
        (
            "pythia-2.8b",
            "gemma-4-e2b",
            ("FFN with biases", "gated FFN (6,144 and 12,288 wide)"),
        ),
        # in a note
        ("mistral-7b-v0.1", "mixtral-8x7b", ("gated FFN", "8 experts (2 active)")),
        # fused and separate matrices of gates
        (
            "chatglm3-6b",
            "ministral-3-14b",
            (
                "gated FFN (down projection 13,696 × 4,096)",
                "gated FFN (down projection 13,696 × 5,120)",
            ),
        ),
    ],
)
def test_widths_of_feed_forward_networks_are_named_once(
    one: str, other: str, texts: tuple[str, str]
) -> None:
    found = between(one, other)
    (change,) = (c for c in found.structure_changes if c.aspect is Aspect.FEED_FORWARD)
    assert part_change_in_words(found, change) == texts


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ("granite-4.0-h-tiny", "granite-4.0-micro", "36 mamba, 4 attention → 40 attention"),
        (
            "gemma-4-e2b",
            "gemma-4-26b-a4b",
            "28 sliding_attention, 7 full_attention → the default",
        ),
    ],
)
def test_lists_of_layers_are_counted(one: str, other: str, text: str) -> None:
    (change,) = (c for c in between(one, other).config_changes if "layer_types" in keys(c))
    (kinds,) = (each for each in change.key_changes if each.key.name == "layer_types")
    assert key_change_text(kinds) == text


def test_the_width_of_a_dense_network_is_not_that_of_experts() -> None:
    found = between("gemma-3-27b-it", "minimax-m2")
    assert "ffn_dim" not in [name for change in found.config_changes for name in keys(change)]
    assert [(each.before, each.after) for each in found.with_structure] == [(21_504, 1536)]
    # such as the number of experts, which falls to 0 in granite-4.0-micro
    found = between("granite-4.0-h-tiny", "granite-4.0-micro")
    (together,) = (keys(change) for change in found.config_changes if "ffn_dim" in keys(change))
    assert set(together) == {"ffn_dim", "num_experts", "num_experts_per_token", "shared_expert_dim"}


def test_key_value_heads_in_proportion_to_very_many_heads() -> None:
    # with a loop over all numbers up to 10¹² to find the divisors, this would not end
    config = {"model_type": "gpt2", "n_embd": 10**12, "n_head": 10**12, "n_layer": 2}
    many = load("Many heads", config)
    found = difference(many, load("llama-3-8b"), next_token(1024))
    replaced = {change.aspect: change.after for change in found.structure_changes}
    assert replaced[Aspect.SEQUENCE].config.sizes[H_KV] == 10**12 // 4


def test_other_families_share_sizes_and_replace_parts() -> None:
    found = between("mistral-7b-v0.1", "mixtral-8x7b")
    assert not found.config_changes
    costs = {
        change.aspect: change.cost for change in found.structure_changes if change.cost != Cost()
    }
    assert costs == {Aspect.FEED_FORWARD: found.total}


def changed(name: str, chosen: random.Random) -> str:
    """A preset with up to three random changes; without any if it refuses those that were drawn."""
    changes = "&".join(chosen.sample(CHANGES, chosen.randrange(4)))
    try:
        load(f"{name}?{changes}")
    except ConfigError:
        return name
    return f"{name}?{changes}"


def pair(seed: int) -> tuple[str, str]:
    """Two random models with random changes: of one preset, of one family, or of two."""
    chosen = random.Random(seed)
    one = chosen.choice(PRESETS)
    relatives = [name for name in PRESETS if load(name).family is load(one).family]
    others = ([one], relatives, ONE_OF_EACH_FAMILY)[seed % 3]
    return changed(one, chosen), changed(chosen.choice(others), chosen)


@pytest.mark.presets
@pytest.mark.parametrize("seed", range(PAIRS))
def test_parts_that_cost_something_have_other_names(seed: int) -> None:
    """Nothing costs something in words that are the same before and after."""
    names = random.Random(seed).sample(ONE_OF_EACH_FAMILY, 2)
    found = between(*names)
    for change in found.structure_changes:
        before, after = part_change_in_words(found, change)
        assert before != after or change.cost == Cost()


def test_experts_are_compared_if_only_one_model_has_shared_ones() -> None:
    found = between("ling-1t", "ernie-4.5-300b-a47b")
    texts = [part_change_in_words(found, change) for change in found.structure_changes]
    assert (
        "gated FFN in 4 layers and experts plus 1 shared expert in 76 layers",
        "gated FFN in 3 layers and experts in 51 layers",
    ) in texts


def adds_up(blocks: tuple[Block, ...]) -> bool:
    """True if the rows of each column of the table add up to the difference of the models."""
    (table,) = (block for block in blocks if isinstance(block, Table))
    for position in range(1, len(table.columns)):
        texts = [str(row.cells[position][0][0]) for row in table.rows]
        first, *changes, total, last = (int(t.replace(",", "").replace("−", "-")) for t in texts)
        if not sum(changes) == total == last - first:
            return False
    return True


@pytest.mark.presets
@pytest.mark.parametrize("seed", range(PAIRS))
def test_costs_add_up_in_both_directions(seed: int) -> None:
    one, other = pair(seed)
    forth, back = between(one, other), between(other, one)
    assert sum_of(row_costs(forth)) == forth.total == -back.total
    assert forth.total.parameters == load(other).total - load(one).total
    assert forth.total.active == load(other).active - load(one).active
    cumulative = cumulative_difference(load(one), load(other), next_token(1024))
    assert (cumulative.total, cumulative.interaction) == (forth.total, Cost())
    same = between(one, one)
    assert (same.config_changes, same.structure_changes, same.total) == ((), (), Cost())
    blocks = difference_blocks(load(one), load(other), tuple(DIFFERENCE_VIEWS), DifferenceOptions())
    assert not (forth.config_changes or forth.structure_changes) or adds_up(blocks)


HEADS = (("command-r-v01", "llama-3-8b"), ("smollm2-1.7b", "smollm3-3b"))
"""Models in which fewer query heads are possible only with fewer key/value heads."""


@pytest.mark.presets
@pytest.mark.parametrize("models", [*HEADS, *range(PAIRS)])
def test_no_row_has_the_change_of_another(models: tuple[str, str] | int) -> None:
    found = between(*(pair(models) if isinstance(models, int) else models))
    changes = [
        each for change in found.config_changes for each in change.key_changes if each.is_shared
    ]
    for row in found.config_changes:
        for each in changes:
            before, after = (model.config.sizes for model in (row.before, row.after))
            symbol = each.key.symbol
            if each not in row.key_changes and symbol in before and symbol in after:
                assert before[symbol] == after[symbol], (each.key.name, keys(row))


@pytest.mark.presets
def test_pages_of_random_pairs(build: Build) -> None:
    """No pair causes a warning, whether its models are released ones, changed or described."""
    page = f"Differences\n===========\n\n.. llm-size:: mine\n\n   {MINE}\n"
    for seed in range(PAGES):
        one, other = pair(1000 + seed)
        page += f"\n.. llm-diff:: {one}, {'mine?num_layers*2' if seed % 9 == 0 else other}\n"
    assert build({"index.rst": page}, llmsize_diagram="svg", llmsize_math="mathml").log == ""


def test_cumulative_costs_are_each_after_those_before() -> None:
    one, other = load("llama-2-7b"), load("llama-2-70b")
    found = cumulative_difference(one, other, next_token(8))
    assert found.interaction == Cost()
    *_others, last = found.config_changes
    assert keys(last) == ["ffn_dim"]
    narrow = load("llama-2-70b", {"ffn_dim": 11_008})
    assert last.cost == cost_of(other, next_token(8)) - cost_of(narrow, next_token(8))


def test_a_changed_model_names_its_changes_in_the_order_of_the_rows() -> None:
    one, other = load("m2m100-418m"), load("umt5-small")
    found = cumulative_difference(one, other, next_token(8))
    changed = [change.key.name for change in found.structure_changes[0].before.changes]
    assert changed == [name for change in found.config_changes for name in keys(change)]


def test_another_class_names_what_only_one_of_them_has() -> None:
    (table,) = (
        block
        for block in difference_blocks(
            load("funnel-small"), load("funnel-small-base"), ("table",), DifferenceOptions()
        )
        if isinstance(block, Table)
    )
    assert table.rows[1].cells[0] == cell(
        "Class in transformers", "FunnelModel → FunnelBaseModel", "without decoder layers"
    )


def test_equal_models_have_no_difference() -> None:
    assert text_of("gpt2", "gpt2") == "Both are GPT-2 small, so nothing differs."
    assert text_of("glm-4.5", "glm-4.6") == (
        "GLM-4.5 and GLM-4.6 have the same sizes."
        "The longest context grew from 131,072 to 202,752 tokens."
        "GLM-4.5: The released files hold 358,337,791,296 values, "
        "since they include the uncounted parts."
        "GLM-4.6: The released files hold 356,785,898,816 values, "
        "since they include the uncounted parts."
    )
    assert between("gpt2", "gpt2?num_layers=12").total == Cost()


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        (
            ("llama-2-7b", "llama-3-8b"),
            "The vocabulary grew from 32,000 to 128,256 tokens: 788,529,152 more parameters "
            "(+11.7%).",
        ),
        (
            ("llama-2-7b", "llama-3-8b"),
            "The number of key/value heads fell from 32 to 8: 805,306,368 fewer parameters "
            "(−12.0%) and 393 kB less KV cache per token.",
        ),
        (
            ("qwen3-30b-a3b", "qwen3-30b-a3b?num_experts_per_token=4"),
            "Qwen3 30B-A3B with 4 experts per token has 906M fewer active parameters.",
        ),
        (
            ("mixtral-8x7b", "deepseek-v3"),  # the hidden dimension costs more parameters
            "Attention changed from grouped-query attention to multi-head latent attention: 94.2 "
            "kB less KV cache per token.",
        ),
        (
            ("mixtral-8x7b", "deepseek-v3"),
            "The number of experts per token rose from 2 to 8: 33.8B more active parameters.",
        ),
        (
            ("gemma-4-e4b", "falcon3-7b"),
            "The number of layers fell from 42 to 28: 2,280,578,304 fewer parameters (−30.6%) and "
            "34.8 kB less KV cache per token.",
        ),
        (
            ("mistral-7b-v0.1", "mixtral-8x7b"),
            "A router and 8 experts (2 active) replace the gated FFN.",
        ),
        (
            ("mixtral-8x7b", "mistral-7b-v0.1"),
            "A single gated FFN replaces the router and 8 experts (2 active).",
        ),
        (
            ("mistral-7b-v0.1", "mixtral-8x7b"),
            "Mixtral 8x7B has 39,461,060,608 more parameters (5.64B of them active) than Mistral "
            "7B v0.1: 46.7B instead of 7.24B.",
        ),
        (
            ("arctic", "qwen3-coder-480b-a35b-instruct"),  # of which 18.2B can't be active
            "Qwen3 Coder 480B-A35B has 1,570,266,624 more parameters (18.2B more active) than ",
        ),
        (
            ("gpt2", "gpt2?tie_embeddings=false"),
            "The LM head has weights of its own, no longer those of the token embedding.",
        ),
        (("gpt2", "gpt2-xl"), "Hidden dimension (768 → 1,600) and attention heads (12 → 25)"),
        (
            ("gpt2", "gpt2?num_heads=6"),
            "parameters, 124,439,808. The number of attention heads fell from 12 to 6.",
        ),
        (
            ("deepseek-v3", "kimi-k2"),
            "Kimi K2 has 355,381,805,056 more parameters (4.69B fewer active) than DeepSeek-V3",
        ),
        (
            ("llama-2-7b", "llama-2-7b?attention_bias=true"),
            "The model now has biases in attention.",
        ),
        (
            ("openelm-270m", "openelm-270m?normalize_qk_projections=false"),
            "The model now has no norms on queries and keys.",
        ),
        (("zaya1-8b", "zaya1-8b?lm_head_bias=true"), "The model now has a bias on the LM head."),
        (("conv-bert-base", "roberta-base"), "A head was added (pooler): "),
        (
            ("afm-4.5b", "mamba-1.4b"),
            "The feed-forward networks were removed (FFN in 36 layers): 3,397,386,240 fewer ",
        ),
        (
            ("apertus-70b", "funnel-intermediate"),
            "Steps were added to the residual connections (pooling to half the length and ",
        ),
        (
            ("deepseek-v3", "deepseek-v3?num_first_dense_layers=1"),
            "The number of dense layers at the start fell from 3 to 1.",
        ),
        (
            ("mistral-7b-v0.1", "mistral-7b-v0.1?sliding_window=512"),
            "Attention changed from windows of 4,096 tokens in 32 layers to windows of 512 tokens",
        ),
        (("gpt2", "gpt2?vocab_size=1"), "The vocabulary shrank from 50,257 to 1 token."),
        (
            ("mixtral-8x7b", "rwkv-4-169m-pile"),  # not "a channel mixing"
            "The FFN changed from 8 experts (2 active) to channel mixing: ",
        ),
        (
            ("led-base-16384", "jamba-v0.1"),
            "The sequence mixing changed from multi-head attention and cross-attention with biases "
            "in 6 encoder layers and 6 decoder layers (absolute positions, with global Q, K "
            "and V projections, windows of 512 tokens to each side in 6 layers) to Mamba in 28 "
            "layers and grouped-query attention in 4 layers (no position encoding, no sliding "
            "windows)",
        ),
        (
            ("llama-3.1-nemotron-ultra-253b", "starcoderbase-7b"),
            "Attention changed from grouped-query attention in 64 layers (rotary positions) to "
            "multi-query attention with biases in 42 layers (absolute positions): ",
        ),
        (("llama-2-13b", "gpt2"), "The FFN changed from gated FFN to FFN with biases. "),
        (
            ("bloom-560m", "gpt-oss-120b"),
            "A router and 128 experts (4 active, 2,880 wide) replace the FFN (4,096 wide): ",
        ),
        (("gpt2", "gpt2?max_positions=1025"), "768 more parameters than GPT-2 small. "),
        (("gpt2", "llama-7b"), "6,613,975,808 more parameters than GPT-2 small: 6.74B instead of "),
        (("gpt2", "llama-7b"), "The changes interact: 5,080,456,960 more parameters and 266 kB "),
    ],
)
def test_sentences(models: tuple[str, str], sentence: str) -> None:
    assert sentence in text_of(*models)


def test_costs_in_sentences_are_the_largest() -> None:
    """Those with the most parameters, then active ones or KV cache; of others, none is omitted."""
    randomly = random.Random(4)
    pairs = [randomly.sample(PRESETS, 2) for _ in range(PAIRS)]
    for one, other in [("llama-3.1-70b", "jamba-1.5-mini"), *pairs]:
        counted = count_difference(load(one), load(other), DifferenceOptions())
        costs = [each.cost for each in listed_changes(counted) if each.cost.parameters]
        costs.sort(key=lambda cost: abs(cost.parameters), reverse=True)
        # a change that is the whole difference has its number in the sentence on the totals
        numbers = re.findall("([0-9,]+) (?:more|fewer) param", text_of(one, other))
        named = [f"{abs(cost.parameters):,}" in numbers for cost in costs]
        assert all(named[:3]), (one, other)
        most_cache = max(costs, key=lambda cost: abs(cost.cache), default=Cost())
        most_active = max(costs, key=lambda cost: abs(cost.active), default=Cost())
        others = [
            n for n, cost in zip(named, costs, strict=True) if cost not in (most_cache, most_active)
        ]
        assert others == sorted(others, reverse=True), (one, other)


@pytest.mark.parametrize(
    ("one", "other", "mixing"),
    [
        (
            "mamba-2.8b",
            "distilbert-base-cased",
            "Mamba (causal) to multi-head attention with biases (bidirectional)",
        ),
        (
            "qwen3-30b-a3b",
            "zamba-7b-v1",
            "grouped-query attention in 48 layers (rotary positions) to Mamba in 76 layers and "
            "multi-head attention with the same weights in 13 layers (no position encoding)",
        ),
        (
            "olmo-hybrid-7b",
            "mamba-2.8b",
            "linear attention in 24 layers and multi-head attention in 8 layers to Mamba",
        ),
    ],
)
def test_mixing_of_another_kind_has_the_only_sentence_on_attention(
    one: str, other: str, mixing: str
) -> None:
    text = text_of(one, other)
    assert f"The sequence mixing changed from {mixing}" in text
    assert "Attention changed" not in text


def diagram(one: str, other: str) -> Diagram:
    (found,) = difference_blocks(load(one), load(other), ("diagram",), DifferenceOptions())
    assert isinstance(found, Diagram)
    return found


def sections_with_marks(counted: CountedDifference) -> list[AlignedSection]:
    """The sections of both pipelines, with the marks of their boxes."""
    aligned = aligned_sections(counted.difference.models)
    return marked_sections(counted, aligned, rows_of_changed_keys(counted, aligned))


def is_marked(pair: Pair) -> bool:
    one, other = pair
    return not (one and other and one.is_like(other))


def boxes(one: str, other: str) -> list[tuple[str, str]]:
    return [(box.title, box.mark.value) for box in diagram(one, other).boxes if box.mark]


def test_pipelines_side_by_side_neither_fork_nor_join() -> None:
    kinds = {joint.kind for joint in diagram("gpt2", "llama-7b").joints}
    assert kinds == {JointKind.FRAME}


@pytest.mark.parametrize(
    ("one", "other"),
    [("t5-base", "bart-base"), ("olmo-7b", "olmo-2-1124-7b"), ("gpt2", "opt-350m")],
)
def test_blocks_are_aligned_if_norms_moved(one: str, other: str) -> None:
    boxes = [box for box in diagram(one, other).boxes if "attention" in box.title.lower()]
    blocks = [box for box in boxes if "norm" not in box.title]
    assert not {box.mark for box in blocks} & {Mark.ADDED, Mark.REMOVED}


@pytest.mark.parametrize(
    ("one", "other"), [("mixtral-8x7b", "nemotron-h-8b"), ("nemotron-h-8b", "mixtral-8x7b")]
)
def test_layers_with_one_block_each_are_in_the_order_of_the_other_model(
    one: str, other: str
) -> None:
    """A layer of Nemotron-H has a mixer, attention or an FFN, so all orders of these are right."""
    in_one_model = [title for title, mark in boxes(one, other) if mark in {"added", "removed"}]
    assert in_one_model == ["Input norm", "Mamba-2"]


def test_the_diagram_marks_boxes_in_both_lanes() -> None:
    first, second = ("Final norm", "same"), ("LM head", "same")
    assert boxes("gpt2", "gpt2?max_positions=2048")[-2:] == [first, second]
    shown = boxes("gpt2", "llama-7b")
    half = len(shown) // 2
    assert shown[1] == ("⊕ Position embedding", "removed")
    assert shown[half + 1] == ("–", "missing")  # so that the next stages are aligned
    assert ("FFN", "changed") in shown[:half]
    assert ("Gated FFN", "changed") in shown[half:]
    assert ("Cross-attention", "added") in boxes("bert-base-uncased", "t5-base")


def test_the_diagram_marks_what_boxes_have_in_common() -> None:
    """The number of layers beside their frame, and weights that a rounded number doesn't show."""
    deeper = diagram("gpt2", "gpt2?num_layers=13")
    (fork,) = deeper.items
    assert isinstance(fork, Fork)
    titles = [each.title for lane in fork.branches for each in clusters_of(lane.parts)]
    assert titles == ["× 12 layers · changed", "× 13 layers · changed"]
    assert deeper.description.startswith("GPT-2 small: × 12 layers · changed; ")


def attention_lines(one: str, other: str) -> list[str]:
    """The lines in the boxes of attention in both lanes."""
    shown = [box for box in diagram(one, other).boxes if "attention" in box.title]
    return ["; ".join("".join(map(str, line)) for line in box.lines) for box in shown]


def box_lines(one: str, other: str) -> dict[str, list[str]]:
    """The lines of each box of the first model, by its title."""
    lane = diagram(one, other).items[0]
    assert isinstance(lane, Fork)
    return {
        box.title: ["".join(map(str, line)) for line in box.lines]
        for box in boxes_of(lane.branches[0].parts)
    }


def test_changed_boxes_have_the_sizes_that_changed() -> None:
    """If the box of the second model follows from these sizes alone."""
    llama = box_lines("llama-2-7b", "llama-3-8b")
    assert llama["Token embedding"] == ["131M parameters", "V = 32,000"]
    assert llama["Multi-head attention"] == ["67.1M per layer", "32 key/value heads"]
    assert llama["Gated FFN"] == ["135M per layer", "F = 11,008"]
    gpt2 = box_lines("gpt2", "gpt2-xl")
    assert gpt2["Final norm"] == ["D = 768"]
    assert gpt2["FFN"] == ["4.72M per layer", "D and F changed"]  # D × 4D
    assert gpt2["Multi-head attention"] == ["2.36M per layer", "D and H changed"]
    pythia = box_lines("pythia-1.4b", "pythia-2.8b")  # whose heads have a row of their own
    assert pythia["Multi-head attention"] == ["16.8M per layer", "D and H changed"]
    llama = box_lines("llama-7b", "llama-13b")
    assert llama["Multi-head attention"] == ["67.1M per layer", "D and H changed"]
    assert llama["Gated FFN"] == ["135M per layer", "D and F changed"]
    # kinds that differ in more than a size
    qwen = box_lines("llama-2-7b", "qwen2.5-7b")
    assert qwen["Multi-head attention"] == ["67.1M per layer · changed"]
    legend = "".join(map(str, diagram("llama-2-7b", "llama-3-8b").legend))
    meanings = "V is the vocabulary size and F is the FFN dimension. Residual connections"
    assert meanings in legend


@pytest.mark.presets
@pytest.mark.parametrize("seed", range(PAIRS))
def test_boxes_have_sizes_of_the_table(seed: int) -> None:
    """Each is in a row of the table."""
    one, other = map(load, pair(seed))
    blocks = difference_blocks(one, other, ("table", "diagram"), DifferenceOptions())
    cells = [row.cells[0] for table in blocks if isinstance(table, Table) for row in table.rows]
    rows = " ".join("".join(map(str, line)) for cell in cells for line in cell)
    shown = [box for each in blocks if isinstance(each, Diagram) for box in each.boxes]
    texts = {"".join(map(str, line)) for box in shown for line in box.lines}
    sizes = [re.findall(r"(?<== )[0-9,]+", text) for text in texts]
    assert [size for found in sizes for size in found if size not in rows] == []


def test_changed_boxes_say_what_changed() -> None:
    """Where the name and the rounded number are the same on both sides."""
    assert attention_lines("gpt2", "gpt-neo-125m") == [  # windows and biases
        "no sliding windows; 2,362,368 per layer · changed",
        "windows of 256 tokens in 6 of 12 layers; 2,360,064 per layer · changed",
    ]
    assert attention_lines("llama-4-scout-17b-16e", "mixtral-8x7b") == [
        "rotary positions in 36 of 48 layers, chunks of 8,192 tokens in 36 of 48 layers; "
        "62.9M per layer · changed",
        "rotary positions in all layers, no sliding windows; 41.9M per layer · changed",
    ]
    # the same windows
    assert not any("windows" in line for line in attention_lines("gemma-2-9b", "gemma-2-27b"))
    mistral = ("mistral-7b-v0.1", "mistral-7b-v0.3")
    assert attention_lines(*mistral) == [
        "windows of 4,096 tokens; 41.9M per layer · changed",
        "no sliding windows; 41.9M per layer · changed",
    ]
    assert attention_lines("bert-base-uncased", "gpt2") == [
        "bidirectional; 2.36M per layer · changed",
        "causal; 2.36M per layer · changed",
    ]
    assert text_of(*mistral).endswith(
        "Attention changed from windows of 4,096 tokens in 32 layers to no sliding windows."
    )


@pytest.mark.presets
@pytest.mark.parametrize("seed", range(PAIRS))
def test_parts_with_a_row_have_a_changed_box(seed: int) -> None:
    """Also where the weights are as many as before: other masks, positions, windows or shapes."""
    counted = count_difference(*map(load, pair(seed)), DifferenceOptions())
    pairs = [pair for section in sections_with_marks(counted) for pair in section.pairs]
    for change in listed_changes(counted):
        source = change.change
        if isinstance(source, StructureChange):
            # the norms of queries and keys are in the box of attention
            is_of_norms = source.aspect is Aspect.NORMS
            groups = {*source.aspect.value, *(Aspect.SEQUENCE.value if is_of_norms else ())}
            of_part = [p for p in pairs if any(row and row.group in groups for row in p)]
            assert any(map(is_marked, of_part)), source.aspect


def test_boxes_of_the_same_width_have_the_number_of_heads() -> None:
    lines = attention_lines("bert-base-uncased", "bert-base-uncased?num_heads=24")
    assert list(filter(None, lines)) == [  # the second model's title is a box, too
        "2.36M per layer; 12 attention heads",
        "2.36M per layer; 24 attention heads",
    ]


@pytest.mark.parametrize(("one", "other"), [("t5-base", "gpt2"), ("falcon3-7b", "byt5-xxl")])
def test_heads_of_decoders_and_encoder_decoders_are_beside_each_other(one: str, other: str) -> None:
    models = load(one), load(other)
    (drawn,) = difference_blocks(*models, ("diagram",), DifferenceOptions())
    assert isinstance(drawn, Diagram)
    marks = [box.mark for box in drawn.boxes if box.title == "LM head"]
    assert len(marks) == 2
    assert not {Mark.ADDED, Mark.REMOVED} & set(marks)


@pytest.mark.parametrize(
    ("one", "other", "attention"),
    [
        ("bart-large", "gpt2", ["b3_1"]),
        ("gpt2", "bart-large", ["a3_1"]),
        ("t5-base", "bert-base-uncased", ["b1_1"]),
    ],
)
def test_layers_are_beside_those_of_the_same_purpose(
    one: str, other: str, attention: list[str]
) -> None:
    """Those of a decoder beside the decoder of an encoder-decoder, an encoder beside its encoder.

    The box of attention beside them differs in size only, not in its mask.
    """
    model = other if attention[0].startswith("b") else one
    drawn = diagram(one, other)
    found = [box for box in drawn.boxes if box.title == "Multi-head attention"]
    of_model = [box.id for box in found if box.id.startswith(attention[0][0])]
    assert of_model == attention, model
    assert not any("causal" in str(box.lines) for box in found)


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        ("bert-tiny", "pythia-160m", ["bidirectional, absolute positions", "causal, rotary posit"]),
        ("olmo-7b", "gpt-j-6b", []),
        ("falcon-mamba-7b", "bert-base-uncased", ["causal", "bidirectional"]),
    ],
)
def test_boxes_have_masks_and_positions_beside_other_changes(
    one: str, other: str, texts: list[str]
) -> None:
    """Where they differ; sizes alone don't explain such a box."""
    shown = [str(box.lines) for box in diagram(one, other).boxes if box.mark is Mark.CHANGED]
    found = [each for each in shown if re.search("causal|bidirectional|positions", each)]
    assert len(found) == len(texts)
    for each, text in zip(found, texts, strict=True):
        assert text in each
        assert " = " not in each


def test_boxes_have_the_layers_with_windows() -> None:
    """If not all layers have windows; the frame has the number of layers."""
    assert attention_lines("dots.llm1", "dots.llm1?num_layers*2") == [
        "no sliding windows; 67.1M per layer · changed",
        "windows of 4,096 tokens in 62 of 124 layers; 67.1M per layer · changed",
    ]
    lines = box_lines("dots.llm1", "dots.llm1?num_layers*2")
    assert lines["Gated FFN"] == ["134M per layer, in 1 of 62 · changed"]


def test_cross_attention_in_some_layers_has_a_box_of_its_own() -> None:
    lines = box_lines("llama-3.2-90b-vision", "llama-3-70b")
    assert lines["Grouped-query attention"] == ["151M per layer, in 80 of 100 · changed"]
    assert lines["Cross-attention"] == ["151M per layer, in 20 of 100 · removed"]


def test_boxes_of_layers_that_differ_have_a_mean() -> None:
    lines = box_lines("gemma-4-12b", "gemma-2-9b")
    assert lines["Grouped-query attention"][-1] == "50.1M on average per layer · changed"
    # three blocks of six layers, some of which are used twice
    (box,) = (box for box in diagram("funnel-medium", "gpt2").boxes if box.id == "a1_5")
    assert (box.title, box.lines) == ("FFN", (("12 × 4.72M in 18 layers · changed",),))


def test_boxes_of_steps_without_weights_say_so() -> None:
    lines = box_lines("funnel-medium", "gpt2")
    assert lines["Pooling to half the length"] == ["no weights · removed"]


def test_a_part_is_beside_the_one_that_replaces_it() -> None:
    """Also if a norm is between them; but no pooler replaces an LM head."""
    shown = box_lines("command-r-plus", "qwen3-30b-a3b")
    assert shown["Gated FFN"] == ["parallel to attention", "1.25B per layer · changed"]
    assert ("Pooler", "removed") in boxes("bert-base-uncased", "gpt2")


def changed_groups(change: ConfigChange) -> set[Group]:
    """The groups whose stages differ with the change alone, with numbers in their shapes."""
    groups: list[dict[Group, list[object]]] = []
    for model in change.models:
        stages: dict[Group, list[object]] = {group: [] for group in Group}
        for placed in model.architecture.placed_stages():
            group = placed.stage.group
            stages[group] += block_in_numbers((placed.stage,), model.architecture)
        groups.append(stages)
    before, after = groups
    return {group for group in Group if before[group] != after[group]}


def unmarked_changes(name: str) -> list[str]:
    """The sizes of a preset of which the double, or the half, has a row but no box with a mark."""
    model, silent = load(name), []
    for key in model.family.keys:
        if not key.symbol:
            continue
        other = None
        for factor in ("*2", "/2"):
            with suppress(ConfigError):
                other = other or load(f"{name}?{key.name}{factor}")
        if other is None:
            continue
        counted = count_difference(model, other, DifferenceOptions())
        sections = sections_with_marks(counted)
        if any(section.mark is not Mark.SAME for section in sections):
            continue  # the number of layers changed, which their frame shows
        pairs = [pair for section in sections for pair in section.pairs if is_marked(pair)]
        marked = {row.group for pair in pairs for row in pair if row}
        # norms of queries and keys are in the box of attention
        marked |= {Group.NORMS} if Group.ATTENTION in marked else set()
        for listed in listed_changes(counted):
            if isinstance(listed.change, ConfigChange):
                groups = changed_groups(listed.change)
                if not pairs or (groups and not groups & marked):
                    silent.append(f"{key.name}: {listed.name}")
    return silent


@pytest.mark.presets
def test_every_size_with_a_row_has_a_mark() -> None:
    """Falcon-RW has no number of key/value heads, but a key for it, which stays as it is."""
    names = ["falcon-rw-1b", *(SOME_PRESETS if EVERY_PRESET else ONE_OF_EACH_FAMILY[::36])]
    silent = {name: unmarked_changes(name) for name in names}
    assert {name: keys for name, keys in silent.items() if keys} == {}


def test_only_the_boxes_of_a_key_are_marked() -> None:
    """GPT-2's FFN is 4D wide, and has no heads."""
    models = load("gpt2"), load("gpt2?num_heads=16")
    (drawn,) = difference_blocks(*models, ("diagram",), DifferenceOptions())
    assert isinstance(drawn, Diagram)
    assert {b.title for b in drawn.boxes if b.mark is Mark.CHANGED} == {"Multi-head attention"}


def differs_from_other_flags(name: str) -> list[str]:
    """Flags of a preset that can have the other value but then have no row, sentence or mark.

    A row without a mark is right if the models have other numbers of layers.
    """
    model, silent = load(name), []
    for key in model.family.keys:
        if key.kind is not ValueKind.FLAG:
            continue
        try:
            other = load(f"{name}?{key.name}={str(not model.config[key]).lower()}")
        except ConfigError:
            continue  # it has no effect, or needs other keys
        counted = count_difference(model, other, DifferenceOptions())
        sections = sections_with_marks(counted)
        has_mark = any(map(is_marked, (pair for section in sections for pair in section.pairs)))
        has_mark = has_mark or any(section.mark is not Mark.SAME for section in sections)
        rows = listed_changes(counted)
        (text,) = difference_blocks(model, other, ("text",), DifferenceOptions())
        assert isinstance(text, Paragraph)
        has_sentence = len(re.findall(r"\.( |$)", str(text.content[0]))) > 1
        if not (rows and has_mark and has_sentence):
            silent.append(f"{key.name}: {len(rows)} rows, {has_mark=}, {has_sentence=}")
    return silent


@pytest.mark.presets
def test_another_value_of_a_flag_has_a_row_a_sentence_and_a_mark() -> None:
    silent = {name: differs_from_other_flags(name) for name in SOME_PRESETS}
    assert {name: flags for name, flags in silent.items() if flags} == {}


@pytest.mark.parametrize(
    ("name", "change", "row", "sentence", "marked"),
    [
        (
            "bloom-1b7",
            "add_to_norms=true",
            "Residual additions to the norms' outputs",
            "The norms changed from 50 layer norms with biases (before each block)",
            ["Attention norm", "FFN norm"],
        ),
        (
            "ling-mini-2.0",
            "router_correction=false",
            "A correction bias in routers",
            "The model now has no correction bias in routers.",
            ["256 experts (8 active) plus 1 shared expert"],
        ),
        (
            "ul2",
            "feed_forward_kind=gated-gelu",
            "Activation of the FFN",
            "Activation of the FFN changed from gated-silu to gated-gelu.",
            ["Gated FFN", "Gated FFN"],
        ),
        (
            "funnel-large",
            "pool_q_only=false",
            "Pooling of queries only in a block's first layer",
            "The model now has pooling of queries, keys and values in a block's first layer.",
            ["Multi-head attention"],
        ),
        (
            "bert-base-uncased",
            "num_heads=24",
            "Attention heads",
            "The number of attention heads rose from 12 to 24.",
            ["Multi-head attention"],
        ),
        (
            "ettin-encoder-1b",
            "sliding_window_pattern=6",
            "Interval of layers with full attention",
            "Interval of layers with full attention changed from 3 to 6.",
            ["Multi-head attention"],
        ),
        (
            "hunyuan-a13b",
            "experts_per_token_of_layers=16",
            "Experts per token",
            "9.66B more active parameters",
            ["64 experts (8 active) plus 1 shared expert"],
        ),
    ],
)
def test_a_change_that_no_shape_shows_is_named_and_marked(
    name: str, change: str, row: str, sentence: str, marked: list[str]
) -> None:
    models = name, f"{name}?{change}"
    (listed,) = listed_changes(count_difference(*map(load, models), DifferenceOptions()))
    assert listed.name == row
    assert sentence in text_of(*models)
    found = diagram(*models).boxes
    changed = [box for box in found if box.mark is Mark.CHANGED]
    assert [box.title for box in changed if box.id.startswith("a")] == marked
    assert len(changed) == 2 * len(marked)


def test_weights_of_other_shapes_are_not_the_same() -> None:
    """1,024 × 4,096 and 2,048 × 2,048 have as many numbers."""
    sizes = {"num_layers": 2, "num_heads": 8, "vocab_size": 99}
    one = load({**sizes, "hidden_dim": 64, "ffn_dim": 256})
    other = load({**sizes, "hidden_dim": 128, "ffn_dim": 128})
    (found,) = difference_blocks(one, other, ("diagram",), DifferenceOptions())
    assert isinstance(found, Diagram)
    assert {box.mark for box in found.boxes if "FFN" in box.title} == {Mark.CHANGED}


def test_equal_models_are_named_once() -> None:
    assert text_of("k-exaone-236b-a23b", "k-exaone-236b-a23b").count("K-EXAONE 236B-A23B") == 2
    mine = {"hidden_dim": 8, "num_layers": 2, "num_heads": 2, "vocab_size": 99}
    blocks = difference_blocks(load(mine), load(mine), ("text",), DifferenceOptions())
    assert blocks[0] == Paragraph(("Both models have the same sizes.",))


def test_a_context_that_nobody_stated_is_not_compared() -> None:
    """Llama's default in transformers limits nothing, as its positions are rotary."""
    sizes = {"hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 16}
    model = {"model_type": "llama", **sizes, "intermediate_size": 5632, "vocab_size": 32000}
    stated = {**model, "max_position_embeddings": 8192}
    preset = load("llama-2-7b")

    def notes(other: dict[str, object]) -> str:
        blocks = difference_blocks(preset, load(other), ("table",), DifferenceOptions())
        return " ".join(str(block) for block in blocks if isinstance(block, Note))

    assert "The longest context grew from 4,096 to 8,192 tokens." in notes(stated)
    assert "longest context" not in notes(model)
    learned = {"model_type": "gpt2"}  # a table of 1,024 positions, also by default
    assert "The longest context shrank from 4,096 to 1,024 tokens." in notes(learned)


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        (("gpt2", "gpt2-xl"), "FLOPs are those of the next token with 1 token in context."),
        (("bert-base-uncased", "gpt2"), "FLOPs are those of a forward pass over 1 token."),
    ],
)
def test_one_token_has_the_singular(models: tuple[str, str], sentence: str) -> None:
    blocks = difference_blocks(*map(load, models), ("table",), DifferenceOptions(context=1))
    assert sentence in str(blocks[-1])


def feed_forward_lines(one: str, other: str) -> list[str]:
    """The lines in the boxes of feed-forward networks in both lanes."""
    shown = [box for box in diagram(one, other).boxes if box.title.endswith("FFN")]
    return ["; ".join("".join(map(str, line)) for line in box.lines) for box in shown]


def test_feed_forward_networks_in_parallel_with_attention_are_marked() -> None:
    assert feed_forward_lines("pythia-1.4b", "pythia-1.4b?use_parallel_residual=false") == [
        "parallel to attention; 33.6M per layer · changed",
        "after attention; 33.6M per layer · changed",
    ]
    assert feed_forward_lines("falcon-7b", "gpt-j-6b") == [
        "parallel to attention; 165M per layer · changed",
        "parallel to attention; 134M per layer · changed",
    ]
    assert feed_forward_lines("gpt2", "gpt2-medium")[0] == "4.72M per layer; D and F changed"


def test_other_windows_are_named_even_if_they_change_no_number() -> None:
    """Those of Mistral 7B matter to contexts longer than the default."""
    models = ("mistral-7b-v0.1", "mixtral-8x7b")
    assert all("windows" in line for line in attention_lines(*models))
    assert text_of(*models).endswith(
        "Attention changed from windows of 4,096 tokens in 32 layers to no sliding windows."
    )
    listed = listed_changes(count_difference(*map(load, models), DifferenceOptions()))
    (change,) = (
        each
        for each in listed
        if isinstance(each.change, StructureChange) and each.change.aspect is Aspect.SEQUENCE
    )
    assert change.cost == Cost()


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_drawn_lanes_are_aligned(width: int) -> None:
    drawn = draw_pipeline(diagram("gpt2", "llama-7b"), width)
    assert drawn.width <= {NARROW: MOST_WIDTH, WIDE: WIDE}[width]
    assert min(box.frame.top for box in drawn.boxes) >= 0
    half = len(drawn.boxes) // 2
    rows = [(box.frame.top, box.frame.height) for box in drawn.boxes]
    assert rows[:half] == rows[half:]


@pytest.mark.parametrize(("one", "other"), [("bart-large", "gpt2"), ("gpt2", "t5-base")])
@pytest.mark.parametrize("has_frames", [True, False])
def test_rows_are_level_where_only_one_model_has_an_encoder(
    one: str, other: str, has_frames: bool
) -> None:
    """In Mermaid, boxes with as many lines above them are level."""
    drawn = diagram(one, other) if has_frames else diagram(one, other).framed_by_mermaid
    lines = drawn.connections
    ranks: dict[End, int] = {}
    for first in ("model_1", "model_2"):
        begin = next(i for i, line in enumerate(lines) if line.start.id == first)
        end = next((i for i, line in enumerate(lines) if line.start.id == "model_2"), 0)
        ranks |= ranks_of(lines[begin:end] if first == "model_1" else lines[begin:])
    by_id = {end.id: rank for end, rank in ranks.items()}
    rows = [box.id.removeprefix("a") for box in drawn.boxes if box.id.startswith("a")]
    assert [by_id[f"a{row}"] for row in rows] == [by_id[f"b{row}"] for row in rows]
    # the space beside the encoder has no frame
    assert len(drawn.clusters) == 3


def test_titles_of_lanes_are_on_one_line_on_a_phone() -> None:
    drawn = draw_pipeline(diagram("llama-2-7b", "llama-3-8b"), NARROW)
    assert [len(cluster.texts) for cluster in drawn.clusters] == [1, 1]


def test_frames_of_lanes_are_nearly_as_far_from_the_boxes_on_both_sides() -> None:
    drawn = draw_pipeline(diagram("llama-2-7b", "llama-3-8b"), NARROW)
    for cluster in drawn.clusters:
        (widest,) = {
            (each.frame.left, each.frame.right)
            for each in drawn.boxes
            if each.box in cluster.cluster.boxes and each.box.kind is BoxKind.STEP
        }
        left, right = widest[0] - cluster.frame.left, cluster.frame.right - widest[1]
        assert abs(left - right) < 12


def test_names_of_the_models_are_headings() -> None:
    shown = diagram("llama-2-7b", "llama-3-8b")
    headings = [box for box in shown.boxes if box.kind is BoxKind.HEADING]
    assert [box.title for box in headings] == ["Llama 2 7B", "Llama 3 8B"]
    assert [arrow for arrow in shown.arrows if arrow.start in headings] == []
    lines = [line.kind for line in shown.connections if line.start in headings]
    assert lines == [LineKind.GUIDE, LineKind.GUIDE]


def test_a_narrow_box_has_its_number_and_the_word_for_its_change() -> None:
    drawn = draw_pipeline(diagram("llama-2-7b", "llama-3-8b"), NARROW)
    texts = {
        each.box.id: ["".join(run.text for run in text.runs) for text in each.texts]
        for each in drawn.boxes
        if each.box.mark is Mark.CHANGED
    }
    assert texts["a1_1"] == ["Multi-head", "attention", "67.1M per layer", "32 key/value heads"]
    assert texts["b1_3"] == ["Gated FFN", "176M per layer", "F = 14,336"]


def test_the_legend_explains_frames_without_a_change() -> None:
    legend = "".join(map(str, diagram("llama-2-7b", "llama-3-8b").legend))
    assert "Rounded frame: unchanged." in legend
    assert "Residual connections are not drawn." in legend


def test_norms_without_a_change_are_slim() -> None:
    norms = {box.title: box for box in diagram("llama-2-7b", "llama-3-8b").boxes}
    assert (norms["FFN norm"].kind, norms["FFN norm"].lines) == (BoxKind.NORM, ())


@pytest.mark.parametrize(("one", "other"), [("mixtral-8x7b", "mpt-7b"), ("mpt-7b", "qwen3-8b")])
def test_norms_of_another_kind_are_marked_beside_other_changes(one: str, other: str) -> None:
    norms = [box for box in diagram(one, other).boxes if box.title.endswith(" norm")]
    assert len(norms) == 6
    assert {box.mark for box in norms} == {Mark.CHANGED}


def test_norms_with_the_same_number_of_parameters_show_their_kinds() -> None:
    final = [box for box in diagram("mixtral-8x7b", "mpt-7b").boxes if box.title == "Final norm"]
    assert [box.lines[0] for box in final] == [("RMS norm",), ("layer norm",)]


def test_boxes_of_shared_weights_have_the_parameters_of_a_layer() -> None:
    """Two shared FFNs of 154.1M each are used in turn, and each use has an adapter of 4.13M."""
    boxes = {box.title: box for box in diagram("pythia-1.4b", "zamba2-7b").boxes}
    texts = ["".join(map(str, line)) for line in boxes["Gated FFN"].lines]
    assert texts == [
        "after attention",
        "2 × 158M, shared by 13 of 81 · changed",
    ]
    lines = [box.lines for box in diagram("albert-base-v2", "gpt2").boxes if box.title == "FFN"]
    assert lines == [
        (("4.72M, shared by all layers · changed",),),
        (("4.72M per layer · changed",),),
    ]
    assert not any("shared" in str(box.lines) for box in diagram("gpt2", "llama-7b").boxes)


def norms_in_layers(one: str, other: str) -> list[str]:
    """The last lines of the boxes of norms around attention, FFN and mixers, in both lanes."""
    return [
        "".join(map(str, line))
        for box in diagram(one, other).boxes
        if box.title in {"Attention norm", "FFN norm", "Input norm"}
        for line in box.lines[-1:]
    ]


def test_norms_of_shared_layers_are_marked_as_blocks_are() -> None:
    shared, of_each = "1,536, shared by all layers · changed", "1,536 per layer · changed"
    models = "albert-base-v2", "bert-base-uncased"
    assert norms_in_layers(*models) == [shared, shared, of_each, of_each]
    assert norms_in_layers(*reversed(models)) == [of_each, of_each, shared, shared]
    assert norms_in_layers("zamba-7b-v1", "albert-large-v2") == [
        "7,424, shared by 13 of 76 · removed",
        "3,712, shared by 13 of 76 · removed",
        "3,712 per layer · removed",
        "2,048, shared by all layers · added",
        "2,048, shared by all layers · added",
    ]
    assert "2 × 7,168, shared by 13 of 81 · changed" in norms_in_layers("pythia-1.4b", "zamba2-7b")


def test_layers_that_are_applied_again_have_the_weights_of_the_first_time() -> None:
    """Funnel Transformer has 12 sets of weights in 18 layers, 6 of which are used twice."""
    models = "bert-base-uncased", "funnel-medium-base"
    text = text_of(*models)
    assert "6 sets of weights in 12 layers, in 18 layers" in text
    assert "of 18 layers" not in text
    assert "norms changed" not in text  # 25 in both
    lines = [*attention_lines(*models), *norms_in_layers(*models)]
    assert "relative positions; 12 × 2.96M in 18 layers · changed" in lines
    assert "12 × 1,536 in 18 layers · changed" in lines


def test_more_or_fewer_norms_are_marked_beside_other_attention() -> None:
    """Attention of Funnel Transformer differs from that of RoBERTa in more than norms."""
    lines = norms_in_layers("funnel-xlarge-base", "roberta-large")
    assert lines == ["2,048 per layer · changed"] * 4


@pytest.mark.parametrize("other", ["llama-7b", "zamba2-7b", "t5-base", "gpt-j-6b"])
def test_boxes_have_at_most_three_lines(other: str) -> None:
    """A fourth one on a phone, if the word doesn't fit beside the number."""
    for box in diagram("zamba-7b-v1", other).boxes:
        assert len(box.lines) < 3
        assert len(box.short_lines) < 4


def test_the_diagram_is_a_picture_of_its_own() -> None:
    """SVG that is well-formed, as a file needs to be."""
    (diagram,) = difference_blocks(load("gpt2"), load("t5-base"), ("diagram",), DifferenceOptions())
    assert isinstance(diagram, Diagram)
    assert {box.mark for box in diagram.boxes} > {Mark.CHANGED, Mark.ADDED, Mark.REMOVED}
    drawn = ElementTree.fromstring(draw_svg(diagram, "llmsize/diagram.svg.jinja"))
    accents = [each for each in drawn.iter() if "--llmsize-accent" in each.get("style", "")]
    # frames follow dark pages as areas do
    assert {each.get("style", "").partition(":")[0] for each in accents} == {"fill", "stroke"}


@pytest.mark.parametrize(
    ("format", "frames"),
    [
        ("html", ['stroke-width="3"', 'stroke-dasharray="0.1 4.5"', "removed"]),
        (
            "markdown",
            ["llmsize-changed stroke-width:3px", "llmsize-removed stroke-width:2px,stroke-dash"],
        ),
        ("latex", [r"\multiput"]),
        ("terminal", ["≠ ", "− ⊕ Position embedding"]),
    ],
)
def test_marks_are_frames_and_words(
    capsys: pytest.CaptureFixture[str], format: str, frames: list[str]
) -> None:
    assert main(["diff", "gpt2", "llama-7b", "--show", "diagram", "--format", format]) == 0
    shown = capsys.readouterr().out
    assert [frame for frame in frames if frame not in shown] == []


def test_plain_mermaid_keeps_lanes_straight_and_suits_dark_pages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["diff", "bert-base-uncased", "t5-base", "--show", "diagram"]) == 0
    source = capsys.readouterr().out
    assert source.count("\nsubgraph layers_") == 3
    assert "frame_" not in source
    # a line without a box goes on through a point
    assert "\na1_0@{ shape: anchor }" in source
    assert '("|")' not in source
    assert "\nclassDef llmsize-constant fill:#8080800d,stroke:#808080\n" in source


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("llama-3-8b - llama-2-7b", "1.29B"),
        ("llama-2-7b - llama-3-8b:total:exact", "−1,291,845,632"),
        ("llama-2-7b?vocab_size=128256 - llama-2-7b:total:exact", "788,529,152"),
        ("llama-3-8b:vocab_size - llama-2-7b:vocab_size", "96,256"),
        ("llama-3-8b - llama-2-7b:vocab_size", "96,256"),
        ("llama-3-8b - llama-2-7b:attention", "−805M"),
        ("llama-3-8b - llama-2-7b:kv_cache", "−393 kB"),
        ("llama-2-7b - llama-3-8b:kv_cache:4096:GiB", "1.50 GiB"),
        (
            "llama-3-8b:weights:bf16 - llama-2-7b",
            "'weights:bf16' and 'total' have different units: bytes and parameters "
            "(write 'weights:bf16' for both)",
        ),
        (
            "gpt2:flops:8 - gpt2:activations:8",
            "'flops:8' and 'activations:8' have different units: FLOPs and elements",
        ),
        ("llama-3-8b:kv_cache - llama-2-7b:kv_cache", "−393 kB"),
        ("llama-3-8b:kv_cache - llama-2-7b:kv_cache:elements", "−196,608"),
        ("llama-2-7b:kv_cache:4096 - llama-3-8b:kv_cache:4096:GiB", "1.50 GiB"),
        ("gpt2-xl:flops:8 - gpt2:flops:8", "22.9 GFLOPs"),
        ("gpt2 - gpt2 - gpt2", "a difference has two numbers"),
        ("gpt2 - gpt2:total:share", "this number has no format 'share'"),
    ],
)
def test_the_role_subtracts(text: str, shown: str) -> None:
    try:
        found = role_text(text, MarkdownPage(Path()).model_of_number)
    except ConfigError as error:
        found = str(error)
    assert shown in found


def test_the_columns() -> None:
    table, *_notes = difference_blocks(
        load("deepseek-v2"), load("deepseek-v3"), ("table",), DifferenceOptions()
    )
    assert isinstance(table, Table)
    labels = [column.label for column in table.columns]
    assert labels[1:] == ["Parameters", "Active", "KV cache per token, bytes", "FLOPs per token"]
    lines = [line for row in table.rows for line in row.folded]
    texts = ["".join(map(str, line)).replace("\N{NO-BREAK SPACE}", " ") for line in lines]
    assert "FLOPs per token: +275,251,200" in texts


def test_flops_of_encoders_are_those_of_the_whole_pass() -> None:
    # a pooler reads one vector of all 512: half a FLOP for each token
    blocks = difference_blocks(
        load("ms-marco-minilm-l12-v2"), load("modernbert-large"), ("table",), DifferenceOptions()
    )
    table, *_notes = blocks
    assert isinstance(table, Table)
    assert [column.label for column in table.columns][1:] == ["Parameters", "FLOPs"]
    assert adds_up(blocks)


PAGE = """Differences
===========

.. llm-diff:: llama-2-7b, llama-2-7b?num_layers*2
   :show: table
   :caption: Twice as deep

.. llm-diff::

   gpt2
   gpt2-xl

.. llm-diff:: gpt2

.. llm-diff::

   gpt2
   gtp2

.. llm-diff:: gpt2, gpt2-xl
   :context: 4096

.. llm-diff::

   gpt2
   GPT-4: {total: undisclosed}
"""


def test_the_directive(build: Build) -> None:
    project = build({"index.rst": PAGE}, "text")
    assert "Twice as deep" in project.output("index.txt")
    assert "1,433,171,392 more parameters" in project.output("index.txt")
    assert [(warned.line, warned.type, warned.message) for warned in project.warned] == [
        (
            13,
            "llmsize.model",
            "only 1 model is named (write two, with a comma between: llama-2-7b, llama-3-8b)",
        ),
        (18, "llmsize.model", "unknown model 'gtp2' (did you mean 'gpt2'?)"),
        (
            21,
            "llmsize.option",
            "4,096 tokens are more than GPT-2 small has positions for (at most 1,024)",
        ),
        (
            26,
            "llmsize.model",
            "GPT-4 has no public configuration (llm-compare also shows such models)",
        ),
    ]


def test_a_picture_in_words_has_no_line_for_a_box_that_only_the_other_model_has(
    build: Build,
) -> None:
    page = ".. llm-diff:: gpt2, llama-7b\n   :show: diagram\n"
    text = build({"index.rst": page}, "text").output("index.txt")
    assert "Position embedding" in text
    assert DASH not in text


def test_the_command_and_its_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    own = tmp_path / "own.json"
    own.write_text('{"model_type": "gpt2", "n_layer": 6}', "utf-8")
    assert main(["diff", "gpt2", str(own), "--show", "table", "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, json.loads(SCHEMA.read_text("utf-8")))
    (change,) = written["difference"]["changes"]
    assert change["keys"] == [{"key": "num_layers", "before": 12, "after": 6}]
    assert change["cost"] == written["difference"]["total"]
    assert [block["type"] for block in written["blocks"]] == ["table", "paragraph"]


def test_the_schema_lists_all_parts_of_the_architecture() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    entries = schema["$defs"]["difference"]["properties"]["architecture"]["items"]
    parts = entries["properties"]["part"]["enum"]
    assert sorted(parts) == sorted({*(aspect.id for aspect in Aspect), *LABELS})


def test_the_schema_lists_all_parts_that_keys_change() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    parts = schema["$defs"]["changed_part"]["properties"]["part"]["enum"]
    assert sorted(parts) == sorted(aspect.id for aspect in PARTS_OF_KEYS)


def test_a_changed_mask_is_named_once() -> None:
    names = "bert-base-uncased", "bert-base-uncased?is_decoder=true"
    assert text_of(*names).endswith(
        "each token sees only earlier ones: 36.9 kB more KV cache per token."
    )
    marked = {box.title for box in diagram(*names).boxes if box.mark is Mark.CHANGED}
    assert marked == {"Multi-head attention"}


def test_data_names_parts_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "falcon-7b", "falcon-40b", "--format", "json"]) == 0
    changes = json.loads(capsys.readouterr().out)["difference"]["changes"]
    assert [part["part"] for change in changes for part in change["parts"]] == ["sequence", "norms"]


@pytest.mark.parametrize(
    ("names", "layers"),
    [(("t5-small", "mamba-130m"), ([6, 6], 24)), (("mamba-130m", "t5-small"), (24, [6, 6]))],
)
def test_data_has_the_layers_that_change_with_the_architecture(
    names: tuple[str, str], layers: tuple[object, object], capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    assert main(["diff", *names, "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, json.loads(SCHEMA.read_text("utf-8")))
    first, *_others = written["difference"]["with_architecture"]
    assert first == {"key": "num_layers", "before": layers[0], "after": layers[1]}
    assert main(["diff", *names, "--format", "csv"]) == 0
    before, after = (" + ".join(str(each).strip("[]").split(", ")) for each in layers)
    assert f"Layers (with the architecture),{before},{after}," in capsys.readouterr().out


def test_a_size_is_that_after_its_own_change() -> None:
    """The rule that makes FFNs of LFM2 1.2B 8,192 wide is a change of its own."""
    text = text_of("lfm2-2.6b", "lfm2-1.2b")
    assert "The FFN dimension grew from 10,752 to 12,288: 283,115,520 more parameters (" in text
    assert "The model now has an adjusted FFN dimension: 660,602,880 fewer parameters" in text


def test_data_names_a_changed_arrangement_once(capsys: pytest.CaptureFixture[str]) -> None:
    """By its key, which has a row in JSON and CSV even though it costs nothing."""
    jsonschema = pytest.importorskip("jsonschema")
    models = ("pythia-160m", "pythia-160m?use_parallel_residual=false")
    assert main(["diff", *models, "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, json.loads(SCHEMA.read_text("utf-8")))
    (change,) = written["difference"]["changes"]
    assert [each["key"] for each in change["keys"]] == ["parallel_residual"]
    assert written["difference"]["architecture"] == []
    assert main(["diff", *models, "--format", "csv"]) == 0
    name = "Pythia 160M with attention and FFN one after the other"
    assert "one after the other" not in capsys.readouterr().out.replace(name, "")


def test_json_has_the_flops_of_a_forward_pass(capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    models = ("ms-marco-minilm-l12-v2", "modernbert-large")  # whose pooler reads one token
    assert main(["diff", *models, "--show", "table", "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, json.loads(SCHEMA.read_text("utf-8")))
    found = written["difference"]
    changes = (*found["changes"], *found["architecture"])
    costs = (*(change["cost"] for change in changes), found["together"])
    one, other = (load(name).flops(found["tokens"]) for name in models)
    assert sum(Fraction(cost["flops"]) for cost in costs) == other - one
    assert found["total"]["flops"] == other - one


def test_json_lists_only_changed_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "gpt2", "llama-7b", "--show", "table", "--format", "json"]) == 0
    parts = json.loads(capsys.readouterr().out)["difference"]["architecture"]
    assert parts
    assert not [each for each in parts if "at the sizes of" in each["before"]]


def test_in_python() -> None:
    shown = diff("gpt2", load("gpt2", {"vocab_size": 50304}), show="table")
    assert isinstance(shown.blocks[0], Table)
    assert "+36,096" in repr(shown)
    with pytest.raises(ConfigError, match="4,096 tokens are more"):
        diff("gpt2", "gpt2-xl", context=4096)
