"""Words on sizes that a reader has changed: the model's title, and the sizes that stayed.

They are those of the views of a changed preset: the page that a copied directive makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sphinx_llmsize.changes.followers import usual_followers
from sphinx_llmsize.changes.scale_sizes import sizes_of
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import NUM_DECODER_LAYERS
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.traceable_sizes import UNTRACEABLE, sizes_by_key, variables_of
from sphinx_llmsize.interactive.traced_model import derived_config
from sphinx_llmsize.interactive.variants import Conditions, Message, never
from sphinx_llmsize.model import Change, Model
from sphinx_llmsize.traced import Traced
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.change_notes import STAYED, size_in_note
from sphinx_llmsize.views.shared.key_text import change_text


@dataclass(frozen=True)
class NamedChange:
    """A change to a preset, as the title names it.

    Attributes:
        key: the changed key.
        follows: True if it is named whoever changes it, also if it only follows another size, as
            decoder layers follow encoder layers; False if the author or the reader must set it.
        unless: conditions under which it isn't named: the size has the preset's value, and would
            have it, too, if it weren't set.
        texts: ``1 layer`` and ``{n} layers``: the first one whose conditions hold is shown.
    """

    key: str
    follows: bool
    unless: Conditions
    texts: tuple[Message, ...]


@dataclass(frozen=True)
class Stayed:
    """A sentence on sizes that usually change with another one, but kept their values.

    Attributes:
        unless: the condition that the other size hasn't changed either.
        text: the sentence, with ``{sizes}`` in place of the listed sizes.
        followers: each size that usually changes, by its key, with its text and the conditions
            under which it has kept its value. It isn't listed if the title names the key.
    """

    unless: Conditions
    text: str
    followers: tuple[tuple[str, Message], ...]


def named_changes(explorer: Explorer, source: Source) -> Iterator[NamedChange]:
    """Changes that the title may name, in order; none for an author's own model."""
    base, model, trace = source.base, explorer.model, explorer.trace
    if not base:
        return
    before, sizes = dict(base.config.settings), _variables(explorer)
    settings: dict[Key, Any] = {model.keys[name]: n for name, n in source.settings.items()} | sizes
    for key, value in settings.items():
        texts = (Message({}, _change_text(explorer, key, value)),)
        if key not in sizes:  # the author's, and without a control: it never changes
            if value != before.get(key):
                yield NamedChange(model.family.name_of(key), True, never(trace), texts)
            continue
        position = sizes[key].position
        is_one = {("==", position, trace.position_of(1)): True}
        others = {other: size for other, size in settings.items() if other != key}
        unset_values = (before.get(key), _implied(explorer, base, key, others))
        if None in unset_values:
            unless = never(trace)
        else:
            unless = {("==", position, trace.position_of(each)): True for each in unset_values}
        yield NamedChange(
            model.family.name_of(key),
            key == NUM_DECODER_LAYERS,
            unless,
            (Message(is_one, _change_text(explorer, key, 1)), *texts),
        )


def _implied(explorer: Explorer, base: Model, key: Key, others: Mapping[Key, Any]) -> Any:
    """The value that a key has if only the others are set; None if it must be set."""
    with explorer.trace.recording(), suppress(*UNTRACEABLE, ConfigError):
        return derived_config(base, others)[key]
    return None


def sizes_that_stayed(explorer: Explorer, source: Source) -> Iterator[Stayed]:
    """Sizes with usual followers, with the followers that may have stayed.

    Key/value heads aren't listed if there are as many as heads.
    """
    base, trace = source.base or explorer.model, explorer.trace
    before, variables = sizes_of(base), _variables(explorer)
    with trace.recording(), suppress(*UNTRACEABLE, ConfigError):
        after = derived_config(explorer.model, variables)
        for key, size in variables.items():
            followers: list[tuple[str, Message]] = []
            for follower in usual_followers(key, before):
                position = trace.position_of(after[follower])
                conditions = {("==", position, trace.position_of(before[follower])): True}
                if follower.symbol == H_KV:
                    conditions["==", position, trace.position_of(after[H])] = False
                text = size_in_note(follower, after.count(follower))
                followers.append((base.family.name_of(follower), Message(conditions, text)))
            if followers:
                unless = {("==", size.position, trace.position_of(before[key])): True}
                text = _(STAYED, size=_(key.meaning), sizes="{sizes}")
                yield Stayed(unless, text, tuple(followers))


def _variables(explorer: Explorer) -> dict[Key, Traced]:
    """The traced sizes of the controls."""
    values = {each.name: each.value for each in explorer.controls}
    return sizes_by_key(explorer.controls, variables_of(explorer.controls, values, explorer.trace))


def _change_text(explorer: Explorer, key: Key, value: Setting | Traced) -> str:
    """A change as in a title; the conditions of its wording are known, and not recorded."""
    with explorer.trace.recording():
        return change_text(explorer.model, Change(key, value))  # type: ignore[arg-type]
