"""Sentences on what is drawn, such as frames, for hosts that draw diagrams."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.blocks import Drawn, Line
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import filled, joined_sentences


def only_drawn(sentences: Iterable[Line]) -> Line:
    """The sentences, with a space if the language has one before the next; empty without any."""
    text = joined_sentences(*sentences)
    if not text:
        return ()
    return (Drawn(filled(_("{sentence} {next}"), sentence=text, next=())),)
