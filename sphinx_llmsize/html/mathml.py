"""MathML Core for the TeX in blocks, with the TeX as its annotation.

Only the TeX commands that views write are supported; any other raises an error, so that a formula
is never shown wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sphinx_llmsize.blocks import Tex
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.marks import BEGIN, END
from sphinx_llmsize.translation import NARROW_SPACE
from sphinx_llmsize.views.shared.typeset import width

PHONE_WIDTH = 24
"""Width that fits on any phone, in digits."""
NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_TOKEN = re.compile(
    r"\\(?:text|mathrm)\{(?P<text>(?:[^{}]|\{,\})*)\}"
    rf"|(?P<number>{BEGIN}?\d+(?:(?:\{{,\}}|\\,|[.,’'])\d+)*{END}?)"
    r"|(?P<symbol>\\(?:[A-Za-z]+|.)|\S)"
    r"|\s+",
    re.DOTALL,
)
"""Token of TeX: words, a number, another command or character, or space."""
_TERMS = re.compile(r"(?= (?:[+-]|\\times) )")
"""Position before a sign between terms or factors."""
_RELATIONS = {"=": "=", r"\approx": "≈"}
"""Characters of signs between the sides of an equation."""
_SIGNS = {"+": "+", "-": "−", r"\times": "×", r"\cdot": "⋅"}
"""Characters of signs between terms or factors."""
_SPACED = frozenset((*_RELATIONS, *_SIGNS, r"\,"))
"""Operators with space before them, unless they are at the start of a piece."""
_UNSPACED = {"lspace": "0", "rspace": "0"}
"""Attributes of an operator without space around it."""
_OPERATORS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    **{tex: (sign, {}) for tex, sign in (_RELATIONS | _SIGNS).items()},
    **{fence: (fence, {"stretchy": "false"}) for fence in "()[]"},
    ",": (",", {"separator": "true", "lspace": "0"}),
    "/": ("/", _UNSPACED),
    r"\,": ("\N{INVISIBLE TIMES}", {"lspace": "0.1667em", "rspace": "0"}),
}
"""Characters of operators, with attributes that replace those of MathML's operator dictionary."""
_SPACES = {r"\;": "0.2778em", r"\quad": "1em"}
"""Commands for space, and its width."""
_SCRIPTS = {"_": "msub", "^": "msup", "_^": "msubsup"}
"""Elements for a subscript, a superscript, and both."""


def mathml(pieces: Tex) -> Markup:
    """Pieces of TeX as inline MathML elements with spaces between, where lines may break.

    Browsers don't break lines within an element, so a piece that is wider than a phone is divided
    into several.

    Raises:
        ValueError: a piece contains TeX that isn't supported.
    """
    return join((_math(part) for piece in pieces for part in divided(piece)), " ")


def divided(piece: str) -> Sequence[str]:
    """The piece; or its terms and factors, if it is too wide and no sign is inside braces."""
    parts = [part for part in _TERMS.split(piece) if part]
    is_divisible = all(part.count("{") == part.count("}") for part in parts)
    return parts if is_divisible and width(piece) > PHONE_WIDTH else (piece,)


def _math(piece: str) -> Markup:
    """One element with a piece of TeX, which is also its annotation."""
    content = _Reader(piece).read()
    annotation = element("annotation", piece.strip(), encoding="application/x-tex")
    return element("math", element("semantics", content, annotation), xmlns=NAMESPACE)


class _Reader:
    """Reader of one piece of TeX."""

    def __init__(self, tex: str) -> None:
        self._tex = tex
        # " - b" continues the piece before it, "-b" is a negative number
        self._continues = tex[:1].isspace()
        self._tokens = [found for found in _TOKEN.finditer(tex) if not found[0].isspace()]
        self._tokens.reverse()  # a stack: the next token is the last

    def read(self) -> Markup:
        """Read the whole piece.

        Raises:
            ValueError: the TeX isn't supported.
        """
        items = self._items()
        if self._tokens:
            raise self._error(self._tokens[-1][0])
        return element("mrow", *items)

    def _error(self, token: str) -> ValueError:
        """Error for TeX that isn't supported."""
        return ValueError(f"TeX without MathML: {token!r} in {self._tex!r}")

    def _is_next(self, *tokens: str) -> bool:
        """True if the next token is one of these."""
        return bool(self._tokens) and self._tokens[-1][0] in tokens

    def _take(self, token: str) -> None:
        """Skip the next token, which must be this one."""
        if not self._is_next(token):
            raise self._error(f"no {token}")
        self._tokens.pop()

    def _items(self) -> list[Markup]:
        """Elements up to the end of the group or of the piece."""
        items: list[Markup] = []
        before = ""
        while self._tokens and not self._is_next("}"):
            token = self._tokens[-1][0]
            items += self._item(before)
            before = token
        return items

    def _group(self) -> Markup:
        """A group in braces, as one element."""
        self._take("{")
        items = self._items()
        self._take("}")
        return items[0] if len(items) == 1 else element("mrow", *items)

    def _item(self, before: str) -> list[Markup]:
        """The next element with its scripts; a function's name has an operator after it.

        Args:
            before: the token before it in its group; empty if it is the first.
        """
        token = self._tokens.pop()
        if token["text"] is not None:
            return [self._with_scripts(element("mtext", words(token["text"])))]
        if token["number"]:
            return [self._with_scripts(element("mn", words(token["number"])))]
        symbol = token[0]
        if symbol in _OPERATORS:
            return [self._operator(symbol, before)]
        if symbol == r"\min":
            return [element("mi", "min"), element("mo", "\N{FUNCTION APPLICATION}")]
        return [self._with_scripts(self._symbol(symbol))]

    def _operator(self, symbol: str, before: str) -> Markup:
        """An operator, whose space depends on the token before it."""
        text, attributes = _OPERATORS[symbol]
        if before in _RELATIONS and symbol in _SIGNS:
            attributes = {**attributes, "form": "prefix"}
        elif not before and symbol in _SPACED:
            # at the start of an element, browsers would take the sign for that of a number; the
            # space before it is that between the elements
            attributes = dict(attributes)
            if self._continues:
                attributes["form"] = "infix"
            attributes["lspace"] = "0"
        return element("mo", text, **attributes)

    def _symbol(self, symbol: str) -> Markup:
        """A letter, a space, or a command with the groups that follow it."""
        if symbol.isalpha():
            return element("mi", symbol)
        if symbol in _SPACES:
            return element("mspace", width=_SPACES[symbol])
        if symbol == r"\tfrac":
            return element("mfrac", self._group(), self._group())
        if symbol == r"\vphantom":
            return element("mpadded", element("mphantom", self._group()), width="0")
        if symbol == r"\underbrace":
            brace = element("mo", "\N{BOTTOM CURLY BRACKET}", stretchy="true")
            braced = element("munder", self._group(), brace)
            self._take("_")
            return element("munder", braced, self._group())
        raise self._error(symbol)

    def _with_scripts(self, base: Markup) -> Markup:
        """The element with the subscript and the superscript that follow it."""
        kinds, scripts = "", []
        while self._is_next("_", "^"):
            kinds += self._tokens.pop()[0]
            scripts.append(self._group())
        if not scripts:
            return base
        if kinds not in _SCRIPTS:
            raise self._error(kinds)
        return element(_SCRIPTS[kinds], base, *scripts)


def words(tex: str) -> str:
    r"""Text of words or a number, which have TeX for commas, ``{,}``, and narrow spaces, ``\,``."""
    return tex.replace("{,}", ",").replace(r"\,", NARROW_SPACE)
