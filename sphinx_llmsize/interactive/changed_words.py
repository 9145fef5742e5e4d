"""Words on sizes that a reader has changed: the model's title, and the sizes that stayed.

They are those of the views of a changed preset: the page that a copied directive makes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sphinx_llmsize.changes.followers import usual_followers
from sphinx_llmsize.changes.scale_sizes import sizes_of
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.traceable_sizes import UNTRACEABLE, sizes_by_key, variables_of
from sphinx_llmsize.interactive.traced_model import derived_config
from sphinx_llmsize.model import Change
from sphinx_llmsize.traced import Traced
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.change_notes import STAYED, size_in_note
from sphinx_llmsize.views.shared.key_text import change_text
from sphinx_llmsize.views.shared.wording import title


def names_data(explorer: Explorer, source: Source) -> dict[str, Any]:
    """The model's name and title, and those once a reader has changed it."""
    name = explorer.model.name
    return {"name": name, "title": title(explorer.model), "changed": source.changed or name}


def changes_data(explorer: Explorer, source: Source) -> dict[str, Any]:
    """Changes to a preset as they are written in its title, by key.

    A key with a control has its value in the preset, its text for the value 1 and for any other;
    another key has only a text. An author's own model has no changes.
    """
    base = source.base
    if not base:
        return {}
    model, variables = explorer.model, _variables(explorer)
    before = dict(base.config.settings)
    texts: dict[str, Any] = {}
    for name, value in source.settings.items():
        key = model.keys[name]
        if value != before.get(key):
            texts[name] = _change_text(explorer, key, value)
    for key, size in variables.items():
        one, other = (_change_text(explorer, key, value) for value in (1, size))
        texts[model.family.name_of(key)] = [before.get(key), one, other]
    return texts


def stayed_data(explorer: Explorer, source: Source) -> Iterator[dict[str, Any]]:
    """Sizes that have usual followers, with a text on those that stayed.

    A follower has its expression, its value before all changes, its text, and an expression: if
    both are equal, it isn't listed. That is the heads for key/value heads, and 0 for all others.
    """
    base = source.base or explorer.model
    before = sizes_of(base)
    variables = _variables(explorer)
    with explorer.trace.recording(), suppress(*UNTRACEABLE, ConfigError):
        after = derived_config(explorer.model, variables)
        for key, size in variables.items():
            followers = [
                [
                    explorer.trace.position_of(after[follower]),
                    before[follower],
                    size_in_note(follower, after.count(follower)),
                    explorer.trace.position_of(after[H] if follower.symbol == H_KV else 0),
                ]
                for follower in usual_followers(key, before)
            ]
            if followers:
                own = [size.position, before[key]]
                text = _(STAYED, size=_(key.meaning), sizes="{sizes}")
                yield {"size": own, "text": text, "followers": followers}


def _variables(explorer: Explorer) -> dict[Key, Traced]:
    """The traced sizes of the controls."""
    values = {each.name: each.value for each in explorer.controls}
    return sizes_by_key(explorer.controls, variables_of(explorer.controls, values, explorer.trace))


def _change_text(explorer: Explorer, key: Key, value: Setting | Traced) -> str:
    """A change as in a title; the conditions of its wording are known, and not recorded."""
    with explorer.trace.recording():
        return change_text(explorer.model, Change(key, value))  # type: ignore[arg-type]
