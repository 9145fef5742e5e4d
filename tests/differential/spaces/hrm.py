"""HRM-Text: its cycles, and both keys for its number of layers."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "hrm_text": Space(
        values={
            "num_layers_per_stack": st.integers(1, 5),
            "H_cycles": st.integers(1, 3),
            "L_cycles": st.integers(1, 3),
        },
        rules=((r"z_L_init", "initial_state"),),
    )
}
