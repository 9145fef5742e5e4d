"""Parts of the KV cache and the recurrent state, by kind of layer."""

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
from sphinx_llmsize.views.shared.wording import in_sentence

KEYS_AND_VALUES = N_("Keys and values")
OF_ENCODER = N_("Keys and values of the encoder's tokens")
LATENT = N_("Latents of keys and values")
CONVOLVED = N_("Inputs of the convolution")
STATES = N_("States")


@dataclass(frozen=True)
class CachedPart:
    """A cached array that some layers have, all of one shape.

    Attributes:
        label: the name to show.
        shape: the shape in one layer.
        window: the most tokens cached; None for all.
        layers: the number of layers that have it.
        kinds: the kinds of these layers, if the model's layers differ.
        stage: the stage that reads it.
    """

    label: str
    shape: Shape
    window: int | None
    layers: Size
    kinds: tuple[str, ...]
    stage: Stage

    @property
    def length(self) -> Length | None:
        """The sequence length in the shape; None for a state, whose size is constant."""
        return length_of(self.shape)

    @property
    def grows(self) -> bool:
        """True if generated tokens add to it, until its window is full."""
        return self.length is not None and grows(self.length)

    @property
    def elements_with_own_keys(self) -> Size:
        """Elements per token if each query head had its own keys and values.

        Follows from the products of the attention scores; 0 if there are no keys with values.
        """
        products = self.stage.computes
        keys = [m for m in products if self.length in m.columns.symbols()]
        values = [m for m in products if self.length in m.inner.symbols()]
        sizes = (
            *(product(m.count, m.inner) for m in keys),
            *(product(m.count, m.columns) for m in values),
        )
        return sum(sizes, start=ZERO) if keys and values else ZERO

    def elements_per_token(self, architecture: Architecture) -> Fraction:
        """Elements that each token adds in all these layers."""
        return architecture.count(self.layers) * growth(architecture, self.shape)

    def elements_at(self, architecture: Architecture, context: int) -> int:
        """Elements in all these layers after ``context`` tokens."""
        one = cache_elements_in_layer(architecture, self.shape, context, self.window)
        return architecture.count(self.layers) * one

    def merged_with(self, other: CachedPart) -> CachedPart:
        """The same part in the layers of another one too."""
        kinds = (*self.kinds, *other.kinds)
        return replace(self, layers=self.layers + other.layers, kinds=kinds)

    def elements_with_all_heads(self, architecture: Architecture, context: int) -> int:
        """Elements if each query head had its own keys and values."""
        return replace(self, shape=(self.length or ONE, self.elements_with_own_keys)).elements_at(
            architecture, context
        )


def cached_parts(architecture: Architecture) -> tuple[CachedPart, ...]:
    """Every cached part; equal parts of several stacks are merged."""
    merged: dict[tuple[str, Shape, int | None], CachedPart] = {}
    for part in _parts(architecture):
        key = (part.label, part.shape, part.window)
        merged[key] = merged[key].merged_with(part) if key in merged else part
    labels = Counter(part.label for part in merged.values())
    return tuple(
        _simplified(part, architecture, is_only=labels[part.label] == 1) for part in merged.values()
    )


def _parts(architecture: Architecture) -> Iterator[CachedPart]:
    for place in architecture.places():
        for shape in place.stage.caches:
            for window, layers in _windows(place, shape, architecture):
                kinds = (place.stack.label,) if place.stack and place.stack.kinds else ()
                label = _label(place.stage, shape)
                yield CachedPart(label, shape, window, layers, kinds, place.stage)


def _windows(
    place: PlacedStage, shape: Shape, architecture: Architecture
) -> Iterator[tuple[int | None, Size]]:
    """Windows with their layers, in symbols if all layers have the same window."""
    windows = place.stack.windows if place.stack and length_of(shape) == T_SEEN else ()
    rest = architecture.count(place.uses) - sum(span.layers for span in windows)
    for span in windows:
        alone = not rest and len(windows) == 1
        yield span.window, place.uses if alone else Number(span.layers)
    if rest:
        yield None, Number(rest) if windows else place.uses


def _label(stage: Stage, shape: Shape) -> str:
    length, symbols = length_of(shape), product(*shape).symbols()
    if length == T_SOURCE:
        return _(OF_ENCODER)
    if length is None:
        if W in symbols:
            return _(CONVOLVED)
        if stage.id == "state_space":
            return _(STATES)
        return _("States: {stage}", stage=in_sentence(stage.label))
    if not any(length in matmul.inner.symbols() for matmul in stage.computes):
        # keys without values, as in an indexer
        return _("Keys of the {stage}", stage=in_sentence(stage.label))
    return _(LATENT if R_KV in symbols else KEYS_AND_VALUES)


def _simplified(part: CachedPart, architecture: Architecture, *, is_only: bool) -> CachedPart:
    """The part with L for all layers, and kinds of layers only if they distinguish rows."""
    count = architecture.count(part.layers)
    is_all = count == architecture.sizes.get(L)
    layers = part.layers if part.layers.symbols() else Number(count)
    return replace(
        part, layers=L if is_all else layers, kinds=() if is_only or is_all else part.kinds
    )
