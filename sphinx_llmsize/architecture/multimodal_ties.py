"""Tied embeddings of multimodal models, whose files can set them in two places.

Both the top level and the text decoder's section can have ``tie_word_embeddings``, and released
files contradict themselves there: transformers 4 reads the section, transformers 5 the top level.
What a file means depends on the version that wrote it, as the released weights show: see the table
at :func:`_rule`.
"""

from __future__ import annotations

from typing import NamedTuple

from sphinx_llmsize.architecture.count_notes import TieReason
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.checked_value import check_value
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.sources.located import Entry, Section

TIE_WAYS: dict[str, str] = {
    "alone": (
        "blip-2 instructblip instructblipvideo llama4 nemotron_h_omni vibevoice kimi_vl "
        "multi_modality ovis deepseek_vl_v2"
    ),
    "either": (
        "fast_vlm llava llava_next_video llava_onevision minimax_m3_vl video_llama_3 glm4v "
        "glm4v_moe glm_ocr hunyuan_vl paddleocr_vl qwen2_vl qwen2_5_vl"
    ),
    "never": "audioflamingo3 musicflamingo nemo_speechlm qwen2_audio vibevoice_asr voxtral",
    "untied": "apertus1p5 hy_v4_vl mistral_large4 muse_glimmer muse_spark step3p7",
    "tied": (
        "aya_vision cohere2_vision deepseek_vl deepseek_vl_hybrid fun_asr_nano gemma3 "
        "gemma3n gemma4 gemma4_unified glmasr got_ocr2 granite_speech granite_speech_plus "
        "hyperclovax_vision_v2 internvl janus kimi_k25 lfm2_vl lfm3_vl lighton_ocr minicpm_ocr "
        "mistral3 moss_transcribe_diarize ovis2 paligemma pp_chart2table qwen3_asr "
        "ernie4_5_vl_moe granite_docling voxtral_realtime"
    ),
    "inherited": "perception_lm internvl_chat llava_llama llava_mistral llava_qwen llava_qwen2",
}
"""Multimodal ``model_type``s by the way in which transformers 5 ties their embeddings.

- ``alone``: as the section says, since it describes a model with an LM head.
- ``either``: if one of the two places is true.
- ``never``: not at all; the LM head always has weights of its own.
- ``tied``: as the top level says; tied if that doesn't set the key.
- ``inherited``: as the top level says; as the section says if that doesn't set the key. Some of
  these models are only in other libraries.
- ``untied``: as the top level says; untied if that doesn't set the key.
- Types that are not listed: the same as ``untied``. They differ in files that don't set the key at
  the top level, although transformers 5 wrote them: the section decides, but ``untied`` models are
  untied, as in the table at :func:`_rule`.
"""
TIED_BY_DEFAULT = ("hunyuan_vl", "paddleocr_vl")
"""Models of ``either`` that transformers 5 ties if the top level doesn't set the key."""
TIE_WAY_OF = {name: way for way, names in TIE_WAYS.items() for name in names.split()}
"""Way of each ``model_type`` listed in :data:`TIE_WAYS`."""


class TiedEmbeddings(NamedTuple):
    """Tied embeddings of a text decoder, or their absence.

    Attributes:
        entry: entry for the text decoder's configuration: true or false.
        reason: entry with a :class:`TieReason`, for a note to readers; None if the two places and
            transformers 5 agree with the result.
    """

    entry: Entry
    reason: Entry | None


