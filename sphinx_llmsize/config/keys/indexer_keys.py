"""Keys of indexers, small heads that choose the keys a query sees."""

from __future__ import annotations

from sphinx_llmsize.config.key import Key, Kind, size_key
from sphinx_llmsize.config.symbols import D_I, H_I
from sphinx_llmsize.translation import N_

INDEX_HEADS = size_key(H_I, "num_index_heads", "index_n_heads")
INDEX_HEAD_DIM = size_key(D_I, "index_head_dim")
INDEXER_TYPES = Key(
    "indexer_types",
    N_("for each layer: full with an indexer, shared with the choice of the layer before"),
    kind=Kind.NAMES,
    optional=True,
)
INDEXER_PATTERN = Key(
    "indexer_pattern",
    N_("the same as letters, F and S"),
    ("index_topk_pattern",),
    Kind.NAME,
    optional=True,
)
INDEXER_INTERVAL = Key(
    "indexer_interval",
    N_("one layer in how many has an indexer, once the first ones have"),
    ("index_topk_freq",),
    Kind.WHOLE,
)
INDEXER_OFFSET = Key(
    "indexer_offset",
    N_("layers at the start that all have an indexer"),
    ("index_skip_topk_offset",),
    Kind.WHOLE,
)
