"""Descriptions of diagrams in words: for outputs that draw none, and for the links of boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from docutils import nodes

from sphinx_llmsize.blocks import Line
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box, Growth
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Gated, Part, Residual
from sphinx_llmsize.hosts.sphinx.inlines import paragraph
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import capital, separated

LinkBox = Callable[[Box, nodes.Node], nodes.Node]
"""Function that returns the title of a box inside the box's link, if it has one."""


def description(diagram: Diagram, link: LinkBox) -> nodes.bullet_list:
    """A diagram in words: a list of its boxes, with nested lists for clusters and branches."""
    return _described_list(diagram.items, link, "-")


def _described_list(parts: Iterable[Part], link: LinkBox, bullet: str) -> nodes.bullet_list:
    """Parts of a diagram as a list, without the empty spaces of a difference."""
    present = (part for part in parts if not (isinstance(part, (Box, Cluster)) and part.is_missing))
    return nodes.bullet_list("", *(_described(part, link) for part in present), bullet=bullet)


def _described(part: Part, link: LinkBox) -> nodes.list_item:
    """A part in words: ``Output projection: H·d_h × D · 8.0%; → [T, D]``."""
    if isinstance(part, Cluster):
        return _described_group((part.title,), part.parts, link)
    if isinstance(part, Residual):
        return _described_group((_("Added to the input"),), part.parts, link)
    if isinstance(part, Gated):  # described as a fork: the gate, then the gated parts
        part = Fork((Branch(part.gate), Branch(part.parts)))
    if isinstance(part, Fork):
        branches = (_described_branch(branch, link) for branch in part.branches)
        branch_list = nodes.bullet_list("", *branches, bullet="*")
        return nodes.list_item("", paragraph((_relation(part),)), branch_list)
    lines = (*part.lines, ("→ ", *part.output)) if part.output else part.lines
    line = paragraph((": ", *separated(lines, "; ")) if lines else ())
    title = link(part, nodes.Text(part.title))
    line.insert(0, nodes.strong("", "", title) if part.growth is Growth.SQUARE else title)
    return nodes.list_item("", line)


def _relation(fork: Fork) -> str:
    """Relation of the branches of a fork to each other, in words."""
    if fork.addition:
        return _("Added to each other")
    return _("One of these in each layer") if fork.either else _("Side by side")


def _described_branch(branch: Branch, link: LinkBox) -> nodes.list_item:
    """A branch of a fork in words; one without boxes is the input itself."""
    if branch.label:
        return _described_group(branch.label, branch.parts, link)
    if not branch.parts:
        return nodes.list_item("", paragraph((capital(_("the input")),)))
    return nodes.list_item("", _described_list(branch.parts, link, "+"))


def _described_group(title: Line, parts: Iterable[Part], link: LinkBox) -> nodes.list_item:
    """A title with a list of the parts below it."""
    return nodes.list_item("", paragraph(title), _described_list(parts, link, "*"))
