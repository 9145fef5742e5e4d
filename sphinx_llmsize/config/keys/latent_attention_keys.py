"""Keys of multi-head latent attention (DeepSeek-V2, https://arxiv.org/abs/2405.04434)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.symbols import D_NOPE, D_ROPE, D_V, R_KV, R_Q
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig


Q_LORA_RANK = size_key(R_Q, "q_latent_dim", "q_lora_rank", optional=True)
KV_LORA_RANK = size_key(R_KV, "kv_latent_dim", "kv_lora_rank")
NOPE_HEAD_DIM = size_key(D_NOPE, "nope_head_dim", "qk_nope_head_dim")
ROPE_HEAD_DIM = size_key(D_ROPE, "rope_head_dim", "qk_rope_head_dim")
V_HEAD_DIM = size_key(D_V, "v_head_dim")


def _check_query_latent(settings: Settings, parsed: ParsedConfig) -> None:
    if settings[Q_LORA_RANK] is None:
        raise ConfigError(
            _("{key} must be a number in this family", key=parsed.name(Q_LORA_RANK)),
            Problem.VALUE,
            hint=_("queries have a latent here; deepseek_v3 can do without"),
            line=parsed.line(Q_LORA_RANK),
        )


QUERY_LATENT = Rule(check=_check_query_latent)
"""Queries must have a latent."""
