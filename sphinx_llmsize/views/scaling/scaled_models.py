"""A model with one of its sizes scaled: built at every factor, without extrapolation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, did_you_mean
from sphinx_llmsize.model import Model, changed
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.scaling.followers import repeated_lists, usual_followers
from sphinx_llmsize.views.view_options import NO_FOLLOWERS, ViewOptions

ONE = Fraction(1)
FACTORS = tuple(map(Fraction, (1, 2, 4, 8)))
"""Default of ``:factors:``."""
FURTHER_FACTORS = (*FACTORS, Fraction(16), Fraction(3))
"""Factors to add if those of the options give fewer than :data:`MIN_POINTS` models."""
MIN_POINTS = 5
"""Enough to determine and check a polynomial of degree 3: experts × D × width of an expert."""

Values = dict[Key, Setting]


@dataclass(frozen=True)
class Scaled:
    """A model at several factors of one size.

    Attributes:
        base: the unchanged model.
        key: the scaled size.
        followers: the sizes that are scaled with it.
        factors: the factors to show, in ascending order, 1 among them.
        models: the model at each of these factors, and at further ones to check polynomials.
    """

    base: Model
    key: Key
    followers: tuple[Key, ...]
    factors: tuple[Fraction, ...]
    models: dict[Fraction, Model]

    @property
    def symbol(self) -> Symbol:
        """The scaled size in formulas."""
        assert self.key.symbol is not None
        return self.key.symbol

    def value(self, factor: Fraction = ONE) -> int:
        """The size at a factor."""
        return int(self.base.config.count(self.key) * factor)


def scaled_models(model: Model, options: ViewOptions) -> Scaled:
    """The model at every factor.

    Raises:
        ConfigError: the model has no such size, or a scaled size is invalid; ``option`` is the
            name of the option.
    """
    key = scaled_key(model, options.vary, "vary")
    followers = _followers(model, key, options.follow)
    at = partial(_scaled, model, (key, *followers), lenient=options.follow is None)
    factors = sorted({*(options.factors or FACTORS), ONE})
    if len(factors) == 1:
        message, hint = _("a factor of 1 changes nothing"), _("name another, such as 2")
        raise ConfigError(message, Problem.OPTION, hint, option="factors")
    built = {factor: at(factor) for factor in factors if factor != 1}
    # set the same keys at a factor of 1, so that all formulas have the same symbols
    written = {k: model.config[k] for _model, values in built.values() for k in values}
    models = {ONE: _changed(model, written), **{f: m for f, (m, _values) in built.items()}}
    for factor in FURTHER_FACTORS:
        if len(models) < MIN_POINTS and factor not in models:
            with suppress(ConfigError):
                models[factor], _values = at(factor)
    return Scaled(models[ONE], key, followers, tuple(factors), models)


def _followers(model: Model, key: Key, names: tuple[str, ...] | None) -> tuple[Key, ...]:
    """The keys that ``:follow:`` lists, or the usual ones if it is not given.

    Raises:
        ConfigError: the model has no such size.
    """
    if names is None:
        return usual_followers(key, sizes_of(model))
    named = () if names == NO_FOLLOWERS else names
    keys = dict.fromkeys(scaled_key(model, name, "follow") for name in named)
    return tuple(other for other in keys if other != key)


def sizes_of(model: Model) -> dict[Key, int]:
    """The sizes that can be scaled: those with a symbol that a configuration can set."""
    known = set(model.family.vocabulary.values())
    return {
        key: value
        for key, value in model.config.settings
        if key.symbol and key in known and isinstance(value, int) and value > 0
    }


def scaled_key(model: Model, name: str, option: str) -> Key:
    """Find the key of a size that can be scaled.

    Args:
        model: model with the size.
        name: the key as written by the author.
        option: name of the option that contains the key, for the error.

    Raises:
        ConfigError: the model has no such size.
    """
    sizes = sizes_of(model)
    # a plain name means the same key in every family, so it overrides the vocabulary
    names = {**model.family.vocabulary, **{key.name: key for key in sizes}}
    key = names.get(name)
    if key in sizes:
        return key
    hint = _("sizes of {name}: {names}", name=model.name, names=", ".join(k.name for k in sizes))
    if key is None:
        known = (known for known, key in names.items() if key in sizes)
        hint = did_you_mean(name, known, NEARLY_EQUAL) or hint
        message = _("{name} has no size {other}", name=model.name, other=repr(name[:60]))
        raise ConfigError(message, Problem.OPTION, hint, option=option)
    if key.symbol and not dict(model.config.settings).get(key):
        what = _("null or 0 in {name}", name=model.name)
    else:
        what = _("{value}, which cannot be scaled", value=_(key.kind.label))
    message = _("{name} is {what}", name=name, what=what)
    raise ConfigError(message, Problem.OPTION, hint, option=option)


def _scaled(
    model: Model, keys: tuple[Key, ...], factor: Fraction, *, lenient: bool
) -> tuple[Model, Values]:
    """The model with these sizes scaled, and the values that were set.

    Sizes that the family derives from the scaled ones keep their previous value. If such a model
    is invalid and ``lenient`` is true, they follow the family's rules instead.

    Raises:
        ConfigError: a scaled size is not a whole number, or is invalid.
    """
    key = keys[0]
    values: Values = {other: _times(model, other, factor, key) for other in keys}
    values |= repeated_lists(model, key, int(model.config.count(key) * factor))
    explicit, by_rules = model.config.explicit, None
    derived: Values = {k: v for k, v in sizes_of(model).items() if k not in explicit}
    try:
        by_rules = _changed(model, values)
        derived = {k: v for k, v in derived.items() if by_rules.config[k] != v}
    except ConfigError:
        pass  # the model may be valid with the previous values of derived sizes
    try:
        all_values = {**derived, **values}
        return _changed(model, all_values), all_values
    except ConfigError as error:
        if by_rules and lenient:
            return by_rules, values
        further = _("follow names the keys that grow with {name}", name=key.name)
        message = f"{key.name} × {factor}: {error.message}"
        option = "vary" if lenient else "follow"
        hint = error.hinting(further).hint
        raise ConfigError(message, error.problem, hint, option=option) from None


def _changed(model: Model, values: Values) -> Model:
    """The model with these values, set by names from the family's vocabulary."""
    vocabulary, family_names = model.family.vocabulary, model.family.names
    names = {
        next(name for name in (*key.names, *family_names) if vocabulary.get(name) == key): value
        for key, value in values.items()
    }
    return changed(model, section_of(names))


def _times(model: Model, key: Key, factor: Fraction, scaled: Key) -> int:
    """A size times the factor; ``scaled`` is the key of ``:vary:``, which followers grow with.

    Raises:
        ConfigError: the product is not a whole number.
    """
    value = model.config.count(key)
    size = value * factor
    if size.denominator == 1:
        return int(size)
    message = _(
        "{key} × {factor} is not whole: {value} × {factor}",
        key=key.name,
        factor=factor,
        value=value,
    )
    hint = _("choose other factors")
    if key != scaled:
        hint = _("choose other factors, or leave {key} out of follow", key=key.name)
    raise ConfigError(message, Problem.OPTION, hint, option="factors")
