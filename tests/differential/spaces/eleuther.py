"""GPT-Neo, GPT-J, CodeGen and Japanese GPT-NeoX."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, divisors, layer_list


def attention_types(draw: Draw, config: dict[str, Any]) -> list[Any]:
    """A list of kinds and how often it repeats; together they have one kind for each layer."""
    repeats = draw(st.sampled_from(divisors(config["num_layers"])))
    repeated = {"num_layers": config["num_layers"] // repeats}
    return [[draw(layer_list(repeated, "global", "local")), repeats]]


SPACES = {
    "gpt_neo": Space(
        {"attention_types": attention_types, "window_size": st.integers(2, 20)},
        always=("attention_types",),
    ),
    "gptj": Space({"rotary_dim": st.sampled_from([4, 8])}),
    "codegen": Space({"rotary_dim": st.sampled_from([4, 8]), "n_head": st.sampled_from([4, 8])}),
    "gpt_neox_japanese": Space(
        {"intermediate_multiple_size": st.integers(1, 5)},
        rules=((r"dense_(h|4h)_to", "feed-forward"),),
    ),
}
