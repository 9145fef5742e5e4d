"""Configuration keys, their values and their changes in words: ``vocabulary size``, ``32,000``."""

from __future__ import annotations

import re
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.differences.key_change import is_used, ties_layers
from sphinx_llmsize.formats import factor_text, thousands
from sphinx_llmsize.model import Change, Model
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.traced import is_whole
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.words_for_false import WORDS_FOR_FALSE

COUNTED = frozenset("LHEPGNkmnw")
"""First letters of the symbols of sizes that are numbers of things: layers, tokens of a window."""
COUNTED_NAME = "num_"
"""First part of the plain name of keys that are numbers of things, whatever their symbol."""
PLURAL = re.compile("(?<=[a-zN])s(?=,|$| (at|before|for|from|in|of|per|predicted|to|with) )")
"""Plural ending of an English name of several things: ``experts per token``, ``wider FFNs``."""
SHORT_NAMES = {
    "activation_function": N_("activation of the FFN"),
    "adjust_ffn_dim": N_("an adjusted FFN dimension"),
    "architectures": N_("class in transformers"),
    "attention_types": N_("kinds of layers"),
    "dense_beside_experts": N_("a gated FFN in parallel with the experts"),
    "decoder_sparse_step": N_("interval of decoder layers with experts"),
    "dense_window_pattern": N_("interval of dense layers with full attention"),
    "double_wide_mlp": N_("wider FFNs in layers with shared keys and values"),
    "encoder_sparse_step": N_("interval of encoder layers with experts"),
    "expert_layer_step": N_("interval of layers with experts"),
    "feed_forward_kind": N_("activation of the FFN"),
    "ffn_dim_divisor": N_("divisor of the FFN dimension"),
    "ffn_multiple_of": N_("rounding step of the FFN dimension"),
    "full_attention_layers": N_("layers with full attention"),
    "full_attention_interval": N_("interval of layers with full attention"),
    "grouped_kv_heads": N_("grouped key/value heads"),
    "has_gated_ffn": N_("a gate in the FFN"),
    "head_ratio": N_("divisor of the attention heads"),
    "indexer_interval": N_("interval of layers with an indexer"),
    "indexer_types": N_("layers with an indexer"),
    "keys_as_values": N_("keys as values in full-attention layers"),
    "layer_pattern": N_("kinds of layers"),
    "layer_types": N_("kinds of layers"),
    "multiple_of": N_("rounding step of the FFN dimension"),
    "ngram_vocab_multiple": N_("rounding step of the rows of n-gram tables"),
    "no_rope_interval": N_("interval of layers without rotary positions"),
    "num_first_dense_layers": N_("dense layers at the start"),
    "num_next_token_layers": N_("multi-token-prediction layers"),
    "num_norm_groups": N_("groups of a norm"),
    "num_parallel_norms": N_("norms before parallel attention and FFN"),
    "num_shared_kv_layers": N_("layers with shared keys and values"),
    "router_correction": N_("a correction bias in routers"),
    "sliding_window_pattern": N_("interval of layers with full attention"),
    "tie_embeddings": N_("weights of the LM head"),
    "truncate_seq": N_("pooling without the last token"),
    "vocab_multiple_of": N_("rounding step of the vocabulary size"),
}
"""Short names of keys whose meaning is a sentence or explains their values."""
FLAG_VALUES = {k.TIE_EMBEDDINGS: (N_("its own"), N_("tied to the token embedding"))}
"""Values of flags in words, false and true, in place of no and yes."""
OWN_OR_TIED_HEAD = N_("an LM head of its own"), N_("a tied LM head")
"""The flag of tied embeddings as something that a model has, false and true."""
OWN_OR_TIED_EMBEDDINGS = N_("untied embeddings"), N_("tied embeddings")
"""The same for models without an LM head."""
OWN_OR_TIED_LAYERS = (
    N_("an LM head of its own and no shared layers"),
    N_("a tied LM head and shared layers"),
)
"""The same for models whose layers share weights only with this flag."""
SET_TO = N_("{key} set to {value}")


