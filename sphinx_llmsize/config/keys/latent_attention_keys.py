"""Keys of multi-head latent attention and of the indexers of sparse attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import ValueKind, make_key, size_key
from sphinx_llmsize.config.rule import Rule, Settings, only_these
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig

# Multi-head latent attention (DeepSeek-V2, https://arxiv.org/abs/2405.04434)
Q_LORA_RANK = size_key(s.R_Q, "q_latent_dim q_lora_rank", optional=True)
KV_LORA_RANK = size_key(s.R_KV, "kv_latent_dim kv_lora_rank")
NOPE_HEAD_DIM = size_key(s.D_NOPE, "nope_head_dim qk_nope_head_dim")
ROPE_HEAD_DIM = size_key(s.D_ROPE, "rope_head_dim qk_rope_head_dim")
V_HEAD_DIM = size_key(s.D_V, "v_head_dim")

# Indexers: small attention heads that select the keys for each query to attend to
INDEX_HEADS = size_key(s.H_I, "num_index_heads index_n_heads")
INDEX_HEAD_DIM = size_key(s.D_I, "index_head_dim")
INDEXER_TYPES = make_key(
    "indexer_types",
    N_("for each layer: full (own indexer) or shared (uses the choice of the layer before)"),
    ValueKind.NAMES,
    optional=True,
)
INDEXER_NAMES_RULE = only_these(INDEXER_TYPES, ("full", "shared"))
"""Each entry of ``indexer_types`` is ``full`` or ``shared``."""
INDEXER_PATTERN = make_key(
    "indexer_pattern index_topk_pattern",
    N_("indexer_types as one letter for each layer, F or S"),
    ValueKind.NAME,
    optional=True,
)
INDEXER_INTERVAL = make_key(
    "indexer_interval index_topk_freq",
    N_("one layer in this many has an indexer, after the first ones"),
    ValueKind.WHOLE,
)
INDEXER_OFFSET = make_key(
    "indexer_offset index_skip_topk_offset",
    N_("layers at the start that all have an indexer"),
    ValueKind.WHOLE,
)


def _check_query_latent(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that R_q is not null."""
    if settings[Q_LORA_RANK] is None:
        message = N_("{key} must be a number in this family")
        hint = N_("this family needs a query latent; deepseek_v3 also allows none")
        raise parsed.error(message, Q_LORA_RANK, hint=hint, problem=Problem.VALUE)


QUERY_LATENT_RULE = Rule(check=_check_query_latent)
"""``q_lora_rank`` is not null: the queries have a latent projection."""
