"""Names of layers in a diagram: the title of a cluster, and the layers that take a branch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import LayerKind, Stack, common_kinds, label_of
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.shared.layer_text import layers_text, stack_text
from sphinx_llmsize.views.shared.wording import capital, comma_separated, listed_text, separated

MAX_LISTED = 4
"""Maximum number of layers that are listed one by one in a diagram."""
LONGEST_LIST = 8
"""Maximum number of characters of such a list, which fits a line on a phone."""
MAX_BEFORE_ELLIPSIS = 3
"""Maximum number of layers before an ellipsis."""
MAX_IN_FULL = 5
"""Number of layers at equal distances up to which a sentence lists them all."""
MAX_IN_SENTENCE = 16
"""Maximum number of layers that a sentence lists."""


def layers_title(stacks: Sequence[Stack], architecture: Architecture) -> str:
    """``× 32 layers``, with the kind of layers that all stacks have in common.

    If some of them share their weights: ``× 18 layers with 12 sets of weights``.
    """
    if len(stacks) == 1:
        return stack_text(stacks[0], architecture)
    layers = sum(architecture.count(stack.uses) for stack in stacks)
    words = layers_text(layers, _(label_of(common_kinds(stacks))))
    distinct = sum(architecture.count(stack.layers) for stack in stacks if not stack.repeats)
    if layers == distinct:
        return words
    return _("{layers} with {number} sets of weights", layers=words, number=thousands(distinct))


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
    if named := _short_name(stacks, all_stacks, architecture):
        return (named,)
    used, total = _numbers_of_layers(stacks, all_stacks, architecture)
    text = ngettext(
        "{number} of {total} layers",
        "{number} of {total} layers",
        used,
        number=thousands(used),
        total=thousands(total),
    )
    return (text,)


def _short_name(
    stacks: Sequence[Stack], all_stacks: Sequence[Stack], architecture: Architecture
) -> str:
    """The text of :func:`layers_line` that names the layers; empty if they are too many."""
    numbers = _numbers(stacks)
    if numbers and numbers[-1] - numbers[0] + 1 == len(numbers):
        first = numbers[0]
        last = first - 1 + sum(architecture.count(stack.layers) for stack in stacks)
        if first == last:
            return _("layer {number}", number=first)
        return _("layers {first}–{last}", first=thousands(first), last=thousands(last))
    used, total = _numbers_of_layers(stacks, all_stacks, architecture)
    if used <= MAX_LISTED and len(numbers) == used:  # each has a number, and is used once
        listed = ", ".join(map(thousands, numbers))
        if len(listed) <= LONGEST_LIST:
            return _("layers {numbers}", numbers=listed)
    # always compared, so that interactive pages record the condition
    is_half = total - 1 <= 2 * used <= total + 1
    if is_half and _is_every_second(numbers):
        return _("odd layers") if numbers[0] % 2 else _("even layers")
    return ""


def branch_line(
    stacks: Sequence[Stack], all_stacks: Sequence[Stack], architecture: Architecture
) -> Line:
    """The kind of the layers that take a branch, if no other layers have it, and these layers.

    It is ``Mamba · 28 of 32`` or ``MoE · layers 4–61``, without a kind that only says the position
    of the layers. The arguments are those of :func:`layers_line`.
    """
    kind = kind_text(stacks, all_stacks)
    if not kind:
        return layers_line(stacks, all_stacks, architecture)
    layers = _short_name(stacks, all_stacks, architecture)
    if not layers:
        used, total = _numbers_of_layers(stacks, all_stacks, architecture)
        layers = _("{number} of {total}", number=thousands(used), total=thousands(total))
    return separated(((kind,), (layers,)), SEPARATOR)


def kind_text(stacks: Sequence[Stack], all_stacks: Sequence[Stack]) -> str:
    """The kind of some layers if no others have it, translated: ``Mamba``; empty for none."""
    kinds = _own_kinds(stacks, all_stacks)
    return _(label_of(kinds)) if kinds else ""


def layers_sentence(
    stacks: Sequence[Stack], all_stacks: Sequence[Stack], architecture: Architecture
) -> str:
    """``The attention layers are 5, 13, 21 and 29, counted from 1.``; empty where they are named.

    Layers at equal distances are ``6, 12, 18, …, 60``. It is empty for layers without a kind of
    their own, and for too many others. The arguments are those of :func:`layers_line`.
    """
    listed, kinds = _list_of(_numbers(stacks)), _own_kinds(stacks, all_stacks)
    if not (listed and kinds) or _short_name(stacks, all_stacks, architecture):
        return ""
    kind = _(label_of((*common_kinds(all_stacks), *kinds)))
    return _("The {kind} layers are {numbers}, counted from 1.", kind=kind, numbers=listed)


def sharing_sentence(sharing: Iterable[Sequence[Stack]]) -> str:
    """``Own-KV and shared-KV layers share boxes.``; empty if no layers of different kinds do.

    Args:
        sharing: stacks that share boxes with each other.
    """
    sentences: dict[frozenset[str], str] = {}
    for stacks in sharing:
        common = common_kinds(stacks)
        own_kinds = ([kind for kind in stack.kinds if kind not in common] for stack in stacks)
        labels = [*dict.fromkeys(_(label_of(kinds)) for kinds in own_kinds if kinds)]
        if labels:
            sentence = capital(_("{kinds} layers share boxes.", kinds=listed_text(labels)))
            sentences.setdefault(frozenset(labels), sentence)
    return " ".join(sentences.values())


def _list_of(numbers: Sequence[int]) -> str:
    """``5, 13, 21 and 29``, or ``6, 12, 18, …, 60``; empty if the list would be long."""
    texts = [thousands(number) for number in numbers]
    distances = {after - before for before, after in pairwise(numbers)}
    if len(numbers) > MAX_IN_FULL and len(distances) == 1:
        texts[MAX_BEFORE_ELLIPSIS:-1] = ["…"]
        return comma_separated(texts)
    return listed_text(texts) if len(texts) <= MAX_IN_SENTENCE else ""


def _numbers_of_layers(
    stacks: Sequence[Stack], all_stacks: Sequence[Stack], architecture: Architecture
) -> tuple[int, int]:
    """How many layers the stacks have, and how many all stacks have."""
    used = sum(architecture.count(stack.uses) for stack in stacks)
    return used, sum(architecture.count(stack.uses) for stack in all_stacks)


def _numbers(stacks: Sequence[Stack]) -> list[int]:
    """The numbers of the layers, from 1 and in order."""
    return sorted(number + 1 for stack in stacks for number in stack.numbers)


def _own_kinds(stacks: Sequence[Stack], all_stacks: Sequence[Stack]) -> list[LayerKind]:
    """The kinds that only these layers have, without those that only say their position."""
    others = [stack for stack in all_stacks if stack not in stacks]
    return [
        kind
        for kind in common_kinds(stacks)
        if not (kind.label_is_position or any(kind in other.kinds for other in others))
    ]


def _is_every_second(numbers: list[int]) -> bool:
    """True for all odd numbers, or all even numbers, from 1 or 2 to some number."""
    return bool(numbers) and numbers == list(range(2 - numbers[0] % 2, numbers[-1] + 1, 2))
