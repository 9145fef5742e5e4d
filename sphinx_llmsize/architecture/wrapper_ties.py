"""Tied embeddings of multimodal models, whose files can set them in two places.

Both the top level and the text decoder's section can have ``tie_word_embeddings``. transformers 4
follows the section, transformers 5 the top level, and files that each of them writes disagree. A
file is read as the version that wrote it does, which is how the released weights are.
"""

from __future__ import annotations

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import checked_value
from sphinx_llmsize.sources.located import Entry, Section

SECTION_ALONE = frozenset("blip-2 instructblip instructblipvideo nemotron_h_omni vibevoice".split())
"""The section decides in any version: it describes a model that has its own LM head."""
EITHER = frozenset(
    "fast_vlm llava llava_next_video llava_onevision minimax_m3_vl video_llama_3".split()
)
"""In transformers 5 the embeddings are tied if one of the two places says so."""
UNTIED = frozenset(
    "audioflamingo3 musicflamingo nemo_speechlm qwen2_audio vibevoice_asr voxtral".split()
)
"""In transformers 5 the embeddings are tied only if the top level says so."""
TIED = frozenset(
    "aya_vision cohere2_vision deepseek_vl deepseek_vl_hybrid florence2 fun_asr_nano gemma3 "
    "gemma3n gemma4 gemma4_unified glmasr got_ocr2 granite_speech granite_speech_plus "
    "hyperclovax_vision_v2 internvl janus kimi_k25 lfm2_vl lfm3_vl lighton_ocr minicpm_ocr "
    "mistral3 moss_transcribe_diarize ovis2 paligemma pp_chart2table qwen3_asr".split()
)
"""In transformers 5 the embeddings are tied unless the top level says otherwise."""
OWN_CODE = frozenset("internvl_chat llava_llama llava_mistral llava_qwen llava_qwen2".split())
"""Models that transformers does not have."""


def tied_embeddings(
    name: str, section: Section, text: Section, default: Setting
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Find out whether a multimodal model's text decoder has tied embeddings.

    Args:
        name: the multimodal ``model_type``.
        section: the whole configuration.
        text: the text decoder's section; the whole configuration if that is flat.
        default: the text family's default; null if its files cannot set it.

    Returns:
        The entry for the text decoder's configuration, and entries that explain it to readers;
        both empty if there is nothing to set or to explain.
    """
    if not isinstance(default, bool):
        return (), ()
    top, inner = _written(section), None if text is section else _written(text)
    by_section = default if inner is None else inner.value is True
    outer = None if top is None else top.value is True
    since_5 = _major_version(section) >= 5  # noqa: PLR2004 - version
    rule = _rule(name, outer, inner is not None, since_5=since_5)
    tied = _RULES[rule](outer is True, by_section)
    built = tied if name in OWN_CODE else _built(name, outer, by_section)
    line = next((entry.line for entry in (inner, top) if entry), None)
    entry = Entry(k.TIE_EMBEDDINGS.names[1], tied, line)
    agree = tied == built and (outer is None or inner is None or outer == by_section)
    if agree:
        return (entry,), ()
    places = (str(place.value).lower() if place else "" for place in (top, inner))
    reason = (rule, *places, str(tied).lower(), str(built).lower())
    return (entry,), (Entry("tie", reason, line),)


_RULES = {
    "alone": lambda outer, inner: inner,
    "section": lambda outer, inner: inner,
    "top": lambda outer, inner: outer,
    "either": lambda outer, inner: outer or inner,
}
"""Whether the embeddings are tied, by the values at the top level and of the section."""


def _rule(name: str, outer: bool | None, has_inner: bool, *, since_5: bool) -> str:
    """Name of the rule that the writer of a file applies."""
    if name in SECTION_ALONE:
        return "alone"
    if outer is None and not (since_5 and name in UNTIED):
        return "section"
    if name in EITHER and (since_5 or not has_inner):
        return "either"
    return "top" if since_5 or not has_inner else "section"


def _built(name: str, outer: bool | None, by_section: bool) -> bool:
    """Whether transformers 5 ties the embeddings of a model that it builds from the file alone."""
    if name in SECTION_ALONE or (name == "perception_lm" and outer is None):
        return by_section
    tied = name in TIED if outer is None else outer
    return tied or (name in EITHER and by_section)


def _written(section: Section) -> Entry | None:
    """Entry that sets tied embeddings; None if it is absent or null.

    Raises:
        ConfigError: it is neither true nor false.
    """
    entries = filter(None, map(section.get, k.TIE_EMBEDDINGS.names))
    entry = next((entry for entry in entries if entry.value is not None), None)
    if entry:
        checked_value(entry, k.TIE_EMBEDDINGS)
    return entry


def _major_version(section: Section) -> int:
    """First number of ``transformers_version``; 0 if it is absent or no version."""
    entry = section.get("transformers_version")
    first = str(entry.value).partition(".")[0] if entry else ""
    return int(first) if first.isdecimal() and len(first) < 3 else 0  # noqa: PLR2004 - digits
