"""Keys of AltUp (https://arxiv.org/abs/2301.13310) and Laurel (https://arxiv.org/abs/2411.07501)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import size_key

N_A = Symbol("n_a", "residual streams of AltUp")
R_L = Symbol("R_l", "rank of the Laurel branch")

ALTUP_STREAMS = size_key(N_A, "num_altup_streams", "altup_num_inputs")
LAUREL_RANK = size_key(R_L, "laurel_rank")
