"""A model with one of its sizes scaled: really built at every factor, nothing extrapolated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model, changed
from sphinx_llmsize.sources.mapping import section_of
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.scaling.followers import Sizes, told_by_layer, usual_followers
from sphinx_llmsize.views.view_options import ViewOptions

ONE = Fraction(1)
FACTORS = tuple(map(Fraction, (1, 2, 4, 8)))
"""Where the author names none."""
NONE = ("none",)
"""How an author says that nothing follows."""
ENOUGH = 4
"""Points that no curve of these sizes has on a line."""
PASSES = 3
"""Sizes that are put back may move others; no family has a longer chain."""

Values = dict[Key, Setting]


@dataclass(frozen=True)
class Step:
    """The model at one factor."""

    factor: Fraction
    model: Model


@dataclass(frozen=True)
class Scaled:
    """A model at several factors of one size.

    Attributes:
        key: the size that is scaled.
        followers: those that are scaled with it.
        steps: in ascending order, the model as it is among them.
        probes: at other factors, where the steps are too few to tell a line from a curve.
    """

    key: Key
    followers: tuple[Key, ...]
    steps: tuple[Step, ...]
    probes: tuple[Step, ...]

    @property
    def built(self) -> tuple[Step, ...]:
        """All models that were built."""
        return (*self.steps, *self.probes)

    @property
    def base(self) -> Model:
        """The model as it is."""
        return next(step.model for step in self.steps if step.factor == 1)

    def value(self, factor: Fraction = ONE) -> int:
        """The size at a factor."""
        return int(self.base.config.count(self.key) * factor)


def scaled(model: Model, options: ViewOptions) -> Scaled:
    """The model at every factor.

    Raises:
        ConfigError: it has no such size, or a scaled one does not fit; ``option`` says which.
    """
    sizes = sizes_of(model)
    key = scaled_key(model, options.vary, "vary")
    if options.follow is None:
        return _scaled(_Scaling(model, key, usual_followers(key, sizes), lenient=True), options)
    names = () if options.follow == NONE else options.follow
    named = (scaled_key(model, name, "follow") for name in names)
    followers = tuple(dict.fromkeys(other for other in named if other != key))
    return _scaled(_Scaling(model, key, followers, lenient=False), options)


def sizes_of(model: Model) -> Sizes:
    """The keys of the model that have a symbol and can be written, with their numbers."""
    known = set(model.family.vocabulary.values())
    return {
        key: value
        for key, value in model.config.settings
        if key.symbol and key in known and isinstance(value, int) and value > 0
    }


def scaled_key(model: Model, name: str, option: str) -> Key:
    """The size of that name; a plain name means what it means in every family.

    Raises:
        ConfigError: there is none.
    """
    sizes = sizes_of(model)
    names = {**model.family.vocabulary, **{key.name: key for key in sizes}}
    key = names.get(name)
    if key in sizes:
        return key
    there_are = _(
        "sizes of {name}: {names}", name=model.name, names=", ".join(key.name for key in sizes)
    )
    if key is None:
        known = (known for known, key in names.items() if key in sizes)
        near = did_you_mean(name, known, NEARLY_EQUAL)
        message = _("{name} has no size {other}", name=model.name, other=repr(name[:60]))
        raise ConfigError(message, Problem.OPTION, near or there_are, option=option)
    is_number = key.symbol and not dict(model.config.settings).get(key)
    what = (
        _("null or 0 in {name}", name=model.name)
        if is_number
        else _("{value}, which cannot be scaled", value=key.kind.value)
    )
    message = _("{name} is {what}", name=name, what=what)
    raise ConfigError(message, Problem.OPTION, there_are, option=option)


def _scaled(scaling: _Scaling, options: ViewOptions) -> Scaled:
    factors = sorted({*(options.factors or FACTORS), ONE})
    if len(factors) == 1:
        hint = _("name another, such as 2")
        raise ConfigError(
            _("a factor of 1 changes nothing"), Problem.OPTION, hint, option="factors"
        )
    built = {factor: scaling.at(factor) for factor in factors if factor != 1}
    # what is written at other factors is written here too, so that all use the same symbols
    written = {key: scaling.model.config[key] for _, values in built.values() for key in values}
    models = {ONE: scaling.changed(written, ONE), **{f: model for f, (model, _) in built.items()}}
    steps = tuple(Step(factor, models[factor]) for factor in factors)
    return Scaled(scaling.key, scaling.followers, steps, tuple(_probes(scaling, factors)))


def _probes(scaling: _Scaling, factors: list[Fraction]) -> Iterator[Step]:
    missing = ENOUGH - len(factors)
    for factor in (factor for factor in FACTORS if factor not in factors):
        if missing > 0:
            with suppress(ConfigError):
                yield Step(factor, scaling.at(factor)[0])
                missing -= 1


@dataclass(frozen=True)
class _Scaling:
    """How a model is scaled.

    Attributes:
        model: as it is.
        key: the size that is scaled.
        followers: those that are scaled with it.
        lenient: leave what the family derives as it is where it does not fit otherwise.
    """

    model: Model
    key: Key
    followers: tuple[Key, ...]
    lenient: bool

    def at(self, factor: Fraction) -> tuple[Model, Values]:
        """The model at a factor, and what was written to have it.

        What the family derives from the sizes that grow is put back, since it does not follow.

        Raises:
            ConfigError: a size is not whole, or does not fit.
        """
        values: Values = {key: self._times(key, factor) for key in (self.key, *self.followers)}
        values |= told_by_layer(self.model, self.key, factor)
        try:
            built = self.changed(values, factor)
        except ConfigError:
            # the family may derive what does not fit from the sizes that grow
            before = sizes_of(self.model)
            derived = {
                k: before[k] for k in before if k not in {*values, *self.model.config.explicit}
            }
            with suppress(ConfigError):
                return self.changed({**values, **derived}, factor), {**values, **derived}
            raise
        return self._put_back(built, values, factor)

    def _put_back(self, built: Model, values: Values, factor: Fraction) -> tuple[Model, Values]:
        """The same with every size as it was that was not to grow."""
        for _turn in range(PASSES):
            before = sizes_of(self.model).items()
            moved = {k: v for k, v in before if k not in values and built.config[k] != v}
            if not moved:
                break
            try:
                built = self.changed({**values, **moved}, factor)
            except ConfigError:
                if self.lenient:
                    break
                raise
            values = {**values, **moved}
        return built, values

    def changed(self, values: Values, factor: Fraction) -> Model:
        """The model with these values.

        Raises:
            ConfigError: they do not fit.
        """
        try:
            return changed(self.model, section_of(dict(self._written(values))))
        except ConfigError as error:
            way_out = _("follow names the keys that grow with {name}", name=self.key.name)
            hint = "; ".join(filter(None, (error.hint, way_out)))
            message = f"{self.key.name} × {factor}: {error.message}"
            option = "vary" if self.lenient else "follow"
            raise ConfigError(message, error.problem, hint, option=option) from None

    def _written(self, values: Values) -> Iterator[tuple[str, Setting]]:
        """The values under names that mean these keys in the model's family."""
        vocabulary = self.model.family.vocabulary
        for key, value in values.items():
            names = (*key.names, *self.model.family.names)
            yield next(name for name in names if vocabulary.get(name) == key), value

    def _times(self, key: Key, factor: Fraction) -> int:
        value = self.model.config.count(key)
        size = value * factor
        if size.denominator != 1:
            message = _(
                "{key} × {factor} is not whole: {value} × {factor}",
                key=key.name,
                factor=factor,
                value=thousands(value),
            )
            hint = _("choose other factors")
            if key != self.key:
                hint = _("choose other factors, or leave {key} out of what follows", key=key.name)
            raise ConfigError(message, Problem.OPTION, hint, option="factors")
        return int(size)
