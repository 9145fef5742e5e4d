"""HTML of an explorer: the static views and their variants, its script and its styles."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from sphinx_llmsize.blocks import Document, Facts, Variable
from sphinx_llmsize.html.block_elements import blocks_in_html
from sphinx_llmsize.html.class_names import OUTPUT_CLASS
from sphinx_llmsize.html.explorer_data import explorer_data
from sphinx_llmsize.html.marked_numbers import with_positions
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.svg import Links
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.source_syntax import Host
from sphinx_llmsize.interactive.traced_model import marked_title
from sphinx_llmsize.marks import without_marks

FOLDER = Path(__file__).parent / "explorer"
"""Folder of the script and the styles."""
MODULE, SCRIPT, STYLES = "explorer.mjs", "llmsize-explorer.js", "llmsize-explorer.css"
"""Names of the ES module, of the classic script that is made from it, and of the styles."""
EXPLORER_CLASS, VIEW_CLASS = "llmsize-explorer", "llmsize-view"
"""Classes of an explorer, and of a view in it."""


def explorer_in_html(
    document: InteractiveDocument,
    *,
    id: str,
    host: Host,
    links: Links = (),
    title: str = "",
    level: int = 2,
) -> Markup:
    """An interactive document as one element, complete without the script.

    Args:
        document: the document.
        id: its id, and prefix of all ids in it.
        host: function that writes the source that readers can copy.
        links: pairs of the id of a diagram's box and the URL that it links to.
        title: text of a heading above it; empty for none.
        level: level of that heading, 1 to 6.
    """
    explorer = document.explorer
    heading = [with_positions(element(f"h{level}", _title(explorer, title)))] if title else []
    # written before the data, since the widths of bars become texts of the data
    views = [
        _view(
            [_with_controlled_sizes(variant.blocks, explorer) for variant in variants],
            f"{id}-{name}",
            links,
            has_heading=bool(title),
        )
        for name, variants in explorer.views.items()
    ]
    # in a list: with instant navigation, Material for MkDocs runs this element as JavaScript, in
    # which a list is valid and does nothing
    data = Markup(_json([explorer_data(explorer, document.source, host)]))
    script = element("script", data, type="application/json")
    content = join((*heading, *views, script), "\n")
    return element("div", content, class_=f"{OUTPUT_CLASS} {EXPLORER_CLASS}", id=id)


def _title(explorer: Explorer, title: str) -> str:
    """A heading, which follows all changes if it is the model's title."""
    marked = marked_title(explorer.model, explorer.trace)
    return marked if without_marks(marked) == title else title


def _view(variants: list[Document], id: str, links: Links, *, has_heading: bool) -> Markup:
    """A view: the first variant, and a template for each of the others."""
    content: list[Markup] = []
    for number, blocks in enumerate(variants):
        variant_id = f"{id}-{number}" if number else id
        html = blocks_in_html(blocks, id=variant_id, links=links, has_heading=has_heading)
        variant = with_positions(html)
        content.append(element("template", variant) if number else variant)
    return element("div", *content, class_=VIEW_CLASS)


def _with_controlled_sizes(blocks: Document, explorer: Explorer) -> Document:
    """The blocks, with a mark on the sizes in lists that have a control."""
    symbols = {Variable(*control.symbol) for control in explorer.controls}
    return tuple(
        replace(
            block,
            facts=tuple(replace(f, has_control=f.symbol in symbols) for f in block.facts),
        )
        if isinstance(block, Facts)
        else block
        for block in blocks
    )


def _json(data: object) -> str:
    """JSON in a script element, in which no text can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


@cache
def module() -> str:
    """The ES module, with the contract of anywidget: ``export default { render }``."""
    return (FOLDER / MODULE).read_text("utf-8")


@cache
def styles() -> str:
    """Styles of the controls, in addition to the stylesheet of all output."""
    return (FOLDER / STYLES).read_text("utf-8")


def embedded_script(documents: Iterable[Document]) -> Markup:
    """Elements with the styles and the script if one of the documents is interactive."""
    if not any(isinstance(each, InteractiveDocument) for each in documents):
        return Markup("")
    return join((styles_element(), script_element()), "\n")


def styles_element() -> Markup:
    """The styles of the controls as an element; they contain no markup that could end it."""
    return element("style", Markup(styles()))


def script_element() -> Markup:
    """The script as an element; it contains no markup that could end it."""
    return element("script", Markup(script()))


@cache
def script() -> str:
    """The module and its start on a page, as a classic script, which also works in local files."""
    start = (FOLDER / "start.js").read_text("utf-8")
    code = module().replace("export default", "const widget =")
    return f"(() => {{\n{code}\n{start}}})();\n"
