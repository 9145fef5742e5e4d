"""Inline nodes of MyST Markdown (mdast): text, variables, code and math.

Text is the value of a node, so that no theme or export reads it as markup.
"""

from __future__ import annotations

from typing import Any

from sphinx_llmsize.blocks import Bar, Code, Inline, Line, Link, Superscript, Tex, Variable
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.html.math_elements import signed_tex

Node = dict[str, Any]
"""A node as JSON: its ``type``, and its ``children`` or its ``value``."""


def parent(type: str, *children: Node) -> Node:
    """A node of a type, with children."""
    return {"type": type, "children": list(children)}


def text(value: str) -> Node:
    """Text, with control characters as escapes.

    Exports to Markdown don't escape dollar signs, so that the fullwidth sign ``＄`` replaces them.
    """
    return {"type": "text", "value": visible(value).replace("$", "＄")}


def line_nodes(line: Line) -> list[Node]:
    """Nodes of a line; bars have none, as their numbers are beside them."""
    return [node for piece in line for node in _inline(piece)]


def _inline(piece: Inline) -> list[Node]:
    if isinstance(piece, Variable):
        return _variable(piece)
    if isinstance(piece, Superscript):
        return [parent("superscript", *_variable(piece.symbol))]
    if isinstance(piece, Bar):
        return []
    if isinstance(piece, Code):
        return [{"type": "inlineCode", "value": visible(piece.text)}]
    if isinstance(piece, Link):
        return [text(piece.text)]  # no link: strict builds would need the paper's site
    return [text(str(piece))]


def _variable(variable: Variable) -> list[Node]:
    """A variable with its subscript, in which words are upright."""
    base = parent("emphasis", text(variable.base))
    subscript = [
        parent("emphasis", text(part)) if is_italic else text(part)
        for part, is_italic in variable.subscript_parts
    ]
    return [base, parent("subscript", *subscript)] if subscript else [base]


def math_nodes(tex: Tex, before: str = "") -> list[Node]:
    """Inline math in pieces, between which a line may break.

    Args:
        tex: the pieces; none for no math.
        before: TeX before the first of them.
    """
    if not tex:
        return []
    first, *others = tex
    math = [_inline_math(f"{before}{first}")]
    for piece in others:
        math += [text(" "), _inline_math(piece)]
    return math


def _inline_math(tex: str) -> Node:
    return {"type": "inlineMath", "value": signed_tex(tex)}
