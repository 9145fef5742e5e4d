"""Tied embeddings of multimodal models, whose files can set them in two places.

Both the top level and the text decoder's section can have ``tie_word_embeddings``, and released
files contradict themselves there: transformers 4 reads the section, transformers 5 the top level.
The version that wrote the file decides, which agrees with the released weights.
"""

from __future__ import annotations

from typing import NamedTuple

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import check_value
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
    "untied": "mistral_large4 muse_glimmer muse_spark step3p7",
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

- ``alone``: the section alone decides, since it describes a model with an LM head.
- ``either``: tied if one of the two places is true.
- ``never``: the LM head always has weights of its own.
- ``untied``, ``tied``, ``inherited`` and types that are not listed: the top level decides. If it
  doesn't set the key, transformers 5 ties ``tied`` models, follows the section in ``inherited``
  ones, and ties no others.

For a file without the key at the top level, :func:`_rule` differs: it follows the section, except
for ``never`` and ``untied`` models if transformers 5 wrote the file. Some of the ``inherited``
models are only in other libraries.
"""
TIED_BY_DEFAULT = ("hunyuan_vl", "paddleocr_vl")
"""Models of ``either`` that transformers 5 ties if the top level doesn't set the key."""
TIE_WAY_OF = {name: way for way, names in TIE_WAYS.items() for name in names.split()}
"""Way of each ``model_type`` listed in :data:`TIE_WAYS`."""


class TiedEmbeddings(NamedTuple):
    """Tied embeddings of a text decoder, or their absence.

    Attributes:
        entry: entry for the text decoder's configuration: true or false.
        reason: entry for a note to readers: a rule of ``TIE_RULES``, the values at the top level
            and in the section, the result, and that of transformers 5. None if all of them agree.
    """

    entry: Entry
    reason: Entry | None


def tied_embeddings(
    name: str, section: Section, text: Section, default: Setting
) -> TiedEmbeddings | None:
    """Determine whether a multimodal model's text decoder has tied embeddings.

    Args:
        name: the multimodal ``model_type``.
        section: the whole configuration.
        text: the text decoder's section; the whole configuration if that is flat.
        default: the text family's default; None if its files cannot set it.

    Returns:
        The result; None if ``default`` is None.
    """
    if not isinstance(default, bool):
        return None
    top_entry = _tie_entry(section)
    inner_entry = None if text is section else _tie_entry(text)
    at_top = None if top_entry is None else top_entry.value is True
    in_section = default if inner_entry is None else inner_entry.value is True
    rule = _rule(
        name,
        is_at_top=top_entry is not None,
        is_in_section=inner_entry is not None,
        since_5=_major_version(section) >= 5,  # noqa: PLR2004 - version
    )
    tied = _is_tied_by_rule(rule, at_top=at_top is True, in_section=in_section)
    tied_in_5 = _is_tied_in_transformers_5(name, at_top=at_top, in_section=in_section)
    line = next((entry.line for entry in (inner_entry, top_entry) if entry), None)
    entry = Entry(k.TIE_EMBEDDINGS.names[1], tied, line)
    places_agree = top_entry is None or inner_entry is None or at_top == in_section
    if tied == tied_in_5 and places_agree:
        return TiedEmbeddings(entry, None)
    places = (str(place.value).lower() if place else "" for place in (top_entry, inner_entry))
    reason = (rule, *places, str(tied).lower(), str(tied_in_5).lower())
    return TiedEmbeddings(entry, Entry("tie", reason, line))


def _is_tied_by_rule(rule: str, *, at_top: bool, in_section: bool) -> bool:
    """True if a rule of ``TIE_RULES`` ties embeddings with these values in the two places."""
    tied = {
        "section": in_section,
        "alone": in_section,
        "top": at_top,
        "either": at_top or in_section,
        "never": False,
    }
    return tied[rule]


def _rule(name: str, *, is_at_top: bool, is_in_section: bool, since_5: bool) -> str:
    """Rule by which the version of transformers that wrote a file reads it.

    The rules are the keys of ``TIE_RULES`` in ``count_notes.py``.

    Args:
        name: the multimodal ``model_type``.
        is_at_top: the top level sets the key.
        is_in_section: the text decoder's section sets the key.
        since_5: transformers 5 or later wrote the file.
    """
    way = TIE_WAY_OF.get(name, "")
    if way == "alone":
        return "alone"
    if since_5 and (way == "never" or (way == "untied" and not is_at_top)):
        return "never"
    if not is_at_top or (is_in_section and not since_5):
        return "section"
    return "either" if way == "either" else "top"


def _is_tied_in_transformers_5(name: str, *, at_top: bool | None, in_section: bool) -> bool:
    """True if transformers 5, whichever version wrote the file, ties the model's embeddings.

    Args:
        name: the multimodal ``model_type``.
        at_top: value at the top level; None if it is absent.
        in_section: value in the text decoder's section, or its default.
    """
    way = TIE_WAY_OF.get(name, "")
    if way == "alone" or (way == "inherited" and at_top is None):
        return in_section
    if way == "either" and in_section:
        return True
    if at_top is None:
        return way == "tied" or name in TIED_BY_DEFAULT
    return at_top and way != "never"


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