def key_name(key: Key) -> str:
    """The key in words, as within a sentence."""
    return _(SHORT_NAMES.get(key.name, key.meaning))


def is_counted(key: Key) -> bool:
    """True for a number of things, such as layers, unlike a dimension."""
    has_letter = key.symbol is not None and counts_things(key.symbol)
    return has_letter or key.name.startswith(COUNTED_NAME)


def size_in_words(meaning: str, *, is_count: bool) -> str:
    """``vocabulary size``, ``number of attention heads``: a size, from its translated meaning."""
    return _("number of {things}", things=meaning) if is_count else meaning


def counts_things(symbol: Symbol) -> bool:
    """True for the symbol of a number of things."""
    return symbol.name[0] in COUNTED


def number_of_things(key: Key, number: int) -> str:
    """``8 experts per token``, ``1 expert per token``; ``… set to 1`` in languages but English."""
    things = key_name(key)
    if number != 1:
        return _("{value} {key}", value=number, key=things)
    is_english = things == SHORT_NAMES.get(key.name, key.meaning)
    thing = PLURAL.sub("", things, count=1) if is_english else things
    if thing == things:  # no singular is known
        return _(SET_TO, key=things, value=number)
    return _("{value} {key}", value=number, key=thing)


def size_with_value(key: Key, value: int) -> str:
    """``hidden dimension 4,096``, ``32 layers``."""
    if is_counted(key):
        return number_of_things(key, value)
    return _("{key} {value}", value=thousands(value), key=key_name(key))


def value_text(key: Key, value: Setting) -> str:
    """A value of the key in words; of a list, the number of entries."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        no, yes = FLAG_VALUES.get(key, (N_("no"), N_("yes")))
        return _(yes if value else no)
    if is_whole(value):
        return thousands(value)  # type: ignore[arg-type]
    if isinstance(value, (Section, tuple)):
        entries = value.entries if isinstance(value, Section) else value
        return _("{number} entries", number=len(entries))
    return str(value)


def _scaled_text(factor: Fraction, size: str) -> str:
    """``twice the layers``, ``1.5 times the layers``, ``3/4 of the layers``."""
    if factor == 2:  # noqa: PLR2004 - twice
        return _("twice the {size}", size=size)
    if factor == Fraction(1, 2):
        return _("half the {size}", size=size)
    message = N_("{factor} times the {size}") if factor > 1 else N_("{factor} of the {size}")
    return _(message, factor=factor_text(factor), size=size)


def change_text(model: Model, change: Change) -> str:
    """A change in the title of a changed preset: ``40 layers``, ``half the hidden dimension``.

    Args:
        model: the model with the change.
        change: the change.
    """
    key, value = change.key, change.value
    if change.factor is not None:
        return _scaled_text(change.factor, key_name(key))
    if isinstance(value, bool):
        return _flag_in_title(model, key, value)
    if is_whole(value) and (key.symbol or is_counted(key)):
        return size_with_value(key, value)  # type: ignore[arg-type]
    words = {"value": value_text(key, value), "key": key_name(key)}
    if key.symbol and not is_counted(key) and value is not None:
        return _("{key} {value}", **words)
    # for keys that are no sizes, and sizes without a value
    return _(SET_TO, **words)


def _flag_in_title(model: Model, key: Key, value: bool) -> str:
    """A changed flag as something that the model has; of tied embeddings, what they tie in it."""
    if key != k.TIE_EMBEDDINGS:
        return flag_text(key, value)
    if ties_layers(model):
        return _(OWN_OR_TIED_LAYERS[value])
    # without a head, tied and untied embeddings are the same
    has_no_head = is_used(model, key, not value) is False
    return _((OWN_OR_TIED_EMBEDDINGS if has_no_head else OWN_OR_TIED_HEAD)[value])


def flag_text(key: Key, value: bool) -> str:
    """A flag as something that a model has: ``biases in attention``, ``no biases in attention``."""
    if value:
        return key_name(key)
    if key.name in WORDS_FOR_FALSE:
        return _(WORDS_FOR_FALSE[key.name])
    return _("no {things}", things=key_name(key))
