"""Tied embeddings of multimodal models, whose files can set them in two places.

Both the top level and the text decoder's section can have ``tie_word_embeddings``, and released
files contradict themselves there: transformers 4 reads the section, transformers 5 the top level. A
file is read as the version that wrote it reads it, which agrees with the released weights.
"""

from __future__ import annotations

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import checked_value
from sphinx_llmsize.sources.located import Entry, Section

TIES: dict[str, str] = {
    "section": (
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

- ``section``: the section decides, since it describes a model with an LM head.
- ``either``: tied if one of the two places is true.
- ``never``: the LM head always has weights of its own.
- all others, listed or not: the top level decides. If it doesn't set the key, ``tied`` models are
  tied, ``inherited`` ones (some of which transformers lacks) follow the section, and the others
  are untied. :func:`_rule` then still follows the section, even in a file of transformers 5,
  except for ``untied`` models.
"""
TIED_BY_DEFAULT = ("hunyuan_vl", "paddleocr_vl")
"""Models of ``either`` that transformers 5 ties if the top level does not say."""
TIE_OF = {name: way for way, names in TIES.items() for name in names.split()}
"""Way of each ``model_type`` listed in :data:`TIES`."""


def tied_embeddings(
    name: str, section: Section, text: Section, default: Setting
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Determine whether a multimodal model's text decoder has tied embeddings.

    Args:
        name: the multimodal ``model_type``.
        section: the whole configuration.
        text: the text decoder's section; the whole configuration if that is flat.
        default: the text family's default; null if its files cannot set it.

    Returns:
        Two tuples of at most one entry each. The first has the entry for the text decoder's
        configuration; it is empty if ``default`` is null. The second has the reason: a rule of
        ``TIE_RULES``, the values at the top level and in the section, the result, and that of
        transformers 5; it is empty if all of them agree.
    """
    if not isinstance(default, bool):
        return (), ()
    top, inner = _tie_entry(section), None if text is section else _tie_entry(text)
    by_section = default if inner is None else inner.value is True
    outer = None if top is None else top.value is True
    since_5 = _major_version(section) >= 5  # noqa: PLR2004 - version
    rule = _rule(name, has_outer=top is not None, has_inner=inner is not None, since_5=since_5)
    # the other two rules, "section" and "alone", follow the section
    by_rule = {"top": outer is True, "either": outer is True or by_section, "never": False}
    tied = by_rule.get(rule, by_section)
    built = _built(name, outer, by_section)
    line = next((entry.line for entry in (inner, top) if entry), None)
    entry = Entry(k.TIE_EMBEDDINGS.names[1], tied, line)
    places_agree = top is None or inner is None or outer == by_section
    if tied == built and places_agree:
        return (entry,), ()
    places = (str(place.value).lower() if place else "" for place in (top, inner))
    reason = (rule, *places, str(tied).lower(), str(built).lower())
    return (entry,), (Entry("tie", reason, line),)


def _rule(name: str, *, has_outer: bool, has_inner: bool, since_5: bool) -> str:
    """Rule by which the version of transformers that wrote a file reads it.

    The rules are the keys of ``TIE_RULES`` in ``notes.py``; with ``alone``, the section decides in
    all versions.
    """
    way = TIE_OF.get(name, "")
    if way == "section":
        return "alone"
    if since_5 and (way == "never" or (way == "untied" and not has_outer)):
        return "never"
    if not has_outer or (has_inner and not since_5):
        return "section"
    return "either" if way == "either" else "top"


def _built(name: str, outer: bool | None, by_section: bool) -> bool:
    """True if transformers 5, which ignores a file's version, ties the model's embeddings."""
    way = TIE_OF.get(name, "")
    if way == "section" or (way == "inherited" and outer is None):
        return by_section
    by_default = way == "tied" or name in TIED_BY_DEFAULT
    tied = by_default if outer is None else outer and way != "never"
    return tied or (way == "either" and by_section)


def _tie_entry(section: Section) -> Entry | None:
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
