"""HTML of an explorer: the static views, their variants, and the data that its script reads."""

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
from sphinx_llmsize.interactive.changed_words import named_changes, sizes_that_stayed
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.source_syntax import Host, Syntax, python, source_data
from sphinx_llmsize.interactive.traced_model import marked_title
from sphinx_llmsize.interactive.variants import Conditions, Message
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.translation import _, current_separators
from sphinx_llmsize.views.shared.wording import LAST_ITEM, NEXT_ITEM, WITH_CHANGES, title

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
    host: Host = python,
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
            [variant.blocks for variant in variants], f"{id}-{name}", links, has_heading=bool(title)
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


def explorer_data(explorer: Explorer, source: Source, host: Host) -> dict[str, Any]:
    """Data of an explorer for its script, as JSON can represent it."""
    all_conditions: dict[tuple[str, int, int], int] = {}  # with their positions

    def positions(conditions: Conditions) -> list[int]:
        """Position of each condition, or -1 - position if it must not hold."""
        found: list[int] = []
        for condition, result in conditions.items():
            position = all_conditions.setdefault(condition, len(all_conditions))
            found.append(position if result else -1 - position)
        return found

    def messages_data(messages: Iterable[Message]) -> list[dict[str, Any]]:
        return [{"conditions": positions(each.conditions), "text": each.text} for each in messages]

    separators = current_separators()
    syntax = host(source)
    # the texts of these are added to those of the trace
    changes = [
        {
            "key": each.key,
            "follows": each.follows,
            "unless": positions(each.unless),
            "texts": messages_data(each.texts),
        }
        for each in named_changes(explorer, source)
    ]
    stayed = [
        {
            "unless": positions(each.unless),
            "text": each.text,
            "followers": [[key, *messages_data([text])] for key, text in each.followers],
        }
        for each in sizes_that_stayed(explorer, source)
    ]
    views = [
        [positions(variant.conditions) for variant in variants]
        for variants in explorer.views.values()
    ]
    errors, results = messages_data(explorer.errors), messages_data(explorer.results)
    return {
        "name": explorer.model.name,
        "title": title(explorer.model),
        "changed": source.changed or explorer.model.name,
        "changes": changes,
        "stayed": stayed,
        "controls": list(_controls(explorer, syntax)),
        "nodes": [_node(node) for node in explorer.trace.nodes],
        "texts": explorer.trace.texts,
        "conditions": list(all_conditions),
        "views": views,
        "errors": errors,
        "results": results,
        "separators": [separators.group, separators.decimal],
        "words": _words(syntax),
        "source": source_data(source, syntax, explorer.controls),
    }


def _node(node: tuple[Any, ...]) -> Any:
    """An expression: an operator with its operands, a number, or the name of a variable.

    A number is text, since it may be too large for JSON.
    """
    head, *operands = node
    if head == "=":  # a variable
        return operands[0]
    return [head, *operands] if operands else str(head)


def _controls(explorer: Explorer, syntax: Syntax) -> Iterator[dict[str, Any]]:
    """The controls, with the names that the script reads."""
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
            "range": _(
                "{size}: a whole number from {least} to {most}",
                size=control.label,
                least=control.least,
                most=control.most,
            ),
            "choices": control.choices or None,
            "texts": [syntax.option_text(text) for text in control.texts],
            "options": control.options,
            "key": name_of(control.key) if control.key else "",
        }


def _words(syntax: Syntax) -> dict[str, str]:
    """Texts of the controls."""
    return {
        "panel": _("Sizes to change"),
        "reset": _("Reset"),
        "copy": _(syntax.label),
        "copied": _("Copied"),
        "with": _(WITH_CHANGES),
        "next": _(NEXT_ITEM),
        "and": _(LAST_ITEM),
        "before": _("The numbers below are for the previous sizes."),
        "unknown": _("This page isn't prepared to show this part for these values."),
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
