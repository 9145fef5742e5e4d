"""Names and values of changed keys: ``vocabulary size``, ``32,000 → 128,256``."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.symbols import V_T, B, K
from sphinx_llmsize.differences.changed_keys import KeyChange
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.wording import comma_separated

FEW = 4
"""Number of items of a list that are shown."""
COUNTED = frozenset("LHEPGN")
"""First letters of the symbols of sizes that are numbers of things, such as layers."""
OTHER_COUNTED = frozenset((K, V_T, B))
"""Other symbols of such sizes."""
FLAG_NAMES = {k.TIE_EMBEDDINGS: N_("weights of the LM head")}
"""Names of flags whose meaning is a sentence."""
FLAG_VALUES = {k.TIE_EMBEDDINGS: (N_("its own"), N_("tied to the token embedding"))}
"""Words for false and true, in place of no and yes."""


def name_of(change: KeyChange) -> str:
    """The key in words, as within a sentence."""
    return _(FLAG_NAMES.get(change.key, change.key.meaning))


def is_counted(change: KeyChange) -> bool:
    """True for a number of things, such as layers, unlike a dimension."""
    symbol = change.key.symbol
    return symbol is not None and (symbol.name[0] in COUNTED or symbol in OTHER_COUNTED)


def arrow(change: KeyChange) -> str:
    """``32,000 → 128,256``."""
    return arrow_text(value_text(change, change.before), value_text(change, change.after))


def arrow_text(before: str, after: str) -> str:
    """``before → after``."""
    return f"{before} → {after}"


def value_text(change: KeyChange, value: Setting) -> str:
    """A value of the key in words."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        no, yes = FLAG_VALUES.get(change.key, (N_("no"), N_("yes")))
        return _(yes if value else no)
    if isinstance(value, int):
        return thousands(value)
    if isinstance(value, Section):
        return _("{number} entries", number=len(value.entries))
    return _listed(value) if isinstance(value, tuple) else str(value)


def _listed(items: Sequence[object]) -> str:
    if len(items) > FEW or any(isinstance(item, (Section, tuple)) for item in items):
        return _("{number} entries", number=len(items))
    return comma_separated(map(str, items))
