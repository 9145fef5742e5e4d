"""What many pages need is done before Sphinx divides them among processes, once for all."""

from __future__ import annotations

import gc
import os
import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.utils import new_document
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.logging import suppress_logging

from sphinx_llmsize.hosts.sphinx import shared
from sphinx_llmsize.hosts.sphinx.held import holder

if TYPE_CHECKING:
    from os import PathLike

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

FIRST_SHOWN = "llmsize_first_shown"
"""The attribute of a builder with what is shown: the page that did first, or None once written."""
_DIRECTIVE = re.compile(rb"llm-size(?:::|\}(?!`))")
"""The directive in either language, and not the role, which needs little."""
_ANY_MODEL = "gpt2"
_divided: set[int] = set()
"""The builds, by their ids, whose pages are being divided among processes."""


def _show(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Show a model to nobody: that imports, compiles and reads what showing any model does.

    What the processes to come show is shared from then on.
    """
    if app.parallel > 1 and any(_shows_model(env.doc2path(page)) for page in pages):
        from sphinx_llmsize.hosts.sphinx import directive_options, use  # noqa: F401 - what runs directives
        from sphinx_llmsize.model import released
        from sphinx_llmsize.views import document

        usual = directive_options.read({}, directive_options.SizeOptions)
        document(released(_ANY_MODEL), usual.show, usual.view)
        shared.begin(env)
        _keep(app)


def _shows_model(path: str | PathLike[str]) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        # Sphinx says so
        return False
    return bool(_DIRECTIVE.search(text))


def _keep(app: Sphinx, *_: Any) -> None:
    """Have no process look for garbage in what is there now, or there before it is forked."""
    if app.parallel > 1:
        gc.freeze()
        _divided.add(id(app))


def _give_back(app: Sphinx, *_: Any) -> None:
    """Have it looked for there again."""
    if app.parallel > 1:
        gc.unfreeze()
        _divided.discard(id(app))


def _inherit() -> None:
    """Have a new process keep all that it inherits: to look through it would copy it."""
    if _divided:
        gc.freeze()


if hasattr(os, "register_at_fork"):
    # once, as it is for good
    os.register_at_fork(after_in_child=_inherit)


def _write(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Write what a second page shows, so that the processes to come find it written."""
    builder = app.builder
    # another extension may ask for pages before the builder is prepared to write them
    if not (isinstance(builder, StandaloneHTMLBuilder) and hasattr(builder, "docsettings")):
        return
    if builder.parallel_ok:
        first_shown = builder.__dict__.setdefault(FIRST_SHOWN, {})
        for node in page.findall(holder):
            # two that have the same hash may at worst be written in vain
            shown = hash(node.held)
            if first_shown.setdefault(shown, docname) not in {docname, None}:
                first_shown[shown] = None
                _rehearse(builder, page, node)


def _rehearse(builder: StandaloneHTMLBuilder, page: nodes.document, node: holder) -> None:
    """Write a node where nobody reads it: what writes it remembers it."""
    document = new_document(page.get("source", ""))
    document.settings = builder.docsettings
    # only in a table may there be rows
    around = nodes.table if isinstance(node.parent, nodes.table) else nodes.container
    document += around("", node.deepcopy())
    # who writes the page says what is wrong with it
    with suppress_logging():
        document.walkabout(builder.create_translator(document, builder))


def setup(app: Sphinx) -> None:
    """Do it just before pages are read, and before they are written."""
    app.connect("env-before-read-docs", _show)
    app.connect("doctree-resolved", _write, priority=900)
    app.connect("write-started", _keep)
    app.connect("build-finished", _give_back)
