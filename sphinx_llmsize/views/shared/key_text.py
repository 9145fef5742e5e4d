"""Configuration keys and their values in words: ``vocabulary size``, ``32,000``."""

from __future__ import annotations

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import V_T, B, K
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _

COUNTED = frozenset("LHEPGN")
"""First letters of the symbols of sizes that are numbers of things, such as layers."""
OTHER_COUNTED = frozenset((K, V_T, B))
"""Other symbols of such sizes."""
SHORT_NAMES = {
    k.TIE_EMBEDDINGS: N_("weights of the LM head"),
    k.LAYER_TYPES: N_("kinds of layers"),
    k.ARCHITECTURES: N_("class in transformers"),
}
"""Names of keys whose meaning is a sentence."""
FLAG_VALUES = {k.TIE_EMBEDDINGS: (N_("its own"), N_("tied to the token embedding"))}
"""Words for false and true, in place of no and yes."""


def key_name(key: Key) -> str:
    """The key in words, as within a sentence."""
    return _(SHORT_NAMES.get(key, key.meaning))


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
