"""HTML of an interactive document: static views, their variants, and data for a script."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.block_elements import blocks_in_html
from sphinx_llmsize.html.class_names import OUTPUT_CLASS
from sphinx_llmsize.html.marked_numbers import with_positions
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.svg import Links
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.source import CHANGED, MARKDOWN, Source, Syntax
from sphinx_llmsize.interactive.variants import Conditions, Message
from sphinx_llmsize.traced.operators import Node
from sphinx_llmsize.translation import _, current_separators

FOLDER = Path(__file__).parent / "explorer"
MODULE, SCRIPT, STYLES = "explorer.mjs", "llmsize-explorer.js", "llmsize-explorer.css"
"""Names of the ES module, of the classic script that is made from it, and of the styles."""
EXPLORER_CLASS, VIEW_CLASS, DATA_CLASS = "llmsize-explorer", "llmsize-view", "llmsize-data"


def explorer_in_html(
    document: InteractiveDocument,
    *,
    id: str,
    syntax: Syntax = MARKDOWN,
    links: Links = (),
    title: str = "",
    level: int = 2,
) -> Markup:
    """An interactive document as one element, complete without the script.

    Args:
        document: the document.
        id: its id, and prefix of all ids in it.
        syntax: how the source of a directive is written.
        links: pairs of the id of a diagram's box and the address that it links to.
        title: text of a heading above it; empty for none.
        level: level of that heading, 1 to 6.
    """
    explorer = document.explorer
    heading = [element(f"h{level}", title)] if title else []
    views = [
        _view([variant.blocks for variant in variants], f"{id}-{name}", links, bool(title))
        for name, variants in explorer.views.items()
    ]
    # after the views, whose bars add texts to the trace
    data = Markup(_json(explorer_data(explorer, document.source, syntax)))
    script = element("script", data, type="application/json", class_=DATA_CLASS)
    content = join((*heading, *views, script), "\n")
    return element("div", content, class_=f"{OUTPUT_CLASS} {EXPLORER_CLASS}", id=id)


def _view(variants: list[Document], id: str, links: Links, has_heading: bool) -> Markup:
    """An element with the first variant, and with the others as templates for the script."""
    contents: list[Markup] = []
    for number, blocks in enumerate(variants):
        variant_id = f"{id}-{number}" if number else id
        html = blocks_in_html(blocks, id=variant_id, links=links, has_heading=has_heading)
        contents.append(with_positions(html))
    first, *others = contents
    templates = (element("template", other) for other in others)
    return element("div", first, *templates, class_=VIEW_CLASS)


def explorer_data(explorer: Explorer, source: Source, syntax: Syntax) -> dict[str, Any]:
    """Data for the script: expressions, texts, conditions and controls, as JSON has them."""
    conditions: dict[tuple[str, int, int], int] = {}

    def positions(required: Conditions) -> list[int]:
        """Position of each condition, or -1 - position if it must be false."""
        numbers: list[int] = []
        for condition, result in required.items():
            position = conditions.setdefault(condition, len(conditions))
            numbers.append(position if result else -1 - position)
        return numbers

    def message_data(messages: Iterable[Message]) -> list[dict[str, Any]]:
        return [{"conditions": positions(each.conditions), "text": each.text} for each in messages]

    separators = current_separators()
    views = [
        [positions(variant.conditions) for variant in variants]
        for variants in explorer.views.values()
    ]
    errors, results = message_data(explorer.errors), message_data(explorer.results)
    return {
        "name": explorer.model.name,
        "controls": list(_controls(explorer)),
        "nodes": [_node(node) for node in explorer.trace.nodes],
        "texts": explorer.trace.texts,
        "conditions": list(conditions),
        "views": views,
        "errors": errors,
        "results": results,
        "separators": [separators.group, separators.decimal],
        "words": _words(),
        "source": _source(source, syntax),
    }


def _source(source: Source, syntax: Syntax) -> dict[str, Any]:
    """The parts from which the script writes the directive for other sizes."""
    return {
        "first": f"{syntax.first} {source.argument}".rstrip(),
        "changed": f"{syntax.first} {source.changed or source.argument}".rstrip(),
        "options": {"interactive": "", **source.options},
        "settings": dict(source.settings),
        "indent": syntax.indent,
        "last": syntax.last,
    }


def _node(node: Node) -> str | list[Any]:
    """A variable's name, a number as text, or a list with an operator and its operands.

    Numbers are text since they can be larger than those of JSON in browsers.
    """
    head, *operands = node
    if head == "=":
        return str(operands[0])
    return [head, *operands] if operands else str(head)


def _controls(explorer: Explorer) -> Iterator[dict[str, Any]]:
    name_of = explorer.model.family.name_of
    for control in explorer.controls:
        yield {
            "name": control.name,
            "symbol": control.symbol,
            "label": control.label,
            "value": control.value,
            "steps": control.steps,
            "least": control.least,
            "most": control.most,
            "follows": control.follows,
            "choices": control.choices or None,
            "texts": control.texts,
            "options": control.options,
            "key": name_of(control.key) if control.key else "",
        }


def _words() -> dict[str, str]:
    """Texts of the controls."""
    return {
        "panel": _("Sizes to change"),
        "reset": _("Reset"),
        "copy": _("Copy as directive"),
        "copied": _("Copied"),
        "changed": _(CHANGED),
        "before": _("The numbers below are for the sizes before."),
        "unknown": _("This part isn't computed for these sizes: the model has another structure."),
    }


def _json(data: object) -> str:
    """JSON in a script element, in which no text can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


@cache
def module() -> str:
    """The ES module, which exports what anywidget expects: ``export default { render }``."""
    return (FOLDER / MODULE).read_text("utf-8")


@cache
def styles() -> str:
    """Styles of the controls, in addition to the stylesheet of all output."""
    return (FOLDER / STYLES).read_text("utf-8")


def embedded_script(documents: Iterable[Document]) -> Markup:
    """Elements with the styles and the script; empty if none of the documents is interactive."""
    if not any(isinstance(each, InteractiveDocument) for each in documents):
        return Markup("")
    # neither contains markup that could end its element
    elements = (element("style", Markup(styles())), element("script", Markup(script())))
    return join(elements, "\n")


@cache
def script() -> str:
    """The module as a classic script, which browsers also run in local files, unlike modules."""
    start = (FOLDER / "start.js").read_text("utf-8")
    code = module().replace("export default", "const widget =")
    return f"(() => {{\n{code}\n{start}}})();\n"
