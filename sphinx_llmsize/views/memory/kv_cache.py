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
    """A cached array of one shape, and the layers that have it.

    Attributes:
        label: displayed name.
        shape: the shape in one layer.
        window: maximum number of cached tokens; None if all tokens are cached.
        layers: the number of layers that have it.
        kinds: the kinds of these layers, if the model's layers differ.
        stage: the stage that uses it.
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
        """True if it grows with generated tokens, at most up to its window."""
        return self.length is not None and grows(self.length)

    @property
    def mha_elements_per_token(self) -> Size:
        """Elements per token and layer if each query head had its own keys and values.

        Derived from the matrix products of attention; 0 if the stage has no keys or no values.
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
        """Elements that each token adds, in all layers that have this part."""
        return architecture.count(self.layers) * growth(architecture, self.shape)

    def elements_at(self, architecture: Architecture, context: int) -> int:
        """Elements after ``context`` tokens, in all layers that have this part."""
        in_layer = cache_elements_in_layer(architecture, self.shape, context, self.window)
        return architecture.count(self.layers) * in_layer

    def merged_with(self, other: CachedPart) -> CachedPart:
        """This part, with the layers of an equal part added."""
        kinds = (*self.kinds, *other.kinds)
        return replace(self, layers=self.layers + other.layers, kinds=kinds)

    def mha_elements_at(self, architecture: Architecture, context: int) -> int:
        """Like :meth:`elements_at`, if each query head had its own keys and values."""
        return replace(self, shape=(self.length or ONE, self.mha_elements_per_token)).elements_at(
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
    """Windows and the number of layers of each; symbolic if all layers have the same window."""
    windows = place.stack.windows if place.stack and length_of(shape) == T_SEEN else ()
    unlimited = architecture.count(place.uses) - sum(windowed.layers for windowed in windows)
    for windowed in windows:
        is_only = not unlimited and len(windows) == 1
        yield windowed.window, place.uses if is_only else Number(windowed.layers)
    if unlimited:
        yield None, Number(unlimited) if windows else place.uses


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
        # keys without values, as in the indexer of sparse attention
        return _("Keys of the {stage}", stage=in_sentence(stage.label))
    return _(LATENT if R_KV in symbols else KEYS_AND_VALUES)


def _simplified(part: CachedPart, architecture: Architecture, *, is_only: bool) -> CachedPart:
    """Write L if the part is in all layers; drop the kinds if they do not distinguish rows."""
    count = architecture.count(part.layers)
    is_all = count == architecture.sizes.get(L)
    layers = part.layers if part.layers.symbols() else Number(count)
    return replace(
        part, layers=L if is_all else layers, kinds=() if is_only or is_all else part.kinds
    )
