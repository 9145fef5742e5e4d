"""Deferred tables and lists: placeholders, replaced by nodes when the page is written.

Most nodes of a page with our output are table cells, and each of them slows down transforms and
pickling. A build takes 20% of the time of the same pages written by hand; without placeholders, it
would take 40%. HTML is written directly from the placeholder; for other builders, a transform
replaces it. For the search index, the placeholder contains the words of its block.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.guards import connect, for_each, guarded_visitor
from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.search import SearchLanguage

    from sphinx_llmsize.hosts.sphinx.render import Deferrable

CACHE_SIZE = 512
"""Maximum number of blocks in each cache, about 20 kB per block."""
_html_cache: WeakKeyDictionary[Builder, dict[object, str]] = WeakKeyDictionary()
"""Cache of HTML by builder, then by block and writer state; it contains nothing page-specific."""


class ReplacePlaceholders(SphinxPostTransform):
    """Replace placeholders by nodes for all formats but HTML, which :func:`visit_html` writes."""

    # after transforms of references, images and code, none of which occur in cells; before the
    # builder-specific transforms, at 500
    default_priority = 450
    formats = ("html",)  # see is_supported()

    def is_supported(self) -> bool:
        """True for all formats *except* those in ``formats``."""
        return not super().is_supported()

    def run(self, **kwargs: Any) -> None:
        """Replace every placeholder."""
        for_each(self.document.findall(deferred), replace_placeholder)


def _add_search_words(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Add the words of deferred blocks to an HTML page, for its search index."""
    if app.builder.format == "html":
        indexer = getattr(app.builder, "indexer", None)
        language = indexer.lang if indexer else None
        for node in tuple(page.findall(deferred)):
            node.append(nodes.Text(_search_words(node["block"], language)))


@lru_cache(CACHE_SIZE)
def _search_words(block: Deferrable, language: SearchLanguage | None) -> str:
    """Words of a block, each once; with a language, only those that its search index has."""
    from sphinx_llmsize.hosts.sphinx.render import words

    text = words(block)
    if language is None:
        return text
    # Sphinx would filter the words too, but only after stemming every number, which is slow
    words_in_order = dict.fromkeys(language.split(text))
    return " ".join(word for word in words_in_order if language.word_filter(word))


def replace_placeholder(node: deferred, *, in_html: bool = False) -> nodes.Element:
    """Replace a placeholder by its block's nodes, and return them.

    Args:
        node: the placeholder.
        in_html: True to add what only HTML shows, see ``render.deferred_content()``.
    """
    from sphinx_llmsize.hosts.sphinx.render import deferred_content

    content = deferred_content(node["block"], in_html=in_html)
    node.replace_self(content)
    return content


def visit(self: Any, node: deferred) -> None:
    """Write the block's nodes in place of the placeholder."""
    replace_placeholder(node).walkabout(self)
    raise nodes.SkipNode


def visit_html(self: Any, node: deferred) -> None:
    """Write the block's HTML, from the cache if it is there."""
    cache = _html_cache.setdefault(self.builder, {})
    # the HTML depends on the writer's state: items of compact lists have no <p>
    compact = [getattr(self, name, None) for name in ("compact_simple", "compact_p")]
    key = (type(self), node["block"], *compact)
    if key in cache:
        self.body.append(cache[key])
    else:
        start = len(self.body)
        replace_placeholder(node, in_html=True).walkabout(self)
        if len(cache) < CACHE_SIZE:
            cache[key] = "".join(self.body[start:])
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the transform, and visitors for documents written without transforms."""
    app.add_post_transform(ReplacePlaceholders)
    connect(app, "doctree-resolved", _add_search_words)
    visitors = (guarded_visitor(visit), None)
    app.add_node(
        deferred,
        html=(guarded_visitor(visit_html), None),
        latex=visitors,
        text=visitors,
        man=visitors,
        texinfo=visitors,
    )
