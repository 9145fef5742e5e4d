"""Links from boxes of a diagram: parsing of ``:links:``, targets and their URLs.

A target that is not a URL is a document or label. The diagram's description in words contains a
cross-reference to it, which Sphinx resolves; the drawing then copies the resolved URL.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, urlsplit

from docutils import nodes
from sphinx import addnodes

from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.domains.std import StandardDomain
    from sphinx.environment import BuildEnvironment

    from sphinx_llmsize.diagram_boxes import Box
    from sphinx_llmsize.hosts.sphinx.nodes import pipeline

_BOX = r"[A-Za-z_][\w-]*"
_PAIR = re.compile(rf"(?P<box>{_BOX}):\s+(?P<target>\S+?)(?:,\s+|\s+(?={_BOX}:\s)|\s*$)")
"""Box and target, up to a comma, the next box or the end of the text."""
_URL = re.compile(r"(?i)https?://[^\s]+")
_SAFE_IN_URL = "/:?#[]@!$&'()*+,=%~-._"
"""Characters left unescaped in a URL, unlike double quotes and angle brackets."""
_SCHEMES = frozenset({"", "http", "https"})
"""Allowed schemes of URLs; empty for a relative one."""

Targets = tuple[tuple[str, str], ...]
"""Option ``links``: pairs of the id of a box, or of a stage in boxes, and a target."""
TARGETS_HINT = N_("a URL, a document or a label of the project")
"""Hint for a target that can't be resolved: it lists the kinds of targets."""


def parse_links(text: str) -> Targets:
    """Parse pairs ``box: target``, separated by commas or white space.

    Raises:
        ConfigError: the text has another format, or names a box twice.
    """
    targets: dict[str, str] = {}
    hint = _("write 'box: target, box: target'")
    position = 0
    while position < len(text):
        match = _PAIR.match(text, position)
        if not match:
            message = _("cannot read {text}", text=repr(text[position:][:60]))
            raise ConfigError(message, Problem.LINK, hint)
        box = match["box"]
        if box in targets:
            message = _("box {found} is linked twice", found=repr(box[:60]))
            raise ConfigError(message, Problem.LINK, hint)
        targets[box] = _valid_target(match["target"])
        position = match.end()
    return tuple(targets.items())


def _valid_target(target: str) -> str:
    """Return the target, if it can be parsed as a URL, absolute or relative.

    Raises:
        ConfigError: it can't, such as ``https://[x``.
    """
    try:
        urlsplit(target)
    except ValueError:
        message = _("cannot read {text}", text=repr(target[:60]))
        hint = _(TARGETS_HINT)
        raise ConfigError(message, Problem.LINK, hint) from None
    return target


def link_of(box: Box, links: Targets) -> tuple[str, str] | None:
    """The first link whose name is the id of the box or of one of its stages; None if none is."""
    return next((each for each in links if box.is_called(each[0])), None)


def link(diagram: pipeline, box: Box, content: nodes.Node) -> nodes.Node:
    """Wrap the content of a box in its link, if it has one."""
    found = link_of(box, diagram["links"])
    if found is None:
        return content
    _name, target = found
    # the box's id is on an outer node, since Sphinx replaces the reference
    return nodes.inline("", "", _reference(diagram, target, content), box=box.id)


def _reference(diagram: pipeline, target: str, content: nodes.Node) -> nodes.Element:
    """A reference to a URL, or a cross-reference that Sphinx resolves."""
    if _URL.fullmatch(target):
        return nodes.reference("", "", content, refuri=target, internal=False)
    node = addnodes.pending_xref(
        "", content, refdomain="", reftype="any", reftarget=target,
        refdoc=diagram["docname"], refexplicit=True, refwarn=True, llmsize_link=True,
    )  # fmt: skip
    node.source, node.line = diagram.source, diagram.line
    return node


def resolved_links(diagram: pipeline) -> Iterator[tuple[str, nodes.reference]]:
    """Pairs of a linked box's id and its resolved reference."""
    for inline in diagram.findall(nodes.inline):
        if "box" in inline and (reference := inline.next_node(nodes.reference)):
            yield inline["box"], reference


def box_urls(diagram: pipeline) -> dict[str, str]:
    """URLs of linked boxes by id; those with schemes other than HTTP(S) are left out."""
    urls = {
        box_id: reference.get("refuri") or f"#{reference.get('refid', '')}"
        for box_id, reference in resolved_links(diagram)
    }
    return {
        box_id: quote(url, safe=_SAFE_IN_URL)
        for box_id, url in urls.items()
        if urlsplit(url).scheme in _SCHEMES
    }


def _warn_of_missing_target(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Warn of a missing target, suggest a similar one, and leave the box without a link."""
    if not node.get("llmsize_link"):
        return None
    target = node["reftarget"]
    similar = _hint_for_similar_target(env, target, node["refdoc"])
    hint = similar or _(TARGETS_HINT)
    message = _("link target not found: {target}", target=repr(target[:100]))
    warn(ConfigError(message, Problem.LINK, hint), node)
    return content


def _hint_for_similar_target(env: BuildEnvironment, target: str, page: str) -> str:
    """Hint with the most similar document, else the most similar label; empty without either."""
    folder = posixpath.dirname(page) or "."
    documents = (
        f"/{name}" if target.startswith("/") else posixpath.relpath(name, folder)
        for name in sorted(env.found_docs)
    )
    labels = cast("StandardDomain", env.get_domain("std")).anonlabels
    return did_you_mean(target, documents) or did_you_mean(target, sorted(labels))


def setup(app: Sphinx) -> None:
    """Register the handler for missing targets."""
    # after intersphinx, at 500, which resolves targets in other projects
    connect(app, "missing-reference", _warn_of_missing_target, priority=900)
