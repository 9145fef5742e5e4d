"""Components, matrices and biases in the stages of a part, by name.

A fused matrix, such as that of Q, K and V, counts as the components that it consists of, and the
two matrices of queries with a latent between them count as one, so that families can be compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.biases import biased_components, common_components
from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.parts.layer_kinds import SHARED_LAYER
from sphinx_llmsize.architecture.positions import Positions
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.in_words.description import Description, layers_fact
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text

PlacedStages = Sequence[PlacedStage]
"""The stages of a part of a model, each with its stack."""
FUSED_STAGES = {"output_gate": "attn_gate"}
"""Components by the id of a stage that may have its weights in the matrix of another stage."""
PROJECTIONS = ("attn_q", "attn_k", "attn_v")
"""Components whose names are single letters."""
NAMES_IN_TEXT = {
    "lm_head_bias": N_("a bias"),
    "mlp_down": N_("down projection"),
    "mlp_up": N_("up projection"),
}
"""Names of components in a text on their part, unless it is their label without "Attention:"."""
RELATIVE_POSITIONS = frozenset(("attn_r", "attn_relative", "attn_relative_positions"))
"""Components that are weights of relative positions."""
TABLE_OF_POSITIONS = "position_embedding"
"""Component of the tables of relative positions in attention, and of those of positions."""
FACTS_ON_RELATIVE_POSITIONS = frozenset((Positions.RELATIVE, TABLE_OF_POSITIONS))
"""The facts that "relative positions" states; they may have a table, which says no more."""


def facts_on(components: Iterable[str]) -> frozenset[object]:
    """The facts that a list of components states, such as relative positions."""
    found: set[object] = set(components)
    return frozenset(found | FACTS_ON_RELATIVE_POSITIONS if found & RELATIVE_POSITIONS else found)


def names_of(components: Iterable[str]) -> str:
    """``Q, K and output projection``: the names of the components, each once."""
    names = (
        NAMES_IN_TEXT.get(component, COMPONENT_LABELS[component])
        for component in dict.fromkeys(components)
    )
    # "Attention: Q" becomes "Q", since the text is about attention
    return listed_text([in_sentence(_(name).rpartition(": ")[2]) for name in names])


def names_with_projections(components: Iterable[str]) -> str:
    """``K and V projections``, ``sinks``: the names of components that stand alone in a text."""
    all_components = tuple(dict.fromkeys(components))
    projections = tuple(each for each in all_components if each in PROJECTIONS)
    others = tuple(each for each in all_components if each not in PROJECTIONS)
    if not projections:
        return names_of(others)
    text = ngettext(
        "{names} projection", "{names} projections", len(projections), names=names_of(projections)
    )
    return listed_text([text, names_of(others)]) if others else text


def components_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The components of the tensors in these stages, in order.

    A stage without weights counts as the component that it computes with a part of another matrix.
    """
    components: list[str] = []
    for placed in placed_stages:
        for tensor in placed.stage.tensors:
            components += common_components(tensor.component)
        if not placed.stage.tensors and placed.stage.id in FUSED_STAGES:
            components.append(FUSED_STAGES[placed.stage.id])
    return tuple(components)


def attention_matrices_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The labels of the matrices of attention that have one: ``global q``.

    Those of mixers and routers say nothing by themselves: ``z``, ``first``.
    """
    return tuple(
        tensor.label
        for tensor in tensors_of(placed_stages)
        if tensor.is_matrix and tensor.component.startswith("attn_") and tensor.label
    )


def names_of_matrices(labels: Iterable[str]) -> str:
    """``global Q, K and V projections``: matrices by their labels, of which letters are capitals.

    The first words are written once if they are the same.
    """
    labels = [_(label) for label in labels]
    names = [re.sub(r"\b[a-z]\b", lambda letter: letter[0].upper(), label) for label in labels]
    if names == labels:
        return listed_text(names)
    first_words = names[0][: names[0].rfind(" ") + 1]
    if all(name.startswith(first_words) for name in names):
        names[1:] = [name.removeprefix(first_words) for name in names[1:]]
    text = listed_text(names)
    return ngettext("{names} projection", "{names} projections", len(names), names=text)


def attention_products_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The labels of products of activations in attention: ``queries × keys``.

    Products with a weight, which have its label, don't count.
    """
    weights = {tensor.label for tensor in tensors_of(placed_stages)}
    products = (
        matmul
        for placed in placed_stages
        if placed.stage.group is Group.ATTENTION
        for matmul in placed.stage.computes
    )
    return tuple(matmul.label for matmul in products if matmul.label not in weights)


