"""HTML of lines of text."""

from __future__ import annotations

from functools import singledispatch

from sphinx_llmsize.html.class_names import (
    DRAWN_CLASS,
    MUTED_CLASS,
    OF_PRESET_CLASS,
    SHARE_CLASS,
    SIGNS_CLASS,
    SPOKEN_CLASS,
    SYMBOL_CLASS,
    UNBROKEN_CLASS,
    UPRIGHT_CLASS,
    key_classes,
    sample_classes,
    share_style,
    symbol_classes,
)
from sphinx_llmsize.html.markup import Markup, element, join
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
    OfPreset,
    Superscript,
    Variable,
    is_muted,
)
from sphinx_llmsize.typography import typographic, with_unbroken_parentheses


def paragraph(line: Line, name: str = "", class_: str = "") -> Markup:
    """A paragraph; the stylesheet draws the bar of a line that ends with one.

    Args:
        line: the text.
        name: name of its number in the role ``llm-size``, shown as a tooltip; empty for none.
        class_: class of the paragraph; ignored if the line is muted or has a bar.
    """
    if is_muted(line):
        pieces = tuple(piece.text if isinstance(piece, Muted) else piece for piece in line)
        return element("p", with_tooltip(join(inlines(pieces)), name), class_=MUTED_CLASS)
    if line and isinstance(line[-1], Bar):
        style = share_style(100 * line[-1].fraction)
        text = with_tooltip(join(inlines(line[:-1])), name)
        return element("p", text, class_=SHARE_CLASS, style=style)
    return element("p", with_tooltip(join(inlines(line)), name), class_=class_)


def with_tooltip(content: str, name: str) -> str:
    """The content with the name of its number as a tooltip; unchanged if the name is empty."""
    return element("span", content, title=name) if name else content


def inlines(line: Line) -> list[Markup]:
    """Elements and texts of a line."""
    return [_inline(piece) for piece in with_unbroken_parentheses(line)]


@singledispatch
def _inline(piece: Inline) -> Markup:
    """HTML of a piece; of text, which has no kind of its own, by default."""
    return join([typographic(str(piece))])


@_inline.register
def _(piece: Variable) -> Markup:
    subscript = [element("sub", *map(_subscript, piece.subscript_parts))] if piece.subscript else []
    return element("span", piece.base, *subscript, class_=symbol_classes(piece))


@_inline.register
def _(piece: FormulaText) -> Markup:
    return element("span", typographic(piece.typeset), class_=SIGNS_CLASS)


@_inline.register
def _(piece: Exponent) -> Markup:
    return element("span", piece.text, class_=f"{SYMBOL_CLASS} {UPRIGHT_CLASS}")


@_inline.register
def _(piece: Superscript) -> Markup:
    return element("sup", _inline(piece.symbol))


@_inline.register
def _(piece: Name) -> Markup:
    return join(map(_part_of_name, piece.parts))


@_inline.register
def _(piece: Code) -> Markup:
    return element("code", piece.text)


@_inline.register
def _(piece: Link) -> Markup:
    return element("a", piece.text, href=piece.url)


@_inline.register
def _(piece: Muted) -> Markup:
    return element("span", typographic(piece.text), class_=MUTED_CLASS)


@_inline.register
def _(piece: NoteMark) -> Markup:
    return element("span", piece.text, class_=MUTED_CLASS, data_turned=piece.turned)


@_inline.register
def _(piece: Drawn) -> Markup:
    return element("span", *inlines(piece.content), class_=DRAWN_CLASS)


@_inline.register
def _(piece: Key) -> Markup:
    items = join((_key_item(item, piece.punctuation) for item in piece.items), " ")
    return element("span", items, class_=key_classes(piece))


@_inline.register
def _(piece: OfPreset) -> Markup:
    return element("span", typographic(piece.text), class_=OF_PRESET_CLASS)


def _key_item(item: KeyItem, punctuation: tuple[str, str]) -> Markup:
    """A frame and its meaning; the stylesheet hides what is in place of the sample."""
    between, after = (element("span", text, class_=SPOKEN_CLASS) for text in punctuation)
    name = element("span", item.word or item.name, class_=sample_classes(item))
    return element("span", name, between, *inlines(item.meaning), after)


def _part_of_name(part: tuple[str, bool]) -> str:
    """A part of a name, in an element if no line may break in it."""
    text, is_unbroken = typographic(part[0]), part[1]
    return element("span", text, class_=UNBROKEN_CLASS) if is_unbroken else text


def _subscript(part: tuple[str, bool]) -> str:
    """A part of a subscript; words are upright."""
    text, is_italic = part
    return text if is_italic else element("span", text, class_=UPRIGHT_CLASS)
