"""nanochat, and Apertus with learned activations."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import USUAL, Space, Values
from sphinx_llmsize.config.keys.common import HEAD_DIM

HEAD_DIMS = USUAL[HEAD_DIM]
APERTUS: dict[str, Values] = {
    "head_dim": HEAD_DIMS,
    "hidden_act": st.sampled_from(["xielu", "relu2", "silu"]),
}

SPACES = {
    "nanochat": Space(values={"head_dim": HEAD_DIMS}),
    "apertus": Space(values=APERTUS),
    "apertus1p5_text": Space(values={**APERTUS, "output_vocab_size": st.integers(200, 300)}),
}
