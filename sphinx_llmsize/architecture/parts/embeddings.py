"""What stands before and after the layers: embeddings and the LM head."""

from __future__ import annotations

from sphinx_llmsize.architecture.pieces import Group, Stage, Tensor
from sphinx_llmsize.config.vocabulary import D, P, T, V


def token_embedding() -> Stage:
    """One vector of D numbers for each token of the vocabulary."""
    weight = Tensor("token_embedding.weight", (V, D), "token_embedding")
    return Stage("embedding", "Token embedding", Group.EMBEDDING, (T, D), (weight,))


def position_embedding() -> Stage:
    """One learned vector for each position (GPT-2, Radford et al. 2019)."""
    weight = Tensor("position_embedding.weight", (P, D), "position_embedding")
    return Stage("position", "Position embedding", Group.EMBEDDING, (T, D), (weight,))


def lm_head(*, tied: bool) -> Stage:
    """The projection back to the vocabulary; tied, it reuses the token embedding.

    Press & Wolf 2017, https://arxiv.org/abs/1608.05859
    """
    tied_to = "the token embedding" if tied else ""
    weight = Tensor("lm_head.weight", (D, V), "lm_head", tied_to=tied_to)
    return Stage("lm_head", "LM head", Group.HEAD, (T, V), (weight,))