def tied_embeddings(
    name: str, section: Section, text: Section, default: Setting
) -> TiedEmbeddings | None:
    """Determine whether a multimodal model's text decoder is tied; None if ``default`` is None.

    Args:
        name: the multimodal ``model_type``.
        section: the whole configuration.
        text: the text decoder's section; the whole configuration if that is flat.
        default: the text family's default; None if its files cannot set it.
    """
    if not isinstance(default, bool):
        return None
    top_entry = _tie_entry(section)
    inner_entry = None if text is section else _tie_entry(text)
    top_value = None if top_entry is None else top_entry.value is True
    section_value = default if inner_entry is None else inner_entry.value is True
    rule = _rule(
        name,
        top_is_set=top_entry is not None,
        section_is_set=inner_entry is not None,
        since_5=_major_version(section) >= 5,  # noqa: PLR2004 - version
    )
    tied = _is_tied_by_rule(rule, top_value=top_value is True, section_value=section_value)
    tied_in_5 = _is_tied_in_transformers_5(name, top_value=top_value, section_value=section_value)
    line = next((entry.line for entry in (inner_entry, top_entry) if entry), None)
    entry = Entry(k.TIE_EMBEDDINGS.names[1], tied, line)
    places_agree = top_entry is None or inner_entry is None or top_value == section_value
    if tied == tied_in_5 and places_agree:
        return TiedEmbeddings(entry, None)
    reason = TieReason(
        rule,
        top_value=_text(top_value),
        section_value=_text(inner_entry and inner_entry.value),
        counted=_text(tied),
        in_transformers_5=_text(tied_in_5),
    )
    return TiedEmbeddings(entry, Entry("tie", reason, line))


def _text(value: object) -> str:
    """A value as text: ``true`` or ``false``; empty for None."""
    return "" if value is None else str(value).lower()


def _is_tied_by_rule(rule: str, *, top_value: bool, section_value: bool) -> bool:
    """True if a rule of ``TIE_RULES`` ties embeddings with these values in the two places."""
    tied = {
        "section": section_value,
        "alone": section_value,
        "top": top_value,
        "either": top_value or section_value,
        "never": False,
    }
    return tied[rule]


def _rule(name: str, *, top_is_set: bool, section_is_set: bool, since_5: bool) -> str:
    """Rule by which the version of transformers that wrote a file reads it, from ``TIE_RULES``.

    =========================== ======================= =====================
    the key is set              before transformers 5   since transformers 5
    =========================== ======================= =====================
    at the top level only       ``top``                 ``top``
    in both places              ``section``             ``top``
    in the section, or nowhere  ``section``             ``section``
    =========================== ======================= =====================

    Exceptions, by the model's way: ``either`` instead of ``top``; always ``alone``; since
    transformers 5, ``never`` for ``never`` models, and for ``untied`` ones instead of ``section``.

    Args:
        name: the multimodal ``model_type``.
        top_is_set: the top level sets the key.
        section_is_set: the text decoder's section sets the key.
        since_5: transformers 5 or later wrote the file.
    """
    way = TIE_WAY_OF.get(name, "")
    if way == "alone":
        return "alone"
    if since_5 and (way == "never" or (way == "untied" and not top_is_set)):
        return "never"
    if not top_is_set or (section_is_set and not since_5):
        return "section"
    return "either" if way == "either" else "top"


def _is_tied_in_transformers_5(name: str, *, top_value: bool | None, section_value: bool) -> bool:
    """True if transformers 5, whichever version wrote the file, ties the model's embeddings.

    Args:
        name: the multimodal ``model_type``.
        top_value: value at the top level; None if it is absent.
        section_value: value in the text decoder's section, or its default.
    """
    way = TIE_WAY_OF.get(name, "")
    if way == "alone" or (way == "inherited" and top_value is None):
        return section_value
    if way == "either" and section_value:
        return True
    if top_value is None:
        return way == "tied" or name in TIED_BY_DEFAULT
    return top_value and way != "never"


def _tie_entry(section: Section) -> Entry | None:
    """Entry that sets tied embeddings; None if it is absent or null.

    Raises:
        ConfigError: it is neither true nor false.
    """
    entry = section.first_set(k.TIE_EMBEDDINGS.names)
    if entry:
        check_value(entry, k.TIE_EMBEDDINGS)
    return entry


def _major_version(section: Section) -> int:
    """First number of ``transformers_version``; 0 if it is absent or no version."""
    entry = section.get("transformers_version")
    first = str(entry.value).partition(".")[0] if entry else ""
    return int(first) if first.isdecimal() and len(first) < 3 else 0  # noqa: PLR2004 - digits
