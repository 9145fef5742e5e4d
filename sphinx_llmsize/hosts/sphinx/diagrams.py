"""A diagram where it is written: told in words where no script runs, its boxes linked.

A link's target that is no URL is a document or label of the project. Sphinx resolves it in
the list that tells the diagram; the Mermaid source then takes the address from there.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import pipeline, runs_scripts

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_llmsize.diagram import Box

_URL = re.compile(r"https?://[^\s]+", re.IGNORECASE)
_SAFE_IN_URL = "/:?#[]@!$&'()*+,=%~-._"


class TellDiagrams(SphinxPostTransform):
    """Tell a diagram in words, as its children, where that is shown or has links to resolve."""

    default_priority = 5  # before the links in it are resolved, at 10

    def run(self, **kwargs: Any) -> None:
        """Fill every diagram that needs it."""
        for diagram in self.document.findall(pipeline):
            if diagram["links"] or not runs_scripts(self.app.builder):
                from sphinx_llmsize.hosts.sphinx.render import told

                diagram.append(told(diagram["diagram"], partial(self._link, diagram)))

    def _link(self, diagram: pipeline, box: Box, content: nodes.Node) -> nodes.Node:
        target = next((to for name, to in diagram["links"] if box.is_called(name)), None)
        if target is None:
            return content
        # the box's name stands around the reference: Sphinx replaces what is inside one
        return nodes.inline("", "", self._reference(diagram, target, content), box=box.id)

    def _reference(self, diagram: pipeline, target: str, content: nodes.Node) -> nodes.Element:
        if _URL.fullmatch(target):
            return nodes.reference("", "", content, refuri=target, internal=False)
        node = addnodes.pending_xref(
            "", content, refdomain="", reftype="any", reftarget=target,
            refdoc=diagram["docname"], refexplicit=True, refwarn=True, llmsize_link=True,
        )  # fmt: skip
        node.source, node.line = diagram.source, diagram.line
        return node


class LinkBoxes(SphinxPostTransform):
    """Give the Mermaid source the addresses that Sphinx found."""

    default_priority = 20  # after the links are resolved, at 10

    def run(self, **kwargs: Any) -> None:
        """Append a ``click`` line for every box that holds a resolved reference."""
        for diagram in self.document.findall(pipeline):
            for box in filter(_is_linked_box, diagram.findall(nodes.inline)):
                if link := box.next_node(nodes.reference):
                    address = link.get("refuri") or f"#{link.get('refid', '')}"
                    url = quote(address, safe=_SAFE_IN_URL)
                    diagram["code"] += f'\nclick {box["box"]} href "{url}"'


def _is_linked_box(node: nodes.inline) -> bool:
    return "box" in node


def _dangling(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Say which target is missing, and leave the box without a link."""
    if not node.get("llmsize_link"):
        return None
    from sphinx_llmsize.errors import ConfigError, Problem
    from sphinx_llmsize.hosts.sphinx.report import warn

    target = node["reftarget"]
    hint = "a URL, a document or a label of the project"
    warn(ConfigError(f"link target not found: {target!r}", Problem.LINK, hint), node)
    return content


def setup(app: Sphinx) -> None:
    """Register the transforms and the handler for dangling links."""
    app.add_post_transform(TellDiagrams)
    app.add_post_transform(LinkBoxes)
    # before intersphinx, whose names 'any' would otherwise reach too
    app.connect("missing-reference", _dangling, priority=900)
