"""A diagram in words: what is shown where it is not drawn, and where its links are resolved.

A link's target that is no URL is a document or label of the project. Sphinx resolves it in
the list that tells the diagram; what draws it then takes the address from there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlsplit

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import DRAWN_CLASS, pipeline
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.domains.std import StandardDomain
    from sphinx.environment import BuildEnvironment

    from sphinx_llmsize.diagram import Box

_URL = re.compile(r"https?://[^\s]+", re.IGNORECASE)
_SAFE_IN_URL = "/:?#[]@!$&'()*+,=%~-._"
_SCHEMES = frozenset({"", "http", "https"})


class TellDiagrams(SphinxPostTransform):
    """Tell a diagram in words, as its children, where that is shown or has links to resolve."""

    default_priority = 5  # before the links in it are resolved, at 10
    formats = ("html", "latex")  # whose writers draw it

    def apply(self, **kwargs: Any) -> None:
        """Run, whatever the format."""
        self.run(**kwargs)

    def run(self, **kwargs: Any) -> None:
        """Fill every diagram that needs it."""
        for diagram in self.document.findall(pipeline):
            if diagram["links"] or not self.is_supported():
                tell(diagram)
        if not self.is_supported():
            _forget_pictures(self.document)


def tell(diagram: pipeline) -> None:
    """Tell a diagram in words, unless that is done."""
    from sphinx_llmsize.hosts.sphinx.render import told

    if not diagram.children:
        diagram.append(told(diagram["diagram"], partial(_link, diagram)))


def _forget_pictures(document: nodes.document) -> None:
    """Say nothing of what a picture looks like."""
    for words in [*document.findall(nodes.inline)]:
        if DRAWN_CLASS in words["classes"]:
            words.parent.remove(words)


def linked(diagram: pipeline) -> Iterator[tuple[str, nodes.reference]]:
    """The ids of the boxes that have a link, each with the resolved reference."""
    for box in diagram.findall(nodes.inline):
        if "box" in box and (link := box.next_node(nodes.reference)):
            yield box["box"], link


def addresses(diagram: pipeline) -> dict[str, str]:
    """The ids of the boxes that have a link, each with the address."""
    found = {
        box: link.get("refuri") or f"#{link.get('refid', '')}" for box, link in linked(diagram)
    }
    return {
        box: quote(address, safe=_SAFE_IN_URL)
        for box, address in found.items()
        if urlsplit(address).scheme in _SCHEMES
    }


def _link(diagram: pipeline, box: Box, content: nodes.Node) -> nodes.Node:
    target = next((to for name, to in diagram["links"] if box.is_called(name)), None)
    if target is None:
        return content
    # the box's name stands around the reference: Sphinx replaces what is inside one
    return nodes.inline("", "", _reference(diagram, target, content), box=box.id)


def _reference(diagram: pipeline, target: str, content: nodes.Node) -> nodes.Element:
    if _URL.fullmatch(target):
        return nodes.reference("", "", content, refuri=target, internal=False)
    node = addnodes.pending_xref(
        "", content, refdomain="", reftype="any", reftarget=target,
        refdoc=diagram["docname"], refexplicit=True, refwarn=True, llmsize_link=True,
    )  # fmt: skip
    node.source, node.line = diagram.source, diagram.line
    return node


def _dangling(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Say which target is missing, and leave the box without a link."""
    if not node.get("llmsize_link"):
        return None
    from sphinx_llmsize.errors import ConfigError, Problem
    from sphinx_llmsize.hosts.sphinx.problems import warn

    target = node["reftarget"]
    hint = _near(env, target, node["refdoc"]) or _("a URL, a document or a label of the project")
    warn(
        ConfigError(
            _("link target not found: {target}", target=repr(target[:100])), Problem.LINK, hint
        ),
        node,
    )
    return content


def _near(env: BuildEnvironment, target: str, page: str) -> str:
    """A hint at a document, as the page has to call it, or else at a label."""
    from sphinx_llmsize.errors import did_you_mean

    folder = posixpath.dirname(page) or "."
    documents = (
        f"/{name}" if target.startswith("/") else posixpath.relpath(name, folder)
        for name in sorted(env.found_docs)
    )
    labels = cast("StandardDomain", env.get_domain("std")).anonlabels
    return did_you_mean(target, documents) or did_you_mean(target, sorted(labels))


def setup(app: Sphinx) -> None:
    """Register the transform and the handler for dangling links."""
    app.add_post_transform(TellDiagrams)
    # before intersphinx, whose names 'any' would otherwise reach too
    app.connect("missing-reference", _dangling, priority=900)
