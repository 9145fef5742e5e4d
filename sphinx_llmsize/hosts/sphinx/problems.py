"""Problems: a warning in the build's log, and a notice on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.util import logging
from sphinx.util.logging import get_node_location

from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts.sphinx.locate import Location, error_location
from sphinx_llmsize.hosts.sphinx.notebook_lines import readable_location
from sphinx_llmsize.html.class_names import ERROR_CLASS, OUTPUT_CLASS

if TYPE_CHECKING:
    from sphinx.util.docutils import SphinxDirective

    from sphinx_llmsize.errors import ConfigError

logger = logging.getLogger(__name__)


def warn(error: ConfigError, location: Location | nodes.Node, *, once: bool = False) -> None:
    """Log a problem as a warning of type ``llmsize``.

    Args:
        error: the problem.
        location: file and 1-based line, or 0 for the whole file; or a node, whose position is that
            of the nearest one around it that has a line.
        once: True to log a repeated warning only once.
    """
    if isinstance(location, nodes.Node):
        position = _position(location)
    else:
        file, line = location
        position = f"{file}:{line or ''}" if file else ""
    logger.warning(
        "%s",
        str(error),
        type="llmsize",
        subtype=error.problem.value,
        # a file name may contain control characters
        location=visible(readable_location(position or "")),
        once=once,
    )


def _position(node: nodes.Node) -> str | None:
    """File and line of a node, or of the nearest one around it that has a line."""
    around = node
    while not around.line and around.parent is not None:
        around = around.parent
    if isinstance(around, nodes.document):
        return f"{around.get('source', '')}:"
    return get_node_location(around)


def report(
    error: ConfigError, directive: SphinxDirective, *, takes_name: bool = False
) -> nodes.Element:
    """Log a directive's error at its line, and return a notice for the page.

    An error in a file that several directives of a page use is logged once.

    Args:
        error: the error.
        directive: the directive that caused it.
        takes_name: True to attach the directive's ``:name:`` to the notice, which then replaces all
            of its output.
    """
    location = error_location(directive, error)
    cache = directive.env.temp_data.setdefault("llmsize_reported", set())
    reported = cast("set[tuple[Location, str]]", cache)
    if (location, str(error)) not in reported:
        warn(error, location)
        reported.add((location, str(error)))
    node = notice(error)
    if takes_name:
        directive.add_name(node)
    return node


def notice(error: ConfigError) -> nodes.Element:
    """Notice of an error, for the page."""
    from sphinx_llmsize.hosts.sphinx.inlines import paragraph

    return nodes.error("", paragraph((str(error),)), classes=[OUTPUT_CLASS, ERROR_CLASS])
