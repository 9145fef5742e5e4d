"""A replaced part of an architecture in words: before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.difference import Difference, SizeChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.kinds_of_parts import (
    differ_in_kind,
    has_row_of_heads,
    kinds_in_words,
    windows_at_own_sizes,
    with_biases_if_they_differ,
    without_numbers,
)
from sphinx_llmsize.views.difference.norm_placement import different_placements
from sphinx_llmsize.views.difference.only_in_one import only_in_one
from sphinx_llmsize.views.difference.order_of_tokens import (
    different_masks,
    different_positions,
    different_windows,
)
from sphinx_llmsize.views.difference.text_pairs import Models, Texts
from sphinx_llmsize.views.in_words.attention_in_words import attention_in_words
from sphinx_llmsize.views.in_words.norms_in_words import norms_in_words
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    biased_components,
    biases_in_words,
    components_of,
    few_layers_with_biases,
)
from sphinx_llmsize.views.in_words.part_details import DETAILS, in_few_layers, shapes
from sphinx_llmsize.views.in_words.parts_in_words import part_label, placed_stages_of_part
from sphinx_llmsize.views.shared.wording import comma_separated, title_in_sentence

LISTS = frozenset((Aspect.EMBEDDING, Aspect.RESIDUAL, Aspect.HEAD))
"""Parts whose kind is a list of stages, which is left out if only details differ."""
MAX_SHAPES = 3
"""Maximum number of tensors whose shapes are shown."""
Details = tuple[list[str], list[str]]
"""Details of a part in the first model, and in the second."""


def part_change_in_words(difference: Difference, change: StructureChange) -> Texts:
    """The part in the first model and in the second: ``("FFN", "8 experts (2 active)")``.

    Parts of the same kind get the details in which they differ. What differs is found at the same
    sizes, but described as it is in the models themselves.
    """
    same_sizes = (change.before, change.after)
    own_sizes = (difference.one, difference.other)
    if change.aspect is Aspect.NORMS and (placements := different_placements(*own_sizes)):
        before, after = (placed_stages_of_part(model, change.aspect) for model in own_sizes)
        return (
            norms_in_words(difference.one, before, placements[0]),
            norms_in_words(difference.other, after, placements[1]),
        )
    kinds = kinds_in_words(own_sizes, change.aspect)
    if kinds[0] != kinds[1] and differ_in_kind(change):
        texts = with_biases_if_they_differ(own_sizes, change.aspect)
        return (
            _with_details_of_attention(texts, own_sizes)
            if change.aspect is Aspect.SEQUENCE
            else texts
        )
    details = _details(same_sizes, own_sizes, change.aspect)
    is_named = change.aspect in LISTS or has_row_of_heads(difference, change)
    if is_named and all(details):
        return comma_separated(details[0]), comma_separated(details[1])
    return _with_details(kinds, details)


def changed_parts(difference: Difference, change: SizeChange) -> tuple[tuple[str, Texts], ...]:
    """The parts that a change of keys replaces, if they are several: label, before and after.

    A single part is what the names of the keys say, and so are the biases of all parts. Parts that
    later changes replace again are left out.
    """
    if all(each.key.symbol for each in change.keys):
        return ()
    models, own_models = (change.before, change.after), (difference.one, difference.other)
    parts: list[tuple[str, Texts]] = []
    is_vague = len(change.keys) > 1 or change.keys[0].key.kind is not ValueKind.FLAG
    for aspect in (Aspect.SEQUENCE, Aspect.FEED_FORWARD, Aspect.NORMS):
        texts = _part_of_same_family(models, aspect)
        kinds, own_kinds = (
            without_numbers(kinds_in_words(m, aspect)) for m in (models, own_models)
        )
        before, after = without_numbers(texts)
        if before != after and kinds == own_kinds:
            parts.append((part_label(models, aspect), texts))
            is_vague |= kinds[0] != kinds[1]
    return tuple(parts) if len(parts) > 1 and is_vague else ()


def _part_of_same_family(models: Models, aspect: Aspect) -> Texts:
    kinds = kinds_in_words(models, aspect)
    if kinds[0] != kinds[1]:
        return with_biases_if_they_differ(models, aspect)
    windows = windows_at_own_sizes(models, models, aspect)
    details = _all_details(models, aspect, _order(models, aspect), windows)
    return _with_details(kinds, _columns(pair for pair in details if pair[0] != pair[1]))


def _with_details_of_attention(texts: Texts, models: Models) -> Texts:
    """The texts on sequence mixing, with details of the attention that they don't name.

    These are its windows, and, if both models have attention of the same kind, components that
    only one of them has, such as relative positions beside convolutions in the other model.
    """
    one, other = (
        [p for p in placed_stages_of_part(m, Aspect.SEQUENCE) if p.stage.group is Group.ATTENTION]
        for m in models
    )
    details = [*_order(models, Aspect.SEQUENCE)]
    if one and other and attention_in_words(models[0], one) == attention_in_words(models[1], other):
        details += [only_in_one(one, other)[0]]
    details.append(different_windows(models, (one, other)))
    return _with_details(texts, _columns(details))


def label_of_part(difference: Difference, change: StructureChange) -> str:
    """Label of the part, untranslated: ``Attention``."""
    return part_label((difference.one, difference.other), change.aspect)


def _details(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Details:
    """The details in which the part differs, for each model.

    If only sizes of the models make up for the difference, the details are those at the same sizes.
    Masks and positions belong to the part even if they depend on sizes, as in Baichuan.
    """
    windows = windows_at_own_sizes(same_sizes, own_sizes, aspect)
    order = _order(own_sizes, aspect)
    at_same, at_own = (
        list(_all_details(models, aspect, order, windows)) for models in (same_sizes, own_sizes)
    )
    different = [
        own
        for same, own in zip(at_same, at_own, strict=True)
        if same[0] != same[1] and own[0] != own[1]
    ]
    if aspect is Aspect.EMBEDDING and different:
        different = [*_shapes(same_sizes, own_sizes, aspect, in_both=True), *different]
    different = different or _shapes(same_sizes, own_sizes, aspect)
    before, after = _columns(different)
    if not different:
        before, after = _columns([pair for pair in at_same if pair[0] != pair[1]])
        sizes = _("at the sizes of {model}", model=title_in_sentence(same_sizes[0]))
        before, after = [*before, sizes], [*after, sizes]
    return before, after


def _columns(pairs: Iterable[Texts]) -> Details:
    """The first and the second texts of the pairs, without empty ones and repetitions.

    ``the same weights in 6 layers`` already says ``in 6 layers``.
    """
    pairs = tuple(pairs)
    before, after = [one for one, _other in pairs], [other for _one, other in pairs]
    return _without_repetition(before), _without_repetition(after)


def _without_repetition(details: Sequence[str]) -> list[str]:
    """The details that aren't part of another one."""
    return [each for each in details if each and not any(each in o for o in details if o != each)]


