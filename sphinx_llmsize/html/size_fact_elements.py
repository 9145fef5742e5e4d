"""HTML of lists of sizes."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.blocks import Fact, Facts, Muted
from sphinx_llmsize.html.class_names import CONTROLLED_CLASS, FACTS_CLASS, SIZE_CLASS, SIZES_CLASS
from sphinx_llmsize.html.inline_elements import inlines, with_tooltip
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.typography import NO_BREAK, unbroken


def facts(item: Facts, *, has_heading: bool = False) -> Markup:
    """The model's name and total, and a list with items such as ``D = 4,096 hidden dimension``.

    Args:
        item: the sizes.
        has_heading: True if a heading above has the model's name, which is then omitted.
    """
    content: list[Markup] = []
    if item.total:
        item = replace(item, total=unbroken(item.total))
        total = item.total if has_heading else item.heading
        note = inlines((NO_BREAK, Muted(item.note))) if item.note else []
        content.append(element("p", element("strong", total), *note))
    entries = (
        element(
            "li", element("p", _fact(fact)), class_=CONTROLLED_CLASS if fact.has_control else ""
        )
        for fact in item.facts
    )
    content.append(element("ul", *entries, class_=FACTS_CLASS))
    return element("div", join(content, "\n"), class_=SIZES_CLASS)


def _fact(fact: Fact) -> Markup:
    """One size: ``D = 4,096 hidden dimension``; the line doesn't break before the value."""
    size = element(
        "span",
        *inlines((fact.symbol, " = ")),
        with_tooltip(fact.value, fact.name),
        class_=SIZE_CLASS,
    )
    return join((size, *inlines((" ", Muted(fact.meaning)))))
