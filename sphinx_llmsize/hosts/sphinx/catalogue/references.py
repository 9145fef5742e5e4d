"""References from lists to the pages of models; plain text if no page shows the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED
from sphinx_llmsize.hosts.sphinx.model_objects import MODEL, ModelDomain

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model

OPTIONAL = "llmsize_optional"
"""Attribute of references that are plain text, without a warning, if they lead nowhere."""


def model_reference(env: BuildEnvironment, model: Model, text: str) -> nodes.Element:
    """Reference to the page that shows a model."""
    name = model.preset.name if model.preset else model.name
    return _reference(env, ModelDomain.name, MODEL, name, text)


def label_reference(env: BuildEnvironment, label: str, text: str) -> nodes.Element:
    """Reference to a label."""
    return _reference(env, "std", "ref", label, text)


def _reference(
    env: BuildEnvironment, domain: str, kind: str, target: str, text: str
) -> nodes.Element:
    """Reference to an object of a domain, which Sphinx resolves later."""
    return addnodes.pending_xref(
        "",
        nodes.inline("", text, **GENERATED),
        refdomain=domain,
        reftype=kind,
        reftarget=target,
        refdoc=env.docname,
        refexplicit=True,
        refwarn=False,
        **{OPTIONAL: True},
    )


def _as_text(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.TextElement | None:
    """The text of an optional reference that leads nowhere."""
    return content if node.get(OPTIONAL) else None


def setup(app: Sphinx) -> None:
    """Resolve optional references after intersphinx has looked for them in other projects."""
    connect(app, "missing-reference", _as_text, priority=900)
