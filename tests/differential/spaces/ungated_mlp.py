"""nanochat, and Apertus with learned activations."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import USUAL, Space
from sphinx_llmsize.config.keys.common import HEAD_DIM

HEAD_DIMS = USUAL[HEAD_DIM]

SPACES = {
    "nanochat": Space(values={"head_dim": HEAD_DIMS}),
    "apertus": Space(
        values={
            "head_dim": HEAD_DIMS,
            "hidden_act": st.sampled_from(["xielu", "relu2", "silu"]),
        }
    ),
}
