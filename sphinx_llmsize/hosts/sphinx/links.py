"""Links from a diagram's boxes: ``:links: qkv: attention, lm_head: https://example.org``.

A target that is no URL is a document or label of the project. Sphinx resolves it in the
diagram's list form; the Mermaid source then takes the address from there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.nodes import pipeline
from sphinx_llmsize.hosts.sphinx.report import warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_llmsize.hosts.sphinx.locate import Location

_PAIR = re.compile(r"([A-Za-z_][\w-]*):\s+(\S+?)(?:,\s+|\s+(?=[A-Za-z_][\w-]*:\s)|\s*$)")
_URL = re.compile(r"https?://[^\s]+", re.IGNORECASE)
_SAFE_IN_URL = "/:?#[]@!$&'()*+,=%~-._"


def parse_links(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a box and its target from ``box: target``, separated by commas or line ends.

    Raises:
        ConfigError: the text is something else, or names a box twice.
    """
    pairs: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        found = _PAIR.match(text, position)
        if not found or found[1] in dict(pairs):
            problem = (
                f"box {found[1]!r} is linked twice"
                if found
                else f"cannot read {text[position:][:60]!r}"
            )
            raise ConfigError(problem, Problem.LINK, "write 'box: target, box: target'")
        pairs.append((found[1], found[2]))
        position = found.end()
    return tuple(pairs)


def reference(
    target: str, box: str, content: nodes.Node, docname: str, at: Location
) -> nodes.Element:
    """The content of a box in a reference, to be resolved by Sphinx unless it is a URL."""
    # the box's name stands around the reference: Sphinx replaces what is inside a resolved one
    return nodes.inline("", "", _reference(target, content, docname, at), box=box)


def _reference(target: str, content: nodes.Node, docname: str, at: Location) -> nodes.Element:
    if _URL.fullmatch(target):
        return nodes.reference("", "", content, refuri=target, internal=False)
    node = addnodes.pending_xref(
        "", content, refdomain="", reftype="any", reftarget=target, refdoc=docname,
        refexplicit=True, refwarn=True, llmsize_link=True,
    )  # fmt: skip
    node.source, node.line = at
    return node


class LinkBoxes(SphinxPostTransform):
    """Give the Mermaid source the addresses that Sphinx found."""

    default_priority = 20  # after ReferencesResolver, at 10

    def run(self, **kwargs: Any) -> None:
        """Append a ``click`` line for every box that holds a resolved reference."""
        for diagram in self.document.findall(pipeline):
            for box in diagram.findall(
                lambda node: isinstance(node, nodes.inline) and "box" in node
            ):
                if link := box.next_node(nodes.reference):
                    address = link.get("refuri") or f"#{link.get('refid', '')}"
                    url = quote(address, safe=_SAFE_IN_URL)
                    diagram["code"] += f'\nclick {box["box"]} href "{url}"'


def _dangling(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Say which target is missing, and leave the box without a link."""
    if not node.get("llmsize_link"):
        return None
    target = node["reftarget"]
    hint = "a URL, a document or a label of the project"
    warn(ConfigError(f"link target not found: {target!r}", Problem.LINK, hint), node)
    return content


def setup(app: Sphinx) -> None:
    """Register the transform and the handler for dangling links."""
    app.add_post_transform(LinkBoxes)
    # before intersphinx, whose names 'any' would otherwise reach too
    app.connect("missing-reference", _dangling, priority=900)
