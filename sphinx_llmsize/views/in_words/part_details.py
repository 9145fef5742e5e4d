"""Details that tell two parts of the same kind apart: windows, widths, layers.

Each function returns a detail of a model's part in a few words; empty if it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.symbols import D_H, H_ENC, T_SOURCE, D, H
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.attention_in_words import heads_by_layer
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    components_of,
    layers_with,
    names_of,
    tensors_of,
    times_in_each_layer,
)
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text, shape_numbers

Detail = Callable[[Model, PlacedStages], str]
DOWN = frozenset(("mlp_down", "experts"))
"""Components with the matrices from the inside of a feed-forward network to its output."""

MAX_KINDS_OF_HEADS = 3
"""Maximum number of kinds of heads in a model that are named."""
MAX_NUMBERS = 3
"""Maximum number of different numbers that are listed; more are a range."""


def in_few_layers(model: Model, placed_stages: PlacedStages, components: frozenset[str]) -> str:
    """``K and V in 20 layers``: those of the components that only some of these layers have."""
    texts: list[str] = []
    for group in Group:
        of_group = [placed for placed in placed_stages if placed.stage.group is group]
        by_layers: dict[int, list[str]] = {}
        for component in dict.fromkeys(components_of(of_group)):
            having = [placed for placed in of_group if component in components_of([placed])]
            by_layers.setdefault(layers_with(model, having), []).append(component)
        texts += [
            _parts_in_layers(names_of(each for each in found if each in components), layers)
            for layers, found in by_layers.items()
            if 0 < layers < layers_with(model, of_group) and not components.isdisjoint(found)
        ]
    return listed_text(texts)


def _parts_in_layers(parts: str, layers: int) -> str:
    return ngettext("{parts} in {n} layer", "{parts} in {n} layers", layers, parts=parts, n=layers)


def _shared_weights(model: Model, placed_stages: PlacedStages) -> str:
    """``the same weights in 12 layers``."""
    count = model.architecture.count
    shared = [stack for stack in _stacks(placed_stages) if count(stack.shared_by) > 1]
    if not shared:
        return ""
    layers = sum(count(stack.uses) for stack in shared)
    sets = sum(count(stack.layers) for stack in shared)
    if sets > 1:
        return _("{sets} sets of weights in {n} layers", sets=sets, n=layers)
    return ngettext(
        "the same weights in {n} layer", "the same weights in {n} layers", layers, n=layers
    )


def _cache(_model: Model, placed_stages: PlacedStages) -> str:
    return _("with a KV cache") if any(p.stage.caches for p in placed_stages) else _("no KV cache")


def _times_in_each_layer(_model: Model, placed_stages: PlacedStages) -> str:
    """``2 in each layer``: attentions."""
    number = times_in_each_layer([p for p in placed_stages if p.stage.group is Group.ATTENTION])
    return _("{number} in each layer", number=number) if number > 1 else ""


def _heads(model: Model, placed_stages: PlacedStages) -> str:
    """``128 dimensions per head``; the key/value heads of each layer, or their range."""
    kinds = list(heads_by_layer(model, placed_stages))
    if len(kinds) > MAX_KINDS_OF_HEADS:
        return _(
            "{heads} key/value heads with {width} dimensions",
            heads=numbers_or_range(number for number, _dim, _having in kinds),
            width=numbers_or_range(dim for _number, dim, _having in kinds),
        )
    if len(kinds) > 1:
        texts = []
        for number, dim, having in kinds:
            kv_heads = ngettext("{n} key/value head", "{n} key/value heads", number, n=number)
            text = _("{heads} with {width} dimensions", heads=kv_heads, width=dim)
            texts.append(_parts_in_layers(text, layers_with(model, having)))
        return listed_text(texts)
    sizes = model.config.sizes
    heads = sizes.get(H) or sizes.get(H_ENC)
    width = sizes.get(D_H) or (sizes[D] // heads if heads else 0)
    has_heads = any(tensor.component.startswith("attn_") for tensor in tensors_of(placed_stages))
    return _("{n} dimensions per head", n=width) if width and has_heads else ""


def _inner_width(model: Model, placed_stages: PlacedStages) -> str:
    """``11,008 wide``: inside the feed-forward networks."""
    widths = {
        model.architecture.count(tensor.shape[-2])
        for tensor in tensors_of(placed_stages)
        if tensor.component in DOWN and "down" in tensor.name and tensor.role is Role.WEIGHT
    }
    if not widths:
        return ""
    return _("{widths} wide", widths=numbers_or_range(widths))


def numbers_or_range(numbers: Iterable[int]) -> str:
    """``768 and 1,024``; ``768–5,120`` for more than three numbers."""
    texts = [thousands(each) for each in sorted(set(numbers))]
    if len(texts) > MAX_NUMBERS:
        return _("{smallest}–{largest}", smallest=texts[0], largest=texts[-1])
    return listed_text(texts)


def _layers(model: Model, placed_stages: PlacedStages) -> str:
    """``in 24 layers``, ``in 12 encoder layers and 12 decoder layers``."""
    of_encoder = [placed for placed in placed_stages if T_SOURCE in placed.stage.length.symbols()]
    of_others = [placed for placed in placed_stages if placed not in of_encoder]
    encoder, others = (layers_with(model, each) for each in (of_encoder, of_others))
    if encoder and others:
        return _(
            "in {encoder} encoder layers and {decoder} decoder layers",
            encoder=encoder,
            decoder=others,
        )
    layers = encoder + others
    return ngettext("in {n} layer", "in {n} layers", layers, n=layers) if layers else ""


def _applications(model: Model, placed_stages: PlacedStages) -> str:
    """``3 times for each token``: the products of a token with the same matrix."""
    count = model.architecture.count
    times = {count(tensor.applications) for tensor in tensors_of(placed_stages)} - {0, 1}
    if not times:
        return ""
    numbers = listed_text([thousands(each) for each in sorted(times)])
    return _("{numbers} times for each token", numbers=numbers)


DETAILS: tuple[Detail, ...] = (
    _times_in_each_layer,
    _shared_weights,
    _cache,
    _heads,
    _inner_width,
    _layers,
    _applications,
)
"""The details, in the order in which they are shown."""


def shapes(model: Model, placed_stages: PlacedStages) -> dict[tuple[bool, str, str], str]:
    """The shape of each tensor: ``K 6,144 × 1,024``, or ``768 × 3,072`` if it is the only one.

    The keys say where it is: whether it belongs to an encoder, its stage, and its name.
    """
    found: dict[tuple[bool, str, str], dict[str, list[PlacedStage]]] = {}
    names: dict[tuple[bool, str, str], str] = {}
    components = {
        (placed.stage.id, tensor.name)
        for placed in placed_stages
        for tensor in placed.stage.tensors
    }
    for placed in placed_stages:
        stage, is_of_encoder = placed.stage, T_SOURCE in placed.stage.length.symbols()
        for tensor in stage.tensors:
            key = is_of_encoder, stage.id, tensor.name
            shape = shape_numbers(tensor.shape, model.architecture)
            found.setdefault(key, {}).setdefault(shape, []).append(placed)
            if len(components) > 1:
                name = names_of([tensor.component]) if _is_one_of_several(stage) else stage.label
                names[key] = in_sentence(name)
    texts = {key: _shapes_in_layers(model, by_shape) for key, by_shape in found.items()}
    return {
        key: _("{component} {shape}", component=names[key], shape=text) if key in names else text
        for key, text in texts.items()
    }


def _shapes_in_layers(model: Model, by_shape: Mapping[str, PlacedStages]) -> str:
    """``6,144 × 1,024``; ``256 in 50 layers and 512 in 10 layers`` if layers differ."""
    if len(by_shape) == 1:
        return next(iter(by_shape))
    if len(by_shape) > MAX_NUMBERS:
        return _("in {number} shapes", number=len(by_shape))
    return listed_text(
        [_parts_in_layers(shape, layers_with(model, having)) for shape, having in by_shape.items()]
    )


def _is_one_of_several(stage: Stage) -> bool:
    """True if the stage has several tensors; a norm on an embedding doesn't count."""
    tensors = [t for t in stage.tensors if stage.group is not Group.EMBEDDING or t.is_matrix]
    return len(tensors) > 1


def _stacks(placed_stages: PlacedStages) -> Iterator[Stack]:
    return iter(dict.fromkeys(placed.stack for placed in placed_stages if placed.stack))
