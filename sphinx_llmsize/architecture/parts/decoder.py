"""The frame that decoder-only transformers share."""

from __future__ import annotations

from sphinx_llmsize.architecture.pieces import Item, Stack, Stage
from sphinx_llmsize.config.vocabulary import L


def decoder(
    *, embeddings: tuple[Stage, ...], block: tuple[Stage, ...], head: tuple[Stage, ...]
) -> tuple[Item, ...]:
    """Embeddings, L equal layers, and what turns their output into logits."""
    return (*embeddings, Stack("layers", L, block), *head)
