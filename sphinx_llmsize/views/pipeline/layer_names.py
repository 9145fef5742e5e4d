"""Names of layers in a diagram: the title of a cluster, and the layers that take a branch."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import LayerKind, Stack, label_of
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.shared.layer_text import layers_text, stack_text

USUAL_DIGITS = 2
"""Digits assumed for any number of layers, so that similar models have the same kind of text."""


def layers_title(stacks: Sequence[Stack], architecture: Architecture) -> str:
    """``× 32 layers``, with the kind of layers that all stacks have in common."""
    if len(stacks) == 1:
        return stack_text(stacks[0], architecture)
    layers = sum(architecture.count(stack.uses) for stack in stacks)
    return layers_text(layers, label_of(_common_kinds(stacks)))


def layers_line(stacks: Sequence[Stack], of: Sequence[Stack], architecture: Architecture) -> Line:
    """``layer 1``, ``layers 1–3``, ``28 Mamba`` or ``4 of 32 layers``.

    Args:
        stacks: the stacks to name.
        of: all stacks of the cluster.
        architecture: the model's architecture.
    """
    numbers = sorted(number + 1 for stack in stacks for number in stack.numbers)
    if numbers and numbers[-1] - numbers[0] + 1 == len(numbers):
        first = numbers[0]
        last = first - 1 + sum(architecture.count(stack.layers) for stack in stacks)
        if first == last:
            return (_("layer {number}", number=first),)
        return (_("layers {first}–{last}", first=thousands(first), last=thousands(last)),)
    used = sum(architecture.count(stack.uses) for stack in stacks)
    total = thousands(sum(architecture.count(stack.uses) for stack in of))
    kind = _(label_of(_own_kinds(stacks, of)))
    # Mermaid breaks longer texts, which moves the line beside them
    if kind and len(kind) <= len(_of_layers(used, "", "")) + USUAL_DIGITS - 1:
        return (f"{thousands(used)} {kind}",)
    return (_of_layers(used, thousands(used), total),)


def _of_layers(used: int, number: str, total: str) -> str:
    """``4 of 32 layers``; only the words if the texts of the numbers are empty."""
    return ngettext(
        "{number} of {total} layers",
        "{number} of {total} layers",
        used,
        number=number,
        total=total,
    )


def _own_kinds(stacks: Sequence[Stack], of: Sequence[Stack]) -> list[LayerKind]:
    """The kinds of all these stacks that none of the other stacks has."""
    kinds_of_others = {kind for stack in of if stack not in stacks for kind in stack.kinds}
    return [kind for kind in _common_kinds(stacks) if kind not in kinds_of_others]


def _common_kinds(stacks: Sequence[Stack]) -> tuple[LayerKind, ...]:
    first, *others = stacks
    return tuple(kind for kind in first.kinds if all(kind in other.kinds for other in others))
