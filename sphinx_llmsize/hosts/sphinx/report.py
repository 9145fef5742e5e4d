"""Problems: a warning for the author, a notice for whoever looks at the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging

from sphinx_llmsize.hosts.sphinx.assets import PAGE_CLASS
from sphinx_llmsize.hosts.sphinx.render import paragraph

if TYPE_CHECKING:
    from sphinx_llmsize.errors import ConfigError
    from sphinx_llmsize.hosts.sphinx.locate import Location

logger = logging.getLogger(__name__)


def warn(error: ConfigError, location: Location | nodes.Node) -> None:
    """Log the problem as a warning of type ``llmsize`` at its place."""
    where = location if isinstance(location, nodes.Node) else "{}:{}".format(*location)
    logger.warning("%s", error, type="llmsize", subtype=error.problem.value, location=where)


def notice(error: ConfigError) -> nodes.Element:
    """The problem as it stands in the page."""
    return nodes.error("", paragraph((str(error),)), classes=[PAGE_CLASS, "llmsize-error"])
