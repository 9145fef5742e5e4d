"""Blocks whose nodes are made when their page is written, not when it is read.

Most nodes of a page that uses the directive are the cells of tables. Few transforms have anything
to do in them, yet each would walk through them, and the page's pickle would hold them. In HTML
they are made by the writer, which Sphinx runs in many processes, and until then there are only
the words that it collects for the search.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.search import SearchLanguage

    from sphinx_llmsize.hosts.sphinx.render import Deferred

WRITTEN = "llmsize_written"
"""The attribute of a builder with the HTML of blocks."""
MOST_WRITTEN = 512
"""How many are kept, some 20 kB each."""


class FillBlocks(SphinxPostTransform):
    """Put the nodes of a block where they belong, unless the writer will."""

    # after what looks for references, images and code, which a cell has not; before what a
    # builder changes, which is from 500
    default_priority = 450
    formats = ("html",)  # whose writer fills them

    def apply(self, **kwargs: Any) -> None:
        """Run for all other formats."""
        if not self.is_supported():
            self.run(**kwargs)

    def run(self, **kwargs: Any) -> None:
        """Fill in every block."""
        for node in tuple(self.document.findall(deferred)):
            fill(node)


def _tell_words(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Have the search find the blocks that the writer fills."""
    if app.builder.format == "html":
        indexer = getattr(app.builder, "indexer", None)
        for node in tuple(page.findall(deferred)):
            node.append(nodes.Text(_words(node["block"], indexer and indexer.lang)))


@lru_cache(MOST_WRITTEN)
def _words(block: Deferred, language: SearchLanguage | None) -> str:
    """The words of a block that can be searched for, each once; in most languages no numbers."""
    from sphinx_llmsize.hosts.sphinx.render import words

    text = words(block)
    if language is None:
        return text
    # Sphinx asks the same, but only once it has looked for the stem of every number
    return " ".join(
        word for word in dict.fromkeys(language.split(text)) if language.word_filter(word)
    )


def fill(node: deferred) -> nodes.Element:
    """Have a block's nodes in place of where they belong, and return them."""
    from sphinx_llmsize.hosts.sphinx.render import content

    made = content(node["block"])
    node.replace_self(made)
    return made


def visit(self: Any, node: deferred) -> None:
    """Write what belongs here."""
    fill(node).walkabout(self)
    raise nodes.SkipNode


def visit_html(self: Any, node: deferred) -> None:
    """Write what belongs here; what many pages have is written once, as no page is told in it."""
    written = self.builder.__dict__.setdefault(WRITTEN, {})
    # a list is more compact within a compact one
    compact = [getattr(self, name, None) for name in ("compact_simple", "compact_p")]
    key = (type(self), node["block"], *compact)
    if key not in written:
        start = len(self.body)
        fill(node).walkabout(self)
        if len(written) < MOST_WRITTEN:
            written[key] = "".join(self.body[start:])
    else:
        self.body.append(written[key])
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register what fills blocks; the node with all writers, as a page may have many forms."""
    app.add_post_transform(FillBlocks)
    app.connect("doctree-resolved", _tell_words)
    other = (visit, None)
    app.add_node(
        deferred, html=(visit_html, None), latex=other, text=other, man=other, texinfo=other
    )
