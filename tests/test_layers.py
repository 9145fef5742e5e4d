"""Layers that differ: counted in closed form, as if they had been listed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.layers import Kinds, among, every, first, layered, listed, same
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.symbols import D, L, T

LAYERS = 60

ffns = st.builds(lambda count: first(count, "dense", then="MoE"), st.integers(0, LAYERS + 5))
mixers = st.one_of(
    st.builds(
        lambda step, start, stop: every(step, "full", others="linear", start=start, stop=stop),
        st.integers(1, 9),
        st.integers(0, 70),
        st.integers(0, 70),
    ),
    st.builds(
        lambda layers: among(layers, "full", others="linear"),
        st.lists(st.integers(0, 70), max_size=9),
    ),
    st.lists(st.sampled_from(["full", "linear", "conv"]), min_size=LAYERS, max_size=LAYERS).map(
        listed
    ),
    st.just(same("full")),
    st.builds(
        lambda layers, step: among(layers, "conv", others=every(step, "full", others="linear")),
        st.lists(st.integers(0, 70), max_size=9),
        st.integers(1, 9),
    ),
)


def block(**kinds: object) -> Block:
    """A block that is told apart by its kinds alone."""
    label = " ".join(str(kind) for kind in kinds.values())
    return (Stage(label, label, Group.NORMS, (T, D)),)


def counted(items: tuple[Item, ...], layers: int) -> dict[str, int]:
    """The layers of each block."""
    architecture = Architecture(items, ((L, layers),))
    return {
        stack.places[0].stage.label: architecture.count(stack.layers)
        for stack in architecture.stacks()
    }


@given(st.integers(1, LAYERS), ffns, mixers)
def test_as_many_as_if_listed(layers: int, ffn: Kinds, mixer: Kinds) -> None:
    expected = Counter(f"{ffn.of(layer)} {mixer.of(layer)}" for layer in range(layers))
    assert counted(layered(layers, block, ffn=ffn, mixer=mixer), layers) == expected


@given(st.integers(1, LAYERS), ffns, mixers)
def test_in_the_order_of_each_kinds_first_layer(layers: int, ffn: Kinds, mixer: Kinds) -> None:
    expected = dict.fromkeys(f"{ffn.of(layer)} {mixer.of(layer)}" for layer in range(layers))
    assert list(counted(layered(layers, block, ffn=ffn, mixer=mixer), layers)) == list(expected)


def test_a_billion_layers_answer_at_once() -> None:
    billion = 10**9
    kinds = {
        "ffn": first(3, "dense", then="MoE"),
        "mixer": every(4, "full", others="linear", start=3),
    }
    assert counted(layered(billion, block, **kinds), billion) == {
        "dense linear": 3,
        "MoE full": billion // 4,
        "MoE linear": billion - billion // 4 - 3,
    }


def test_runs_of_layers_follow_each_other() -> None:
    dense, moe = layered(61, block, ffn=first(3, "dense", then="MoE"))
    assert isinstance(dense, Stack)
    assert isinstance(moe, Stack)
    assert [(stack.kind, str(stack.layers)) for stack in (dense, moe)] == [
        ("dense", "L_dense"),
        ("MoE", "L_MoE"),
    ]


def test_layers_that_take_turns_are_one_item() -> None:
    (item,) = layered(48, block, mixer=every(4, "full", others="linear", start=3))
    assert isinstance(item, Interleaved)
    assert [stack.kind for stack in item.stacks] == ["linear", "full"]


@pytest.mark.parametrize("kinds", [first(0, "dense", then="MoE"), listed(["MoE"] * 8)])
def test_equal_layers_are_one_stack(kinds: Kinds) -> None:
    (stack,) = layered(8, block, ffn=kinds)
    assert isinstance(stack, Stack)
    assert (stack.id, stack.layers, stack.kind) == ("layers", L, "")


def test_blocks_that_come_out_alike_are_one_stack() -> None:
    def alike(**kinds: object) -> Block:
        return block()

    kinds = {"window": every(2, "full", others="sliding")}
    assert len(layered(8, alike, **kinds)) == 1


def test_symbols_of_layers_are_told_apart() -> None:
    (item,) = layered(9, block, mixer=listed(["full attention", "full width", "fine"] * 3))
    assert isinstance(item, Interleaved)
    assert [str(stack.layers) for stack in item.stacks] == ["L_full", "L_full,2", "L_fine"]
