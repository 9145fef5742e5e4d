"""Texts for numbers of layers."""

from __future__ import annotations

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import _, ngettext


def layers_text(layers: int, kind: str = "") -> str:
    """A number of layers, with their kind if there is one: ``× 58 MoE layers``.

    Args:
        layers: number of layers.
        kind: kind of the layers, translated; empty for none.
    """
    number = thousands(layers)
    if not kind:
        return ngettext("× {number} layer", "× {number} layers", layers, number=number)
    return ngettext(
        "× {number} {kind} layer", "× {number} {kind} layers", layers, number=number, kind=kind
    )


def component_in_layers(component: str, layers: int, kind: str = "") -> str:
    """``Experts (58 MoE layers)``; without a component ``× 58 MoE layers``.

    Args:
        component: name of the component, translated; empty for none.
        layers: number of layers.
        kind: kind of the layers, translated; empty for none.
    """
    if not component:
        return layers_text(layers, kind)
    number = thousands(layers)
    if not kind:
        return ngettext(
            "{component} ({number} layer)",
            "{component} ({number} layers)",
            layers,
            component=component,
            number=number,
        )
    return ngettext(
        "{component} ({number} {kind} layer)",
        "{component} ({number} {kind} layers)",
        layers,
        component=component,
        number=number,
        kind=kind,
    )


def component_in_one_layer(component: str) -> str:
    """``Attention in one layer``: the name of a component's sum."""
    return _("{component} in one layer", component=component)


def stack_text(stack: Stack, architecture: Architecture) -> str:
    """``× 58 MoE layers``, with a note on shared weights."""
    passes, distinct = map(architecture.count, (stack.passes, stack.layers))
    words = layers_text(distinct * passes, _(stack.label))
    if passes == 1:
        return words
    if distinct == 1:
        return _("{layers} with the same weights", layers=words)
    number = thousands(passes)
    return _("{layers}, each set of weights used {number} times", layers=words, number=number)
