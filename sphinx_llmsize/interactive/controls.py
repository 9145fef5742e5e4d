"""Controls of an interactive page: the sizes that a reader can set, with sensible steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from sphinx_llmsize.algebra import Symbol
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
from sphinx_llmsize.interactive.traced_model import derived
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import Trace, Traced, variable
from sphinx_llmsize.translation import _

LAYERS, HEADS, WIDTHS = (L, L_ENC, L_DEC), (H, H_ENC, H_DEC, H_KV), (F, F_ENC, F_DEC)
"""Numbers of layers, numbers of heads, and widths of the MLP; also of encoders, decoders."""
SIZES = (D, *LAYERS, *HEADS, *WIDTHS, V, E, K, F_E)
"""Symbols of the sizes that have a control, in the order of display."""
LARGEST = 10**9
"""Largest number that a reader can write."""


@dataclass(frozen=True)
class Control:
    """A number that a reader can set.

    Attributes:
        name: its variable in the expressions: ``D``, ``H_kv``.
        label: ``hidden dimension``.
        value: its value on the static page.
        steps: values of its slider, in ascending order.
        key: configuration key that it sets; None for an option.
        follows: expression of its value as long as the reader doesn't set it; None for a constant.
        least: smallest number that can be written.
        most: largest number that can be written.
        choices: texts of a list, whose positions are the values; empty for a slider.
        options: directive options that it sets.
        texts: values of these options, for the choices.
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
    """A control for each size whose value doesn't change the structure of the model."""
    keys = {key.symbol: key for key, _value in model.config.settings if key.symbol}
    values = {s: model.config[s] for s in SIZES if s in keys}
    found = {
        s: v for s, v in values.items() if type(v) is int and v > 0 and _is_free(model, keys[s])
    }
    variables = {s: variable(trace, s.name, value) for s, value in found.items()}
    for symbol, value in found.items():
        key = keys[symbol]
        others = {keys[s]: each for s, each in variables.items() if s != symbol}
        rule = derived(model, others)[key]
        follows = rule.node if isinstance(rule, Traced) else None
        yield Control(symbol.name, _(symbol.meaning), value, _steps(model, symbol), key, follows)


def _is_free(model: Model, key: Key) -> bool:
    """True if the model is the same when its own value of the key is written explicitly."""
    try:
        same = with_settings(model, section_of({key.name: model.config[key]}))
    except ConfigError:
        return False
    return same.architecture == model.architecture


def _steps(model: Model, symbol: Symbol) -> tuple[int, ...]:
    """Steps of a slider: divisors, multiples or powers of two, and the value itself."""
    sizes = model.config.sizes
    value = sizes[symbol]
    if symbol == D:
        heads = next((sizes[each] for each in HEADS if each in sizes), 1)
        found = {_unit(value, heads) * factor for factor in range(1, 65)}
    elif symbol in LAYERS:
        found = set(range(1, max(2 * value, 8) + 1))
    elif symbol == H_KV:
        heads = sizes.get(H, 1)
        found = {number for number in range(1, heads + 1) if not heads % number}
    elif symbol in HEADS:
        hidden = sizes.get(D, 1)
        found = {number for number in range(1, max(4 * value, 64) + 1) if not hidden % number}
    elif symbol == V:
        found = {2**power * odd for power in range(10, 17) for odd in (4, 5, 6, 7)}
    elif symbol == E:
        found = {2**power for power in range(1, max(value * 4, 8).bit_length())}
    elif symbol == K:
        found = set(range(1, max(2 * value, 16) + 1))
    else:
        found = {_unit(value, 1) * factor for factor in range(1, 65)}
    return tuple(sorted({*found, value}))


def _unit(value: int, divisor: int) -> int:
    """A sixteenth of a size if that is whole and a multiple of ``divisor``, else a larger part."""
    for parts in range(16, 0, -1):
        if not value % (parts * divisor):
            return value // parts
    return divisor * max(value // (16 * divisor), 1) or gcd(value, divisor)
