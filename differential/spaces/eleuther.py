"""What is drawn for GPT-Neo and the models after it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space


def attention_types(draw: Draw, config: dict[str, Any]) -> list[Any]:
    """As many layers as there are, of both kinds or of one."""
    return [[[draw(st.sampled_from(["global", "local"]))], config["num_layers"]]]


SPACES = {
    "gpt_neo": Space({"attention_types": attention_types}, always=("attention_types",)),
    "gptj": Space({"rotary_dim": st.sampled_from([4, 8])}),
    "codegen": Space({"rotary_dim": st.sampled_from([4, 8]), "n_head": st.sampled_from([4, 8])}),
    "gpt_neox_japanese": Space(
        {"intermediate_multiple_size": st.integers(1, 5)},
        rules=((r"dense_(h|4h)_to", "feed-forward"),),
    ),
}
