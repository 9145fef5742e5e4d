"""Sizes below a section's title: a list begins with the model's name unless the title has it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_llmsize.blocks import Facts
from sphinx_llmsize.hosts.sphinx.guards import connect, for_each
from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def _omit_repeated_names(_app: Sphinx, page: nodes.document) -> None:
    """Leave the name out of each list of sizes in a section with this title."""
    for_each(page.findall(deferred), _omit_repeated_name)


def _omit_repeated_name(node: deferred) -> None:
    """Leave the name out of a list of sizes if it is the title of the section."""
    block = node["block"]
    if isinstance(block, Facts) and block.name.casefold() == _section_title(node).casefold():
        node["block"] = replace(block, name="")


def _section_title(node: nodes.Node) -> str:
    """The title of the innermost section around a node; empty if there is none."""
    section: nodes.Node | None = node
    while section is not None and not isinstance(section, nodes.section):
        section = section.parent
    title = next(iter(section.children), None) if section else None
    return title.astext() if isinstance(title, nodes.title) else ""


def setup(app: Sphinx) -> None:
    """Register the handler."""
    connect(app, "doctree-read", _omit_repeated_names)
