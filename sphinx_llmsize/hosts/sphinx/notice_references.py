"""References to notices, which stand in for output that could not be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.util.nodes import make_refnode

from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.html.class_names import ERROR_CLASS

if TYPE_CHECKING:
    from sphinx import addnodes
    from sphinx.application import Sphinx
    from sphinx.domains.std import StandardDomain
    from sphinx.environment import BuildEnvironment


def _refer_to_notice(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """Resolve a reference to a notice, so that it doesn't cause a further warning."""
    if node.get("refdomain") != "std" or node.get("reftype") not in {"ref", "numref"}:
        return None
    domain = cast("StandardDomain", env.get_domain("std"))
    page, id = domain.anonlabels.get(node["reftarget"], ("", ""))
    target = env.get_doctree(page).ids.get(id) if page else None
    if target is None or ERROR_CLASS not in target.get("classes", ()):
        return None
    return make_refnode(app.builder, node["refdoc"], page, id, content)


def setup(app: Sphinx) -> None:
    """Register the handler for references to notices."""
    connect(app, "missing-reference", _refer_to_notice)
