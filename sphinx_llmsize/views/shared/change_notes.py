"""Notes on the changes to a model: sizes that were scaled together, or stayed the same."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.formats import factor_text, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import listed_text


def change_notes(model: Model) -> Iterator[str]:
    """Sentences on sizes that were scaled with a changed size, or stayed although most would."""
    for change in model.changes:
        size = _(change.key.meaning)
        if followers := _listed(model, change.followers):
            yield _(
                "Scaled with the {size} ({factor}×): {sizes}.",
                size=size,
                factor=factor_text(change.factor or 1),
                sizes=followers,
            )
        if constant := _listed(model, change.constant):
            yield _(
                "Unchanged, although they usually change with the {size}: {sizes}.",
                size=size,
                sizes=constant,
            )


def _listed(model: Model, keys: tuple[Key, ...]) -> str:
    """``attention heads (64) and FFN dimension (22,016)``; empty without keys.

    Key/value heads are omitted if there are as many as attention heads.
    """
    texts = [
        f"{_(key.meaning)} ({thousands(model.config.count(key))})"
        for key in keys
        if key.symbol != H_KV or not has_equal_heads(model.architecture)
    ]
    return listed_text(texts)
