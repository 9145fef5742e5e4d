"""What running a model takes: the products of a pass, and what is kept for the next token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import ONE, Size, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.matmul import MatMul
from sphinx_llmsize.architecture.pieces import Place
from sphinx_llmsize.config.vocabulary import T_SEEN, T


@dataclass(frozen=True)
class Run:
    """Tokens that pass through a model.

    Attributes:
        tokens: how many pass.
        seen: how many each of them attends to, itself among them.
        skips: whether what is windowed, or belongs to another sequence, is left out where it can
            be: so the next token is generated, while a whole sequence is masked.
    """

    tokens: int
    seen: int
    skips: bool = False


def forward(tokens: int) -> Run:
    """A whole sequence at once: every token times every other, whatever a mask hides."""
    return Run(tokens, tokens)


def next_token(context: int) -> Run:
    """One token after ``context - 1`` others, whose keys and values are kept."""
    return Run(1, context, skips=True)


def flops(architecture: Architecture, places: Iterable[Place], run: Run) -> int:
    """The FLOPs of all matrix products of these stages, in all their layers."""
    return sum(
        layers * _count(architecture, matmul.flops, run, window)
        for place in places
        for matmul in place.stage.matmuls
        if not (run.skips and _is_of_another_sequence(matmul))
        for window, layers in _spans(architecture, place, run)
    )


def flops_of_layer(architecture: Architecture, matmul: MatMul, run: Run) -> int:
    """The FLOPs of a product in a layer whose attention reaches back to the first token."""
    return _count(architecture, matmul.flops, run, None)


def kept(architecture: Architecture, places: Iterable[Place], context: int) -> int:
    """The numbers kept for the next token after that many: KV cache and states."""
    run = next_token(context)
    return sum(
        layers * _count(architecture, product(*shape), run, window)
        for place in places
        for shape in place.stage.keeps
        for window, layers in _spans(architecture, place, run)
    )


def kept_for_each_token(architecture: Architecture, places: Iterable[Place]) -> int:
    """How many numbers more are kept after each token, as long as no window is full."""
    places = tuple(places)
    return kept(architecture, places, 2) - kept(architecture, places, 1)


def _spans(architecture: Architecture, place: Place, run: Run) -> Iterator[tuple[int | None, int]]:
    """How many of a place's layers see how much; None for everything."""
    uses = architecture.count(place.uses)
    if run.skips and place.stack:
        for span in place.stack.spans:
            uses -= span.layers
            yield span.window, span.layers
    if uses:
        yield None, uses


def _count(architecture: Architecture, size: Size, run: Run, window: int | None) -> int:
    seen = run.seen if window is None else min(run.seen, window)
    # lengths of other sequences are taken to be that of this one
    others = dict.fromkeys(size.symbols() - set(architecture.sizes), run.seen)
    return architecture.count_at(size, {**others, T: run.tokens, T_SEEN: seen})


def _is_of_another_sequence(matmul: MatMul) -> bool:
    """Whether its rows are neither this sequence's tokens nor one vector for all of them."""
    return matmul.rows != ONE and T not in matmul.rows.symbols()