def tensors_of(placed_stages: PlacedStages) -> Iterator[Tensor]:
    """The tensors of these stages, in order."""
    return (tensor for placed in placed_stages for tensor in placed.stage.tensors)


def describe_biases(model: Model, placed_stages: PlacedStages) -> Description:
    """``with Q and K biases``: the matrices with biases, and their number of layers if not all.

    It is ``with biases`` if all matrices have biases, and ``without biases`` if none has.
    """
    biased = tuple(dict.fromkeys(biased_components(placed_stages)))
    if not biased:
        return Description("no biases", frozenset(), _("without biases"))
    names, about = names_of(biased), ("biases", biased)
    layers, all_layers = _layers_with_biases(model, placed_stages)
    if layers < all_layers:
        text = _(
            "with {parts} biases in {n} of {all} layers", parts=names, n=layers, all=all_layers
        )
        facts = {layers_fact(layers), layers_fact(all_layers)}
        return Description(about, facts_on(biased) | facts, text)
    weights = [tensor for tensor in tensors_of(placed_stages) if tensor.role is Role.WEIGHT]
    components = {each for tensor in weights for each in common_components(tensor.component)}
    if components == set(biased):
        return Description("all biases", frozenset(), _("with biases"))
    return Description(about, facts_on(biased), _("with {parts} biases", parts=names))


def times_in_each_layer(placed_stages: PlacedStages) -> int:
    """Largest number of copies of a stage in one layer: 2 in LongCat-Flash, otherwise usually 1."""
    copies = Counter(
        (placed.stack, id_without_number(placed.stage)) for placed in placed_stages if placed.stack
    )
    return max(copies.values(), default=1)


def id_without_number(stage: Stage) -> str:
    """The id of a stage; for a second copy of ``mlp`` in a layer, ``mlp`` instead of ``mlp_2``."""
    return re.sub(r"_[0-9]+$", "", stage.id)


def has_biases(placed_stages: PlacedStages) -> bool:
    """True if a projection has a bias.

    Attention sinks, and the biases of norms and of mixers, don't count.
    """
    outside_mixers = [placed for placed in placed_stages if placed.stage.group is not Group.MIXER]
    return any(biased_components(outside_mixers))


def has_biases_in_some_layers(model: Model, placed_stages: PlacedStages) -> bool:
    """True if only some of the layers with the same matrices have biases."""
    layers, all_layers = _layers_with_biases(model, placed_stages)
    return layers < all_layers


def _layers_with_biases(model: Model, placed_stages: PlacedStages) -> tuple[int, int]:
    """Number of layers with biases, and of those with the same matrices."""
    biased = frozenset(biased_components(placed_stages))
    with_bias = [placed for placed in placed_stages if any(biased_components([placed]))]
    with_matrix = [
        placed for placed in placed_stages if not biased.isdisjoint(components_of([placed]))
    ]
    return layers_with(model, with_bias), layers_with(model, with_matrix)


def labels_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The labels of the stages, each once, untranslated.

    Copies of a stage in the same layer have the label of the first one.
    """
    label_by_id: dict[str, str] = {}
    for placed in placed_stages:
        label_by_id.setdefault(id_without_number(placed.stage), placed.stage.label)
    return tuple(dict.fromkeys(label_by_id.values()))


def describe_stages(placed_stages: PlacedStages) -> Description:
    """``token embedding and position embedding``: the stages by their labels."""
    labels = labels_of(placed_stages)
    text = listed_text(list(dict.fromkeys(map(in_sentence, labels))))
    return Description(("stages", labels), frozenset(), text)


def layers_with(model: Model, placed_stages: Iterable[PlacedStage]) -> int:
    """Number of layers that have one of the stages; a layer used twice counts twice.

    Shared layers (Zamba) run inside other layers, so each use of one is counted together with the
    layer around it, not added.
    """
    shared = others = 0
    for stack in dict.fromkeys(placed.stack for placed in placed_stages if placed.stack):
        uses = model.architecture.count(stack.uses)
        if SHARED_LAYER in stack.kinds:
            shared += uses
        else:
            others += uses
    return max(shared, others)


def stacks_of_layers(model: Model) -> list[Stack]:
    """The stacks, without those of shared layers that run inside the layers of others."""
    return [stack for stack in model.architecture.stacks() if SHARED_LAYER not in stack.kinds]


def parts_in_layers(parts: str, layers: int) -> str:
    """``K and V in 20 layers``."""
    return ngettext("{parts} in {n} layer", "{parts} in {n} layers", layers, parts=parts, n=layers)


def parts_in_some_layers(parts: str, layers: int, all_layers: int) -> str:
    """``K and V projections in 20 of 35 layers``."""
    return _("{parts} in {n} of {all} layers", parts=parts, n=layers, all=all_layers)
