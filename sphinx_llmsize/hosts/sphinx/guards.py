"""Guards of everything that Sphinx calls while a build runs: our own exceptions don't end it.

An exception becomes a warning of type ``llmsize.internal`` at the node or page. A node that can't
be written is replaced by a notice; the rest of the page and of the build go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.errors import NoUri

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.problems import notice, warn
from sphinx_llmsize.html.class_names import ERROR_CLASS
from sphinx_llmsize.internal_errors import only_config_errors

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.hosts.sphinx.locate import Location
    from sphinx_llmsize.hosts.sphinx.nodes import Visitor

SIGNALS = (NoUri, nodes.TreePruningException)
"""Exceptions that are no errors: a URI that a builder doesn't have, and a node that is skipped."""


@contextmanager
def on_error(handle: Callable[[ConfigError], object]) -> Iterator[None]:
    """Call a function with the error of a ``with`` block, and go on after the block."""
    try:
        with only_config_errors(*SIGNALS):
            yield
    except ConfigError as error:
        handle(error)


def connect(
    app: Sphinx,
    event: str,
    handler: Callable[..., Any],
    *,
    priority: int = 500,
    otherwise: object = None,
) -> None:
    """Connect a handler to an event; if it fails, it warns at its page, and returns ``otherwise``.

    Args:
        app: the application.
        event: name of the event.
        handler: the handler.
        priority: handlers with lower priorities come first.
        otherwise: value that the event accepts from a handler without a result.
    """

    @wraps(handler)
    def guarded(app: Sphinx, *arguments: Any) -> Any:
        with on_error(lambda error: warn(error, _location(app, arguments))):
            return handler(app, *arguments)
        return otherwise

    app.connect(event, guarded, priority=priority)


def _location(app: Sphinx, arguments: tuple[Any, ...]) -> Location | nodes.Node:
    """The node of an event, or else the file of its page; no file if it is about no page."""
    for argument in arguments:
        if isinstance(argument, nodes.Node):
            return argument
    page = arguments[0] if arguments else None
    env = getattr(app, "env", None)  # not yet while settings are read
    if env and isinstance(page, str) and page in env.found_docs:
        return str(env.doc2path(page)), 0
    return "", 0


def guarded_transform(run: Callable[..., None]) -> Callable[..., None]:
    """The method ``run`` or ``apply`` of a transform; if it fails, the page stays as it is then."""

    @wraps(run)
    def guarded(self: Any, **options: Any) -> None:
        with on_error(lambda error: warn(error, self.document)):
            run(self, **options)

    return guarded


def for_each(found: Any, replace: Callable[[Any], object]) -> None:
    """Call a function of a transform with each node; one with which it fails becomes a notice.

    Args:
        found: the nodes.
        replace: the function, which may replace the node.
    """
    for node in tuple(found):
        with on_error(partial(_replace, node)):
            replace(node)


def guarded_visitor(visit: Visitor) -> Visitor:
    """A visitor of a writer; if it fails, a notice is written in place of the node."""

    @wraps(visit)
    def guarded(self: Any, node: nodes.Element) -> None:
        body = getattr(self, "body", None)
        length = len(body) if isinstance(body, list) else 0

        def write_notice(error: ConfigError) -> None:
            if isinstance(body, list):  # writers of plain text have none until the end
                del body[length:]
            _replace(node, error).walkabout(self)
            raise nodes.SkipNode

        with on_error(write_notice):
            visit(self, node)

    return guarded


def _replace(node: nodes.Element, error: ConfigError) -> nodes.Element:
    """Warn at a node, and replace it by a notice; the rows of a table by a cell with its text."""
    warn(error, node)
    content = notice(error)
    if isinstance(node.parent, nodes.table):
        entry = nodes.entry("", *content.children, classes=[ERROR_CLASS])
        body = nodes.tbody("", nodes.row("", entry))
        content = nodes.tgroup("", nodes.colspec(colwidth=60), body, cols=1)
    node.replace_self(content)
    return content
