"""Keys of models whose layers are connected by more than one residual stream.

Hyper-connections (https://arxiv.org/abs/2409.19606), AltUp (https://arxiv.org/abs/2301.13310)
and Laurel (https://arxiv.org/abs/2411.07501).
"""

from __future__ import annotations

from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.symbols import N_A, N_HC, R_HC, R_L

RESIDUAL_STREAMS = size_key(N_HC, "num_residual_streams", "hc_mult", "hc_count")
STREAM_RANK = size_key(R_HC, "stream_mixing_rank", "hc_lowrank")
ALTUP_STREAMS = size_key(N_A, "num_altup_streams", "altup_num_inputs")
LAUREL_RANK = size_key(R_L, "laurel_rank")
