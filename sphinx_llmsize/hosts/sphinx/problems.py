"""Problems: a warning for the author, a notice for whoever looks at the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

from sphinx_llmsize.hosts.sphinx.assets import PAGE_CLASS

if TYPE_CHECKING:
    from sphinx import addnodes
    from sphinx.application import Sphinx
    from sphinx.domains.std import StandardDomain
    from sphinx.environment import BuildEnvironment
    from sphinx.util.docutils import SphinxDirective

    from sphinx_llmsize.errors import ConfigError
    from sphinx_llmsize.hosts.sphinx.locate import Location

logger = logging.getLogger(__name__)

NOTICE_CLASS = "llmsize-error"


def warn(error: ConfigError, location: Location | nodes.Node) -> None:
    """Log the problem as a warning of type ``llmsize`` at its place."""
    where = location if isinstance(location, nodes.Node) else "{}:{}".format(*location)
    logger.warning("%s", error, type="llmsize", subtype=error.problem.value, location=where)


def notice(error: ConfigError) -> nodes.Element:
    """The problem as it stands in the page."""
    from sphinx_llmsize.hosts.sphinx.render import paragraph

    return nodes.error("", paragraph((str(error),)), classes=[PAGE_CLASS, NOTICE_CLASS])


def named_notice(error: ConfigError, directive: SphinxDirective) -> nodes.Element:
    """The problem in place of what a directive was to show, to be found by the same name."""
    shown = notice(error)
    directive.add_name(shown)
    return shown


def _lead_to_notice(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """A reference to what could not be shown: no second mistake, though it has no number."""
    if node.get("refdomain") != "std" or node.get("reftype") not in {"ref", "numref"}:
        return None
    domain = cast("StandardDomain", env.get_domain("std"))
    page, id = domain.anonlabels.get(node["reftarget"], ("", ""))
    target = env.get_doctree(page).ids.get(id) if page else None
    if target is None or NOTICE_CLASS not in target.get("classes", ()):
        return None
    return make_refnode(app.builder, node["refdoc"], page, id, content)


def setup(app: Sphinx) -> None:
    """Register what completes references to notices."""
    app.connect("missing-reference", _lead_to_notice)
