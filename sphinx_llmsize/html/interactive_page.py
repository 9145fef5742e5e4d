"""HTML of an explorer: the static views, their variants, and the data from which a script works."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.class_names import PAGE_CLASS
from sphinx_llmsize.html.fragment import blocks_in_html
from sphinx_llmsize.html.markup import Markup, element, joined
from sphinx_llmsize.html.marked_numbers import with_positions
from sphinx_llmsize.html.svg import Links
from sphinx_llmsize.interactive.explorer import Conditions, Explorer
from sphinx_llmsize.translation import _, separators

FOLDER = Path(__file__).parent / "explorer"
MODULE, SCRIPT = "explorer.mjs", "llmsize-explorer.js"
"""Names of the ES module, and of the classic script that is made from it."""
EXPLORER_CLASS, VIEW_CLASS, DATA_CLASS = "llmsize-explorer", "llmsize-view", "llmsize-data"


@dataclass(frozen=True)
class Source:
    """Source of a directive, with which a reader can make the model on a page of their own.

    Attributes:
        first: its first line.
        options: its options; the reader's are added.
        settings: keys of its body; the reader's are added.
        indent: indentation of the lines after the first.
        last: its last line; empty if it ends with the indentation.
    """

    first: str
    options: Mapping[str, str]
    settings: Mapping[str, str]
    indent: str = "   "
    last: str = ""


def explorer_in_html(
    explorer: Explorer, source: Source, *, id: str, links: Links = (), title: str = "", level: int = 2
) -> Markup:
    """The explorer as one element, complete without the script.

    Args:
        explorer: the explorer.
        source: source of the directive.
        id: its id, and prefix of all ids in it.
        links: pairs of the id of a diagram's box and the address that it links to.
        title: text of a heading above it; empty for none.
        level: level of that heading, 1 to 6.
    """
    heading = [element(f"h{level}", title)] if title else []
    views = (
        _view([variant.blocks for variant in variants], f"{id}-{name}", links, bool(title))
        for name, variants in explorer.views
    )
    data = Markup(_json(explorer_data(explorer, source)))
    script = element("script", data, type="application/json", class_=DATA_CLASS)
    content = joined((*heading, *views, script), "\n")
    return element("div", content, class_=f"{PAGE_CLASS} {EXPLORER_CLASS}", id=id)


def _view(variants: list[Document], id: str, links: Links, has_heading: bool) -> Markup:
    first, *others = (
        with_positions(
            blocks_in_html(
                blocks, id=f"{id}-{number}" if number else id, links=links, has_heading=has_heading
            )
        )
        for number, blocks in enumerate(variants)
    )
    templates = (element("template", other) for other in others)
    return element("div", first, *templates, class_=VIEW_CLASS)


def explorer_data(explorer: Explorer, source: Source) -> dict[str, Any]:
    """Expressions, texts, conditions and controls, for JSON."""
    conditions: dict[tuple[str, int, int], int] = {}

    def positions(of: Conditions) -> list[int]:
        """Position of each condition, or -1 - position if it must not hold."""
        found = (conditions.setdefault(each, len(conditions)) for each in of)
        return [k if result else -1 - k for k, result in zip(found, of.values(), strict=True)]

    views = [
        [positions(variant.conditions) for variant in variants] for _name, variants in explorer.views
    ]
    errors = [
        {"conditions": positions(each.conditions), "message": each.message}
        for each in explorer.errors
    ]
    return {
        "name": explorer.model.name,
        "controls": list(_controls(explorer)),
        "nodes": [_node(node) for node in explorer.trace.nodes],
        "texts": explorer.trace.texts,
        "conditions": list(conditions),
        "views": views,
        "errors": errors,
        "status": explorer.status,
        "separators": separators(),
        "words": _words(),
        "source": {
            "first": source.first,
            "options": dict(source.options),
            "settings": dict(source.settings),
            "indent": source.indent,
            "last": source.last,
        },
    }


def _node(node: tuple[Any, ...]) -> Any:
    """A number as text, since it may be larger than numbers of JSON; a variable by its name."""
    head, *operands = node
    if head == "=":
        return operands[0]
    return [head, *operands] if operands else str(head)


def _controls(explorer: Explorer) -> Iterator[dict[str, Any]]:
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
            "key": control.key.name if control.key else "",
        }


def _words() -> dict[str, str]:
    """Texts of the controls."""
    return {
        "panel": _("Sizes to change"),
        "reset": _("Reset"),
        "copy": _("Copy as directive"),
        "copied": _("Copied"),
        "changed": _("{model}, changed"),
        "unknown": _("This part isn't computed for these sizes: the model has another structure."),
    }


def _json(data: object) -> str:
    """JSON in a script element, in which no text can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


@cache
def module() -> str:
    """The ES module, with the contract of anywidget: ``export default { render }``."""
    return (FOLDER / MODULE).read_text("utf-8")


@cache
def script() -> str:
    """The module and its start on a page, as a classic script, which also works in local files."""
    start = (FOLDER / "start.js").read_text("utf-8")
    code = module().replace("export default", "const widget =")
    return f"(() => {{\n{code}\n{start}}})();\n"
