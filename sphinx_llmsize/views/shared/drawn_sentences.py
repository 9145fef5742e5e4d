"""Sentences on what is drawn, such as frames, for hosts that draw diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sphinx_llmsize.blocks import Drawn, Key, KeyItem, Line
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import filled, joined_sentences


def only_drawn(sentences: Iterable[Line]) -> Line:
    """The sentences, with a space if the language has one before the next; empty without any."""
    text = before_next(sentences)
    return (Drawn(text),) if text else ()


def key(items: Sequence[KeyItem], *, has_colors: bool = True) -> Line:
    """The meanings of frames: ``Double frame: weights grow with D². Single frame: …``."""
    message = _("{frame}: {meaning}.")
    sentences = [filled(message, frame=item.name, meaning=item.meaning) for item in items]
    between, after = message.removeprefix("{frame}").split("{meaning}")
    text = before_next(sentences)
    return (Key(text, tuple(items), (between, after), has_colors),) if text else ()


def before_next(sentences: Iterable[Line]) -> Line:
    """The sentences before another one."""
    text = joined_sentences(*sentences)
    return filled(_("{sentence} {next}"), sentence=text, next=()) if text else ()