def _order(models: Models, aspect: Aspect) -> tuple[Texts, ...]:
    """Masks and positions in which attention differs; none for other parts."""
    if aspect is not Aspect.SEQUENCE:
        return ()
    return (different_masks(*models), different_positions(*models))


def _all_details(
    models: Models, aspect: Aspect, order: Iterable[Texts], windows: Texts
) -> Iterator[Texts]:
    """Each detail of a part, for both models; masks, positions and windows are given."""
    one, other = (placed_stages_of_part(model, aspect) for model in models)
    components = frozenset(components_of(one)), frozenset(components_of(other))
    yield from order
    yield from only_in_one(one, other)
    both = components[0] & components[1]
    yield in_few_layers(models[0], one, both), in_few_layers(models[1], other, both)
    yield _biases(models, (one, other), both)
    yield windows
    for detail in DETAILS:
        yield detail(models[0], one), detail(models[1], other)


def _biases(
    models: Models, parts: tuple[PlacedStages, PlacedStages], components: frozenset[str]
) -> Texts:
    """The biases of a part in both models; empty if the same of these components have some.

    Biases of components that only one of the models has are named with the others.
    """
    biased = [components.intersection(biased_components(part)) for part in parts]
    in_few_layers_only = [
        few_layers_with_biases(model, part) > 0 for model, part in zip(models, parts, strict=True)
    ]
    if biased[0] == biased[1] and in_few_layers_only[0] == in_few_layers_only[1]:
        return "", ""
    return biases_in_words(models[0], parts[0]), biases_in_words(models[1], parts[1])


def _shapes(
    same_sizes: Models, own_sizes: Models, aspect: Aspect, *, in_both: bool = False
) -> list[Texts]:
    """The first tensors with other shapes, or, unless ``in_both``, that only one model has."""
    before, after = (shapes(model, placed_stages_of_part(model, aspect)) for model in same_sizes)
    own_before, own_after = (
        shapes(model, placed_stages_of_part(model, aspect)) for model in own_sizes
    )
    different = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    if in_both:
        different = [key for key in different if key in before and key in after]
    pairs = dict.fromkeys((own_before.get(key, ""), own_after.get(key, "")) for key in different)
    return [pair for pair in pairs if pair[0] != pair[1]][:MAX_SHAPES]


def _with_details(kinds: Texts, details: Details) -> Texts:
    """``FFN (in 12 layers)``, for each model; only the kind without details."""
    before, after = (
        _("{part} ({details})", part=kind, details=comma_separated(some)) if some else kind
        for kind, some in zip(kinds, details, strict=True)
    )
    return before, after
