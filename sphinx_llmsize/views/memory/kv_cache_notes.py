"""Notes below the table of the KV cache: assumptions, and the size with multi-head attention."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import grows
from sphinx_llmsize.blocks import Line, Note
from sphinx_llmsize.config.symbols import Length, T
from sphinx_llmsize.formats import significant
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.kv_cache import CachedPart, with_keys_and_values
from sphinx_llmsize.views.shared.data_size import bytes_of, size_text
from sphinx_llmsize.views.shared.lengths import equal_lengths_note, tokens_text
from sphinx_llmsize.views.shared.wording import filled, variable

CONSTANT_STATES = N_(
    "States do not grow with the sequence. They are counted in the same type as the rest; some "
    "programs store them in fp32."
)

BUFFERS = N_(
    "Tokens that don't fill an entry yet are buffered, as are those of the last entry if entries "
    "overlap. The buffers have fewer than {number} elements, {size}, and are not counted."
)


def kv_cache_notes(
    model: Model, parts: Sequence[CachedPart], context: int, dtype: str
) -> tuple[Note, ...]:
    """Notes on the cached parts.

    Args:
        model: the model.
        parts: its cached parts.
        context: tokens after which the cache is compared with that of multi-head attention.
        dtype: data type of the cache.
    """
    architecture = model.architecture
    lengths = dict.fromkeys(part.length for part in parts if part.length)
    notes: list[Line] = []
    # only the number of the encoder's tokens doesn't grow; the note says that T is assumed for it
    if not all(map(grows, lengths)):
        notes.append(equal_lengths_note(model))
    notes += [_rate_note(length) for length in lengths if length.rate > 1]
    if not all(part.length for part in parts):
        notes.append((_(CONSTANT_STATES),))
    notes.append(_buffers_note(architecture, dtype))
    notes.append(_multi_head_note(architecture, parts, context, dtype))
    return tuple(Note(note) for note in notes if note)


def _rate_note(length: Length) -> Line:
    """Note on a sequence that is shorter than T by a constant factor."""
    return filled(
        _("{length} stands for {meaning}: {ratio}, rounded down."),
        length=variable(length),
        meaning=_(length.meaning),
        ratio=(variable(T), f"/{length.rate}"),
    )


def _buffers_note(architecture: Architecture, dtype: str) -> Line:
    """Note with an upper limit of the uncounted buffers; empty if there are none."""
    largest = sum(
        architecture.count(product(placed.uses, *shape))
        for placed in architecture.placed_stages()
        for shape in placed.stage.buffers
    )
    if not largest:
        return ()
    return (_(BUFFERS, number=largest, size=size_text(bytes_of(largest, dtype))),)


def _multi_head_note(
    architecture: Architecture, parts: Sequence[CachedPart], context: int, dtype: str
) -> Line:
    """Comparison with the KV cache of multi-head attention; empty if that is not larger."""
    compared = with_keys_and_values(parts, architecture)
    actual = sum(part.elements_at(architecture, context) for part in compared)
    multi_head = sum(part.mha_elements_at(architecture, context) for part in compared)
    if multi_head <= actual:
        return ()
    text = _(
        "The KV cache of multi-head attention, with keys and values for each of the heads, "
        "would be {ratio} times as large: {size} for {tokens}.",
        ratio=significant(quotient(multi_head, actual)),
        size=size_text(bytes_of(multi_head, dtype)),
        tokens=tokens_text(context),
    )
    return (text,)
