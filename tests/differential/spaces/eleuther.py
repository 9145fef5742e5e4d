"""Random values for GPT-Neo and the models after it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, divisors


def attention_types(draw: Draw, config: dict[str, Any]) -> list[Any]:
    """As many layers as there are, of both kinds or of one."""
    kinds, layers = st.sampled_from(["global", "local"]), config["num_layers"]
    turns = draw(st.sampled_from(divisors(layers)))
    return [[draw(st.lists(kinds, min_size=layers // turns, max_size=layers // turns)), turns]]


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
