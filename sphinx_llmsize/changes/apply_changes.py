"""Changes that authors write: ``num_layers=40`` sets a key, ``hidden_dim*2`` scales a size."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from sphinx_llmsize.changes.followers import usual_followers
from sphinx_llmsize.changes.scale_sizes import scalable_key, scale_sizes, sizes_of, times
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.model import Change, Model
from sphinx_llmsize.sources.factor_text import is_scaling, scaling_factor
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _


@dataclass(frozen=True)
class Scaling:
    """A size to multiply by a factor; ``line`` is the 0-based line of the author's change."""

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
        ConfigError: a change cannot be used, or would change the family.
    """
    scaling_entries = [entry for entry in section.entries if _scales_a_size(model, entry)]
    others = Section(tuple(entry for entry in section.entries if entry not in scaling_entries))
    if not scaling_entries:
        return _with_constants(model, with_settings(model, others))
    model.family.read(others)  # raises the errors of single entries
    scalings = [_scaling(model, entry) for entry in scaling_entries]
    _refuse_duplicates(model, section)
    return _with_constants(model, _scale(model, scalings, others))


def _scales_a_size(model: Model, entry: Entry) -> bool:
    """True for ``*2``, and for a mistake such as ``*x`` in a key that the model has."""
    return is_scaling(entry.value) and (
        scaling_factor(entry.value) is not None or entry.key in model.keys
    )


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
    """Raise ConfigError if two entries change the same key, by different names."""
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
    """The model with scaled sizes, those that follow, and the other keys set.

    Raises:
        ConfigError: a scaled size is not a whole number, or the sizes contradict each other.
    """
    set_keys = [model.keys[entry.key] for entry in others.entries if entry.key in model.keys]
    followers = _followers(model, [scaling.key for scaling in scalings], set_keys)
    factors: dict[Key, Fraction] = {}
    for each in scalings:
        together = dict.fromkeys((each.key, *followers[each.key]), each.factor)
        for key in together:
            try:
                times(model, key, together)  # for its error, which has the line of this change
            except ConfigError as error:
                raise error.at(line=each.line) from None
        factors |= together
    try:
        result, _values = scale_sizes(model, factors, others=others)
    except ConfigError as error:
        raise error.at(line=scalings[0].line) from None
    change_of = {key: Change(key, result.config[key]) for key in set_keys}
    change_of |= {
        each.key: Change(each.key, result.config[each.key], each.factor, followers[each.key])
        for each in scalings
    }
    before = dict(model.config.settings)
    changes = (change for key, change in change_of.items() if change.value != before.get(key))
    return replace(result, changes=tuple(changes))


def _followers(
    model: Model, scaled_keys: Collection[Key], set_keys: Collection[Key]
) -> dict[Key, tuple[Key, ...]]:
    """The sizes that follow each scaled size.

    A size that is itself set or scaled follows no other, and its own followers follow only it:
    with ``num_heads*4`` beside ``hidden_dim*2``, the key/value heads grow like the heads.
    """
    sizes = sizes_of(model)
    usual = {key: usual_followers(key, sizes) for key in (*scaled_keys, *set_keys)}
    found: dict[Key, tuple[Key, ...]] = {}
    for key in scaled_keys:
        # what also follows another changed size, as H_kv follows H, follows that size rather than D
        of_others = {
            follower
            for other, followers in usual.items()
            if other != key and other.symbol != D
            for follower in followers
        }
        found[key] = tuple(k for k in usual[key] if k not in {*usual, *of_others})
    return found


def _with_constants(model: Model, result: Model) -> Model:
    """Add to each change of a size the sizes that usually follow it, but are constant here."""
    before, after = sizes_of(model), sizes_of(result)
    set_keys = {change.key for change in result.changes}

    def constant(key: Key) -> tuple[Key, ...]:
        usual = usual_followers(key, before) if key in before else ()
        return tuple(k for k in usual if k not in set_keys and after.get(k) == before[k])

    changes = (
        replace(change, constant=constant(change.key)) if change.factor is None else change
        for change in result.changes
    )
    return replace(result, changes=tuple(changes))
