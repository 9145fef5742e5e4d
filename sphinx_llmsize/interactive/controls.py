"""Controls of an interactive page: the sizes that a reader can set, with useful steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.changes.ineffective import used_symbols
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import (
    F_DEC,
    F_E,
    F_ENC,
    H_DEC,
    H_ENC,
    H_KV,
    L_DEC,
    L_ENC,
    D,
    E,
    F,
    H,
    K,
    L,
    V,
)
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.traced_model import derived_config
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import Trace, Traced, variable
from sphinx_llmsize.translation import _

LAYERS, HEADS, WIDTHS = (L, L_ENC, L_DEC), (H, H_ENC, H_DEC, H_KV), (F, F_ENC, F_DEC)
"""Symbols of numbers of layers, numbers of heads, and widths of the MLP."""
SIZES = (D, *LAYERS, *HEADS, *WIDTHS, V, E, K, F_E)
"""Symbols of the sizes that have a control, in the order of display."""
LIMITED = (*HEADS, E, K)
"""Symbols of the sizes that must fit others: the key/value heads must divide the heads."""
LARGEST = 10**9
"""Largest number that a reader can enter."""


@dataclass(frozen=True)
class Control:
    """A number that a reader can set.

    Attributes:
        name: name of its variable in the expressions: ``D``, ``H_kv``.
        label: text beside it: ``hidden dimension``.
        value: its value on the static page.
        steps: values of its slider, in ascending order.
        key: configuration key that it sets; None for an option.
        follows: position of the expression that gives its value until the reader sets it; None
            if the value doesn't depend on other controls.
        least: smallest number that can be entered.
        most: largest number that can be entered.
        choices: labels of a list, whose positions are the values; empty for a slider.
        options: names of the directive options that it sets.
        texts: value of these options for each choice.
    """

    name: str
    label: str
    value: int
    steps: tuple[int, ...]
    key: Key | None = None
    follows: int | None = None
    least: int = 1
    most: int = LARGEST
    choices: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def symbol(self) -> tuple[str, str]:
        """``H`` and its subscript ``kv``; both empty for a control without a symbol."""
        if self.choices:
            return ("", "")
        base, _underscore, subscript = self.name.partition("_")
        return (base, subscript)


def size_controls(model: Model, trace: Trace) -> Iterator[Control]:
    """A control for each used size whose value doesn't change the structure of the model."""
    keys = {key.symbol: key for key, _value in model.config.settings if key.symbol}
    values: dict[Symbol, int] = {}
    for symbol in SIZES:
        value = model.config[symbol] if symbol in keys else None
        if type(value) is not int or value <= 0:
            continue
        if _can_be_set(model, keys[symbol]) and not _is_ignored(model, keys[symbol], value):
            values[symbol] = value
    variables = {symbol: variable(trace, symbol.name, values[symbol]) for symbol in values}
    for symbol, value in values.items():
        key = keys[symbol]
        others = {keys[other]: variables[other] for other in variables if other != symbol}
        derived_value = derived_config(model, others)[key]
        follows = derived_value.position if isinstance(derived_value, Traced) else None
        steps = _steps(model, symbol)
        if symbol in LIMITED:
            steps = tuple(each for each in steps if each == value or _with_size(model, key, each))
        yield Control(symbol.name, _(symbol.meaning), value, steps, key, follows)


def _can_be_set(model: Model, key: Key) -> bool:
    """True if the model stays the same if a configuration sets the key to its present value."""
    same = _with_size(model, key, model.config[key])
    return same is not None and same.architecture == model.architecture


def _is_ignored(model: Model, key: Key, value: int) -> bool:
    """True for a size on which nothing depends or that stays, so that changes of it are refused."""
    if key.symbol in used_symbols(model):
        changed = _with_size(model, key, 2 * value)
        return changed is not None and changed.config[key] == value
    try:
        apply_changes(model, section_of({key.name: 2 * value}))
    except ConfigError:
        return True
    return False


def _with_size(model: Model, key: Key, value: object) -> Model | None:
    """The model with another size; None if it contradicts the other sizes."""
    try:
        return with_settings(model, section_of({key.name: value}))
    except ConfigError:
        return None


def _steps(model: Model, symbol: Symbol) -> tuple[int, ...]:
    """Steps of a slider: divisors, multiples or powers of two, and the value itself."""
    sizes = model.config.sizes
    value = sizes[symbol]
    if symbol == D:
        heads = next((sizes[each] for each in HEADS if each in sizes), 1)
        steps = {_step_size(value, heads) * factor for factor in range(1, 65)}
    elif symbol in LAYERS:
        steps = set(range(1, max(2 * value, 8) + 1))
    elif symbol == H_KV:
        heads = sizes.get(H, 1)
        steps = _divisors(heads, heads)
    elif symbol in HEADS:
        steps = _divisors(sizes.get(D, 1), max(4 * value, 64))
    elif symbol == V:
        steps = {2**power * factor for power in range(10, 17) for factor in (4, 5, 6, 7)}
    elif symbol == E:
        steps = {2**power for power in range(1, max(value * 4, 8).bit_length())}
    elif symbol == K:
        steps = set(range(1, max(2 * value, 16) + 1))
    else:
        steps = {_step_size(value, 1) * factor for factor in range(1, 65)}
    return tuple(sorted({*steps, value}))


def _divisors(number: int, most: int) -> set[int]:
    """The divisors of a number, up to ``most``."""
    return {divisor for divisor in range(1, most + 1) if number % divisor == 0}


def _step_size(value: int, divisor: int) -> int:
    """Step of a slider: a sixteenth of a size, or a larger part of it that ``divisor`` divides.

    If ``divisor`` doesn't divide the size itself, a multiple of it near a sixteenth.
    """
    for parts in range(16, 0, -1):
        if value % (parts * divisor) == 0:
            return value // parts
    return divisor * max(value // (16 * divisor), 1)
