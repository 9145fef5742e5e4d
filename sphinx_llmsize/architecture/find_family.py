"""Find the model family by a configuration's ``model_type`` or ``architectures``."""

from __future__ import annotations

from sphinx_llmsize.architecture.classes import classes, similar_class
from sphinx_llmsize.architecture.families import (
    MODEL_TYPES,
    TEXT_TYPE_OF,
    all_families,
    family_named,
)
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import ConfigError, Problem, suggestion
from sphinx_llmsize.near_names import hint_for
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import N_, _

UNSUPPORTED: dict[str, str] = {
    N_("a model of speech; supported text encoder-decoders: bart, t5, m2m_100 …"): (
        "whisper speech_to_text speecht5 moonshine moonshine_streaming seamless_m4t "
        "seamless_m4t_v2 bark musicgen musicgen_melody moshi csm dia kyutai_speech_to_text "
        "parakeet pop2piano cohere_asr"
    ),
    N_("an encoder of speech; supported text encoders: bert, roberta, modernbert …"): (
        "wav2vec2 wav2vec2-bert wav2vec2-conformer hubert wavlm unispeech unispeech-sat sew sew-d "
        "audio-spectrogram-transformer clap data2vec-audio"
    ),
    N_("supported models of T5 and Gemma: t5, mt5, umt5, longt5, gemma, gemma2, gemma3_text"): (
        "t5gemma t5gemma2"
    ),
    N_("supported models of this line: pegasus, bigbird_pegasus"): "pegasus_x",
    N_("supported model of this line: esm"): "esmc esmfold2",
}
"""Well-known unsupported types, separated by spaces, by the hint that is shown for them."""


def find_family(section: Section) -> Family:
    """Find the family by ``model_type``, else by ``architectures``, else the textbook decoder.

    Raises:
        ConfigError: the model type or class is not supported.
    """
    if entry := section.get(k.MODEL_TYPE.name):
        return family_named(_look_up(entry, entry.value, {name: name for name in MODEL_TYPES}))
    if entry := section.get(k.ARCHITECTURES.name):
        first = entry.value[0] if isinstance(entry.value, tuple) and entry.value else entry.value
        return family_named(_look_up(entry, first, _model_type_by_class()))
    return family_named("")


def _model_type_by_class() -> dict[str, str]:
    """The ``model_type`` of files that state only their class, by the class."""
    families = all_families()
    # of a class of several families, the first family overwrites the others
    table = {name: each.model_type for each in reversed(families) for name in each.architectures}
    for family in families:
        for name in classes().get(family.model_type, ()):
            table.setdefault(name, family.model_type)
    return table


def _look_up(entry: Entry, name: object, table: dict[str, str]) -> str:
    """Look up the model type for a name.

    Args:
        entry: the configuration's ``model_type`` or ``architectures``, for errors.
        name: its value; of a list, the first entry.
        table: model type of each known name.

    Raises:
        ConfigError: the name is not in the table; the hint suggests the nearest one.
    """
    if not isinstance(name, str) or not name:
        message = _("{key} must be a name", key=entry.key)
        raise ConfigError(message, Problem.VALUE, _("such as llama"), line=entry.line)
    if name in table:
        return table[name]
    if entry.key == k.MODEL_TYPE.name:
        hint = unsupported_hint(name) or hint_for(name, sorted({*table, *TEXT_TYPE_OF}))
    else:
        hint = suggestion(similar_class(name, table)) or _("add its model_type")
    message = _("{key} {name} is not supported", key=entry.key, name=repr(name[:60]))
    hint = hint or _("the documentation lists the families")
    raise ConfigError(message, Problem.VALUE, hint, line=entry.line)


def unsupported_hint(model_type: str) -> str:
    """Hint for an unsupported type: the reason, or similar supported types; empty if not listed."""
    return next((_(text) for text, types in UNSUPPORTED.items() if model_type in types.split()), "")
