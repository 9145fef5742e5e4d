"""What pages show, counted once for all processes that are forked later.

Sphinx divides pages into more groups than it has processes, and forks one for each group.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_llmsize.blocks import Document
    from sphinx_llmsize.model import Model
    from sphinx_llmsize.views.view_options import ViewOptions

    Asked = tuple[Model, tuple[str, ...], ViewOptions]

DOCUMENTS = "llmsize_documents"
"""The environment's attribute with what pages show, while several processes read them."""
MOST_SHARED = 1024
"""How many are kept, some 10 kB each."""


class Documents:
    """What was asked for, with what is shown then; its pickle has what this process counted."""

    def __init__(self) -> None:
        self._counted: dict[Asked, Document] = {}
        self._taken: dict[Asked, Document] = {}

    def find(self, asked: Asked) -> Document | None:
        """What is shown, if a process has counted it."""
        return self._taken.get(asked) or self._counted.get(asked)

    def keep(self, asked: Asked, document: Document) -> None:
        """Have it for other processes."""
        if len(self._counted) < MOST_SHARED:
            self._counted[asked] = document

    def take(self, other: Documents) -> None:
        """Have what another process counted."""
        room = MOST_SHARED - len(self._taken)
        self._taken.update(islice(other._counted.items(), room))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_taken": {}}


def shown(
    env: BuildEnvironment, model: Model, views: tuple[str, ...], options: ViewOptions
) -> Document:
    """What these views say about a model, in their order.

    Raises:
        ConfigError: one of the options is not for this model.
    """
    from sphinx_llmsize.views import document

    asked = model, views, options
    shared: Documents | None = env.__dict__.get(DOCUMENTS)
    known = shared.find(asked) if shared else None
    if known is None:
        known = document(*asked)
        if shared:
            shared.keep(asked, known)
    return known


def begin(env: BuildEnvironment) -> None:
    """Share what is shown from now on."""
    env.__dict__[DOCUMENTS] = Documents()


def _merge(app: Sphinx, env: BuildEnvironment, pages: set[str], other: BuildEnvironment) -> None:
    if DOCUMENTS in env.__dict__:
        env.__dict__[DOCUMENTS].take(other.__dict__[DOCUMENTS])


def _end(app: Sphinx, env: BuildEnvironment) -> None:
    """Leave nothing in the environment that is kept for the next build."""
    env.__dict__.pop(DOCUMENTS, None)


def setup(app: Sphinx) -> None:
    """Take what each process counted, until all pages are read."""
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _end)
