"""Details by which two parts of the same kind may differ: caches, heads, widths, layers.

Functions return a description of a detail of a model's part; None if the part has none.
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
from sphinx_llmsize.views.in_words.description import Description, layers_fact, with_number
from sphinx_llmsize.views.in_words.layers_in_words import (
    describe_layers,
    describe_shared_weights,
    describe_times_of_attention,
)
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    components_of,
    layers_with,
    names_with_projections,
    parts_in_layers,
    parts_in_some_layers,
    tensors_of,
)
from sphinx_llmsize.views.shared.wording import listed_text

Detail = Callable[[Model, PlacedStages], "Description | None"]
"""Function that describes a detail of a part, from its stages."""
DOWN = frozenset(("mlp_down", "experts"))
"""Components with the matrices from the inside of a feed-forward network to its output."""
MAX_KINDS_OF_HEADS = 3
"""Maximum number of kinds of heads in a model that are listed; of more, only ranges are shown."""
MAX_NUMBERS = 3
"""Maximum number of different numbers that are listed; more are a range."""


def in_some_layers(
    model: Model, placed_stages: PlacedStages, components: frozenset[str]
) -> Description | None:
    """``K and V projections in 20 of 35 layers``: components that not all layers have.

    Layers that are applied again are left out: they have the components of the first time.

    Args:
        model: the model.
        placed_stages: stages of the part.
        components: the components to describe, if only some layers have them.
    """
    found: dict[tuple[str, ...], tuple[int, int]] = {}  # layers of components, and of their group
    own = [placed for placed in placed_stages if not (placed.stack and placed.stack.repeats)]
    for group in Group:
        of_group = [placed for placed in own if placed.stage.group is group]
        by_layers: dict[int, list[str]] = {}
        for component in dict.fromkeys(components_of(of_group)):
            with_it = [placed for placed in of_group if component in components_of([placed])]
            by_layers.setdefault(layers_with(model, with_it), []).append(component)
        all_layers = layers_with(model, of_group)
        for layers, of_layers in by_layers.items():
            named = tuple(component for component in of_layers if component in components)
            if named and 0 < layers < all_layers:
                found[named] = layers, all_layers
    if not found:
        return None
    text = listed_text(
        [
            parts_in_some_layers(names_with_projections(named), *layers)
            for named, layers in found.items()
        ]
    )
    facts = (*found.items(), *(layers_fact(layers) for layers, _all in found.values()))
    return Description(("in some layers", *found), frozenset(facts), text)


def _cache(_model: Model, placed_stages: PlacedStages) -> Description:
    """``with a KV cache``, ``no KV cache``."""
    has_cache = any(placed.stage.caches for placed in placed_stages)
    text = _("with a KV cache") if has_cache else _("no KV cache")
    return Description(("cache", has_cache), frozenset(), text)


def _heads(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``128 dimensions per head``; if layers differ, the key/value heads of each, or a range."""
    stages_by_heads = stages_by_kv_heads(model, placed_stages)
    if len(stages_by_heads) <= 1:
        return _head_dimension(model, placed_stages)
    layers = {heads: layers_with(model, stages) for heads, stages in stages_by_heads.items()}
    facts = frozenset((*layers.items(), *map(layers_fact, layers.values())))
    if len(stages_by_heads) > MAX_KINDS_OF_HEADS:
        text = _(
            "{heads} key/value heads with {width} dimensions",
            heads=numbers_or_range(heads.number for heads in stages_by_heads),
            width=numbers_or_range(heads.dim for heads in stages_by_heads),
        )
        # the number of layers of each kind isn't named
        return Description("many kinds of heads", frozenset(layers), text)
    texts = []
    for (number, dim), of_layers in layers.items():
        kv_heads = ngettext("{n} key/value head", "{n} key/value heads", number, n=number)
        text = _("{heads} with {width} dimensions", heads=kv_heads, width=dim)
        texts.append(parts_in_layers(text, of_layers))
    return Description(("kinds of heads", len(layers)), facts, listed_text(texts))


def _head_dimension(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``128 dimensions per head``; None without attention."""
    has_attention = any(each.component.startswith("attn_") for each in tensors_of(placed_stages))
    if not has_attention:
        return None
    sizes = model.config.sizes
    heads = sizes.get(H) or sizes.get(H_ENC)
    dim = sizes.get(D_H)
    if not dim and heads:
        dim = sizes[D] // heads
    return with_number("head_dim", dim, _("{n} dimensions per head", n=dim)) if dim else None


def inner_width(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``11,008 wide``: inside the feed-forward networks."""
    widths = inner_widths(model, placed_stages)
    if not widths:
        return None
    text = _("{widths} wide", widths=numbers_or_range(widths))
    return with_number("width", frozenset(widths), text)


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


def _applications(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``used 3 times for each token``: number of products of a matrix with each token's vector.

    Numbers that grow with the sequence, such as one for each score of a token, aren't named.
    """
    applications = {tensor.applications for tensor in tensors_of(placed_stages)}
    known = model.architecture.sizes.keys()
    times = {model.architecture.count(n) for n in applications if n.symbols() <= known} - {0, 1}
    if not times:
        return None
    numbers = listed_text([thousands(each) for each in sorted(times)])
    text = _("used {numbers} times for each token", numbers=numbers)
    return with_number("applications", frozenset(times), text)


def _rank_of_queries(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``queries compressed to rank 1,536``; None for those that are projected directly."""
    latents = [t for t in tensors_of(placed_stages) if t.component == "attn_q_a" and t.is_matrix]
    if not latents:
        return None
    ranks = {model.architecture.count(each.shape[-1]) for each in latents}
    text = _("queries compressed to rank {ranks}", ranks=numbers_or_range(ranks))
    return with_number("rank of queries", frozenset(ranks), text)


def _reserved_rows(_model: Model, placed_stages: PlacedStages) -> Description | None:
    """``with 2 reserved rows of positions``; None for tables with a row for each position only."""
    number = max((tensor.reserved_rows for tensor in tensors_of(placed_stages)), default=0)
    if not number:
        return None
    text = ngettext(
        "with {n} reserved row of positions",
        "with {n} reserved rows of positions",
        number,
        n=number,
    )
    return with_number("reserved rows", number, text)


DETAILS_OF_ATTENTION: tuple[Detail, ...] = (_rank_of_queries, _cache, _heads, _applications)
"""Details of attention that another kind can have, too."""
DETAILS: tuple[Detail, ...] = (
    _reserved_rows,
    _rank_of_queries,
    describe_times_of_attention,
    describe_shared_weights,
    _cache,
    _heads,
    inner_width,
    describe_layers,
    _applications,
)
"""The details, in the order in which they are shown."""
