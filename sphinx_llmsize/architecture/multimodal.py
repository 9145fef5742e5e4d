"""Extraction of the text decoder from a multimodal configuration.

In all functions, ``section`` is the whole configuration, ``name`` the multimodal ``model_type``,
``text`` the text decoder's section, and ``nested`` the entry with it; None if the file is flat.
"""

from __future__ import annotations

from sphinx_llmsize.architecture.auto_map import check_auto_map
from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import (
    FIXED_TEXT_TYPE,
    MODULE_OF,
    TEXT_TYPE_OF,
    family_named,
)
from sphinx_llmsize.architecture.multimodal_checks import (
    WITH_WHOLE_TEXT_MODEL,
    check_class,
    check_code,
    check_inner_class,
    check_lm_head,
    check_no_text_section,
    check_sizes,
    first_class_and_line,
)
from sphinx_llmsize.architecture.multimodal_ties import tied_embeddings
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _

TEXT_SECTIONS = ("text_config", "llm_config", "language_config", "thinker_config")
"""Names of the text decoder's section."""
FLAT = (
    "llava", "llava_llama", "llava_mistral", "llava_qwen", "llava_qwen2", "Emu3", "dots3_note",
    "glm4v", "glm5_next", "hunyuan_vl", "paddleocr_vl", "qwen2_vl", "qwen2_5_vl",
)  # fmt: skip
"""Multimodal models whose files can have the text decoder's keys at the top level."""
ORIGINAL_LLAVA = {
    "LlavaLlamaForCausalLM": "llama",
    "LlavaMistralForCausalLM": "mistral",
    "LlavaQwenForCausalLM": "qwen2",
    "LlavaQwen2ForCausalLM": "qwen2",
}
"""Classes in flat files of the original LLaVA, with the type of their text decoder."""
OTHER_SECTIONS = ("quantization_config", "compression_config", "generation_config")
"""Sections that describe no part of a model."""
LAYER_COUNTS = (*k.NUM_LAYERS.names, "depth", "encoder_layers")
"""Keys of the number of layers of a vision tower or audio encoder."""
NOT_TEXT_DECODERS = (
    "apertus1p5_text",
    "bailing_hybrid", "blt", "codegen", "gptj", "kimi_linear", "modernbert-decoder", "phi",
    "phi4_multimodal", "trocr", "zamba", "zaya", "emu3_text_model", "inkling_text",
    "inkling2_text", "mllama_text_model", "step3p5",
)  # fmt: skip
"""Decoders that cannot be part of another model, or have another LM head there."""


def text_config(section: Section) -> Section:
    """Extract the text decoder's configuration from that of a listed multimodal model.

    Configurations of other models are returned unchanged.

    Raises:
        ConfigError: the text decoder's section is missing, has a type that the model cannot have,
            or belongs to a model that has none; or ``architectures`` names a class without an LM
            head.
    """
    name = _type_name(section)
    nested = section.first_set(TEXT_SECTIONS)
    if name not in TEXT_TYPE_OF:
        check_no_text_section(nested, name)
        return section
    check_class(section, name)
    check_code(section, name)
    text = _text_section(section, nested, name)
    if TEXT_TYPE_OF[name] in TEXT_TYPE_OF:  # a multimodal model inside another, as in Qwen-Omni
        return text_config(_with_outer_parts(text, section, nested, name))
    if name == "deepseek_vl_v2":
        text = _deepseek_text(text, name)
    text_type = _text_type(section, text, name)
    if text is not section:
        check_inner_class(text, str(text_type.value))
    check_sizes(text, name, text_type.line)
    # classes are checked above; the type and tied embeddings are added below
    replaced = {k.MODEL_TYPE.name, k.ARCHITECTURES.name, *k.TIE_EMBEDDINGS.names}
    entries = [entry for entry in text.entries if entry.key not in replaced]
    whole_model = [Entry("model_type", name, None), *_other_parts(section, nested)]
    if text_type.value in MODULE_OF:  # find_family() reports an unknown type
        family = family_named(str(text_type.value))
        tied = tied_embeddings(name, section, text, family.defaults.get(k.TIE_EMBEDDINGS))
        is_tied = tied is not None and tied.entry.value is True
        check_lm_head(section, text, name, family, tied=is_tied)
        if tied:
            entries.append(tied.entry)
        if tied and tied.reason:
            whole_model.append(tied.reason)
    part_of = Entry(k.TEXT_PART_OF.name, Section(tuple(whole_model)), text_type.line)
    return Section((*entries, text_type, part_of))


def _type_name(section: Section) -> str:
    """The ``model_type``; empty if it is absent or not a text."""
    entry = section.get(k.MODEL_TYPE.name)
    return entry.value if entry and isinstance(entry.value, str) else ""


def _text_section(section: Section, nested: Entry | None, name: str) -> Section:
    """Return the text decoder's section; the whole configuration if the model's files are flat.

    The section is empty, so that all defaults apply, if the model has one type of decoder and the
    file sets no sizes.

    Raises:
        ConfigError: the section is missing, or is not a mapping.
    """
    if nested and isinstance(nested.value, Section):
        return nested.value
    if nested:
        message = _("{key} must be a mapping", key=nested.key)
        raise ConfigError(message, Problem.VALUE, line=nested.line)
    has_sizes = any(section.get(key) for size in k.ESSENTIAL_SIZES for key in size.names)
    # VILA's files set a width at the top level too, but their decoder is in ``llm_cfg``
    if name in FLAT and has_sizes and not section.get("llm_cfg"):
        return section
    if name in FIXED_TEXT_TYPE and not has_sizes:
        return Section(())
    model_type = section.get(k.MODEL_TYPE.name)
    message = _("model_type {name} has the text decoder's sizes in text_config", name=name)
    hint = _("write them there, or use model_type {text}", text=TEXT_TYPE_OF[name])
    raise ConfigError(message, Problem.MISSING, hint, model_type.line if model_type else None)


