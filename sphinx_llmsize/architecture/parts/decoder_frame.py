"""The frame that decoder-only transformers share."""

from __future__ import annotations

from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.norms import Norm
from sphinx_llmsize.architecture.stacks import Item, Stack
from sphinx_llmsize.architecture.stages import Block, Parallel, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.translation import N_


def equal_layers(block: Block) -> tuple[Item, ...]:
    """L layers of one block."""
    return (Stack("layers", L, block),)


def decoder(
    config: Config,
    layers: tuple[Item, ...],
    *,
    norm: Norm | None,
    embeddings: tuple[Stage, ...] | None = None,
    head_bias: bool = False,
) -> tuple[Item, ...]:
    """Embeddings, layers, a last norm and the LM head.

    Args:
        config: says whether the head is tied.
        layers: the stacks, or the block of L equal layers.
        norm: the last one, if there is one.
        embeddings: what stands before the layers, if more than the token embedding.
        head_bias: a bias on the LM head.
    """
    block = tuple(item for item in layers if isinstance(item, (Stage, Parallel)))
    return (
        *(embeddings or (token_embedding(),)),
        *(equal_layers(block) if block == layers else layers),
        *((norm("final_norm", N_("Final norm")),) if norm else ()),
        lm_head(tied=config.flag(k.TIE_EMBEDDINGS), bias=head_bias),
    )
