"""Keys of models whose layers are connected by more than one residual stream."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import size_key

N_HC = Symbol("n_hc", "residual streams")
R_HC = Symbol("R_hc", "rank of the mixing of residual streams")

RESIDUAL_STREAMS = size_key(N_HC, "num_residual_streams", "hc_mult", "hc_count")
STREAM_RANK = size_key(R_HC, "stream_mixing_rank", "hc_lowrank")
