"""What many pages need is imported before Sphinx divides them among processes, once for all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_DIRECTIVE = re.compile(rb"llm-size(?:::|\}(?!`))")
"""The directive in either language, and not the role, which needs little."""


def _import(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Import what shows models, if there will be other processes and some page needs it."""
    if app.parallel > 1 and any(_shows_model(env.doc2path(page)) for page in pages):
        from sphinx_llmsize.hosts.sphinx import use  # noqa: F401
        from sphinx_llmsize.views import DEFAULT_VIEWS, view

        for name in DEFAULT_VIEWS:
            view(name)


def _shows_model(path: str | PathLike[str]) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        # Sphinx says so
        return False
    return bool(_DIRECTIVE.search(text))


def setup(app: Sphinx) -> None:
    """Import just before pages are read."""
    app.connect("env-before-read-docs", _import)
