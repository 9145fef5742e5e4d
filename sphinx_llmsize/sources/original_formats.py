"""Conversion of other formats to ``config.json``: ``params.json`` and the original Mamba's.

Entries are renamed, with their lines unchanged. Adapters and indexes of weights are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sphinx_llmsize.algebra import round_up
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry, Section, Value
from sphinx_llmsize.translation import _

Names = Mapping[str, str]
"""Name in a ``config.json`` of each key of a format; empty for a key that changes no size."""


def _names(same: str, without_size: str = "", **renamed: str) -> Names:
    """Names of keys that stay the same, of keys that change no size, and of renamed ones."""
    unchanged = {key: key for key in same.split()}
    return {**dict.fromkeys(without_size.split(), ""), **unchanged, **renamed}


META = _names(
    "dim n_layers n_heads n_kv_heads vocab_size multiple_of ffn_dim_multiplier",
    "norm_eps rope_theta use_scaled_rope max_batch_size max_seq_len",
)
"""Keys of Meta's ``params.json``."""
MISTRAL = _names(
    "dim n_layers head_dim n_heads n_kv_heads vocab_size sliding_window",
    "norm_eps rope_theta max_seq_len max_position_embeddings model_max_length max_batch_size moe "
    "causal use_biases quantization vision_encoder yarn llama_4_scaling rope_scaling",
    hidden_dim="intermediate_size",
    tied_embeddings="tie_word_embeddings",
)
"""Keys of Mistral's ``params.json``."""
MISTRAL_EXPERTS = _names("num_experts_per_tok", num_experts="num_local_experts")
"""Keys of the section ``moe`` in Mistral's ``params.json``."""
MAMBA = _names(
    "d_model n_layer vocab_size tie_embeddings",
    "ssm_cfg rms_norm residual_in_fp32 fused_add_norm d_intermediate attn_layer_idx attn_cfg",
)
"""Keys of the original Mamba's ``config.json``."""
MAMBA_SETTINGS = {"d_intermediate": False, "attn_layer_idx": False, "rms_norm": True}
"""Keys of the original Mamba: True if one that is present must be set, False if it must not be."""
SSM_CFG = _names(
    "expand", "layer", d_state="state_size", d_conv="conv_kernel", conv_bias="use_conv_bias"
)
"""Keys of the section ``ssm_cfg`` in the original Mamba's ``config.json``."""
SSM_CFG_BY_LAYER = {
    "Mamba1": _names("", dt_rank="time_step_rank", bias="use_bias"),
    "Mamba2": _names("", headdim="head_dim", ngroups="n_groups", bias="use_bias"),
}
"""Further keys of ``ssm_cfg``, by its ``layer``."""
MAMBA2_SIZES: dict[str, Value] = {"head_dim": 64, "expand": 2, "state_size": 128}
"""Default sizes in Mamba-2's original code."""
MAMBA_CODESTRAL = _names(
    "dim n_layers vocab_size n_groups tie_embeddings",
    "rms_norm residual_in_fp32 fused_add_norm model_type",
)
"""Keys of Mamba-Codestral's ``params.json``."""
LLAMA_3_2_WIDTH = 3072
"""Largest D of the Llama 3.2 models with a tied LM head, about which ``params.json`` is silent."""


def as_config_json(section: Section) -> Section:
    """Convert a configuration in another format; return others unchanged.

    Raises:
        ConfigError: the file describes no model, or sets an unsupported key.
    """
    _refuse_other_files(section)
    keys = {entry.key for entry in section.entries}
    # Mamba-Codestral's params.json has a model_type, unlike the other formats
    if {"dim", "n_groups", "pad_vocab_size_multiple"} <= keys:
        return _mamba_codestral(section)
    if keys & {"model_type", "architectures"}:
        return section
    for characteristic_keys, convert in FORMATS:
        if characteristic_keys <= keys:
            return convert(section)
    return section


def _refuse_other_files(section: Section) -> None:
    """Raise ConfigError for an adapter's configuration and for an index of weights."""
    if index := section.get("weight_map"):
        message = _("a list of files with weights, not a configuration")
        raise ConfigError(message, Problem.FILE, _("use the config.json beside it"), index.line)
    kind = section.get("peft_type")
    if section.get("lora_parameters"):  # an adapter of mlx-lm
        kind = section.get("fine_tune_type")
    if kind is None or kind.value is None:
        return
    base = section.get("base_model_name_or_path") or section.get("model")
    message = _("{kind} adapter, not a model", kind=str(kind.value)[:30].upper())
    hint = _("load the model that it adapts")
    if base and isinstance(base.value, str):
        hint = _("load the model that it adapts, {base}", base=repr(base.value[:100]))
    raise ConfigError(message, Problem.VALUE, hint, kind.line)


def _meta(section: Section) -> Section:
    """Configuration of Llama, from Meta's ``params.json``.

    Raises:
        ConfigError: a key isn't supported, or the size of the vocabulary is missing.
    """
    vocab_size, dim = section.get("vocab_size"), section.get("dim")
    if vocab_size is None or vocab_size.value == -1:
        message = _("params.json without the size of the vocabulary")
        hint = _("write vocab_size: 32000 for LLaMA and Llama 2, 32016 or 32000 for Code Llama")
        raise ConfigError(message, Problem.VALUE, hint, vocab_size.line if vocab_size else None)
    scaled_rope = section.get("use_scaled_rope")  # since Llama 3.1
    is_small = dim and isinstance(dim.value, int) and dim.value <= LLAMA_3_2_WIDTH
    tied = bool(is_small and scaled_rope and scaled_rope.value)
    return _rename(section, META, model_type="llama", tie_word_embeddings=tied)


