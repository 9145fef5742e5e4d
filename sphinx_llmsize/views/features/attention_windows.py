"""Sentences on layers whose tokens attend only to some others: sliding windows, and chunks.

Each function returns an empty text for a model without such layers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.in_words.attention_in_words import COMPRESSOR
from sphinx_llmsize.views.in_words.part_components import layers_with
from sphinx_llmsize.views.in_words.windows_in_words import (
    Window,
    WindowKind,
    layers_by_window,
    stacks_with_attention,
)
from sphinx_llmsize.views.shared.wording import listed_text

ONE_WINDOW = {
    WindowKind.SLIDING: N_("Sliding window: {layers} attends to the last {window} tokens."),
    WindowKind.TWO_SIDED: N_("Sliding window: {layers} attends to {window} tokens on each side."),
    WindowKind.CHUNK: N_(
        "Chunked attention: {layers} attends only to earlier tokens in the same chunk of {window} "
        "tokens."
    ),
}
"""The whole sentence if all layers with attention have the same window, by its kind."""


def windows(model: Model) -> str:
    """Sentence on layers with a sliding window, and on compressed entries beside it."""
    found = _layers_by_window(model)
    if not found or _has_chunks(found):
        return ""
    sentence = _windows(model, found, N_("Sliding windows: of {layers} layers, {windows}."))
    entries = _compressed_entries(model)
    return _("{sentence} {next}", sentence=sentence, next=entries) if entries else sentence


def chunks(model: Model) -> str:
    """Sentence on layers with chunked attention."""
    found = _layers_by_window(model)
    if not _has_chunks(found):
        return ""
    return _windows(model, found, N_("Chunked attention: of {layers} layers, {windows}."))


def _layers_by_window(model: Model) -> Mapping[Window, int]:
    """The number of layers with each window; a window of layers without attention has no effect."""
    return layers_by_window(model, stacks_with_attention(_attention(model)))


def _has_chunks(found: Mapping[Window, int]) -> bool:
    """True if the windows are chunks."""
    return any(window.kind is WindowKind.CHUNK for window in found)


def _attention(model: Model) -> Sequence[PlacedStage]:
    """The stages of attention."""
    return tuple(model.architecture.placed_stages(Group.ATTENTION))


def _windows(model: Model, found: Mapping[Window, int], several: str) -> str:
    """The sentence on these windows.

    Args:
        model: the model.
        found: the number of layers with each window.
        several: message if layers differ, with their number and their windows.
    """
    layers = layers_with(model, model.architecture.placed_stages())
    with_attention = layers_with(model, _attention(model))
    if list(found.values()) == [with_attention]:
        (window,) = found
        every = _("every layer") if with_attention == layers else _("every attention layer")
        return _(ONE_WINDOW[window.kind], layers=every, window=window.tokens)
    texts = [_window_of_layers(window, number) for window, number in found.items()]
    return _(several, layers=layers, windows=listed_text(texts))


def _window_of_layers(window: Window, layers: int) -> str:
    """``21 attend to the last 512 tokens``."""
    if window.kind is WindowKind.TWO_SIDED:
        return ngettext(
            "{number} attends to {window} tokens on each side",
            "{number} attend to {window} tokens on each side",
            layers,
            number=layers,
            window=window.tokens,
        )
    if window.kind is WindowKind.CHUNK:
        return ngettext(
            "{number} attends only to earlier tokens in the same chunk of {window} tokens",
            "{number} attend only to earlier tokens in the same chunk of {window} tokens",
            layers,
            number=layers,
            window=window.tokens,
        )
    return ngettext(
        "{number} attends to the last {window} tokens",
        "{number} attend to the last {window} tokens",
        layers,
        number=layers,
        window=window.tokens,
    )


def _compressed_entries(model: Model) -> str:
    """Sentence on layers that also attend to the joined keys and values of several tokens."""
    attention = _attention(model)
    number = layers_with(model, [each for each in attention if each.stage.id == COMPRESSOR])
    layers = layers_with(model, attention)
    if not number:
        return ""
    if number == layers:
        return _("All layers also attend to compressed entries, each of several tokens.")
    return ngettext(
        "Of {layers} layers, {n} also attends to compressed entries, each of several tokens.",
        "Of {layers} layers, {n} also attend to compressed entries, each of several tokens.",
        number,
        layers=layers,
        n=number,
    )
