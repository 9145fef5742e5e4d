"""What running a model takes: the products of a pass, and what is kept for the next token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.algebra import Size, Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.tensors import MatMul
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.tensors import Shape
from sphinx_llmsize.config.symbols import T_SEEN, Length, T


@dataclass(frozen=True)
class ForwardPass:
    """Tokens that pass through a model.

    Attributes:
        tokens: how many pass.
        seen: how many each of them attends to, itself among them.
        skips: whether what is windowed, or belongs to another sequence, is left out where it can
            be: so the next token is generated, while a whole sequence is masked.
    """

    tokens: int
    seen: int
    skips_masked: bool = False


def forward(tokens: int) -> ForwardPass:
    """A whole sequence at once: every token times every other, whatever a mask hides."""
    return ForwardPass(tokens, tokens)


def next_token(context: int) -> ForwardPass:
    """One token after ``context - 1`` others, whose keys and values are kept."""
    return ForwardPass(1, context, skips_masked=True)


def flops(
    architecture: Architecture, places: Iterable[PlacedStage], forward_pass: ForwardPass
) -> int:
    """The FLOPs of all matrix products of these stages, in all their layers."""
    return sum(
        layers * _count(architecture, matmul.flops, forward_pass, window)
        for place in places
        for matmul in place.stage.matmuls
        if not (forward_pass.skips_masked and _is_of_another_sequence(matmul))
        for window, layers in _windowed_layers(architecture, place, forward_pass)
    )


def flops_of_layer(architecture: Architecture, matmul: MatMul, forward_pass: ForwardPass) -> int:
    """The FLOPs of a product in a layer whose attention reaches back to the first token."""
    return _count(architecture, matmul.flops, forward_pass, None)


def output_elements(architecture: Architecture, places: Iterable[PlacedStage], tokens: int) -> int:
    """The numbers that leave all these stages, in all their layers, when so many tokens pass."""
    run = forward(tokens)
    return sum(
        architecture.count(place.uses)
        * _count(architecture, product(*place.stage.output), run, None)
        for place in places
    )


def cache_elements(architecture: Architecture, places: Iterable[PlacedStage], context: int) -> int:
    """The numbers kept for the next token after that many: KV cache and states."""
    run = next_token(context)
    return sum(
        layers * cache_elements_in_layer(architecture, shape, context, window)
        for place in places
        for shape in place.stage.caches
        for window, layers in _windowed_layers(architecture, place, run)
    )


def cache_elements_per_token(architecture: Architecture, places: Iterable[PlacedStage]) -> Fraction:
    """How many numbers more are kept after each token, as long as no window is full."""
    grown = (
        architecture.count(place.uses) * growth(architecture, shape)
        for place in places
        for shape in place.stage.caches
    )
    return sum(grown, start=Fraction(0))


def cache_elements_in_layer(
    architecture: Architecture, shape: Shape, context: int, window: int | None = None
) -> int:
    """The numbers of that shape that one layer keeps after so many tokens."""
    return _count(architecture, product(*shape), next_token(context), window)


def growth(architecture: Architecture, shape: Shape) -> Fraction:
    """How many numbers each token adds to what has that shape; of another sequence, none."""
    length = length_of(shape)
    if length is None or not grows(length):
        return Fraction(0)
    before, after = (cache_elements_in_layer(architecture, shape, n * length.rate) for n in (1, 2))
    return Fraction(after - before, length.rate)


def length_of(shape: Shape) -> Length | None:
    """The length of the sequence that something of that shape is kept of; None for a state."""
    symbols = product(*shape).symbols()
    return next((symbol for symbol in symbols if isinstance(symbol, Length)), None)


def grows(length: Length) -> bool:
    """Whether a generated token makes it longer: it counts tokens seen, or groups of them."""
    return length == T_SEEN or length.rate > 1


def _windowed_layers(
    architecture: Architecture, place: PlacedStage, forward_pass: ForwardPass
) -> Iterator[tuple[int | None, int]]:
    """How many of a place's layers see how much; None for everything."""
    uses = architecture.count(place.uses)
    if forward_pass.skips_masked and place.stack:
        for span in place.stack.windows:
            uses -= span.layers
            yield span.window, span.layers
    if uses:
        yield None, uses


def _count(
    architecture: Architecture, size: Size, forward_pass: ForwardPass, window: int | None
) -> int:
    seen = forward_pass.seen if window is None else min(forward_pass.seen, window)
    # other sequences are taken to be as long as this one
    lengths: dict[Symbol, int] = {
        symbol: symbol.of(forward_pass.seen)
        for symbol in size.symbols()
        if isinstance(symbol, Length)
    }
    return architecture.count_at(size, {**lengths, T: forward_pass.tokens, T_SEEN: seen})


def _is_of_another_sequence(matmul: MatMul) -> bool:
    """Whether what it multiplies is of another sequence's tokens alone."""
    symbols = matmul.flops.symbols()
    return T not in symbols and any(isinstance(symbol, Length) for symbol in symbols)
