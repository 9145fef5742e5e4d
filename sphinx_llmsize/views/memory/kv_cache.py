"""Parts of the KV cache and the recurrent state, by kind of layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sphinx_llmsize.algebra import ONE, ZERO, Number, Size, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import (
    cache_elements_in_layer,
    elements_added_per_token,
    grows,
    length_of,
)
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Shape
from sphinx_llmsize.config.symbols import R_KV, T_SEEN, T_SOURCE, L, Length, W
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.wording import in_sentence

LABELS = {
    "keys_and_values": N_("Keys and values"),
    "encoder_keys_and_values": N_("Keys and values of the encoder's tokens"),
    "latents": N_("Latents of keys and values"),
    "convolution_inputs": N_("Inputs of the convolution"),
    "state_space": N_("States"),
}
"""Labels by the part's id; the label of any other part contains that of its stage."""


@dataclass(frozen=True)
class CachedPart:
    """A cached array of one shape, and the layers that have it.

    Attributes:
        id: key of :data:`LABELS`, or the stage's id.
        shape: the shape of all equal arrays in one layer together.
        window: maximum number of cached tokens; None if all tokens are cached.
        layers: the number of layers that have it.
        kinds: labels of these layers' kinds, if the model's layers differ.
        stage: the stage that uses it.
        arrays: number of equal arrays in one layer, such as the keys of two attentions.
        stacks: the stacks of these layers; empty outside the layers.
    """

    id: str
    shape: Shape
    window: int | None
    layers: Size
    kinds: tuple[str, ...]
    stage: Stage
    arrays: int = 1
    stacks: tuple[Stack, ...] = ()

    @property
    def key(self) -> tuple[str, Shape, int | None]:
        """Id, shape and window: parts with the same key are merged."""
        return (self.id, self.shape, self.window)

    @property
    def label(self) -> str:
        """Displayed name."""
        if self.id in LABELS:
            return _(LABELS[self.id])
        stage = in_sentence(self.stage.label)
        if self.length:
            return _("Keys of the {stage}", stage=stage)
        return _("States: {stage}", stage=stage)

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
        return Number(self.arrays) * sum(sizes, start=ZERO) if keys and values else ZERO

    def elements_per_token(self, architecture: Architecture) -> Fraction:
        """Elements that each token adds, in all layers that have this part."""
        return architecture.count(self.layers) * elements_added_per_token(architecture, self.shape)

    def elements_at(self, architecture: Architecture, context: int) -> int:
        """Elements after ``context`` tokens, in all layers that have this part."""
        in_layer = cache_elements_in_layer(architecture, self.shape, context, self.window)
        return architecture.count(self.layers) * in_layer

    def mha_elements_at(self, architecture: Architecture, context: int) -> int:
        """Like :meth:`elements_at`, if each query head had its own keys and values."""
        multi_head = replace(self, shape=(self.length or ONE, self.mha_elements_per_token))
        return multi_head.elements_at(architecture, context)

    def merged_with(self, other: CachedPart) -> CachedPart:
        """One part for the layers of two that are otherwise equal."""
        return replace(
            self,
            layers=self.layers + other.layers,
            kinds=(*self.kinds, *other.kinds),
            stacks=(*self.stacks, *other.stacks),
        )


def cached_parts(architecture: Architecture) -> tuple[CachedPart, ...]:
    """Every cached part; parts with the same id, shape and window are merged."""
    merged: dict[tuple[str, Shape, int | None], CachedPart] = {}
    for part in separate_parts(architecture):
        equal_part = merged.get(part.key)
        merged[part.key] = equal_part.merged_with(part) if equal_part else part
    parts_by_id = Counter(part.id for part in merged.values())
    parts: list[CachedPart] = []
    for part in merged.values():
        layers = _shown_layers(part, architecture)
        needs_kinds = layers != L and parts_by_id[part.id] > 1
        parts.append(replace(part, layers=layers, kinds=part.kinds if needs_kinds else ()))
    return tuple(parts)


