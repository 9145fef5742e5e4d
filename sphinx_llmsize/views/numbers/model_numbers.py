"""Single numbers of a model, as text and as values, for the role and for templates."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.errors import AbsentNumber, ConfigError, Problem
from sphinx_llmsize.formats import percent
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.numbers.byte_measures import ACTIVE
from sphinx_llmsize.views.numbers.counted_parts import active_parts, parameter_parts
from sphinx_llmsize.views.numbers.counts import count_selected, without_suffix
from sphinx_llmsize.views.numbers.growth_numbers import GROWTH_NUMBERS
from sphinx_llmsize.views.numbers.number_formats import (
    COUNT_FORMATS,
    PARAMETER_FORMATS,
    read_format,
)
from sphinx_llmsize.views.numbers.part_selection import (
    NUM_LAYERS,
    TOTAL,
    begins_with,
    has_id,
    ids_of,
)
from sphinx_llmsize.views.numbers.units import Measure, Unit
from sphinx_llmsize.views.numbers.unknown_numbers import QUANTITIES, TOTALS, unknown_number

MODELS_OF_GROWTH = 5
"""Number of models of different sizes that are built to compute growth or an exponent."""


@cached(4096)
def number_text(model: Model, words: tuple[str, ...]) -> str:
    """Format a number of the model; the words are its name and an optional format.

    ``()`` gives the total in the short format, ``("mlp", "share")`` a component's share of the
    total, ``("hidden_dim",)`` the value of a key, and ``("weights", "bf16", "GiB")`` a size.

    Raises:
        ConfigError: the model has no such number, or the format is unknown.
    """
    name, *rest = words or ("total",)
    if measured := _measure(model, name, rest):
        return measured.text
    counted = _counted_parameters(model, name)
    if counted is not None:
        return _formatted(counted, model, read_format(rest, "short", PARAMETER_FORMATS))
    value = _setting(model, name)
    if isinstance(value, int) and not isinstance(value, bool):
        return _formatted(value, model, read_format(rest, "exact", COUNT_FORMATS))
    read_format(rest, "exact", ("exact",))  # raises an error for other formats
    if value is None or isinstance(value, bool):
        return str(value).lower()  # none, true, false
    return str(value)


def number_of(model: Model, name: str = "total", *words: str) -> int | Fraction:
    """Look up a total, the parameters of a component, the value of a key, or a measure.

    Raises:
        ConfigError: the model has no such number.
    """
    return number_with_unit(model, name, *words)[0]


def number_with_unit(model: Model, name: str = "total", *words: str) -> tuple[int | Fraction, Unit]:
    """Like :func:`number_of`, with the number's unit."""
    if measured := _measure(model, name, list(words)):
        return measured.number, measured.unit
    if words:
        message = _("unexpected {rest} after {name}", rest=repr(words[0][:60]), name=name)
        raise ConfigError(message, Problem.NUMBER)
    counted = _counted_parameters(model, name)
    if counted is not None:
        is_number_of_layers = name.rpartition(".")[2] == NUM_LAYERS
        return counted, Unit.NONE if is_number_of_layers else Unit.PARAMETERS
    value = _setting(model, name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(_("{what} is not a number", what=name), Problem.NUMBER)
    return value, Unit.NONE


def value_of(model: Model, name: str) -> Setting | Fraction:
    """Look up a number or the value of a key, of any type.

    Args:
        model: the model.
        name: name of the number with the words after it: ``total``, ``flops.mlp:2048``.

    Raises:
        ConfigError: the model has nothing of that name.
    """
    first, *words = (word.strip() for word in name.split(":"))
    try:
        measured = _measure(model, first, words)
    except ConfigError as error:
        if words or isinstance(error, AbsentNumber):
            raise
        example = _("in a template: {example}", example=f'["{first}:…"]')
        raise error.with_hint(example) from None
    if measured:
        is_whole = measured.number.denominator == 1
        return int(measured.number) if is_whole else measured.number
    if not words:
        counted = _counted_parameters(model, name)
        if counted is not None:
            return counted
    return _setting(model, name)


def is_quantity(name: str) -> bool:
    """True for the name of FLOPs, bytes or a rule of thumb, not of a number of parameters."""
    return name.partition(".")[0] in QUANTITIES


def models_built(name: str) -> int:
    """Cost of computing a number, in units of building one model; 0 if it is negligible."""
    quantity = name.partition(":")[0].partition(".")[0]
    if quantity in GROWTH_NUMBERS:
        return MODELS_OF_GROWTH
    return 1 if quantity in QUANTITIES else 0


def names_of(model: Model) -> tuple[str, ...]:
    """All words with which the name of a number of this model can begin."""
    return (*TOTALS, *QUANTITIES, *ids_of(parameter_parts(model)), *model.keys)


def _measure(model: Model, name: str, words: list[str]) -> Measure | None:
    """The quantity of this name, with the words after it; None if there is no such quantity."""
    quantity, *ids = name.split(".")
    if quantity not in QUANTITIES:
        return None
    ids_of_parts = tuple(id for id in ids if id != TOTAL)
    return QUANTITIES[quantity](model, ids_of_parts, words)


def _counted_parameters(model: Model, name: str) -> int | None:
    """Parameters in the parts that the name selects; None for the name of a key or symbol."""
    ids = tuple(name.split("."))
    if ids[0] == ACTIVE:
        return int(count_selected(active_parts(model), ids[1:], model.label))
    if name == NUM_LAYERS:  # by itself it is the key, not the suffix of "qkv.num_layers"
        return None
    parts = parameter_parts(model)
    part_ids, _suffix = without_suffix(parts, ids)
    if part_ids and not has_id(parts, part_ids[0]):
        return None
    if len(ids) == 1 and is_setting(model, name):
        return None
    return int(count_selected(parts, ids, model.label))


def is_setting(model: Model, name: str) -> bool:
    """True for the name of a key or symbol, unless a component's id is or begins with this name."""
    if name not in model.keys and _symbol_value(model, name) is None:
        return False
    return not any(begins_with(component, name) for component in model.components)


def has_name(model: Model, name: str) -> bool:
    """True for the name of a part, key or symbol; without the search for a hint, which is slow."""
    is_part = _counted_parameters(model, name) is not None
    return is_part or name in model.keys or _symbol_value(model, name) is not None


def _setting(model: Model, name: str) -> Setting:
    """The value of a key or symbol.

    Raises:
        ConfigError: the model has no such key or symbol.
    """
    if name in model.keys:
        return dict(model.config.settings).get(model.keys[name])
    size = _symbol_value(model, name)
    if size is not None:
        return size
    message = N_("{model} has no {name}")
    error = unknown_number(message, name, names_of(model), (model,), model=model.label)
    if name in PARAMETER_FORMATS:
        hint = _("write a format last: {example}", example=f"total:{name}")
        error = error.replace(hint=hint)
    raise error


@lru_cache(maxsize=256)
def symbol_values(model: Model) -> dict[Symbol, int]:
    """The value of each symbol in shapes of weights, activations and caches, except lengths."""
    architecture = model.architecture
    cached = (size for stage in architecture.stages() for shape in stage.caches for size in shape)
    in_activations = architecture.activation_symbols | architecture.product_symbols
    symbols = in_activations.union(*(size.symbols() for size in cached))
    # a Quantity is a symbol with a value of its own, such as the number of MoE layers
    values: dict[Symbol, int] = {s: s.value for s in symbols if isinstance(s, Quantity)}
    return values | architecture.sizes


def _symbol_value(model: Model, name: str) -> int | None:
    """The value of the symbol with this name; None if the model has no such symbol."""
    for symbol, value in symbol_values(model).items():
        if symbol.name == name:
            return value
    return None


def _formatted(number: int, model: Model, format_name: str) -> str:
    """The number in one of :data:`PARAMETER_FORMATS`."""
    if format_name == "share":
        return percent(number / model.total)
    return COUNT_FORMATS[format_name](Fraction(number))