def _mistral(section: Section) -> Section:
    """Configuration of Mistral or Mixtral, from Mistral's ``params.json``.

    Raises:
        ConfigError: a key or its value isn't supported.
    """
    window, experts = section.get("sliding_window"), section.get("moe")
    # a list has a window for each layer, which isn't supported, and neither are biases
    for entry in (window, section.get("use_biases")):
        if entry and (entry.value is True or isinstance(entry.value, tuple)):
            raise _not_counted(entry)
    added: dict[str, Value] = {"model_type": "mixtral" if experts else "mistral"}
    if not window:
        added["sliding_window"] = None  # not the default window of Mistral
    if section.get("vision_encoder"):
        # parts that are not counted, in the form that architecture.multimodal makes
        added["text_part_of"] = Section((Entry("others", ("vision_encoder",), None),))
    inner = _rename_inner(experts, MISTRAL_EXPERTS)
    return Section((*_rename(section, MISTRAL, **added).entries, *inner))


def _mamba(section: Section) -> Section:
    """Configuration of Mamba or Mamba-2, from the original code's ``config.json``.

    Raises:
        ConfigError: a key or its value isn't supported, such as attention layers.
    """
    for name, must_be_set in MAMBA_SETTINGS.items():
        entry = section.get(name)
        if entry and bool(entry.value) != must_be_set:
            raise _not_counted(entry)
    ssm = section.get("ssm_cfg")
    layer = ssm.value.get("layer") if ssm and isinstance(ssm.value, Section) else None
    kind = str(layer.value) if layer else "Mamba1"
    if layer and kind not in SSM_CFG_BY_LAYER:
        raise _not_counted(layer)
    inner = _rename_inner(ssm, {**SSM_CFG, **SSM_CFG_BY_LAYER[kind]})
    defaults: dict[str, Value] = {"model_type": "mamba", "tie_embeddings": True}
    if kind == "Mamba2":
        sizes = {**MAMBA2_SIZES, "n_groups": 1, **{entry.key: entry.value for entry in inner}}
        heads = _mamba2_heads(section.get("d_model"), sizes["expand"], sizes["head_dim"])
        defaults |= {**sizes, "model_type": "mamba2", "num_heads": heads}
    entries = (*_rename(_pad_vocabulary(section), MAMBA).entries, *inner)
    keys = {entry.key for entry in entries}
    absent = {key: value for key, value in defaults.items() if key not in keys}
    return Section((*entries, *_new_entries(section, absent)))


def _mamba_codestral(section: Section) -> Section:
    """Configuration of Mamba-2, from Mamba-Codestral's ``params.json`` (``model_type`` mamba)."""
    heads = _mamba2_heads(section.get("dim"), MAMBA2_SIZES["expand"], MAMBA2_SIZES["head_dim"])
    added = {**MAMBA2_SIZES, "model_type": "mamba2", "num_heads": heads}
    return _rename(_pad_vocabulary(section), MAMBA_CODESTRAL, **added)


FORMATS: tuple[tuple[set[str], Callable[[Section], Section]], ...] = (
    ({"dim", "n_layers", "multiple_of"}, _meta),
    ({"dim", "n_layers", "hidden_dim", "norm_eps"}, _mistral),
    ({"d_model", "n_layer", "ssm_cfg"}, _mamba),
)
"""Keys by which a format is recognised, and its conversion."""


def _mamba2_heads(width: Entry | None, expand: Value, head_dim: Value) -> Value:
    """Number of heads, expand·D / d_m; null if one is not a whole number, or d_m is 0."""
    hidden = width.value if width else None
    if not (isinstance(hidden, int) and isinstance(expand, int) and isinstance(head_dim, int)):
        return None
    return expand * hidden // head_dim if head_dim else None


def _pad_vocabulary(section: Section) -> Section:
    """Round ``vocab_size`` up to ``pad_vocab_size_multiple``, as the original code does."""
    padding, size = section.get("pad_vocab_size_multiple"), section.get("vocab_size")
    entries = [entry for entry in section.entries if entry is not padding]
    multiple = padding.value if padding else 1
    if size and isinstance(size.value, int) and isinstance(multiple, int) and multiple:
        padded = Entry(size.key, round_up(size.value, multiple), size.line)
        entries = [padded if entry is size else entry for entry in entries]
    return Section(tuple(entries))


def _rename(section: Section, names: Names, **added: Value) -> Section:
    """Rename entries, leave out those that change no size, and add the entries ``added``.

    Raises:
        ConfigError: a key that is not of this format is set.
    """
    entries = []
    for entry in section.entries:
        is_set = entry.value not in {None, False}  # also excludes 0, which equals False
        if entry.key not in names and is_set:
            raise _not_counted(entry)
        if name := names.get(entry.key, ""):
            entries.append(Entry(name, entry.value, entry.line))
    return Section((*entries, *_new_entries(section, added)))


def _rename_inner(entry: Entry | None, names: Names) -> tuple[Entry, ...]:
    """Renamed entries of a mapping; empty if there is none."""
    if entry is None or not isinstance(entry.value, Section):
        return ()
    return _rename(entry.value, names).entries


def _new_entries(section: Section, values: Mapping[str, Value]) -> tuple[Entry, ...]:
    """Entries that are not in the file, with the line of its first entry."""
    return tuple(Entry(key, value, section.entries[0].line) for key, value in values.items())


def _not_counted(entry: Entry) -> ConfigError:
    """Error for a key, or a value of a key, that isn't supported in this format."""
    message = _("{key} in this format is not supported", key=entry.key[:100])
    return ConfigError(message, Problem.KEY, _("use the model's config.json"), entry.line)
