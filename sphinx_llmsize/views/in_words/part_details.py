"""Details by which two parts of the same kind may differ: caches, heads, widths, layers.

Functions return a detail of a model's part in a few words; empty if the part has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.symbols import D_H, H_ENC, D, H
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.attention_in_words import stages_by_kv_heads
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    components_of,
    is_of_encoder,
    layers_with,
    names_of,
    parts_in_layers,
    tensors_of,
    times_in_each_layer,
)
from sphinx_llmsize.views.shared.wording import listed_text

Detail = Callable[[Model, PlacedStages], str]
"""Function that describes a detail of a part, from its stages."""
DOWN = frozenset(("mlp_down", "experts"))
"""Components with the matrices from the inside of a feed-forward network to its output."""
MAX_KINDS_OF_HEADS = 3
"""Maximum number of kinds of heads in a model that are listed; of more, only ranges are shown."""
MAX_NUMBERS = 3
"""Maximum number of different numbers that are listed; more are a range."""


def in_few_layers(model: Model, placed_stages: PlacedStages, components: frozenset[str]) -> str:
    """``K and V in 20 layers``: the components that only some layers of their group have.

    Args:
        model: the model.
        placed_stages: stages of the part.
        components: the components to describe, if only some layers have them.
    """
    texts: list[str] = []
    for group in Group:
        of_group = [placed for placed in placed_stages if placed.stage.group is group]
        by_layers: dict[int, list[str]] = {}
        for component in dict.fromkeys(components_of(of_group)):
            with_it = [placed for placed in of_group if component in components_of([placed])]
            by_layers.setdefault(layers_with(model, with_it), []).append(component)
        all_layers = layers_with(model, of_group)
        for layers, found in by_layers.items():
            named = [component for component in found if component in components]
            if named and 0 < layers < all_layers:
                texts.append(parts_in_layers(names_of(named), layers))
    return listed_text(texts)


def _shared_weights(model: Model, placed_stages: PlacedStages) -> str:
    """``the same weights in 12 layers``, ``2 sets of weights in 12 layers``."""
    count = model.architecture.count
    stacks = dict.fromkeys(placed.stack for placed in placed_stages if placed.stack)
    shared = [stack for stack in stacks if count(stack.shared_by) > 1]
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
    """``with a KV cache``, ``no KV cache``."""
    return _("with a KV cache") if any(p.stage.caches for p in placed_stages) else _("no KV cache")


def _times_in_each_layer(_model: Model, placed_stages: PlacedStages) -> str:
    """``2 in each layer``: number of times that a layer has attention, if it isn't 1."""
    attention = [placed for placed in placed_stages if placed.stage.group is Group.ATTENTION]
    number = times_in_each_layer(attention)
    return _("{number} in each layer", number=number) if number > 1 else ""


def _heads(model: Model, placed_stages: PlacedStages) -> str:
    """``128 dimensions per head``; if layers differ, the key/value heads of each, or a range."""
    stages_by_heads = stages_by_kv_heads(model, placed_stages)
    if len(stages_by_heads) > MAX_KINDS_OF_HEADS:
        return _(
            "{heads} key/value heads with {width} dimensions",
            heads=numbers_or_range(heads.number for heads in stages_by_heads),
            width=numbers_or_range(heads.dim for heads in stages_by_heads),
        )
    if len(stages_by_heads) <= 1:
        return _head_dimension(model, placed_stages)
    texts = []
    for (number, dim), stages in stages_by_heads.items():
        kv_heads = ngettext("{n} key/value head", "{n} key/value heads", number, n=number)
        text = _("{heads} with {width} dimensions", heads=kv_heads, width=dim)
        texts.append(parts_in_layers(text, layers_with(model, stages)))
    return listed_text(texts)


def _head_dimension(model: Model, placed_stages: PlacedStages) -> str:
    """``128 dimensions per head``; empty without attention."""
    has_attention = any(each.component.startswith("attn_") for each in tensors_of(placed_stages))
    if not has_attention:
        return ""
    sizes = model.config.sizes
    heads = sizes.get(H) or sizes.get(H_ENC)
    dim = sizes.get(D_H)
    if not dim and heads:
        dim = sizes[D] // heads
    return _("{n} dimensions per head", n=dim) if dim else ""


def inner_width(model: Model, placed_stages: PlacedStages) -> str:
    """``11,008 wide``: inside the feed-forward networks."""
    widths = inner_widths(model, placed_stages)
    return _("{widths} wide", widths=numbers_or_range(widths)) if widths else ""


def inner_widths(model: Model, placed_stages: PlacedStages) -> set[int]:
    """The different widths inside the feed-forward networks."""
    return {
        model.architecture.count(tensor.shape[-2])
        for tensor in tensors_of(placed_stages)
        if tensor.component in DOWN and "down" in tensor.name and tensor.role is Role.WEIGHT
    }


def numbers_or_range(numbers: Iterable[int]) -> str:
    """``768 and 1,024``; ``768–5,120`` for more than three numbers."""
    texts = [thousands(each) for each in sorted(set(numbers))]
    if len(texts) > MAX_NUMBERS:
        return _("{smallest}–{largest}", smallest=texts[0], largest=texts[-1])
    return listed_text(texts)


def _layers(model: Model, placed_stages: PlacedStages) -> str:
    """``in 24 layers``, ``in 12 encoder layers and 12 decoder layers``."""
    encoder = layers_with(model, [each for each in placed_stages if is_of_encoder(each.stage)])
    decoder = layers_with(model, [each for each in placed_stages if not is_of_encoder(each.stage)])
    if encoder and decoder:
        return _(
            "in {encoder} encoder layers and {decoder} decoder layers",
            encoder=encoder,
            decoder=decoder,
        )
    layers = encoder + decoder
    return ngettext("in {n} layer", "in {n} layers", layers, n=layers) if layers else ""


def _applications(model: Model, placed_stages: PlacedStages) -> str:
    """``used 3 times for each token``: number of products of a matrix with each token's vector."""
    count = model.architecture.count
    times = {count(tensor.applications) for tensor in tensors_of(placed_stages)} - {0, 1}
    if not times:
        return ""
    numbers = listed_text([thousands(each) for each in sorted(times)])
    return _("used {numbers} times for each token", numbers=numbers)


def _rank_of_queries(model: Model, placed_stages: PlacedStages) -> str:
    """``queries compressed to rank 1,536``; empty for those that are projected directly."""
    latents = [t for t in tensors_of(placed_stages) if t.component == "attn_q_a" and t.is_matrix]
    if not latents:
        return ""
    ranks = numbers_or_range(model.architecture.count(each.shape[-1]) for each in latents)
    return _("queries compressed to rank {ranks}", ranks=ranks)


def _reserved_rows(_model: Model, placed_stages: PlacedStages) -> str:
    """``with 2 reserved rows of positions``; empty for tables with a row for each position only."""
    numbers = {tensor.reserved_rows for tensor in tensors_of(placed_stages)} - {0}
    if not numbers:
        return ""
    number = max(numbers)
    return ngettext(
        "with {n} reserved row of positions",
        "with {n} reserved rows of positions",
        number,
        n=number,
    )


DETAILS: tuple[Detail, ...] = (
    _reserved_rows,
    _rank_of_queries,
    _times_in_each_layer,
    _shared_weights,
    _cache,
    _heads,
    inner_width,
    _layers,
    _applications,
)
"""The details, in the order in which they are shown."""
