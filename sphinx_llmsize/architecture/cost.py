"""Cost of a forward pass: FLOPs of matrix products, and elements in the cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.algebra import Size, Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.tensors import MatMul, Shape
from sphinx_llmsize.config.symbols import T_SEEN, Length, T
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_

UNKNOWN_CACHE = N_(
    "The KV cache of {name} and the FLOPs of its next token aren't counted: they depend on the "
    "number of patches, which depends on the text."
)
"""Message for a model whose cache depends on the text, not only on its number of tokens."""


@dataclass(frozen=True)
class ForwardPass:
    """A forward pass through a model.

    Attributes:
        tokens: number of tokens processed.
        seen: number of tokens that each of them attends to, including itself.
        uses_cache: keys and values are cached, as when generating a token. Two things are then not
            computed: scores outside a sliding window, and keys and values of another sequence (in
            cross-attention). Without a cache, all scores are computed, then masked.
    """

    tokens: int
    seen: int
    uses_cache: bool = False


def forward(tokens: int) -> ForwardPass:
    """Forward pass over a whole sequence: all T × T scores are counted, also masked ones."""
    return ForwardPass(tokens, tokens)


def next_token(context: int) -> ForwardPass:
    """Forward pass of one token after ``context - 1`` tokens with cached keys and values."""
    return ForwardPass(1, context, uses_cache=True)


def flops(
    architecture: Architecture, placed_stages: Iterable[PlacedStage], forward_pass: ForwardPass
) -> int:
    """FLOPs of all matrix products of these stages, in all layers."""
    total = 0
    for placed in placed_stages:
        for matmul in placed.stage.matmuls:
            if forward_pass.uses_cache and _is_of_other_sequence(matmul):
                continue
            for window, layers in _windowed_layers(architecture, placed, forward_pass):
                total += layers * _count(architecture, matmul.flops, forward_pass, window)
    return total


def flops_in_layer(architecture: Architecture, matmul: MatMul, forward_pass: ForwardPass) -> int:
    """FLOPs of a matrix product in one layer with full attention."""
    return _count(architecture, matmul.flops, forward_pass, None)


def output_elements(
    architecture: Architecture, placed_stages: Iterable[PlacedStage], tokens: int
) -> int:
    """Elements in the outputs of these stages, in all layers, for a sequence of ``tokens``."""
    forward_pass = forward(tokens)
    return sum(
        architecture.count(placed.uses)
        * _count(architecture, product(*placed.stage.output), forward_pass, None)
        for placed in placed_stages
    )


def cache_elements(
    architecture: Architecture, placed_stages: Iterable[PlacedStage], context: int
) -> int:
    """Cached elements after ``context`` tokens: KV cache and recurrent states."""
    forward_pass = next_token(context)
    return sum(
        layers * cache_elements_in_layer(architecture, shape, context, window)
        for placed in placed_stages
        for shape in placed.stage.caches
        for window, layers in _windowed_layers(architecture, placed, forward_pass)
    )


def cache_elements_per_token(
    architecture: Architecture, placed_stages: Iterable[PlacedStage]
) -> Fraction:
    """Elements that each token adds to the cache until the first sliding window is full."""
    added = (
        architecture.count(placed.uses) * elements_added_per_token(architecture, shape)
        for placed in placed_stages
        for shape in placed.stage.caches
    )
    return sum(added, start=Fraction(0))


def cache_elements_in_layer(
    architecture: Architecture, shape: Shape, context: int, window: int | None = None
) -> int:
    """Elements of a cached shape in one layer after ``context`` tokens."""
    return _count(architecture, product(*shape), next_token(context), window)


def elements_added_per_token(architecture: Architecture, shape: Shape) -> Fraction:
    """Elements that each token adds to a cached shape; 0 if it doesn't grow with the tokens."""
    length = length_of(shape)
    if length is None or not grows(length):
        return Fraction(0)
    # a sequence of groups grows by one entry for each ``rate`` tokens
    before = cache_elements_in_layer(architecture, shape, length.rate)
    after = cache_elements_in_layer(architecture, shape, 2 * length.rate)
    per_token: Fraction = quotient(after - before, length.rate)
    return per_token


def length_of(shape: Shape) -> Length | None:
    """Sequence length in a cached shape; None for a recurrent state."""
    symbols = product(*shape).symbols()
    return next((symbol for symbol in symbols if isinstance(symbol, Length)), None)


def grows(length: Length) -> bool:
    """True for lengths that grow as tokens are generated: tokens seen, or groups of tokens."""
    return length == T_SEEN or length.rate > 1


def _windowed_layers(
    architecture: Architecture, placed: PlacedStage, forward_pass: ForwardPass
) -> Iterator[tuple[int | None, int]]:
    """Yield each window of the stage's layers, with the number of layers that have it.

    The window is None for layers with full attention. If the forward pass uses no cache, windows
    save no FLOPs, and it is None for all layers.
    """
    uses = architecture.count(placed.uses)
    if forward_pass.uses_cache and placed.stack:
        for windowed in placed.stack.windows:
            uses -= windowed.layers
            yield windowed.window, windowed.layers
    if uses:
        yield None, uses


def _count(
    architecture: Architecture, size: Size, forward_pass: ForwardPass, window: int | None
) -> int:
    """Value of a size in layers with this window; None for full attention."""
    seen = forward_pass.seen if window is None else min(forward_pass.seen, window)
    # all other sequences, such as the encoder's, are assumed to be as long as this one
    lengths: dict[Symbol, int] = {
        symbol: symbol.of(forward_pass.seen)
        for symbol in size.symbols()
        if isinstance(symbol, Length)
    }
    return architecture.count_at(size, {**lengths, T: forward_pass.tokens, T_SEEN: seen})


def _is_of_other_sequence(matmul: MatMul) -> bool:
    """True if only another sequence's vectors are multiplied: the encoder's, or BLT's patches."""
    symbols = matmul.flops.symbols()
    return T not in symbols and any(isinstance(symbol, Length) for symbol in symbols)
