"""HTML of lists of sizes."""

from __future__ import annotations

from sphinx_llmsize.blocks import Fact, Facts, Muted
from sphinx_llmsize.html.class_names import FACTS_CLASS, MUTED_CLASS, SIZE_CLASS, SIZES_CLASS
from sphinx_llmsize.html.inlines import inlines, named
from sphinx_llmsize.html.markup import Markup, element, joined
from sphinx_llmsize.translation import _


def facts(item: Facts, *, has_heading: bool = False) -> Markup:
    """The model's name and total, and a list with items such as ``D = 4,096 hidden dimension``.

    Args:
        item: the sizes.
        has_heading: leave out the name, which the heading above has.
    """
    content: list[Markup] = []
    if item.total:
        total = item.total if has_heading else item.heading
        note = inlines((" ", Muted(item.note))) if item.note else []
        content.append(element("p", element("strong", total), *note))
    entries = (element("li", element("p", _fact(fact))) for fact in item.facts)
    content.append(element("ul", *entries, class_=FACTS_CLASS))
    if item.others:
        others = joined(map(_fact, item.others), " · ")
        content.append(element("p", _("Also:"), " ", others, class_=MUTED_CLASS))
    return element("div", joined(content, "\n"), class_=SIZES_CLASS)


def _fact(fact: Fact) -> Markup:
    """``D = 4,096 hidden dimension``; the line doesn't break before the value."""
    size = element(
        "span", *inlines((fact.symbol, " = ")), named(fact.value, fact.name), class_=SIZE_CLASS
    )
    return joined((size, *inlines((" ", Muted(fact.meaning)))))
