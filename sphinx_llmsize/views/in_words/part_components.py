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

PlacedStages = Sequence[PlacedStage]
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


def components_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The components of these stages, fused ones as their parts."""
    return tuple(
        part for tensor in tensors_of(placed_stages) for part in parts_of(tensor.component)
    )


def matrices_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The labels of matrices that have one: ``global q``."""
    return tuple(t.label for t in tensors_of(placed_stages) if t.is_matrix and t.label)


def computations_of(placed_stages: PlacedStages) -> tuple[str, ...]:
    """The labels of products of activations: ``queries × keys``."""
    labels = (matmul.label for placed in placed_stages for matmul in placed.stage.computes)
    return tuple(label for label in labels if "×" in label)


def tensors_of(placed_stages: PlacedStages) -> Iterator[Tensor]:
    """The tensors of these stages, in order."""
    return (tensor for placed in placed_stages for tensor in placed.stage.tensors)


def biases_in_words(model: Model, placed_stages: PlacedStages) -> str:
    """``with biases in Q, K and V``: the matrices with biases, and their layers if not all."""
    biased = names_of(biased_components(placed_stages))
    if not biased:
        return _("without biases")
    if layers := few_layers_with_biases(model, placed_stages):
        return ngettext(
            "with biases in {parts} in {n} layer",
            "with biases in {parts} in {n} layers",
            layers,
            parts=biased,
            n=layers,
        )
    matrices = (t.component for t in tensors_of(placed_stages) if t.role is Role.WEIGHT)
    if biased == names_of(part for component in matrices for part in parts_of(component)):
        return _("with biases")
    return _("with biases in {parts}", parts=biased)


def times_in_each_layer(placed_stages: PlacedStages) -> int:
    """How often a layer has each stage: twice in LongCat-Flash, whose layers are pairs."""
    names = Counter(
        (placed.stack, first_name(placed.stage)) for placed in placed_stages if placed.stack
    )
    return max(names.values(), default=1)


def first_name(stage: Stage) -> str:
    """The id of a stage without the number of a second copy in the same layer."""
    return re.sub(r"_[0-9]+$", "", stage.id)


def has_biases(placed_stages: PlacedStages) -> bool:
    """True if a projection has a bias; sinks and the biases of norms or mixers are none."""
    return any(
        biased_components(
            [placed for placed in placed_stages if placed.stage.group is not Group.MIXER]
        )
    )


def few_layers_with_biases(model: Model, placed_stages: PlacedStages) -> int:
    """Number of layers with biases, if other layers have the same matrices without; 0 otherwise."""
    having_bias = [placed for placed in placed_stages if any(biased_components([placed]))]
    biased = frozenset(biased_components(placed_stages))
    having_matrix = [
        placed for placed in placed_stages if not biased.isdisjoint(components_of([placed]))
    ]
    layers = layers_with(model, having_bias)
    return layers if layers < layers_with(model, having_matrix) else 0


def biased_components(placed_stages: PlacedStages) -> Iterator[str]:
    """The components of matrices with a bias, fused ones as their parts."""
    for tensors in (placed.stage.tensors for placed in placed_stages):
        matrices = {_stem(tensor) for tensor in tensors if tensor.role is Role.WEIGHT}
        for tensor in tensors:
            if tensor.role is Role.BIAS and _stem(tensor) in matrices:
                own = f"attn_{tensor.label}"  # a fused matrix may have a bias of one part only
                parts = parts_of(tensor.component)
                yield from (own,) if own in parts else parts


def _stem(tensor: Tensor) -> str:
    """The name without ``.weight`` or ``.bias``."""
    return tensor.name.rpartition(".")[0]


def labels_of(placed_stages: PlacedStages) -> str:
    """The labels of the stages: ``token embedding and position embedding``."""
    firsts: dict[str, str] = {}
    for placed in placed_stages:
        firsts.setdefault(first_name(placed.stage), in_sentence(placed.stage.label))
    labels = dict.fromkeys(firsts.values())
    return listed_text(list(labels))


def layers_with(model: Model, placed_stages: Iterable[PlacedStage]) -> int:
    """Number of layers that have one of the stages; a layer used twice counts twice.

    Shared layers (Zamba) run within others: a layer that has stages of both counts once.
    """
    shared, others = 0, 0
    for stack in dict.fromkeys(placed.stack for placed in placed_stages if placed.stack):
        uses = model.architecture.count(stack.uses)
        if SHARED_LAYER in stack.kinds:
            shared += uses
        else:
            others += uses
    return max(shared, others)
