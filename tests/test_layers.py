"""Layers that differ, and the stacks they form."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.layers import (
    MAX_LAYERS,
    Kinds,
    among,
    cycle,
    every,
    first,
    from_list,
    layer_stacks,
    same,
)
from sphinx_llmsize.architecture.parts import DENSE, LINEAR_ATTENTION, MOE
from sphinx_llmsize.architecture.stacks import Interleaved, Item, LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.symbols import D, L, T
from sphinx_llmsize.make_model import make_model
from sphinx_llmsize.sources.text import read_text

LAYERS = 60
FULL, CONVOLUTION = LayerKind("full", "full-attention"), LayerKind("conv", "convolution")

ffns = st.builds(lambda count: first(count, DENSE, then=MOE), st.integers(0, LAYERS + 5))
mixers = st.one_of(
    st.builds(
        lambda step, start, stop: every(
            step, FULL, others=LINEAR_ATTENTION, start=start, stop=stop
        ),
        st.integers(1, 9),
        st.integers(0, 70),
        st.integers(0, 70),
    ),
    st.builds(
        lambda layers: among(layers, FULL, others=LINEAR_ATTENTION),
        st.lists(st.integers(0, 70), max_size=9),
    ),
    st.lists(
        st.sampled_from([FULL, LINEAR_ATTENTION, CONVOLUTION]), min_size=LAYERS, max_size=LAYERS
    ).map(from_list),
    st.just(same(FULL)),
    st.lists(st.sampled_from([FULL, LINEAR_ATTENTION]), min_size=1, max_size=4).map(cycle),
    st.builds(
        lambda layers, step: among(
            layers, CONVOLUTION, others=every(step, FULL, others=LINEAR_ATTENTION)
        ),
        st.lists(st.integers(0, 70), max_size=9),
        st.integers(1, 9),
    ),
)


def block(**kinds: object) -> Block:
    """A block that differs from others only in its kinds."""
    label = " ".join(getattr(kind, "id", "") for kind in kinds.values())
    return (Stage(label, label, Group.NORMS, (T, D)),)


def counted(items: tuple[Item, ...], layers: int) -> dict[str, int]:
    """Number of layers of each block."""
    architecture = Architecture(items, ((L, layers),))
    return {
        stack.placed_stages[0].stage.label: architecture.count(stack.layers)
        for stack in architecture.stacks()
    }


@given(st.integers(1, LAYERS), ffns, mixers)
def test_equal_to_a_list_of_all_layers(layers: int, ffn: Kinds, mixer: Kinds) -> None:
    expected = Counter(f"{ffn.at(layer).id} {mixer.at(layer).id}" for layer in range(layers))
    assert counted(layer_stacks(layers, block, ffn=ffn, mixer=mixer), layers) == expected


@given(st.integers(1, LAYERS), ffns, mixers)
def test_stacks_are_ordered_by_their_first_layer(layers: int, ffn: Kinds, mixer: Kinds) -> None:
    expected = dict.fromkeys(f"{ffn.at(layer).id} {mixer.at(layer).id}" for layer in range(layers))
    assert list(counted(layer_stacks(layers, block, ffn=ffn, mixer=mixer), layers)) == list(
        expected
    )


def test_a_hundred_thousand_layers() -> None:
    kinds = {
        "ffn": first(3, DENSE, then=MOE),
        "mixer": every(4, FULL, others=LINEAR_ATTENTION, start=3),
    }
    assert counted(layer_stacks(MAX_LAYERS, block, **kinds), MAX_LAYERS) == {
        "dense linear_attention": 3,
        "moe full": MAX_LAYERS // 4,
        "moe linear_attention": MAX_LAYERS - MAX_LAYERS // 4 - 3,
    }


def test_more_layers_that_differ() -> None:
    config = "model_type: glm4_moe\nhidden_size: 4096\nnum_hidden_layers: 100_001\n"
    with pytest.raises(ConfigError, match="100,001 layers that are not all alike") as raised:
        make_model("model", read_text(config))
    assert raised.value.line == 2
    assert raised.value.hint == "write at most 100,000"


@pytest.mark.parametrize(
    "values", [same(FULL), every(1, FULL, others=MOE), first(0, MOE, then=FULL), cycle([FULL] * 3)]
)
def test_any_number_of_equal_layers(values: Kinds) -> None:
    (stack,) = layer_stacks(10**15, block, ffn=values)
    assert isinstance(stack, Stack)
    assert stack.layers == L


def test_runs_of_layers_follow_each_other() -> None:
    dense, moe = layer_stacks(61, block, ffn=first(3, DENSE, then=MOE))
    assert isinstance(dense, Stack)
    assert isinstance(moe, Stack)
    assert [(stack.label, str(stack.layers)) for stack in (dense, moe)] == [
        ("dense", "L_dense"),
        ("MoE", "L_MoE"),
    ]


def test_layers_of_one_stack_before_and_after_those_of_another() -> None:
    (item,) = layer_stacks(9, block, ffn=every(1, MOE, others=DENSE, start=3, stop=6))
    assert isinstance(item, Interleaved)


def test_alternating_layers_are_one_item() -> None:
    (item,) = layer_stacks(48, block, mixer=every(4, FULL, others=LINEAR_ATTENTION, start=3))
    assert isinstance(item, Interleaved)
    assert [stack.kinds for stack in item.stacks] == [(LINEAR_ATTENTION,), (FULL,)]


@pytest.mark.parametrize("kinds", [first(0, DENSE, then=MOE), from_list([MOE] * 8)])
def test_equal_layers_are_one_stack(kinds: Kinds) -> None:
    (stack,) = layer_stacks(8, block, ffn=kinds)
    assert isinstance(stack, Stack)
    assert (stack.id, stack.layers, stack.label) == ("layers", L, "")


def test_equal_blocks_are_one_stack() -> None:
    def alike(**kinds: object) -> Block:
        return block()

    kinds = {"window": every(2, FULL, others=CONVOLUTION)}
    assert len(layer_stacks(8, alike, **kinds)) == 1


def test_labels_of_kinds_are_only_shown() -> None:
    def stacks(full: str, linear: str) -> list[Stack]:
        kinds = [LayerKind("full", full), LayerKind("linear", linear)]
        (item,) = layer_stacks(8, block, mixer=cycle(kinds))
        assert isinstance(item, Interleaved)
        return list(item.stacks)

    before, after = stacks("full-attention", "linear"), stacks("anything", "")
    assert [stack.label for stack in after] == ["anything", ""]
    for one, other in zip(before, after, strict=True):
        assert (one.id, str(one.layers), one.block) == (other.id, str(other.layers), other.block)


def test_symbols_of_layers_are_distinct() -> None:
    kinds = [FULL, LayerKind("full_width", "full-width", "full"), LayerKind("fine", "fine")]
    (item,) = layer_stacks(9, block, mixer=cycle(kinds))
    assert isinstance(item, Interleaved)
    assert [str(stack.layers) for stack in item.stacks] == ["L_full", "L_full,2", "L_fine"]


def test_symbols_of_layers_have_the_number_of_experts_per_token() -> None:
    model = load({"model_type": "hunyuan_v1_moe", "num_experts": 4, "moe_topk": [2, 1] * 16})
    assert [str(stack.layers) for stack in model.architecture.stacks()] == ["L_top2", "L_top1"]