def separate_parts(architecture: Architecture) -> Iterator[CachedPart]:
    """Every cached part of each stack, before equal ones are merged."""
    for (placed, shape), arrays in _arrays(architecture).items():
        stage, stack = placed.stage, placed.stack
        id = _id_of(stage, shape)
        stacks = (stack,) if stack else ()
        kinds = (stack.label,) if stack and stack.kinds else ()
        if arrays > 1:
            *positions, width = shape
            shape_of_all = (*positions, Number(arrays) * width)
        else:
            shape_of_all = shape
        for window, layers in _windows(placed, shape, architecture):
            yield CachedPart(id, shape_of_all, window, layers, kinds, stage, arrays, stacks)


def with_keys_and_values(
    parts: Iterable[CachedPart], architecture: Architecture
) -> tuple[CachedPart, ...]:
    """Parts that multi-head attention caches too: not the keys of indexers, and no states."""
    return tuple(p for p in parts if p.grows and architecture.count(p.mha_elements_per_token))


def _arrays(architecture: Architecture) -> dict[tuple[PlacedStage, Shape], int]:
    """Number of equal arrays in a layer, by the first stage that caches one, and the shape.

    Arrays in layers of the same stack are equal if they have the same id and shape.
    """
    first_of_key: dict[tuple[str | None, str, Shape], PlacedStage] = {}
    numbers: Counter[tuple[PlacedStage, Shape]] = Counter()
    for placed in architecture.placed_stages():
        stack_id = placed.stack.id if placed.stack else None
        for shape in placed.stage.caches:
            key = (stack_id, _id_of(placed.stage, shape), shape)
            first = first_of_key.setdefault(key, placed)
            numbers[first, shape] += 1
    return dict(numbers)


def _windows(
    placed: PlacedStage, shape: Shape, architecture: Architecture
) -> Iterator[tuple[int | None, Size]]:
    """Each window (None: unlimited) with the number of layers that have it.

    The number is in symbols if all layers have the same window.
    """
    windows = placed.stack.windows if placed.stack and length_of(shape) == T_SEEN else ()
    unlimited = architecture.count(placed.uses) - sum(windowed.layers for windowed in windows)
    for windowed in windows:
        is_only = not unlimited and len(windows) == 1
        yield windowed.window, placed.uses if is_only else Number(windowed.layers)
    if unlimited:
        yield None, Number(unlimited) if windows else placed.uses


def _id_of(stage: Stage, shape: Shape) -> str:
    """The id of the part to which a cached shape of a stage belongs."""
    length = length_of(shape)
    symbols = product(*shape).symbols()
    if length == T_SOURCE:
        return "encoder_keys_and_values"
    if length is None:
        return "convolution_inputs" if W in symbols else stage.id
    has_values = any(length in matmul.inner.symbols() for matmul in stage.computes)
    if not has_values:  # only keys, as in the indexer of sparse attention
        return stage.id
    return "latents" if R_KV in symbols else "keys_and_values"


def _shown_layers(part: CachedPart, architecture: Architecture) -> Size:
    """The number of a part's layers: L if it is in all layers, else other symbols or a number."""
    count = architecture.count(part.layers)
    if count == architecture.sizes.get(L):
        return L
    layers = _layers_in_symbols(part, architecture)
    # symbols for a single layer are not in the list of sizes
    symbols = layers.symbols()
    if not symbols or any(architecture.count(symbol) == 1 for symbol in symbols):
        return Number(count)
    return layers


def _layers_in_symbols(part: CachedPart, architecture: Architecture) -> Size:
    """The number of a part's layers in the symbols that the sum of parameters also has.

    Several stacks may have one symbol together, such as L_Mamba for the dense layers and the MoE
    layers with a Mamba mixer.
    """
    if len(part.stacks) <= 1 or not part.layers.symbols():
        return part.layers
    layers = architecture.layer_counts.of(part.stacks).size
    # layers that share their weights have a cache each
    is_equal = architecture.count(layers) == architecture.count(part.layers)
    return layers if is_equal else part.layers
