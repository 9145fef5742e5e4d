"""Inline content: the pieces of a line of text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from sphinx_llmsize.algebra import subscript_parts

_UNBROKEN = re.compile(r"(?=.{,14}$)[\w.]+(-[\w.]+)+")
"""A word of a name without a line break at its hyphens; longer ones need line breaks."""
_SUPERSCRIPTS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


@dataclass(frozen=True)
class _Text:
    """Base class of pieces with a text."""

    text: str

    def __str__(self) -> str:
        return self.text


class FormulaText(str):
    """Digits, signs and brackets of a formula; pages show them in the font of its symbols."""

    __slots__ = ()

    @property
    def typeset(self) -> FormulaText:
        """The text with a space in place of each dot between factors, as in a book."""
        return FormulaText(self.replace("·", "\N{NO-BREAK SPACE}"))


@dataclass(frozen=True)
class Variable:
    """A symbol in running text: ``H_kv`` has base ``H`` and subscript ``kv``."""

    base: str
    subscript: str = ""

    @property
    def subscript_parts(self) -> tuple[tuple[str, bool], ...]:
        """Parts of the subscript, each with True if it is italic."""
        return subscript_parts(self.subscript)

    def __str__(self) -> str:
        return f"{self.base}_{self.subscript}" if self.subscript else self.base


class Exponent(_Text):
    """The exponent of the symbol before it, in superscript digits: ``²``."""


@dataclass(frozen=True)
class Superscript:
    """A symbol as the exponent of the text before it: ``p`` in 2^p."""

    symbol: Variable

    def __str__(self) -> str:
        return f"^{self.symbol}"


class Name(_Text):
    """The name of a model; lines don't break at the hyphens of its short words."""

    @property
    def parts(self) -> tuple[tuple[str, bool], ...]:
        """Words and the spaces between them, each with True if no line may break in it.

        A version belongs to the word before it: ``Llama 3``.
        """
        words = re.split(r"( )(?!\d[\d.]*(?: |$))", self.text)
        return tuple((word, bool(_UNBROKEN.fullmatch(word))) for word in words)


class Muted(_Text):
    """Text of secondary importance."""


@dataclass(frozen=True)
class NoteMark(Muted):
    """Mark of a note on the text before it; left out of JSON and CSV.

    Attributes:
        turned: the mark in a table that is turned on a phone; empty if it is the same.
    """

    turned: str = ""


class Code(_Text):
    """An identifier in running text: ``tie_word_embeddings``."""


@dataclass(frozen=True)
class Link(_Text):
    """Text that links to a page on the web."""

    url: str


@dataclass(frozen=True)
class Drawn:
    """Text that refers to a drawing; left out by hosts that describe the drawing in words."""

    content: Line

    def __str__(self) -> str:
        return "".join(map(str, self.content))


@dataclass(frozen=True)
class KeyItem:
    """Meaning of a frame, or of a word, in a drawing.

    Attributes:
        frame: kind of the frame, as in the classes of boxes; ``either`` for a word at a fork.
        name: the frame in words, or the word in quotes.
        meaning: its meaning.
        word: the word as it is in the drawing; empty for a frame.
    """

    frame: str
    name: str
    meaning: Line
    word: str = ""


@dataclass(frozen=True)
class Key(Drawn):
    """Meanings of frames, as sentences; HTML shows a sample in place of each frame's name.

    Attributes:
        items: the frames.
        punctuation: text between a frame and its meaning, and after the meaning.
        has_colors: True if the colours of boxes belong to their frames.
    """

    items: tuple[KeyItem, ...]
    punctuation: tuple[str, str]
    has_colors: bool = True


class OfPreset(_Text):
    """Text about the released model; hidden once a reader of an interactive page changes a size."""


@dataclass(frozen=True)
class Rounded(_Text):
    """A rounded number, ``6.74B``; JSON and CSV have all its digits.

    Attributes:
        exact: the number with all digits: ``6,738,415,616``.
    """

    exact: str


@dataclass(frozen=True)
class Bar:
    """A fraction from 0 to 1, drawn as a bar if the output supports it; it has no text."""

    fraction: float

    def __str__(self) -> str:
        return ""


Inline = Union[
    str, Variable, Exponent, Superscript, Name, Code, Link, Muted, Drawn, OfPreset, Rounded, Bar
]
"""A piece of a line of text."""
Line = tuple[Inline, ...]
"""The pieces of a line of text, in order."""


def muted(line: Line | str) -> Line:
    """The line as text of secondary importance; its symbols stay as they are."""
    pieces = (line,) if isinstance(line, str) else line
    return tuple(Muted(piece) if isinstance(piece, str) else piece for piece in pieces)


def is_muted(line: Line) -> bool:
    """True for a line of secondary importance, such as numbers below symbols.

    It has muted text, and nothing else but symbols.
    """
    kinds = {type(piece) for piece in line}
    return Muted in kinds and kinds <= {Muted, Variable, Exponent, Link}


def text_after(pieces: Sequence[Inline], text: str) -> Line:
    """The text after these pieces; superscript digits after a symbol are its exponent."""
    exponent = _SUPERSCRIPTS.match(text)
    if not exponent or not pieces or not isinstance(pieces[-1], Variable):
        return (text,)
    rest = type(text)(text[exponent.end() :])
    return (Exponent(exponent[0]), rest) if rest else (Exponent(exponent[0]),)
