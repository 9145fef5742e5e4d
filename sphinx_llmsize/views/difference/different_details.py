"""Details in which a part of two models differs: components, windows, biases, widths, shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sphinx_llmsize.architecture.biases import biased_components, common_components
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.kinds_of_parts import parts_of, windows_at_own_sizes
from sphinx_llmsize.views.difference.masks_and_positions import masks_and_positions
from sphinx_llmsize.views.difference.pairs import (
    NO_DIFFERENCE,
    DescriptionPair,
    Descriptions,
    Models,
    different_at_all_sizes,
    without_repetition,
)
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.part_components import (
    TABLE_OF_POSITIONS,
    PlacedStages,
    attention_matrices_of,
    attention_products_of,
    components_of,
    describe_biases,
    facts_on,
    has_biases_in_some_layers,
    names_of_matrices,
    names_with_projections,
    tensors_of,
)
from sphinx_llmsize.views.in_words.part_details import DETAILS, in_some_layers
from sphinx_llmsize.views.in_words.tensor_shapes import Shapes, describe_shapes, has_layers
from sphinx_llmsize.views.shared.model_titles import title_in_sentence
from sphinx_llmsize.views.shared.wording import listed_text

MAX_SHAPES = 3
"""Maximum number of pairs of shapes that are shown."""


def different_details(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Descriptions:
    """The details in which a part differs, for each model.

    1. Details that differ both at the same sizes and at the models' own sizes, described at their
       own. Details that are equal at the same sizes differ only because the sizes do.
    2. If there are none, up to :data:`MAX_SHAPES` shapes of tensors that differ.
    3. For embeddings, which have few details, shapes of tensors that both models have, before the
       details.
    4. If there are neither details nor shapes, because a changed size cancels the difference: the
       details that differ at the same sizes, followed by "at the sizes of" the first model.

    Args:
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes.
        aspect: the part.
    """
    windows = windows_at_own_sizes(same_sizes, own_sizes, aspect)
    masks = _masks_of_part(own_sizes, aspect)
    at_same_sizes = list(_all_details(same_sizes, aspect, masks, windows))
    at_own_sizes = _all_details(own_sizes, aspect, masks, windows)
    different = different_at_all_sizes(at_same_sizes, at_own_sizes)
    different_shapes = _different_shapes(same_sizes, own_sizes, aspect)
    if not different:
        different = different_shapes[:MAX_SHAPES]
    elif aspect is Aspect.EMBEDDING:
        shapes_in_both = [pair for pair in different_shapes if all(pair)]
        different = [*shapes_in_both[:MAX_SHAPES], *different]
    if different:
        return without_repetition(different)
    before, after = without_repetition(pair for pair in at_same_sizes if pair[0] != pair[1])
    text = _("at the sizes of {model}", model=title_in_sentence(same_sizes[0]))
    sizes = Description("sizes of the first model", frozenset(), text)
    return [*before, sizes], [*after, sizes]


def details_at_same_sizes(models: Models, aspect: Aspect) -> Descriptions:
    """The details in which a part differs, for models that only differ in the changed keys."""
    windows = windows_at_own_sizes(models, models, aspect)
    details = _all_details(models, aspect, _masks_of_part(models, aspect), windows)
    return without_repetition(pair for pair in details if pair[0] != pair[1])


def _masks_of_part(models: Models, aspect: Aspect) -> list[DescriptionPair]:
    """Masks and positions in which attention differs; none for other parts.

    They belong to the part even if they depend on sizes, as in Baichuan.
    """
    return masks_and_positions(models) if aspect is Aspect.SEQUENCE else []


def _all_details(
    models: Models, aspect: Aspect, masks: Iterable[DescriptionPair], windows: DescriptionPair
) -> Iterator[DescriptionPair]:
    """Each detail of a part, for both models; any two models have these details in this order.

    Args:
        models: the models.
        aspect: the part.
        masks: masks and positions, always at the models' own sizes.
        windows: attention windows, always at the models' own sizes.
    """
    one, other = parts = parts_of(models, aspect)
    yield from masks
    yield from different_components(models, parts)
    yield _biases(models, parts)
    yield windows
    for detail in DETAILS:
        yield detail(models[0], one), detail(models[1], other)


def different_components(
    models: Models, parts: tuple[PlacedStages, PlacedStages]
) -> Iterator[DescriptionPair]:
    """The components and matrices that only one model has, or has in only some of its layers."""
    one, other = parts
    in_both = _components_in_both(parts)
    yield from only_in_one(one, other)
    yield in_some_layers(models[0], one, in_both), in_some_layers(models[1], other, in_both)


def _components_in_both(parts: tuple[PlacedStages, PlacedStages]) -> frozenset[str]:
    """The components that a part has in both models."""
    one, other = parts
    return frozenset(components_of(one)) & frozenset(components_of(other))


def _biases(models: Models, parts: tuple[PlacedStages, PlacedStages]) -> DescriptionPair:
    """All biases of a part in both models; none if they don't differ.

    They differ if a component that both models have has a bias in only one of them, or if one of
    the models has biases in all layers, and the other one in some.
    """
    one, other = models
    part, part_of_other = parts
    components = _components_in_both(parts)
    biased = components.intersection(biased_components(part))
    biased_in_other = components.intersection(biased_components(part_of_other))
    is_partial = has_biases_in_some_layers(one, part)
    is_partial_in_other = has_biases_in_some_layers(other, part_of_other)
    if biased == biased_in_other and is_partial == is_partial_in_other:
        return NO_DIFFERENCE
    return describe_biases(one, part), describe_biases(other, part_of_other)


def _different_shapes(
    same_sizes: Models, own_sizes: Models, aspect: Aspect
) -> list[DescriptionPair]:
    """The shapes of tensors that differ, each once; None for a tensor that a model doesn't have.

    Shapes are described at the same sizes; those that name numbers of layers, at the models' own
    sizes. A matrix that the other model has in another form, fused or in parts, is left out if
    further shapes differ.
    """
    before, after = _shapes_of(same_sizes, aspect)
    own_before, own_after = _shapes_of(own_sizes, aspect)
    in_both = _components_in_both(parts_of(own_sizes, aspect))
    comparable: list[DescriptionPair] = []
    others: list[DescriptionPair] = []
    for key in {**before, **after}:
        one, other = before.get(key), after.get(key)
        if one == other:
            continue
        is_comparable = (one and other) or in_both.isdisjoint(common_components(key.component))
        if any(map(has_layers, filter(None, (one, other)))):
            one, other = own_before.get(key), own_after.get(key)
        (comparable if is_comparable else others).append((one, other))
    return list(dict.fromkeys(comparable or others))


def _shapes_of(models: Models, aspect: Aspect) -> tuple[Shapes, Shapes]:
    """The shapes of the tensors of a part of both models."""
    one, other = models
    part, part_of_other = parts_of(models, aspect)
    return describe_shapes(one, part), describe_shapes(other, part_of_other)


def only_in_one(one: PlacedStages, other: PlacedStages) -> tuple[DescriptionPair, DescriptionPair]:
    """The components that only one of the models has, and the matrices that only one has.

    Returns:
        Two pairs. The first: components that only one has (a fused matrix counts as its parts); if
        there are none, products of activations in attention. The second: matrices of attention;
        none unless the same matrices are fused in both models, as labels of fused and separate
        matrices always differ.
    """
    components = _with_only(components_of(one), components_of(other), names_with_projections)
    if not any(components):
        # products that other attention doesn't compute are those with relative positions
        products = attention_products_of(one), attention_products_of(other)
        components = _with_only(*products, _labels, is_of_positions=True)
    has_same_parts = set(components_of(one)) == set(components_of(other))
    if has_same_parts and _unsplit_components(one) == _unsplit_components(other):
        matrices = attention_matrices_of(one), attention_matrices_of(other)
        return components, _with_only(*matrices, names_of_matrices)
    return components, NO_DIFFERENCE


def _unsplit_components(placed_stages: PlacedStages) -> set[str]:
    """The components of the tensors, a fused one as it is: ``attn_qkv``, not Q, K and V."""
    return {tensor.component for tensor in tensors_of(placed_stages)}


def _with_only(
    items_of_one: Iterable[str],
    items_of_other: Iterable[str],
    names: Callable[[Iterable[str]], str],
    *,
    is_of_positions: bool = False,
) -> DescriptionPair:
    """``with …``: the items that are only in the first, and those that are only in the second.

    Args:
        items_of_one: items of the first model, possibly repeated.
        items_of_other: items of the second model, possibly repeated.
        names: function that lists items in words.
        is_of_positions: True for products with relative positions, whose description states the
            same fact as those of tables of positions: that the model has such positions.
    """
    one, other = dict.fromkeys(items_of_one), dict.fromkeys(items_of_other)

    def with_items(items: tuple[str, ...]) -> Description | None:
        if not items:
            return None
        facts = frozenset((TABLE_OF_POSITIONS,)) if is_of_positions else facts_on(items)
        return Description(("with", items), facts, _("with {components}", components=names(items)))

    return (
        with_items(tuple(each for each in one if each not in other)),
        with_items(tuple(each for each in other if each not in one)),
    )


def _labels(labels: Iterable[str]) -> str:
    """The labels, translated and joined with "and"."""
    return listed_text([_(label) for label in labels])
