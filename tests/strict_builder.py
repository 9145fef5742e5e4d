"""Extension with a builder that can write only docutils' own nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.text import TextBuilder
from sphinx.util.typing import ExtensionMetadata


class StrictTranslator(nodes.GenericNodeVisitor):
    """Writes all texts; fails at any other node."""

    def __init__(self, document: nodes.document, builder: StrictBuilder) -> None:
        super().__init__(document)
        self.output = ""

    def default_visit(self, node: nodes.Node) -> None:
        """Write a text."""
        if isinstance(node, nodes.Text):
            self.output += node.astext() + "\n"

    def default_departure(self, node: nodes.Node) -> None:
        """Write nothing."""


class StrictBuilder(TextBuilder):
    """Builder of text files."""

    name = format = "strict"
    default_translator_class: Any = StrictTranslator

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        """Write a page."""
        visitor = self.create_translator(doctree, self)
        doctree.walkabout(visitor)
        Path(self.outdir, f"{docname}.txt").write_text(visitor.output, "utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the builder."""
    app.add_builder(StrictBuilder)
    return {"parallel_read_safe": True}
