"""Configuration keys, their values and their changes in words: ``vocabulary size``, ``32,000``."""

from __future__ import annotations

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import V_T, B, K
from sphinx_llmsize.formats import factor_text, thousands
from sphinx_llmsize.model import Change
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _

COUNTED = frozenset("LHEPGN")
"""First letters of the symbols of sizes that are numbers of things, such as layers."""
OTHER_COUNTED = frozenset((K, V_T, B))
"""Other symbols of such sizes."""
SHORT_NAMES = {
    "adjust_ffn_dim": N_("a rule for the FFN dimension"),
    "architectures": N_("class in transformers"),
    "attention_types": N_("kinds of layers"),
    "decoder_sparse_step": N_("interval of decoder layers with experts"),
    "double_wide_mlp": N_("wider FFNs in layers with shared keys and values"),
    "encoder_sparse_step": N_("interval of encoder layers with experts"),
    "expert_layer_step": N_("interval of layers with experts"),
    "feed_forward_kind": N_("activation of the FFN"),
    "full_attention_layers": N_("layers with full attention"),
    "full_attention_interval": N_("interval of layers with full attention"),
    "indexer_types": N_("layers with an indexer"),
    "keys_as_values": N_("keys as values in full-attention layers"),
    "layer_pattern": N_("kinds of layers"),
    "layer_types": N_("kinds of layers"),
    "num_first_dense_layers": N_("dense layers at the start"),
    "num_parallel_norms": N_("norms before parallel attention and FFN"),
    "num_shared_kv_layers": N_("layers with shared keys and values"),
    "tie_embeddings": N_("weights of the LM head"),
}
"""Short names of keys whose meaning is a sentence or explains their values."""
FLAG_VALUES = {k.TIE_EMBEDDINGS: (N_("its own"), N_("tied to the token embedding"))}
"""Words for false and true, in place of no and yes."""
PARALLEL = N_("attention and FFN one after the other"), N_("attention and FFN in parallel")
CHANGED_FLAGS = {
    "parallel_attention": PARALLEL,
    "parallel_residual": PARALLEL,
    "tie_embeddings": (N_("an LM head of its own"), N_("a tied LM head")),
}
"""Words for a flag that was changed to false or true, in place of the key and its value."""


def key_name(key: Key) -> str:
    """The key in words, as within a sentence."""
    return _(SHORT_NAMES.get(key.name, key.meaning))


def is_counted(key: Key) -> bool:
    """True for a number of things, such as layers, unlike a dimension."""
    symbol = key.symbol
    return symbol is not None and (symbol.name[0] in COUNTED or symbol in OTHER_COUNTED)


def value_text(key: Key, value: Setting) -> str:
    """A value of the key in words; of a list, the number of entries."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        no, yes = FLAG_VALUES.get(key, (N_("no"), N_("yes")))
        return _(yes if value else no)
    if isinstance(value, int):
        return thousands(value)
    if isinstance(value, (Section, tuple)):
        entries = value.entries if isinstance(value, Section) else value
        return _("{number} entries", number=len(entries))
    return str(value)


def change_text(change: Change) -> str:
    """A change in the title of a changed preset: ``40 layers``, ``hidden dimension × 2``."""
    key, value = change.key, change.value
    if change.factor is not None:
        factor = factor_text(change.factor)
        return _("{size} × {factor}", size=key_name(key), factor=factor)
    if key.name in CHANGED_FLAGS:
        return _(CHANGED_FLAGS[key.name][bool(value)])
    words = {"value": value_text(key, value), "key": key_name(key)}
    # for keys that are no sizes, sizes without a value, and 1, to avoid "1 layers"
    if not key.symbol or not value or value == 1:
        return _("{key}: {value}", **words)
    if is_counted(key):
        return _("{value} {key}", **words)
    return _("{key} {value}", **words)
