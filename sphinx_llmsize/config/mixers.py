"""Keys of state-space and linear-attention mixers."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import flag, size_key

S = Symbol("S", "state dimension")
W = Symbol("W", "width of the convolution")
X = Symbol("X", "inner width of the mixer relative to D")
R_DT = Symbol("R_dt", "rank of the time steps")
G_M = Symbol("G_m", "groups of state-space heads")
H_M = Symbol("H_m", "state-space heads")
D_M = Symbol("d_m", "dimension of a state-space head")
D_I = Symbol("D_i", "inner width of the mixer")
H_L = Symbol("H_l", "heads of the linear attention")
D_L = Symbol("d_l", "head dimension of the linear attention")
H_LK = Symbol("H_lk", "key heads of the linear attention")
H_LV = Symbol("H_lv", "value heads of the linear attention")
D_LK = Symbol("d_lk", "dimension of a key head of the linear attention")
D_LV = Symbol("d_lv", "dimension of a value head of the linear attention")

STATE_DIM = size_key(S, "state_dim", "state_size", "ssm_state_size", "mamba_d_state", "d_state")
CONV_WIDTH = size_key(
    W,
    "conv_width",
    "conv_kernel",
    "mamba_d_conv",
    "d_conv",
    "conv_kernel_size",
    "linear_conv_kernel_dim",
    "conv_L_cache",
)
EXPAND = size_key(X, "expand", "mamba_expand")
TIME_STEP_RANK = size_key(R_DT, "time_step_rank", "mamba_dt_rank", optional=True)
NUM_MAMBA_GROUPS = size_key(G_M, "num_mamba_groups", "n_groups", "mamba_n_groups", "mamba_ngroups")
NUM_MAMBA_HEADS = size_key(
    H_M, "num_mamba_heads", "mamba_n_heads", "mamba_num_heads", "n_mamba_heads"
)
MAMBA_HEAD_DIM = size_key(D_M, "mamba_head_dim", "mamba_d_head", "mamba_headdim", optional=True)
MIXER_BIAS = flag("mixer_bias", "biases on the mixer's projections", "use_bias")
MIXER_CONV_BIAS = flag(
    "mixer_conv_bias",
    "a bias on the mixer's convolution",
    "use_conv_bias",
    "mamba_conv_bias",
    "conv_bias",
)
MAMBA_WIDTH = size_key(D_I, "mamba_width", "mamba_d_ssm", optional=True)
LINEAR_HEADS = size_key(H_L, "num_linear_heads", "linear_num_heads", optional=True)
LINEAR_HEAD_DIM = size_key(D_L, "linear_head_dim", optional=True)
LINEAR_KEY_HEADS = size_key(H_LK, "num_linear_key_heads", "linear_num_key_heads", optional=True)
LINEAR_VALUE_HEADS = size_key(
    H_LV, "num_linear_value_heads", "linear_num_value_heads", optional=True
)
LINEAR_KEY_DIM = size_key(D_LK, "linear_key_dim", "linear_key_head_dim", optional=True)
LINEAR_VALUE_DIM = size_key(D_LV, "linear_value_dim", "linear_value_head_dim", optional=True)
