"""What a model costs to hold and to run: numbers, with the symbolic sizes behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.algebra import Size, product
from sphinx_llmsize.architecture.cost import (
    cache_elements_per_token,
    flops,
    forward,
    grows,
    length_of,
    output_elements,
)
from sphinx_llmsize.blocks import Line, Muted
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.compute.counts import flops_text
from sphinx_llmsize.views.shared.data_size import bits_of, size_text

BITS = 8
"""Of a byte."""

KV_CACHE = N_("KV cache per token")

Part = tuple[Fraction, Size]


@dataclass(frozen=True)
class Cost:
    """One thing that a model costs.

    Attributes:
        name: for people.
        of: a model's number.
        parts: the symbolic sizes that it is the sum of, each with how often it counts.
        lines: how a number is written, below it what is more exact.
    """

    name: str
    of: Callable[[Model], Fraction]
    parts: Callable[[Model], Iterator[Part]]
    lines: Callable[[Fraction], tuple[Line, ...]]


def costs(model: Model, tokens: int, dtype: str) -> Iterator[Cost]:
    """What the model costs; no KV cache where nothing grows with the tokens.

    Args:
        model: whose costs are told; they can then be counted for others like it.
        tokens: of the pass whose FLOPs and activations are counted.
        dtype: of the weights and the KV cache.

    Raises:
        ConfigError: there is no such dtype.
    """
    try:
        size = bits_of(dtype) / BITS
    except ConfigError as error:
        raise error.at(option="dtype") from None
    yield Cost(_("Parameters"), lambda m: Fraction(m.total), _parameters, _count_lines)
    if model.active != model.total:
        yield Cost(_("Active parameters"), lambda m: Fraction(m.active), _active, _count_lines)
    yield Cost(
        _("Weights"),
        lambda m: m.total * size,
        lambda m: ((each * size, part) for each, part in _parameters(m)),
        _size_lines,
    )
    yield _compute(tokens)
    if _cached(model):
        yield Cost(
            _(KV_CACHE),
            lambda m: _cached(m) * size,
            lambda m: ((each * size, part) for each, part in _growing(m)),
            _size_lines,
        )
    yield _activations(tokens)


def _compute(tokens: int) -> Cost:
    def of(model: Model) -> Fraction:
        run = forward(tokens)
        return Fraction(flops(model.architecture, model.architecture.places(), run), tokens)

    def parts(model: Model) -> Iterator[Part]:
        for place in model.architecture.places():
            for matmul in place.stage.matmuls:
                yield Fraction(1, tokens), product(place.uses, matmul.flops)

    return Cost(_("FLOPs per token"), of, parts, lambda number: ((flops_text(number),),))


def _activations(tokens: int) -> Cost:
    def of(model: Model) -> Fraction:
        return Fraction(
            output_elements(model.architecture, model.architecture.places(), tokens), tokens
        )

    def parts(model: Model) -> Iterator[Part]:
        for place in model.architecture.places():
            yield Fraction(1, tokens), product(place.uses, *place.stage.output)

    return Cost(_("Activations per token"), of, parts, lambda number: ((short(round(number)),),))


def _parameters(model: Model) -> Iterator[Part]:
    return ((Fraction(1), place.parameters) for place in model.architecture.places())


def _active(model: Model) -> Iterator[Part]:
    return ((Fraction(1), place.active) for place in model.architecture.places())


def _cached(model: Model) -> Fraction:
    return cache_elements_per_token(model.architecture, model.architecture.places())


def _growing(model: Model) -> Iterator[Part]:
    """What each token adds to what is kept: shapes without the length that grows."""
    for place in model.architecture.places():
        for shape in place.stage.caches:
            length = length_of(shape)
            if length and grows(length):
                rest = (size for size in shape if size != length)
                yield Fraction(1, length.rate), product(place.uses, *rest)


def _count_lines(number: Fraction) -> tuple[Line, ...]:
    return ((short(int(number)),), (Muted(thousands(int(number))),))


def _size_lines(size: Fraction) -> tuple[Line, ...]:
    return ((size_text(size),),)
