"""What a model keeps of the tokens so far to generate the next one, by kind of layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sphinx_llmsize.algebra import ONE, ZERO, Number, Size, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import cache_elements_in_layer, grows, growth, length_of
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Shape
from sphinx_llmsize.config.symbols import R_KV, T_SEEN, T_SOURCE, L, Length, W
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.wording import stage_name

KEYS_AND_VALUES = N_("Keys and values")
OF_ENCODER = N_("Keys and values of the encoder's tokens")
LATENT = N_("Latents of keys and values")
CONVOLVED = N_("Inputs of the convolution")
STATES = N_("States")


@dataclass(frozen=True)
class CachedPart:
    """What some layers keep, all of them alike.

    Attributes:
        what: in words.
        shape: of what one layer keeps.
        window: the tokens that it reaches back to; None for all.
        layers: how many layers keep it.
        kinds: which these are, where the model's layers differ.
        stage: the one that reads it.
    """

    what: str
    shape: Shape
    window: int | None
    layers: Size
    kinds: tuple[str, ...]
    stage: Stage

    @property
    def length(self) -> Length | None:
        """That of the sequence that it is of; None for a state, whose size is constant."""
        return length_of(self.shape)

    @property
    def grows(self) -> bool:
        """Whether generated tokens add to it, as long as its window is not full."""
        return self.length is not None and grows(self.length)

    @property
    def unshared(self) -> Size:
        """For each entry, the keys and values of all heads: what multi-head attention keeps.

        The products of the scores tell them; 0 for what is not keys with values.
        """
        products = self.stage.computes
        keys = [m for m in products if self.length in m.columns.symbols()]
        values = [m for m in products if self.length in m.inner.symbols()]
        sizes = (
            *(product(m.count, m.inner) for m in keys),
            *(product(m.count, m.columns) for m in values),
        )
        return sum(sizes, start=ZERO) if keys and values else ZERO

    def for_each_token(self, architecture: Architecture) -> Fraction:
        """The numbers that every token adds in all these layers."""
        return architecture.count(self.layers) * growth(architecture, self.shape)

    def at(self, architecture: Architecture, context: int) -> int:
        """The numbers that all these layers keep after so many tokens."""
        one = cache_elements_in_layer(architecture, self.shape, context, self.window)
        return architecture.count(self.layers) * one

    def and_(self, other: CachedPart) -> CachedPart:
        """The same in more layers."""
        kinds = (*self.kinds, *other.kinds)
        return replace(self, layers=self.layers + other.layers, kinds=kinds)

    def with_all_heads(self, architecture: Architecture, context: int) -> int:
        """The same if each of the query heads had keys and values of its own."""
        return replace(self, shape=(self.length or ONE, self.unshared)).at(architecture, context)


def cached_parts(architecture: Architecture) -> tuple[CachedPart, ...]:
    """Everything that is kept, what is alike in several stacks told once."""
    together: dict[tuple[str, Shape, int | None], CachedPart] = {}
    for cache_elements in _kept(architecture):
        key = (cache_elements.what, cache_elements.shape, cache_elements.window)
        together[key] = together[key].and_(cache_elements) if key in together else cache_elements
    return tuple(_named(tuple(together.values()), architecture))


def _kept(architecture: Architecture) -> Iterator[CachedPart]:
    for place in architecture.places():
        for shape in place.stage.caches:
            for window, layers in _windows(place, shape, architecture):
                kinds = (place.stack.kind,) if place.stack and place.stack.kind else ()
                what = _what(place.stage, shape)
                yield CachedPart(what, shape, window, layers, kinds, place.stage)


def _windows(
    place: PlacedStage, shape: Shape, architecture: Architecture
) -> Iterator[tuple[int | None, Size]]:
    """The layers by how far they reach back: in symbols if all of them reach equally far."""
    windows = place.stack.windows if place.stack and length_of(shape) == T_SEEN else ()
    rest = architecture.count(place.uses) - sum(span.layers for span in windows)
    for span in windows:
        alone = not rest and len(windows) == 1
        yield span.window, place.uses if alone else Number(span.layers)
    if rest:
        yield None, Number(rest) if windows else place.uses


def _what(stage: Stage, shape: Shape) -> str:
    length, symbols = length_of(shape), product(*shape).symbols()
    if length == T_SOURCE:
        return _(OF_ENCODER)
    if length is None:
        if W in symbols:
            return _(CONVOLVED)
        if stage.label == STATES:
            return _(STATES)
        return _("States: {stage}", stage=stage_name(stage))
    if not any(length in matmul.inner.symbols() for matmul in stage.computes):
        # keys that no values go with only choose among others
        return _("Keys of the {stage}", stage=stage_name(stage))
    return _(LATENT if R_KV in symbols else KEYS_AND_VALUES)


def _named(rows: tuple[CachedPart, ...], architecture: Architecture) -> Iterator[CachedPart]:
    """The rows, all layers as L, and kinds of layers only where they tell rows apart."""
    names = Counter(row.what for row in rows)
    for row in rows:
        count = architecture.count(row.layers)
        is_all = count == architecture.sizes.get(L)
        layers = row.layers if row.layers.symbols() else Number(count)
        kinds = row.kinds if names[row.what] > 1 and not is_all else ()
        yield replace(row, layers=L if is_all else layers, kinds=kinds)
