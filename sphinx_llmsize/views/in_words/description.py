"""Descriptions of parts of a model, which are compared by what they say, not by their texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.wording import comma_separated

LAST_PHRASE = N_("{items}, and {last}")
"""A list of phrases, which may be lists themselves, with its last."""


@dataclass(frozen=True)
class Description:
    """A description of a part of a model, or of a detail of it.

    Attributes:
        about: what it says, without numbers: ids, components, kinds.
        facts: the facts that it states, such as ``("layers", 12)``.
        text: how it reads, in the current language; it follows from the other two.
    """

    about: Hashable
    facts: frozenset[Hashable]
    text: str = field(compare=False)


def named(label: str) -> Description:
    """The description that consists of a label marked with ``N_``: ``bidirectional``."""
    return Description(label, frozenset((label,)), _(label))


def layers_fact(number: int) -> tuple[str, int]:
    """The fact that something is in so many layers."""
    return "layers", number


def with_number(about: str, number: object, text: str) -> Description:
    """A description with one number, or a tuple or set of them."""
    return Description(about, frozenset(((about, number),)), text)


def with_details(part: Description, details: Sequence[Description], text: str) -> Description:
    """The description of a part together with those of some details.

    Args:
        part: description of the part.
        details: descriptions of its details.
        text: text on all of them.
    """
    about = (part.about, *(each.about for each in details))
    return Description(about, part.facts.union(*(each.facts for each in details)), text)


def texts_of(descriptions: Iterable[Description | None]) -> str:
    """The texts with commas between them."""
    return comma_separated(each.text for each in descriptions if each)


def with_parentheses(part: str, details: Iterable[Description | None]) -> str:
    """``gated FFN (11,008 wide)``; the part alone if there are no details.

    Parentheses at the end of the part get the details, too: ``8 experts (2 active, 4,096 wide)``.
    """
    text = texts_of(details)
    if not text:
        return part
    closing = _("{part} ({details})", part="", details="")[-1]
    if part.endswith(closing):
        return comma_separated((part.removesuffix(closing), text)) + closing
    return _("{part} ({details})", part=part, details=text)


def with_biases(part: Description, biases: Description | None) -> Description:
    """``multi-head attention with Q and K biases``; the part alone if no biases are named."""
    if not biases:
        return part
    return with_details(part, [biases], _("{part} {biases}", part=part.text, biases=biases.text))


def listed_phrases(phrases: Sequence[str]) -> str:
    """``a and b in 12 layers, and c``: phrases that may contain "and"."""
    *others, last = phrases or [""]
    return _(LAST_PHRASE, items=comma_separated(others), last=last) if others else last
