"""The configuration keys by subject, each with its other names, its values and its meaning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

from docutils import nodes
from folded import filtered, fold
from llmsize_reference import Cell, names, table_of
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.architecture.families import all_families, all_keys
from sphinx_llmsize.architecture.family import COMMON_KEYS
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys import (
    common,
    embedding_keys,
    experts,
    global_heads,
    latent_attention_keys,
    layer_keys,
    mixers,
    sliding_latents,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

WIDESPREAD = 40
"""Number of families from which on a key is one of the most common."""
SUBJECTS: dict[str, tuple[ModuleType, ...]] = {
    "Attention": (latent_attention_keys, global_heads, sliding_latents),
    "Experts": (experts,),
    "State spaces and linear attention": (mixers,),
    "Layers that differ": (layer_keys,),
    "Embeddings and positions": (embedding_keys,),
    "Further keys of many families": (common,),
}


class Keys(SphinxDirective):
    """A folded table of keys for each subject; that of the most common keys is open."""

    def run(self) -> list[nodes.Node]:
        """The tables, and a search field."""
        uses = Counter(key for family in all_families() for key in family.keys)
        by_subject = {title: list[Key]() for title in ("Most common keys", *SUBJECTS)}
        by_subject["Keys of single families"] = []
        for key in all_keys():
            by_subject[subject_of(key, uses[key])].append(key)
        parts = (
            fold(title, f"{len(keys)} keys", table_of(("Key", "Meaning"), rows(keys)), open=not i)
            for i, (title, keys) in enumerate(by_subject.items())
        )
        return [filtered(*parts)]


def subject_of(key: Key, uses: int) -> str:
    """Title of the part with a key that this number of families have."""
    if key == common.MODEL_TYPE or (uses >= WIDESPREAD and key not in COMMON_KEYS):
        return "Most common keys"
    for title, modules in SUBJECTS.items():
        if any(value == key for module in modules for value in vars(module).values()):
            return title
    return "Keys of single families"


def rows(keys: list[Key]) -> Iterator[tuple[Cell, Cell]]:
    """A row for each key: its names, and its meaning above its values."""
    for key in keys:
        meaning = nodes.paragraph("", key.meaning)
        if key.symbol:
            meaning += [nodes.Text(", "), nodes.math(key.symbol.tex, key.symbol.tex)]
        values = f"{key.kind.label}, or null" if key.optional else key.kind.label
        values = re.sub("([≥>]) ", "\\1\N{NO-BREAK SPACE}", values)
        details = nodes.paragraph("", values, classes=["reference-note"])
        name = nodes.paragraph("", "", *names(key.name))
        others = nodes.paragraph("", "", *names(*key.aliases), classes=["reference-note"])
        yield [name, *([others] if key.aliases else [])], [meaning, details]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("llmsize-keys", Keys)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
