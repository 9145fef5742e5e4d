"""Tables and lists whose nodes are made when their page is written.

Most nodes of a page with our output are the cells of tables. Making them late keeps them out of
every transform and out of the page's pickle: builds take 0.2 instead of 0.4 of the time of
hand-written pages. The HTML writer makes them; other builders get them from a transform. Until
then the placeholder holds the words for the search index.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.search import SearchLanguage

    from sphinx_llmsize.hosts.sphinx.render import Deferrable

CACHE_SIZE = 512
"""Blocks in a cache, some 20 kB each."""
_html: WeakKeyDictionary[Builder, dict[object, str]] = WeakKeyDictionary()
"""HTML of blocks, none of it page-specific, by builder and then by block and context."""


class FillBlocks(SphinxPostTransform):
    """Make the nodes of deferred blocks, except in HTML, whose writer does."""

    # after transforms for references, images and code, of which cells have none; before those
    # of builders, from 500
    default_priority = 450
    formats = ("html",)

    def is_supported(self) -> bool:
        """True for all other formats."""
        return not super().is_supported()

    def run(self, **kwargs: Any) -> None:
        """Replace every placeholder."""
        for node in tuple(self.document.findall(deferred)):
            fill(node)


def _add_search_words(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Let the search find the blocks that the HTML writer makes."""
    if app.builder.format == "html":
        indexer = getattr(app.builder, "indexer", None)
        for node in tuple(page.findall(deferred)):
            node.append(nodes.Text(_words(node["block"], indexer and indexer.lang)))


@lru_cache(CACHE_SIZE)
def _words(block: Deferrable, language: SearchLanguage | None) -> str:
    """Each word of a block that can be searched for, once; in most languages no numbers."""
    from sphinx_llmsize.hosts.sphinx.render import words

    text = words(block)
    if language is None:
        return text
    # Sphinx does the same, but only after stemming every number
    return " ".join(
        word for word in dict.fromkeys(language.split(text)) if language.word_filter(word)
    )


def fill(node: deferred) -> nodes.Element:
    """Replace a placeholder by its block's nodes, and return them."""
    from sphinx_llmsize.hosts.sphinx.render import content

    made = content(node["block"])
    node.replace_self(made)
    return made


def visit(self: Any, node: deferred) -> None:
    """Write the block."""
    fill(node).walkabout(self)
    raise nodes.SkipNode


def visit_html(self: Any, node: deferred) -> None:
    """Write the block, from the cache if another page has it too."""
    cache = _html.setdefault(self.builder, {})
    # a list is more compact within a compact one
    compact = [getattr(self, name, None) for name in ("compact_simple", "compact_p")]
    key = (type(self), node["block"], *compact)
    if key in cache:
        self.body.append(cache[key])
    else:
        start = len(self.body)
        fill(node).walkabout(self)
        if len(cache) < CACHE_SIZE:
            cache[key] = "".join(self.body[start:])
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the transform, and visitors for documents that no transform has seen."""
    app.add_post_transform(FillBlocks)
    app.connect("doctree-resolved", _add_search_words)
    other = (visit, None)
    app.add_node(
        deferred, html=(visit_html, None), latex=other, text=other, man=other, texinfo=other
    )
