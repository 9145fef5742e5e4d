"""Interactive output: on pages that run scripts, an explorer in place of the static nodes.

All other builders, the search index and references use the static nodes. The script and its styles
are linked only from pages with an explorer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.application import Sphinx

from sphinx_llmsize.escaping import escape_xml
from sphinx_llmsize.hosts.sphinx.guards import connect, guarded_visitor
from sphinx_llmsize.hosts.sphinx.links import Targets, box_urls, link_of
from sphinx_llmsize.hosts.sphinx.locate import is_markdown
from sphinx_llmsize.hosts.sphinx.nodes import (
    interactive,
    pass_through,
    pipeline,
    runs_scripts,
)
from sphinx_llmsize.hosts.sphinx.page_assets import MATHJAX_OFF
from sphinx_llmsize.hosts.sphinx.pictures import id_of

if TYPE_CHECKING:
    from sphinx.util.docutils import SphinxDirective

    from sphinx_llmsize.html.svg import Links
    from sphinx_llmsize.interactive.document import InteractiveDocument

_PLACEHOLDER = re.compile("llmsize-link:(?P<name>[^;]+);")
"""Placeholder for the URL of a box, which Sphinx resolves later; see :func:`_placeholders`."""


def with_explorer(
    directive: SphinxDirective,
    document: InteractiveDocument,
    static: nodes.Element,
    links: Targets,
) -> interactive:
    """The static nodes inside a node that is written as an explorer where scripts run.

    Args:
        directive: the directive.
        document: its document.
        static: nodes of the document.
        links: the option ``links``.
    """
    from sphinx_llmsize.html.interactive_page import explorer_in_html
    from sphinx_llmsize.interactive.source_syntax import myst, restructured_text

    env = directive.env
    html = explorer_in_html(
        document,
        id=id_of(env.docname, env.new_serialno("llmsize")),
        host=myst if is_markdown(directive) else restructured_text,
        links=_placeholders(document, links),
    )
    _output_class, *author_classes = static["classes"]
    return interactive("", static, html=html, author_classes=author_classes)


def _placeholders(document: InteractiveDocument, links: Targets) -> Links:
    """Pairs of the id of each box with a link, in any variant, and ``llmsize-link:NAME;``.

    The name is that in the option ``links``.
    """
    from sphinx_llmsize.diagram import Diagram

    boxes = (
        box
        for variants in document.explorer.views.values()
        for variant in variants
        for block in variant.blocks
        if isinstance(block, Diagram)
        for box in block.boxes
    )
    pairs = ((box.id, link_of(box, links)) for box in boxes)
    return tuple({id: f"llmsize-link:{pair[0]};" for id, pair in pairs if pair}.items())


def visit_html(self: Any, node: interactive) -> None:
    """Write the explorer, with the ids of the static nodes; these if no scripts run."""
    if not runs_scripts(self.builder, self.document):
        return
    (static,) = node.children
    for each in static.findall(nodes.Element):
        self.body += [f'<span id="{escape_xml(name)}"></span>' for name in each["ids"]]
    classes = (*node["author_classes"], *MATHJAX_OFF)
    self.body.append(self.starttag(node, "div", CLASS=" ".join(classes)))
    self.body.append(_html_with_urls(node))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _html_with_urls(node: interactive) -> str:
    """The explorer's HTML with the URLs of linked boxes; unresolved links lead nowhere."""
    urls: dict[str, str] = {}  # by the name in the option
    for diagram in node.findall(pipeline):
        url_of_box = box_urls(diagram)
        for box in diagram["diagram"].boxes:
            if pair := link_of(box, diagram["links"]):
                urls[pair[0]] = url_of_box.get(box.id, "#")
    html: str = node["html"]
    return _PLACEHOLDER.sub(lambda found: escape_xml(urls.get(found["name"], "#")), html)


def _link_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Write the script and its styles if a page needs them, and link them there."""
    if not doctree or not any(doctree.findall(interactive)):
        return
    if not runs_scripts(app.builder, doctree):
        return
    from sphinx_llmsize.html.interactive_page import SCRIPT, STYLES, script, styles

    folder = Path(app.builder.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((SCRIPT, script()), (STYLES, styles())):
        file = folder / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8", newline="\n")
    app.add_css_file(STYLES)
    app.add_js_file(SCRIPT, loading_method="defer")


def setup(app: Sphinx) -> None:
    """Register the node, and the handler that links the files."""
    children = (pass_through, pass_through)
    app.add_node(
        interactive,
        html=(guarded_visitor(visit_html), pass_through),
        latex=children,
        text=children,
        man=children,
        texinfo=children,
    )
    connect(app, "html-page-context", _link_files)
