"""Conversion of lines of inline content to docutils nodes.

Generated text is not translatable and gets no smart quotes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from docutils import nodes

from sphinx_llmsize.hosts.sphinx.nodes import number_name, share, turned_text
from sphinx_llmsize.html.class_names import (
    DRAWN_CLASS,
    MUTED_CLASS,
    SIGNS_CLASS,
    SPOKEN_CLASS,
    SYMBOL_CLASS,
    UNBROKEN_CLASS,
    UPRIGHT_CLASS,
    key_classes,
    sample_classes,
    symbol_classes,
)
from sphinx_llmsize.inline import (
    Bar,
    Code,
    Drawn,
    Exponent,
    FormulaText,
    Inline,
    Key,
    KeyItem,
    Line,
    Link,
    Muted,
    Name,
    NoteMark,
    Superscript,
    Variable,
    is_muted,
)
from sphinx_llmsize.typography import typographic, with_unbroken_parentheses

GENERATED = {"translatable": False, "support_smartquotes": False}
"""Attributes of nodes with generated text."""


def inlines(line: Line) -> list[nodes.Node]:
    """Nodes of a line."""
    found: list[nodes.Node] = []
    for piece in with_unbroken_parentheses(line):
        parts = map(_part_of_name, piece.parts) if isinstance(piece, Name) else [_inline(piece)]
        found += parts
    return found


def paragraph(line: Line) -> nodes.paragraph:
    """A paragraph of generated text; a line that ends with a bar becomes a ``share``."""
    if is_muted(line):
        pieces = tuple(piece.text if isinstance(piece, Muted) else piece for piece in line)
        return nodes.paragraph("", "", *inlines(pieces), classes=[MUTED_CLASS], **GENERATED)
    if line and isinstance(line[-1], Bar):
        percent = 100 * line[-1].fraction
        return share("", "", *inlines(line[:-1]), percent=percent, **GENERATED)
    return nodes.paragraph("", "", *inlines(line), **GENERATED)


def named_number(content: Sequence[nodes.Node], name: str) -> list[nodes.Node]:
    """The content, with the name of its number as a tooltip; unchanged for an empty name."""
    return [number_name("", "", *content, name=name)] if name else [*content]


@singledispatch
def _inline(piece: Inline) -> nodes.Node:
    """Node of a piece other than a name; of text, which has no kind of its own, by default."""
    return nodes.Text(typographic(str(piece)))


@_inline.register
def _(piece: Variable) -> nodes.Node:
    symbol = nodes.inline(piece.base, piece.base, classes=symbol_classes(piece).split())
    if piece.subscript:
        symbol += nodes.subscript(piece.subscript, "", *map(_subscript, piece.subscript_parts))
    return symbol


@_inline.register
def _(piece: FormulaText) -> nodes.Node:
    text = typographic(piece.typeset)
    return nodes.inline(text, text, classes=[SIGNS_CLASS])


@_inline.register
def _(piece: Exponent) -> nodes.Node:
    return nodes.inline(piece.text, piece.text, classes=[SYMBOL_CLASS, UPRIGHT_CLASS])


@_inline.register
def _(piece: Superscript) -> nodes.Node:
    return nodes.superscript(str(piece.symbol), "", _inline(piece.symbol))


@_inline.register
def _(piece: Code) -> nodes.Node:
    return nodes.literal(piece.text, piece.text)


@_inline.register
def _(piece: Link) -> nodes.Node:
    return nodes.reference(piece.text, piece.text, refuri=piece.url)


@_inline.register
def _(piece: Muted) -> nodes.Node:
    text = typographic(piece.text)
    return nodes.inline(text, text, classes=[MUTED_CLASS])


@_inline.register
def _(piece: NoteMark) -> nodes.Node:
    if piece.turned:
        return turned_text("", piece.text, turned=piece.turned, classes=[MUTED_CLASS])
    return nodes.inline(piece.text, piece.text, classes=[MUTED_CLASS])


@_inline.register
def _(piece: Drawn) -> nodes.Node:
    return nodes.inline("", "", *inlines(piece.content), classes=[DRAWN_CLASS])


@_inline.register
def _(piece: Key) -> nodes.Node:
    key = nodes.inline("", "", classes=key_classes(piece).split())
    for item in piece.items:
        key += _key_item(item, piece.punctuation)
        key += nodes.Text(" ")
    return key


def _key_item(item: KeyItem, punctuation: tuple[str, str]) -> nodes.inline:
    """A frame and its meaning; the stylesheet hides what is in place of the sample."""
    between, after = (nodes.inline(text, text, classes=[SPOKEN_CLASS]) for text in punctuation)
    text = item.word or item.name
    name = nodes.inline(text, text, classes=sample_classes(item).split())
    return nodes.inline("", "", name, between, *inlines(item.meaning), after)


def _part_of_name(part: tuple[str, bool]) -> nodes.Node:
    """A word of a name, in a node of its own if no line may break in it."""
    text, is_unbroken = typographic(part[0]), part[1]
    return nodes.inline(text, text, classes=[UNBROKEN_CLASS]) if is_unbroken else nodes.Text(text)


def _subscript(part: tuple[str, bool]) -> nodes.Node:
    """A part of a subscript; words are upright."""
    text, is_italic = part
    return nodes.Text(text) if is_italic else nodes.inline(text, text, classes=[UPRIGHT_CLASS])
