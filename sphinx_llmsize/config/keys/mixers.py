"""Keys of state-space and linear-attention mixers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.algebra import ceil_div
from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.config.rule import Rule, Settings, int_of, int_or_none
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig

STATE_DIM = size_key(s.S, "state_dim state_size ssm_state_size mamba_d_state d_state")
CONV_WIDTH = size_key(
    s.W,
    "conv_width conv_kernel mamba_d_conv d_conv conv_kernel_size "
    "linear_conv_kernel_dim conv_L_cache",
)
EXPAND = size_key(s.X, "expand mamba_expand")
TIME_STEP_RANK = size_key(s.R_DT, "time_step_rank mamba_dt_rank", optional=True)
NUM_MAMBA_GROUPS = size_key(s.G_M, "num_mamba_groups n_groups mamba_n_groups mamba_ngroups")
NUM_MAMBA_HEADS = size_key(s.H_M, "num_mamba_heads mamba_n_heads mamba_num_heads n_mamba_heads")
MAMBA_HEAD_DIM = size_key(s.D_M, "mamba_head_dim mamba_d_head mamba_headdim", optional=True)
MIXER_BIAS = flag("mixer_bias use_bias", N_("biases on the mixer's projections"))
MIXER_CONV_BIAS = flag(
    "mixer_conv_bias use_conv_bias mamba_conv_bias conv_bias",
    N_("a bias on the mixer's convolution"),
)
MAMBA_WIDTH = size_key(s.D_INNER, "mamba_width", optional=True)
LINEAR_HEADS = size_key(s.H_L, "num_linear_heads linear_num_heads", optional=True)
LINEAR_HEAD_DIM = size_key(s.D_L, "linear_head_dim", optional=True)
LINEAR_KEY_HEADS = size_key(s.H_LK, "num_linear_key_heads linear_num_key_heads", optional=True)
LINEAR_VALUE_HEADS = size_key(
    s.H_LV, "num_linear_value_heads linear_num_value_heads", optional=True
)
LINEAR_KEY_DIM = size_key(s.D_LK, "linear_key_dim linear_key_head_dim", optional=True)
LINEAR_VALUE_DIM = size_key(s.D_LV, "linear_value_dim linear_value_head_dim", optional=True)


def _derive_time_step_rank(settings: Settings) -> Settings:
    """R_dt = D / 16, rounded up."""
    return {TIME_STEP_RANK: ceil_div(int_of(settings, HIDDEN_DIM), 16)}


def _inner_dim(settings: Settings) -> int | None:
    """Inner dimension of the mixer: its own key, or expand × hidden dimension; None if unknown."""
    if width := int_or_none(settings, MAMBA_WIDTH):
        return width
    hidden, expand = int_or_none(settings, HIDDEN_DIM), int_or_none(settings, EXPAND)
    return hidden * expand if hidden and expand else None


def _derive_head_dim(settings: Settings) -> Settings:
    """d_m = inner dimension / H_m."""
    width = _inner_dim(settings) or 0
    return {MAMBA_HEAD_DIM: width // int_of(settings, NUM_MAMBA_HEADS)}


def _check_heads(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that H_m · d_m is the mixer's inner dimension or, without d_m, that H_m divides it."""
    width, heads = _inner_dim(settings), int_or_none(settings, NUM_MAMBA_HEADS)
    head_dim = int_or_none(settings, MAMBA_HEAD_DIM)
    if not width or not heads:
        return
    if head_dim and heads * head_dim != width:
        if int_or_none(settings, MAMBA_WIDTH):
            width_keys = [MAMBA_WIDTH]
            hint = N_("{key} × {other} must be {third}")
        else:
            width_keys = [EXPAND, HIDDEN_DIM]
            hint = N_("{key} × {other} must be {third} × {fourth}")
        raise parsed.error(
            N_("{heads} state-space heads of {head_dim} are not the mixer's width {width}"),
            MAMBA_HEAD_DIM,
            NUM_MAMBA_HEADS,
            *width_keys,
            heads=heads,
            head_dim=head_dim,
            width=width,
            hint=hint,
        )
    if width % heads:
        message = N_("{heads} state-space heads do not divide the mixer's width {width}")
        hint = N_("choose {key} so that it divides")
        keys = (NUM_MAMBA_HEADS, HIDDEN_DIM, EXPAND)
        raise parsed.error(message, *keys, heads=heads, width=width, hint=hint)


TIME_STEPS_RULE = Rule(derive=_derive_time_step_rank)
"""Default R_dt = D / 16, rounded up."""

INNER_WIDTH_RULE = Rule(derive=lambda settings: {MAMBA_WIDTH: _inner_dim(settings)})
"""Default D_inner = X · D."""

STATE_SPACE_HEADS_RULE = Rule(derive=_derive_head_dim, check=_check_heads)
"""Default d_m = inner dimension / H_m; H_m · d_m equals the mixer's inner dimension."""
