"""Headings within a list, which are not in the contents of the page."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.hosts.sphinx.inlines import GENERATED

DEEPEST = 6
"""Deepest level of headings in HTML."""


def heading(directive: SphinxDirective, text: str) -> nodes.rubric:
    """A heading one level below the section that the directive is in."""
    level = 1
    around: nodes.Element | None = directive.state_machine.node
    while around is not None:
        level += isinstance(around, nodes.section)
        around = around.parent
    rubric = nodes.rubric("", text, **GENERATED)
    rubric["heading-level"] = min(max(level, 2), DEEPEST)
    return rubric