def _with_outer_parts(text: Section, section: Section, nested: Entry | None, name: str) -> Section:
    """Section of a multimodal model in another, with the version and other parts of the latter."""
    inner = {entry.key: entry for entry in text.entries if entry.value is not None}
    default = Entry(k.MODEL_TYPE.name, TEXT_TYPE_OF[name], None)
    outer = {
        entry.key: entry
        for entry in section.entries
        if entry.key == "transformers_version" or _is_part(entry, nested)
    }
    return Section(tuple({default.key: default, **outer, **inner}.values()))


def _original_llava(section: Section) -> str:
    """Type of the text decoder of an original LLaVA, by its class; empty without a class.

    Raises:
        ConfigError: the class is not in :data:`ORIGINAL_LLAVA`.
    """
    class_name, line = first_class_and_line(section)
    if class_name is None:
        return ""
    if class_name in ORIGINAL_LLAVA:
        return ORIGINAL_LLAVA[class_name]
    message = _("class {found} is not supported", found=repr(class_name[:60]))
    hint = _("one of {names}", names=", ".join(ORIGINAL_LLAVA))
    raise ConfigError(message, Problem.VALUE, hint, line)


def _deepseek_text(text: Section, name: str) -> Section:
    """Text decoder's section of DeepSeek-VL2 and DeepSeek-OCR, with the type of its layers.

    The files always have DeepSeek-V2's ``model_type``, although the models' code also supports the
    layers of DeepSeekMoE and DeepSeek-V3.

    Raises:
        ConfigError: the section names another type or its classes.
    """
    entry = text.get(k.MODEL_TYPE.name)
    if entry and entry.value not in {None, TEXT_TYPE_OF[name]}:
        raise _wrong_text_type(entry, name)
    check_inner_class(text, TEXT_TYPE_OF[name])
    check_auto_map(text, TEXT_TYPE_OF[name], classes()[TEXT_TYPE_OF[name]])
    latent_attention, routing = text.get("use_mla"), text.get("topk_method")
    if latent_attention and latent_attention.value is False:
        text_type = "deepseek"
    elif routing and routing.value == "noaux_tc":
        text_type = "deepseek_v3"
    else:
        text_type = "deepseek_v2"
    # all of them are checked above or implied by the type
    replaced = {k.MODEL_TYPE.name, k.ARCHITECTURES.name, "auto_map", "use_mla"}
    copied = (each for each in text.entries if each.key not in replaced)
    return Section((*copied, Entry(k.MODEL_TYPE.name, text_type, entry.line if entry else None)))


def _text_type(section: Section, text: Section, name: str) -> Entry:
    """Entry of the text decoder's ``model_type``; the multimodal model's default if it has none.

    Raises:
        ConfigError: the multimodal model cannot have such a text decoder.
    """
    outer = section.get(k.MODEL_TYPE.name)
    outer_line = outer.line if outer else None
    is_flat_llava = text is section and name.startswith("llava")
    if is_flat_llava and (original := _original_llava(section)):
        return Entry(k.MODEL_TYPE.name, original, outer_line)
    entry = text.get(k.MODEL_TYPE.name)
    if entry is None or entry.value in {None, name}:
        return Entry(k.MODEL_TYPE.name, TEXT_TYPE_OF[name], outer_line)
    text_type = entry.value
    if not isinstance(text_type, str) or text_type == TEXT_TYPE_OF[name]:
        return entry
    is_excluded = text_type in MODULE_OF and not _is_possible_text_type(name, text_type)
    if name in FIXED_TEXT_TYPE or is_excluded:
        raise _wrong_text_type(entry, name)
    return entry


def _wrong_text_type(entry: Entry, name: str) -> ConfigError:
    """Error for a type of text decoder that the model cannot have."""
    text_type = str(entry.value)[:60]
    message = _("the text decoder of {name} cannot be {found}", name=name, found=text_type)
    hint = _("such as {text}", text=TEXT_TYPE_OF[name])
    return ConfigError(message, Problem.VALUE, hint, entry.line)


def _is_possible_text_type(name: str, text_type: str) -> bool:
    """True if a model can have this text part: a decoder, in some models an encoder-decoder.

    False for encoder-decoders such as BART: transformers would build only their decoder's class.
    """
    if text_type in NOT_TEXT_DECODERS:
        return False
    published = next(iter(family_named(text_type).architectures), "")
    if name in WITH_WHOLE_TEXT_MODEL and published.endswith("ForConditionalGeneration"):
        return not any(each.endswith("ForCausalLM") for each in classes().get(text_type, ()))
    return published.endswith("ForCausalLM")


def _other_parts(section: Section, nested: Entry | None) -> tuple[Entry, ...]:
    """Names of the sections that are not counted: ``towers``, which have layers, and ``others``."""
    towers: list[str] = []
    others: list[str] = []
    for entry in section.entries:
        if isinstance(entry.value, Section) and _is_part(entry, nested):
            has_layers = any(map(entry.value.get, LAYER_COUNTS))
            (towers if has_layers else others).append(entry.key)
    return (Entry("towers", tuple(towers), None), Entry("others", tuple(others), None))


def _is_part(entry: Entry, nested: Entry | None) -> bool:
    """True if an entry describes a part of the model other than the text decoder."""
    is_section = isinstance(entry.value, Section) and entry.key.endswith("_config")
    return is_section and entry != nested and entry.key not in OTHER_SECTIONS
