"""Headings in the output of ``llm-catalogue``, without entries in the page's table of contents."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.hosts.sphinx.inlines import GENERATED
from sphinx_llmsize.report import MAX_LEVEL


def heading(directive: SphinxDirective, text: str) -> nodes.rubric:
    """A heading one level below the section that the directive is in."""
    level = 1
    parent: nodes.Element | None = directive.state_machine.node
    while parent is not None:
        if isinstance(parent, nodes.section):
            level += 1
        parent = parent.parent
    rubric = nodes.rubric("", text, **GENERATED)
    rubric["heading-level"] = min(max(level, 2), MAX_LEVEL)
    return rubric
