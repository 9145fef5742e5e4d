"""Changes that authors write: ``num_layers=40`` sets a key, ``hidden_dim*2`` scales a size."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from sphinx_llmsize.changes.followers import usual_followers
from sphinx_llmsize.changes.ineffective import refuse_ineffective
from sphinx_llmsize.changes.scale_sizes import scalable_key, scale_sizes, scaled_size, sizes_of
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.make_model import refuse_unread, with_settings
from sphinx_llmsize.model import Change, Model
from sphinx_llmsize.sources.factor_text import is_scaling, scaling_factor
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _


@dataclass(frozen=True)
class Scaling:
    """A size to multiply by a factor.

    Attributes:
        key: key of the size.
        factor: the factor.
        line: 0-based line of the author's text; None if it has no lines.
    """

    key: Key
    factor: Fraction
    line: int | None


@lru_cache(maxsize=1024)
def apply_changes(model: Model, section: Section) -> Model:
    """Make a model with some keys changed.

    A value such as ``*2``, ``*1.5`` or ``/2`` multiplies a size, together with the sizes that
    usually change with it, unless the section sets or scales these too.

    Args:
        model: the model to change.
        section: the changed keys, with their new values or factors.

    Raises:
        ConfigError: a change cannot be used, has no effect, or would change the family.
    """
    changed = _changed(model, section)
    refuse_ineffective(model, changed, section, lambda others: _changed(model, others))
    return _note_sizes_that_stayed(model, changed)


def _changed(model: Model, section: Section) -> Model:
    """The model with some keys set or scaled, even if that has no effect."""
    scaling_entries = [entry for entry in section.entries if _is_meant_as_scaling(model, entry)]
    if not scaling_entries:
        return with_settings(model, section)
    others = Section(tuple(entry for entry in section.entries if entry not in scaling_entries))
    # raises the errors of these entries before those of factors
    refuse_unread(model.family.read(others), model)
    _refuse_duplicates(model, section)
    scalings = [_scaling(model, entry) for entry in scaling_entries]
    return _scale(model, scalings, others)


def _is_meant_as_scaling(model: Model, entry: Entry) -> bool:
    """True for ``*2``, and for a mistake such as ``*x`` in a key that the model has."""
    if not is_scaling(entry.value):
        return False
    return scaling_factor(entry.value) is not None or entry.key in model.keys


def _scaling(model: Model, entry: Entry) -> Scaling:
    """Read an entry such as ``hidden_dim: "*2"``.

    Raises:
        ConfigError: the key isn't a size of the model, or the factor is invalid.
    """
    try:
        key = scalable_key(model, entry.key)
    except ConfigError as error:
        raise error.at(line=entry.line) from None
    factor = scaling_factor(entry.value)
    if factor is None:
        text = repr(str(entry.value)[:60])
        message = _("{key} cannot be scaled by {text}", key=entry.key, text=text)
        hint = _("write a factor such as *2, *1.5 or /2")
        raise ConfigError(message, Problem.VALUE, hint, entry.line)
    return Scaling(key, factor, entry.line)


def _refuse_duplicates(model: Model, section: Section) -> None:
    """Raise ConfigError if two entries are names of the same key.

    :meth:`Family.read` does this for entries that set values; it never sees those that scale.
    """
    seen: dict[Key, str] = {}
    for entry in section.entries:
        key = model.keys.get(entry.key)
        if key in seen:
            message = _(
                "{key} and {other} are names of the same key", key=entry.key, other=seen[key]
            )
            raise ConfigError(message, Problem.KEY, _("keep one of them"), entry.line)
        if key:
            seen[key] = entry.key


def _scale(model: Model, scalings: list[Scaling], others: Section) -> Model:
    """The model with some sizes scaled, together with their followers, and other keys set.

    Raises:
        ConfigError: a scaled size is not a whole number, or the sizes contradict each other.
    """
    set_keys = [model.keys[entry.key] for entry in others.entries if entry.key in model.keys]
    followers = _followers(model, [scaling.key for scaling in scalings], set_keys)
    factors: dict[Key, Fraction] = {}
    for scaling in scalings:
        keys = (scaling.key, *followers[scaling.key])
        same_factor = dict.fromkeys(keys, scaling.factor)
        _check_scaled_sizes(model, same_factor, scaling.line)
        factors |= same_factor
    try:
        result, _values = scale_sizes(model, factors, others=others)
    except ConfigError as error:
        raise error.at(line=scalings[0].line) from None
    before, after = dict(model.config.settings), result.config
    changes = [Change(key, after[key]) for key in set_keys]
    for scaling in scalings:
        key = scaling.key
        changes.append(Change(key, after[key], scaling.factor, followers[key]))
    sizes = sizes_of(model)
    usual = {each for scaling in scalings for each in usual_followers(scaling.key, sizes)}
    # a size that would be scaled too is named even if it is set to the value that it had
    named = tuple(c for c in changes if c.value != before.get(c.key) or c.key in usual)
    return replace(result, changes=named)


def _check_scaled_sizes(model: Model, factors: dict[Key, Fraction], line: int | None) -> None:
    """Raise ConfigError, with the line of the change, if a scaled size isn't a whole number."""
    for key in factors:
        try:
            # scale_sizes() would raise these errors too, but with one line for all changes
            scaled_size(model, key, factors)
        except ConfigError as error:
            raise error.at(line=line) from None


def _followers(
    model: Model, scaled_keys: Collection[Key], set_keys: Collection[Key]
) -> dict[Key, tuple[Key, ...]]:
    """The sizes that follow each scaled size.

    A size that is itself set or scaled follows no other. The key/value heads usually follow both D
    and the heads: if the heads are scaled, they follow these (``hidden_dim*2`` and ``num_heads*4``
    multiply them by 4); if the heads are set, the family's rules decide.
    """
    sizes = sizes_of(model)
    usual = {key: usual_followers(key, sizes) for key in (*scaled_keys, *set_keys)}
    followers: dict[Key, tuple[Key, ...]] = {}
    for key in scaled_keys:
        excluded = set(usual)
        for other, followers_of_other in usual.items():
            if other != key and other.symbol != D:
                excluded.update(followers_of_other)
        followers[key] = tuple(follower for follower in usual[key] if follower not in excluded)
    return followers


def _note_sizes_that_stayed(before: Model, after: Model) -> Model:
    """Record in each change the sizes that usually change with it but kept their value.

    Texts can then say so: see :attr:`Change.constant`.

    Args:
        before: the model before the changes.
        after: the model after them.
    """
    old_sizes, new_sizes = sizes_of(before), sizes_of(after)
    changed_keys = {change.key for change in after.changes}

    changes: list[Change] = []
    for change in after.changes:
        constant: list[Key] = []
        if change.factor is None and change.key in old_sizes:
            for follower in usual_followers(change.key, old_sizes):
                has_stayed = new_sizes.get(follower) == old_sizes[follower]
                if follower not in changed_keys and has_stayed:
                    constant.append(follower)
        changes.append(replace(change, constant=tuple(constant)))
    return replace(after, changes=tuple(changes))
