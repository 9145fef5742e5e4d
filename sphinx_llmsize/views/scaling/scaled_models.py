"""A model with one of its sizes scaled: built at every factor, without extrapolation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.changes.followers import InvalidFactor, usual_followers
from sphinx_llmsize.changes.scale_sizes import (
    Values,
    computed_sizes,
    scalable_key,
    scale_sizes,
    sizes_of,
    with_values,
)
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.equal_heads import with_equal_heads
from sphinx_llmsize.views.view_options import NO_FOLLOWERS, ViewOptions

ONE = Fraction(1)
FACTORS = tuple(map(Fraction, (1, 2, 4, 8)))
"""Default of ``:factors:``."""
FURTHER_FACTORS = (*FACTORS, Fraction(16), Fraction(3))
"""Factors to add if those of the options give fewer than :data:`MIN_POINTS` models."""
MIN_POINTS = 5
"""Number of models that determine and check a polynomial of degree 3: E × D × F_e."""


@dataclass(frozen=True)
class ScaledModels:
    """A model at several factors of one size.

    Attributes:
        base: the unchanged model.
        key: the scaled size.
        followers: the sizes that are scaled with it.
        factors: the factors to show, in ascending order, 1 among them.
        models: the model at each of these factors, and at further ones to check polynomials.
        has_own_followers: True if the author lists the keys that scale with the key.
    """

    base: Model
    key: Key
    followers: tuple[Key, ...]
    factors: tuple[Fraction, ...]
    models: dict[Fraction, Model]
    has_own_followers: bool = False

    @property
    def symbol(self) -> Symbol:
        """The scaled size in formulas."""
        assert self.key.symbol is not None
        return self.key.symbol

    def value(self, factor: Fraction = ONE) -> int:
        """The size at a factor."""
        return int(self.base.config.count(self.key) * factor)

    def change(self, factor: Fraction) -> str:
        """The change in the role ``llm-size``: ``hidden_dim*2``, ``hidden_dim*2&ffn_dim=11008``.

        If the author lists the followers, they are named too, and the usual followers that aren't
        among them are set to their present sizes.
        """
        if not self.has_own_followers:
            return f"{self.key.name}*{factor}"
        named, sizes = (self.key, *self.followers), sizes_of(self.base)
        usual = dict.fromkeys(other for key in named for other in usual_followers(key, sizes))
        changes = [f"{key.name}*{factor}" for key in named]
        fixed = (key for key in usual if key not in {*named, *computed_sizes(self.base)})
        changes += (f"{key.name}={sizes[key]}" for key in fixed)
        return "&".join(changes)


def scaled_models(model: Model, options: ViewOptions) -> ScaledModels:
    """The model at every factor.

    Raises:
        ConfigError: the model has no such size, or a scaled size is invalid; ``option`` is the
            name of the option.
    """
    key = option_key(model, options.vary, "vary")
    followers = _followers(model, key, options.follow)
    factors = sorted({*(options.factors or FACTORS), ONE})
    if len(factors) == 1:
        message = _("a factor of 1 changes nothing")
        hint = _("name another, such as 2")
        raise ConfigError(message, Problem.OPTION, hint, option="factors")

    def scaled_by(factor: Fraction) -> tuple[Model, Values]:
        """The model at a factor, and the values that were set."""
        return _scaled(model, (key, *followers), factor, options)

    built = {factor: scaled_by(factor) for factor in factors if factor != 1}
    # set the same keys at a factor of 1, so that all formulas have the same symbols
    changed_keys = {each for _model, values in built.values() for each in values}
    unchanged = {each: model.config[each] for each in changed_keys}
    models = {ONE: with_values(model, unchanged)}
    for factor, (scaled, _values) in built.items():
        models[factor] = scaled
    for factor in FURTHER_FACTORS:
        if len(models) < MIN_POINTS and factor not in models:
            with suppress(ConfigError):
                models[factor], _values = scaled_by(factor)
    base = models[ONE]
    if all(has_equal_heads(model.architecture) for model in models.values()):
        base = with_equal_heads(base)
    has_own_followers = options.follow is not None
    return ScaledModels(base, key, followers, tuple(factors), models, has_own_followers)


def option_key(model: Model, name: str, option: str) -> Key:
    """The key of a size that an option names.

    Raises:
        ConfigError: the model has no such size.
    """
    try:
        return scalable_key(model, name)
    except ConfigError as error:
        raise error.replace(problem=Problem.OPTION, option=option) from None


def _followers(model: Model, key: Key, names: tuple[str, ...] | None) -> tuple[Key, ...]:
    """The keys that ``:follow:`` lists, or the usual ones if it is not given.

    Raises:
        ConfigError: the model has no such size.
    """
    if names is None:
        return usual_followers(key, sizes_of(model))
    named = () if names == NO_FOLLOWERS else names
    keys = dict.fromkeys(option_key(model, name, "follow") for name in named)
    return tuple(other for other in keys if other != key)


def _scaled(
    model: Model, keys: tuple[Key, ...], factor: Fraction, options: ViewOptions
) -> tuple[Model, Values]:
    """The model with these sizes scaled, and the values that were set.

    Raises:
        ConfigError: a scaled size is not a whole number, or is invalid; it names the option.
    """
    has_own_followers = options.follow is not None
    try:
        return scale_sizes(model, dict.fromkeys(keys, factor), by_rules=not has_own_followers)
    except InvalidFactor as error:
        raise error.replace(problem=Problem.OPTION, option="factors") from None
    except ConfigError as error:
        further = _("follow names the keys that grow with {name}", name=keys[0].name)
        option = "follow" if has_own_followers else "vary"
        raise error.with_hint(further).replace(option=option) from None
