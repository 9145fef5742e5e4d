"""HTML fragment of a document, for pages with the stylesheet of :mod:`.stylesheet`.

Without the stylesheet, as in feeds, a fragment is complete and readable too.
"""

from __future__ import annotations

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.block_elements import WriteDiagram, blocks_in_html
from sphinx_llmsize.html.class_names import OUTPUT_CLASS
from sphinx_llmsize.html.interactive_page import explorer_in_html
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.math_elements import WriteMath
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.interactive.source_syntax import Host, python
from sphinx_llmsize.report import MAX_LEVEL


def fragment(
    document: Document,
    *,
    title: str = "",
    level: int = 2,
    id: str = "llmsize",
    math: WriteMath = mathml,
    diagram: WriteDiagram = None,
    host: Host = python,
) -> Markup:
    """A document as one element; its texts are escaped.

    An interactive document always has MathML and SVG, whatever ``math`` and ``diagram`` are, since
    its script changes them.

    Args:
        document: the blocks.
        title: text of a heading above them; empty for none. It should name the model, which the
            list of sizes then omits.
        level: level of that heading, limited to 1–6.
        id: prefix of all ids in the fragment; different for each fragment on a page.
        math: function that writes pieces of TeX.
        diagram: function that writes diagrams; None to draw them as SVG.
        host: function that writes the source that readers of an interactive document can copy.
    """
    level = min(max(level, 1), MAX_LEVEL)
    if isinstance(document, InteractiveDocument):
        return explorer_in_html(document, id=id, host=host, title=title, level=level)
    heading = [element(f"h{level}", title)] if title else []
    blocks = blocks_in_html(document, has_heading=bool(title), id=id, math=math, diagram=diagram)
    return element("div", join((*heading, blocks), "\n"), class_=OUTPUT_CLASS)
