"""Components of a part by name, fused matrices as the parts that they consist of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.parts.layer_kinds import SHARED_LAYER
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text

Places = Sequence[PlacedStage]
PARTS_OF_FUSED = {
    "attn_qkv": ("attn_q", "attn_k", "attn_v"),
    "attn_qk": ("attn_q", "attn_k"),
    "attn_kv": ("attn_k", "attn_v"),
    "mlp_gate_up": ("mlp_gate", "mlp_up"),
}
"""Components that are one matrix in some families, and several in others."""


def parts_of(component: str) -> tuple[str, ...]:
    """The components that a fused matrix consists of; others themselves."""
    return PARTS_OF_FUSED.get(component, (component,))


def names_of(components: Iterable[str]) -> str:
    """``Q, K and output projection``: the components, each once."""
    labels = [_(COMPONENT_LABELS[component]) for component in dict.fromkeys(components)]
    # "Attention: Q" is "Q" in a text on attention
    return listed_text([in_sentence(label.rpartition(": ")[2]) for label in labels])


def components_of(places: Places) -> tuple[str, ...]:
    """The components of these stages, fused ones as their parts."""
    return tuple(part for tensor in tensors_of(places) for part in parts_of(tensor.component))


def matrices_of(places: Places) -> tuple[str, ...]:
    """The labels of matrices that have one: ``global q``."""
    return tuple(t.label for t in tensors_of(places) if t.is_matrix and t.label)


def computations_of(places: Places) -> tuple[str, ...]:
    """The labels of products of activations: ``queries × keys``."""
    labels = (matmul.label for place in places for matmul in place.stage.computes)
    return tuple(label for label in labels if "×" in label)


def tensors_of(places: Places) -> Iterator[Tensor]:
    """The tensors of these stages, in order."""
    return (tensor for place in places for tensor in place.stage.tensors)


def biases_in_words(model: Model, places: Places) -> str:
    """``with biases in Q, K and V``: the matrices with biases, and their layers if not all."""
    biased = names_of(biased_components(places))
    if not biased:
        return _("without biases")
    if layers := few_layers_with_biases(model, places):
        return ngettext(
            "with biases in {parts} in {n} layer",
            "with biases in {parts} in {n} layers",
            layers,
            parts=biased,
            n=layers,
        )
    matrices = (t.component for t in tensors_of(places) if t.role is Role.WEIGHT)
    if biased == names_of(part for component in matrices for part in parts_of(component)):
        return _("with biases")
    return _("with biases in {parts}", parts=biased)


def times_in_each_layer(places: Places) -> int:
    """How often a layer has each stage: twice in LongCat-Flash, whose layers are pairs."""
    names = Counter((place.stack, first_name(place.stage)) for place in places if place.stack)
    return max(names.values(), default=1)


def first_name(stage: Stage) -> str:
    """The id of a stage without the number of a second copy in the same layer."""
    return re.sub(r"_[0-9]+$", "", stage.id)


def has_biases(places: Places) -> bool:
    """True if a projection has a bias; sinks and the biases of norms or mixers are none."""
    return any(
        biased_components([place for place in places if place.stage.group is not Group.MIXER])
    )


def few_layers_with_biases(model: Model, places: Places) -> int:
    """Number of layers with biases, if other layers have the same matrices without; 0 otherwise."""
    having_bias = [place for place in places if any(biased_components([place]))]
    biased = frozenset(biased_components(places))
    having_matrix = [place for place in places if not biased.isdisjoint(components_of([place]))]
    layers = layers_with(model, having_bias)
    return layers if layers < layers_with(model, having_matrix) else 0


def biased_components(places: Places) -> Iterator[str]:
    """The components of matrices with a bias, fused ones as their parts."""
    for tensors in (place.stage.tensors for place in places):
        matrices = {_stem(tensor) for tensor in tensors if tensor.role is Role.WEIGHT}
        for tensor in tensors:
            if tensor.role is Role.BIAS and _stem(tensor) in matrices:
                own = f"attn_{tensor.label}"  # a fused matrix may have a bias of one part only
                parts = parts_of(tensor.component)
                yield from (own,) if own in parts else parts


def _stem(tensor: Tensor) -> str:
    """The name without ``.weight`` or ``.bias``."""
    return tensor.name.rpartition(".")[0]


def labels_of(places: Places) -> str:
    """The labels of the stages: ``token embedding and position embedding``."""
    firsts: dict[str, str] = {}
    for place in places:
        firsts.setdefault(first_name(place.stage), in_sentence(place.stage.label))
    labels = dict.fromkeys(firsts.values())
    return listed_text(list(labels))


def layers_with(model: Model, places: Iterable[PlacedStage]) -> int:
    """Number of layers that have one of the stages; a layer used twice counts twice.

    Shared layers (Zamba) run within others: a layer that has stages of both counts once.
    """
    shared, others = 0, 0
    for stack in dict.fromkeys(place.stack for place in places if place.stack):
        uses = model.architecture.count(stack.uses)
        if SHARED_LAYER in stack.kinds:
            shared += uses
        else:
            others += uses
    return max(shared, others)
