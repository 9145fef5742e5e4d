"""Names of layers in a diagram: the title of a cluster, and the layers that take a branch."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import Stack, common_kinds, label_of
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.shared.layer_text import layers_text, stack_text
from sphinx_llmsize.views.shared.wording import separated

MAX_LENGTH = 15
"""Maximum number of characters of a list of layers, for which Mermaid has room beside a line."""
MAX_LISTED = 3
"""Maximum number of layers that are listed one by one."""


def layers_title(stacks: Sequence[Stack], architecture: Architecture) -> str:
    """``× 32 layers``, with the kind of layers that all stacks have in common."""
    if len(stacks) == 1:
        return stack_text(stacks[0], architecture)
    layers = sum(architecture.count(stack.uses) for stack in stacks)
    return layers_text(layers, _(label_of(common_kinds(stacks))))


def layers_line(
    stacks: Sequence[Stack], all_stacks: Sequence[Stack], architecture: Architecture
) -> Line:
    """The layers that take a branch, in few words.

    It is ``layer 1``, ``layers 1–3``, ``layers 5, 13``, ``even layers`` or, if they are too
    many to name, ``28 of 32 layers``.

    Args:
        stacks: the stacks to name.
        all_stacks: all stacks of the cluster.
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
    total = sum(architecture.count(stack.uses) for stack in all_stacks)
    if used <= MAX_LISTED and len(numbers) == used:  # each has a number, and is used once
        listed = _("layers {numbers}", numbers=", ".join(map(thousands, numbers)))
        if len(listed) <= MAX_LENGTH:
            return (listed,)
    # always compared, so that interactive pages record the condition
    is_half = total - 1 <= 2 * used <= total + 1
    if is_half and _is_every_second(numbers):
        return (_("odd layers") if numbers[0] % 2 else _("even layers"),)
    text = ngettext(
        "{number} of {total} layers",
        "{number} of {total} layers",
        used,
        number=thousands(used),
        total=thousands(total),
    )
    return (text,)


def branch_line(
    stacks: Sequence[Stack], all_stacks: Sequence[Stack], architecture: Architecture
) -> Line:
    """The kind of the layers that take a branch, if no other layers have it, and these layers.

    It is ``Mamba · 28 of 32 layers`` or ``MoE · layers 4–61``, without a kind that only says the
    position of the layers. The arguments are those of :func:`layers_line`.
    """
    others = [stack for stack in all_stacks if stack not in stacks]
    kinds = [
        kind
        for kind in common_kinds(stacks)
        if not (kind.is_position or any(kind in other.kinds for other in others))
    ]
    layers = layers_line(stacks, all_stacks, architecture)
    return separated(((_(label_of(kinds)),), layers) if kinds else (layers,), SEPARATOR)


def _is_every_second(numbers: list[int]) -> bool:
    """True for all odd numbers, or all even numbers, from 1 or 2 to some number."""
    return bool(numbers) and numbers == list(range(2 - numbers[0] % 2, numbers[-1] + 1, 2))
