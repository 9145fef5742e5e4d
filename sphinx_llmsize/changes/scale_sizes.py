"""Models with new values of some keys, and with some sizes multiplied by factors."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor, gcd
from typing import cast

from sphinx_llmsize.changes.followers import InvalidFactor, repeated_lists
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.mixers import MAMBA_WIDTH
from sphinx_llmsize.config.symbols import D_INNER, D, X
from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, nearest, suggestion
from sphinx_llmsize.formats import factor_text
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Section, section_of
from sphinx_llmsize.traced import is_whole
from sphinx_llmsize.translation import _

Values = dict[Key, Setting]
"""New value of each key."""
NO_ENTRIES = Section(())
"""Empty section: no keys besides the scaled sizes are set."""


def sizes_of(model: Model) -> dict[Key, int]:
    """Sizes that can be scaled: whole numbers above 0 that a configuration can set."""
    known = set(model.family.vocabulary.values())
    return {
        key: cast("int", value)
        for key, value in model.config.settings
        if key.symbol and key in known and is_whole(value) and cast("int", value) > 0
    }


def computed_sizes(model: Model) -> frozenset[Key]:
    """The sizes that always follow from others: Mamba's inner dimension, ``expand`` × D.

    Empty if the configuration has such a size itself.
    """
    sizes = {key.symbol: size for key, size in sizes_of(model).items()}
    if sizes.get(D_INNER) != sizes.get(X, 0) * sizes.get(D, 0):
        return frozenset()
    return frozenset((MAMBA_WIDTH,)) - model.config.explicit


def scalable_key(model: Model, name: str) -> Key:
    """Find the key of a size that can be scaled.

    Args:
        model: model with the size.
        name: the key as written by the author.

    Raises:
        ConfigError: the model has no such size.
    """
    sizes = sizes_of(model)
    # A plain name means the same key in every family, so it overrides the vocabulary: in files of
    # DistilBERT, hidden_dim is F, but here it is D.
    names = {**model.family.vocabulary, **{key.name: key for key in sizes}}
    key = names.get(name)
    if key in sizes:
        return key
    hint = _("sizes of {name}: {names}", name=model.label, names=", ".join(k.name for k in sizes))
    if key is None:
        scalable = [other for other, other_key in names.items() if other_key in sizes]
        of_symbol = {key.symbol.name: key.name for key in sizes if key.symbol}
        meant = of_symbol.get(name) or nearest(name, scalable, NEARLY_EQUAL)
        hint = suggestion(meant) or hint
        message = _("{name} has no size {other}", name=model.label, other=repr(name[:60]))
        raise ConfigError(message, Problem.KEY, hint)
    if key.symbol and not dict(model.config.settings).get(key):
        message = _("{key} is null or 0 in {name}", key=name, name=model.label)
    else:
        kind = _(key.kind.label)
        message = _("{key} is {kind}, which cannot be scaled", key=name, kind=kind)
    raise ConfigError(message, Problem.KEY, hint)


def scale_sizes(
    model: Model,
    factors: Mapping[Key, Fraction],
    *,
    others: Section = NO_ENTRIES,
    by_rules: bool = True,
) -> tuple[Model, Values]:
    """Multiply sizes of a model by factors; return the new model, and the values set in it.

    Sizes that the family derives from the scaled ones keep their previous values. If these make
    the model invalid and ``by_rules`` is true, the family derives them from the new sizes instead.

    Args:
        model: the model to change.
        factors: the factor of each size; errors name the first, which the others follow.
        others: entries for further keys, which are set to these values instead of being scaled.
        by_rules: allow derived sizes to follow the family's rules.

    Raises:
        InvalidFactor: a scaled size is not a whole number, or there would be too many layers.
        ConfigError: the sizes contradict each other.
    """
    computed = computed_sizes(model)
    scaled = (key for key in factors if key not in computed)
    values: Values = {key: scaled_size(model, key, factors) for key in scaled}
    for key, factor in factors.items():
        values |= repeated_lists(model, key, int(model.config.count(key) * factor))
    derived = _derived_sizes(model, others)
    # the model in which the family derives all sizes that are not set; None if it is invalid
    model_by_rules = _valid_model(model, _section(model, values, others))
    if model_by_rules:
        # only sizes that the rules would change have to be set
        derived = {k: v for k, v in derived.items() if model_by_rules.config[k] != v}
    all_values = {**derived, **values}
    try:
        return with_settings(model, _section(model, all_values, others)), all_values
    except ConfigError as error:
        if model_by_rules and by_rules:
            return model_by_rules, values
        raise _name_first_size(factors, error) from None


def _valid_model(model: Model, section: Section) -> Model | None:
    """The model with these settings; None if they contradict each other or its own settings."""
    try:
        return with_settings(model, section)
    except ConfigError:
        return None


def _name_first_size(factors: Mapping[Key, Fraction], error: ConfigError) -> ConfigError:
    """The error, with the first scaled size and its factor before its message."""
    first, factor = next(iter(factors.items()))
    return error.replace(message=f"{first.name} × {factor_text(factor)}: {error.message}")


def scaled_size(model: Model, key: Key, factors: Mapping[Key, Fraction]) -> int:
    """A size multiplied by its factor.

    Args:
        model: model with the size.
        key: key of the size.
        factors: factor of each scaled size; those with the same factor change together.

    Raises:
        InvalidFactor: the product is not a whole number.
    """
    value, factor = model.config.count(key), factors[key]
    size = value * factor
    if size.denominator == 1:
        return int(size)
    message = _(
        "{key} × {factor} is not whole: {value} × {factor}",
        key=key.name,
        factor=factor_text(factor),
        value=value,
    )
    # all sizes with this factor are whole at multiples of 1 / steps
    steps = gcd(*(model.config.count(k) for k, other in factors.items() if other == factor))
    # a factor of 0 or 1 would remove or keep the size
    near = {Fraction(n, steps) for n in (floor(factor * steps), ceil(factor * steps))} - {0, 1}
    hint = _("choose other factors")
    if near:
        factors_text = ", ".join(map(factor_text, sorted(near)))
        hint = _("nearest factors with whole sizes: {factors}", factors=factors_text)
    raise InvalidFactor(message, Problem.VALUE, hint)


def with_values(model: Model, values: Values) -> Model:
    """The model with these values.

    Raises:
        ConfigError: a value is invalid.
    """
    return with_settings(model, _section(model, values))


def _derived_sizes(model: Model, others: Section) -> Values:
    """The sizes that the family derives, except those that change if ``others`` are set."""
    fixed = model.config.explicit | computed_sizes(model)
    sizes: Values = {k: v for k, v in sizes_of(model).items() if k not in fixed}
    if not others.entries:
        return sizes
    unscaled = _valid_model(model, others)
    if unscaled is None:
        # ``others`` are only valid together with the scaled sizes: the family derives all the rest
        return {}
    return {k: v for k, v in sizes.items() if unscaled.config[k] == v}


def _section(model: Model, values: Values, others: Section = NO_ENTRIES) -> Section:
    """The entries of ``others``, and those that set ``values``, by names that the family reads.

    If both set a key, ``others`` has precedence.
    """
    family = model.family
    keys_of_others = {family.vocabulary.get(entry.key) for entry in others.entries}
    by_name = {
        family.name_of(key): value for key, value in values.items() if key not in keys_of_others
    }
    return Section((*others.entries, *section_of(by_name).entries))
