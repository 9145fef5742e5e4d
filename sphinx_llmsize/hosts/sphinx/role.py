"""Role ``llm-size``: a number of a model, as text.

A page may use a model before the directive that configures it. The number is then a placeholder
until the whole page has been read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxRole

from sphinx_llmsize.errors import ConfigError, UnknownModel
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.hosts.sphinx.guards import guarded_transform
from sphinx_llmsize.hosts.sphinx.locate import Location, line_with
from sphinx_llmsize.hosts.sphinx.nodes import wrong_text
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.html.class_names import ERROR_CLASS
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.typography import typographic

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


class number_placeholder(nodes.inline):  # noqa: N801 - docutils names nodes in lower case
    """Node around a number until the page is read; the number is then joined with adjacent text.

    While the model is unknown, the node is empty, and its attributes ``role_text`` and ``location``
    are the role's text and location.
    """


class LlmSizeRole(SphinxRole):
    """Role that shows a number of a model: ``llama-7b:mlp:share`` gives 64.2%."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Return the number, or the role's text marked as an error if there is no such number."""
        try:
            text = number(self.env, self.text, page_is_complete=False)
        except UnknownModel:
            return [number_placeholder(role_text=self.text, location=self._location())], []
        except ConfigError as error:
            return [report_in_text(error, self.text, self._location())], []
        # the number is already in the node, since docutils derives ids from the texts of headings
        # before transforms run
        return [number_placeholder("", text)], []

    def _location(self) -> Location:
        """The role's own line; docutils gives the first line of its paragraph."""
        source, line = self.get_source_info()
        # MyST gives no source after a block of reStructuredText
        path = os.path.abspath(source or self.inliner.document["source"])
        first_line = line or self.lineno
        renderer = getattr(self.inliner, "_renderer", None)
        if type(renderer).__module__.startswith("myst_nb."):
            first_line -= 1  # myst_nb counts one line too many
        return path, line_with(f"`{self.text}`", path, first_line) or first_line


class ResolveNumbers(SphinxTransform):
    """Replace placeholders by their numbers, and join each with the adjacent text."""

    default_priority = 5  # before Sphinx collects the texts to translate, at 10

    @guarded_transform
    def apply(self, **kwargs: Any) -> None:
        """Resolve every placeholder."""
        placeholders = list(self.document.findall(number_placeholder))
        parents = dict.fromkeys(node.parent for node in placeholders)  # each once, in this order
        for node in placeholders:
            node.replace_self(self._resolve(node))
        for parent in parents:
            _join_texts(parent)

    def _resolve(self, node: number_placeholder) -> nodes.Node:
        """Node in place of a placeholder: its number, or the marked text of the role."""
        if node.children:
            return node.children[0]
        try:
            return nodes.Text(number(self.env, node["role_text"]))
        except ConfigError as error:
            return report_in_text(error, node["role_text"], node["location"])


def _join_texts(parent: nodes.Element) -> None:
    """Join adjacent text nodes, as if the number had been typed."""
    joined: list[nodes.Node] = []
    for child in parent.children:
        if isinstance(child, nodes.Text) and joined and isinstance(joined[-1], nodes.Text):
            joined[-1] = nodes.Text(joined[-1] + child)
        else:
            joined.append(child)
    parent.children = []
    parent.extend(joined)


@only_config_errors()
def number(env: BuildEnvironment, text: str, *, page_is_complete: bool = True) -> str:
    """Formatted number for a role's text.

    Args:
        env: the build environment.
        text: the role's text.
        page_is_complete: the whole page has been read, so that a model that it doesn't configure
            is unknown.

    Raises:
        UnknownModel: the model is unknown, or not yet configured on the page.
        ConfigError: the text cannot be read, or the model has no such number.
    """
    from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage
    from sphinx_llmsize.views.numbers.role_text import role_text

    page = SphinxPage(env, page_is_complete=page_is_complete)
    return typographic(role_text(text, page.model_of_number))


def report_in_text(error: ConfigError, text: str, location: Location) -> wrong_text:
    """Log a warning, and return the role's text marked as an error."""
    warn(error, location)
    content = printable(text).strip() or "llm-size"  # an empty role
    return wrong_text(content, content, classes=[ERROR_CLASS], title=printable(str(error)))


def setup(app: Sphinx) -> None:
    """Register the role and its transform."""
    app.add_role("llm-size", LlmSizeRole())
    app.add_transform(ResolveNumbers)
