"""Derivations that several families share."""

from __future__ import annotations

from sphinx_llmsize.config.resolve import Settings
from sphinx_llmsize.config.vocabulary import FFN_DIM, HIDDEN_DIM


def four_times_hidden(settings: Settings) -> Settings:
    """The feed-forward width of the original transformer, 4·D."""
    hidden = settings[HIDDEN_DIM]
    assert isinstance(hidden, int)
    return {FFN_DIM: 4 * hidden}
