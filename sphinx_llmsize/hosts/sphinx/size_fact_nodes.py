"""Conversion of lists of sizes to docutils nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from docutils import nodes

from sphinx_llmsize.blocks import Fact, Facts, Muted
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, inlines, named_number
from sphinx_llmsize.html.class_names import FACTS_CLASS, SIZE_CLASS, SIZES_CLASS
from sphinx_llmsize.typography import NO_BREAK, unbroken


def facts(item: Facts, *, in_html: bool = False) -> nodes.container:
    """The model's name and total, and a list with items such as ``D = 4,096 hidden dimension``.

    Args:
        item: the sizes.
        in_html: True for a list with tooltips, False for a paragraph.
    """
    container = nodes.container(classes=[SIZES_CLASS])
    if item.total:
        note = inlines((NO_BREAK, Muted(item.note))) if item.note else []
        if in_html:
            item = replace(item, total=unbroken(item.total))
        heading = nodes.strong("", item.heading)  # the name and the total
        container += nodes.paragraph("", "", heading, *note, **GENERATED)
    container += _facts_list(item.facts) if in_html else _facts_line(item.facts)
    return container


def _facts_list(facts: Iterable[Fact]) -> nodes.bullet_list:
    """A list of sizes, with tooltips."""
    entries = nodes.bullet_list(classes=[FACTS_CLASS], bullet="-")
    for fact in facts:
        entries += nodes.list_item("", nodes.paragraph("", "", *_fact(fact), **GENERATED))
    return entries


def _facts_line(facts: Sequence[Fact]) -> nodes.paragraph:
    """A paragraph of sizes: ``S = 16 state dimension · W = 4 width of the convolution``."""
    line = nodes.paragraph("", "", **GENERATED)
    for position, fact in enumerate(facts):
        if position:
            line += nodes.Text(" · ")
        line += _fact(fact, has_tooltip=False)
    return line


def _fact(fact: Fact, *, has_tooltip: bool = True) -> list[nodes.Node]:
    """One size: ``D = 4,096 hidden dimension``.

    With ``has_tooltip``, for HTML, the tooltip of the value is its name in the role ``llm-size``,
    and no line breaks before the value.
    """
    meaning = inlines((" ", Muted(fact.meaning)))
    if not has_tooltip:
        return [*inlines((fact.symbol, f" = {fact.value}")), *meaning]
    value = named_number([nodes.Text(fact.value)], fact.name)
    size = nodes.inline("", "", *inlines((fact.symbol, " = ")), *value, classes=[SIZE_CLASS])
    return [size, *meaning]
