"""Notes for readers on the parameter count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_


@dataclass(frozen=True)
class CountNote:
    """Remark on the parameter count.

    Attributes:
        text: the remark; if ``is_uncounted``, only the name of a part.
        key: if set, the note is shown only where this key's value is not null, 0, false or empty.
        component: if set, the note is shown only for models with untied tensors of this component.
        is_uncounted: the text names a part that isn't counted; :func:`uncounted_note` lists all of
            these names in one sentence.
    """

    text: str
    key: Key | None = None
    component: str = ""
    is_uncounted: bool = False


TEXT_ONLY = CountNote(N_("Text decoder only: the other parts of the model are not counted."))

MTP_NOTE = CountNote(
    N_("the weights for multi-token prediction (in training and speculative decoding)"),
    k.MTP_LAYERS,
    is_uncounted=True,
)

CORRECTION_BIAS_NOTE = CountNote(
    N_(
        "the routers' correction biases (e_score_correction_bias, buffers that balance the "
        "experts' load)"
    ),
    k.NUM_EXPERTS,
    is_uncounted=True,
)

UNTIED_NOTE = CountNote(
    N_("The LM head is never tied; tie_embeddings has no effect."), k.TIE_EMBEDDINGS
)

POSITIONS_AFTER_PADDING = CountNote(
    N_(
        "The first rows of the position embedding, up to that of the padding token, are reserved: "
        "usually 2."
    ),
    component="position_embedding",
)

TOWERS = {"vision_config": N_("vision tower"), "audio_config": N_("audio encoder")}
"""Parts of a multimodal model, by the key of the section that describes them."""
TIE_RULES = {
    "section": N_("the text decoder's section decides, as in transformers 4"),
    "top": N_("the top level decides, as in transformers 5"),
    "either": N_("one of the two places suffices in this model"),
    "never": N_("transformers 5 never ties them in this model"),
    "alone": N_("the text decoder's section decides in this model"),
}
"""Rules by which ``multimodal_ties.py`` determines tied embeddings."""


class TieReason(NamedTuple):
    """Reason for tied or untied embeddings of a multimodal model, as texts for a note.

    Attributes:
        rule: rule that decides, a key of :data:`TIE_RULES`.
        top_value: ``true`` or ``false`` at the top level; empty if it is not set there.
        section_value: the same in the text decoder's section.
        counted: ``true`` if the embeddings are counted as tied, else ``false``.
        in_transformers_5: the same for the model that transformers 5 builds.
    """

    rule: str
    top_value: str
    section_value: str
    counted: str
    in_transformers_5: str


TIED = {"true": N_("tied"), "false": N_("untied")}
"""Words for the values of ``tie_word_embeddings``."""


def notes_on_count(
    notes: Iterable[CountNote], config: Config, tensors: Sequence[Tensor]
) -> tuple[str, ...]:
    """Texts of a family's notes that apply to a configuration, and of those on its tensors.

    Args:
        notes: notes of the family.
        config: the configuration.
        tensors: the tensors of the model.
    """
    # "" is the component of notes that apply to any tensors
    components = {"", *(tensor.component for tensor in tensors if not tensor.tied_to)}
    shown = [
        note
        for note in notes
        if note.component in components and (note.key is None or config.has(note.key))
    ]
    uncounted = [note.text for note in shown if note.is_uncounted]
    others = [note.text for note in shown if not note.is_uncounted]
    whole_model = config[k.TEXT_PART_OF] if config.is_explicit(k.TEXT_PART_OF) else None
    first = (uncounted_note(uncounted),) if uncounted else ()
    reserved_rows = _reserved_rows_notes(tensors, config.sizes)
    return (*first, *others, *reserved_rows, *text_part_notes(whole_model))


def uncounted_note(names: Sequence[str]) -> str:
    """Note on all parts that aren't counted: ``Not counted: …, … and ….``."""
    *others, last = names
    if not others:
        return N_("Not counted: {part}.", part=last)
    return N_("Not counted: {parts} and {part}.", parts=_comma_separated(others), part=last)


def _comma_separated(names: Sequence[str]) -> str:
    """Join names with commas: ``a, b, c``.

    The result is a label made of labels, since each name is translated where the note is shown.
    """
    return reduce(lambda before, part: N_("{before}, {part}", before=before, part=part), names)


def _reserved_rows_notes(tensors: Iterable[Tensor], sizes: Mapping[Symbol, int]) -> Iterator[str]:
    """Yield a note on position tables with more rows than positions: one for equal tables.

    Args:
        tensors: the tensors of a model.
        sizes: number for each symbol.
    """
    tables = ((each.shape[0], each.reserved_rows) for each in tensors if each.reserved_rows)
    for rows, reserved in dict.fromkeys(tables):
        number = rows.evaluate(sizes)
        yield N_(
            "Of the {number} rows of the position embedding, {positions} are for positions, and "
            "{reserved} are reserved for padding.",
            number=number,
            positions=number - reserved,
            reserved=reserved,
        )


def text_part_notes(whole_model: Setting) -> Iterator[str]:
    """Yield notes on a multimodal model: uncounted parts, and contradictions on tied embeddings.

    Args:
        whole_model: value of ``text_part_of``; null for a model of text alone.
    """
    if not isinstance(whole_model, Section) or not whole_model.entries:
        return
    facts = {entry.key: _names(entry.value) for entry in whole_model.entries}
    yield _uncounted_parts_note(facts.get("towers", ()), facts.get("others", ()))
    if reason := facts.get("tie"):
        yield from _tie_notes(reason)


def _uncounted_parts_note(towers: Sequence[str], others: Sequence[str]) -> str:
    """Note on the parts of a multimodal model beside its text decoder.

    Args:
        towers: keys of sections with layers, such as ``vision_config``.
        others: keys of other sections.
    """
    labels = [
        N_("{part} ({section})", part=TOWERS[key], section=key) if key in TOWERS else key
        for key in towers
    ]
    names = [*labels, *others]
    if not names:
        return TEXT_ONLY.text
    return N_(
        "Text decoder only. Not counted: {parts}, and the layers between them and the decoder.",
        parts=_comma_separated(names),
    )


def _tie_notes(reason: Sequence[str]) -> Iterator[str]:
    """Yield notes on contradictory ``tie_word_embeddings``; ``reason`` is a TieReason."""
    rule, top, section, counted, in_transformers_5 = reason
    yield N_(
        "The LM head is counted as {counted}: tie_word_embeddings is {top} at the top level "
        "and {section} in the text decoder's section, and {rule}.",
        counted=TIED[counted],
        top=top or N_("absent"),
        section=section or N_("absent"),
        rule=TIE_RULES[rule],
    )
    if counted != in_transformers_5:
        yield N_(
            "From this configuration alone, transformers 5 builds a model with {built} embeddings.",
            built=TIED[in_transformers_5],
        )


def _names(value: object) -> tuple[str, ...]:
    """The entries of a list as text; empty for any other value."""
    return tuple(map(str, value)) if isinstance(value, tuple) else ()
