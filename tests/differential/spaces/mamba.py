"""Mamba: ranks of the time steps, and heads that divide the inner width."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Draw, Space, divisors

MIXER_RULES = (
    (r"(mamba|mixer|mamba_decoder\.mamba)\.(norm|dt_layernorm|b_layernorm|c_layernorm)\b", "mixer"),
)
TIME_STEP_RANK = st.sampled_from(["auto", 1, 5, 8])


def mamba2_heads(draw: Draw, config: dict[str, object]) -> int:
    """Number of heads, a divisor of the inner width."""
    return draw(st.sampled_from(divisors(inner_width(config))))


def mamba2_head_dim(draw: Draw, config: dict[str, object]) -> int:
    """Width of each head."""
    return inner_width(config) // int(str(config["num_heads"]))


def inner_width(config: dict[str, object]) -> int:
    """Width of the mixer: the hidden size times the drawn or default factor."""
    return int(str(config["hidden_size"])) * int(str(config.get("expand", 2)))


MAMBA = Space(
    values={"time_step_rank": TIME_STEP_RANK, "intermediate_size": st.sampled_from([24, 40, 64])},
    always=("hidden_size",),
)
SPACES = {
    "mamba": MAMBA,
    "falcon_mamba": MAMBA,
    "mamba2": Space(
        values={
            "num_heads": mamba2_heads,
            "head_dim": mamba2_head_dim,
            "n_groups": st.integers(1, 3),
        },
        always=("num_heads", "head_dim"),
        rules=MIXER_RULES,
    ),
}
