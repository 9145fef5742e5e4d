"""Keys of multi-head latent attention (DeepSeek-V2, https://arxiv.org/abs/2405.04434)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Key, Kind, size_key

R_Q = Symbol("R_q", "latent dimension of the queries")
R_KV = Symbol("R_kv", "latent dimension of keys and values")
D_NOPE = Symbol("d_nope", "head dimension without positions")
D_ROPE = Symbol("d_rope", "head dimension with rotary positions")
D_V = Symbol("d_v", "head dimension of the values")
H_I = Symbol("H_i", "heads of the indexer")
D_I = Symbol("d_i", "head dimension of the indexer")

Q_LORA_RANK = size_key(R_Q, "q_latent_dim", "q_lora_rank", optional=True)
KV_LORA_RANK = size_key(R_KV, "kv_latent_dim", "kv_lora_rank")
NOPE_HEAD_DIM = size_key(D_NOPE, "nope_head_dim", "qk_nope_head_dim")
ROPE_HEAD_DIM = size_key(D_ROPE, "rope_head_dim", "qk_rope_head_dim")
V_HEAD_DIM = size_key(D_V, "v_head_dim")
INDEX_HEADS = size_key(H_I, "num_index_heads", "index_n_heads")
INDEX_HEAD_DIM = size_key(D_I, "index_head_dim")
INDEXER_TYPES = Key(
    "indexer_types",
    "for each layer: full with an indexer, shared with the choice of the layer before",
    kind=Kind.NAMES,
    optional=True,
)
INDEXER_PATTERN = Key(
    "indexer_pattern",
    "the same as letters, F and S",
    ("index_topk_pattern",),
    Kind.NAME,
    optional=True,
)
INDEXER_INTERVAL = Key(
    "indexer_interval",
    "one layer in how many has an indexer, once the first ones have",
    ("index_topk_freq",),
    Kind.WHOLE,
)
INDEXER_OFFSET = Key(
    "indexer_offset",
    "layers at the start that all have an indexer",
    ("index_skip_topk_offset",),
    Kind.WHOLE,
)
