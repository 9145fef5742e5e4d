"""Texts for shapes, symbols, stages and lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sphinx_llmsize.algebra import Number, Product, Size, Sum, Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Shape
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.inline import FormulaText, Inline, Line, Variable, text_after
from sphinx_llmsize.translation import N_, _, literals_and_placeholders, pgettext

TIMES = " × "
"""Sign between the dimensions of a shape, and between factors."""
COMMA = ",\N{NO-BREAK SPACE}"
"""Comma between the sizes of a shape in brackets, after which no line breaks."""
ONE_LETTER_WORDS = frozenset("aAI")
"""English words of one letter."""
PROPER_NAMES = frozenset(("Laurel", "Mamba"))
"""Names that keep their capital within a sentence, although it is the only one."""
NEXT_ITEM, LAST_ITEM = N_("{items}, {next}"), N_("{items} and {last}")
"""A list with one more item, and with its last."""
LAST_ALTERNATIVE = N_("{items} or {last}")
"""A list of alternatives with its last."""
STATE_SPACE_LETTERS = frozenset("ABC")
"""Labels of weights of a state space that are symbols, besides Δ, which is upright."""
_LETTER = re.compile(f"\\b([{''.join(sorted(STATE_SPACE_LETTERS))}])\\b")
_WORD = re.compile("([A-Za-zΑ-ω_][A-Za-zΑ-ω_0-9]*)")
"""A word that may be the name of a symbol; superscripts are no part of it."""


def in_sentence(label: str) -> str:
    """A label within a sentence: ``token embedding``, ``LM head``."""
    return with_small_initial(_(label))


def with_small_initial(shown: str) -> str:
    """A translated label, or an author's, within a sentence.

    The initial becomes lower case, except in abbreviations, in names such as AltUp and Mamba, and
    in languages such as German, whose catalogues translate "small" below as another word.
    """
    if pgettext("first letter of a name within a sentence", "small") != "small":
        return shown
    first_word, space, rest = shown.partition(" ")
    if first_word.isupper() or first_word.rstrip(":") in PROPER_NAMES:
        return shown
    if any(letter.isupper() or letter.isdigit() for letter in first_word[1:]):
        return shown
    return f"{first_word.lower()}{space}{rest}"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def label_line(label: str) -> Line:
    """A label as a line, in which letters beside Δ are symbols: B and C of a state space.

    It is empty for an empty label. Other letters stay text: V for values isn't the vocabulary size.
    """
    if "Δ" not in label:
        return (label,) if label else ()
    pieces = filter(None, _LETTER.split(label))
    return tuple(Variable(piece) if piece in STATE_SPACE_LETTERS else piece for piece in pieces)


def filled(template: str, **contents: Inline | Line) -> Line:
    """A translated message, with inline content in place of its placeholders.

    A placeholder without a value remains as text.
    """
    parts: list[Inline] = []
    for text, place in literals_and_placeholders(template):
        parts.append(text)
        if place:
            value = contents.get(place, f"{{{place}}}")
            parts += value if isinstance(value, tuple) else (value,)
    return joined(part for part in parts if part != "")


def size_line(size: Size) -> Line:
    """``H·d_h``, symbols as variables."""
    return formula_line(_inline(size))


def shape_line(shape: Shape) -> Line:
    """``D × H·d_h``, symbols as variables; sums are in brackets."""
    return formula_line(_factors(shape, TIMES))


def joined(pieces: Iterable[Inline]) -> Line:
    """The pieces with adjacent texts of the same kind joined, and exponents after symbols."""
    result: list[Inline] = []
    for kind, run in groupby(pieces, key=type):
        if issubclass(kind, str):
            result += text_after(result, kind("".join(map(str, run))))
        else:
            result += run
    return tuple(result)


def formula_line(pieces: Iterable[Inline]) -> Line:
    """The pieces joined, with their texts as parts of a formula."""
    return joined(FormulaText(piece) if isinstance(piece, str) else piece for piece in pieces)


def separated(lines: Iterable[Line], separator: str) -> Line:
    """The lines as one, with a separator between them."""
    result: list[Inline] = []
    for position, line in enumerate(lines):
        if position:
            result.append(separator)
        result += line
    return joined(result)


def shape_numbers(shape: Shape, architecture: Architecture) -> str:
    """A shape in numbers: ``4,096 × 11,008``."""
    return TIMES.join(thousands(architecture.count(dimension)) for dimension in shape)


def tied_text(stage: Stage) -> str:
    """``tied to the token embedding``; empty for a stage with weights of its own."""
    return _("tied to {weights}", weights=_(stage.tied_to)) if stage.tied_to else ""


def activation_line(shape: Shape) -> Line:
    """``[T, D]``: the shape of activations, symbols as variables, kept on one line."""
    return formula_line(("[", *separated(map(size_line, shape), COMMA), "]"))


def joined_sentences(*lines: Line) -> Line:
    """The sentences that are not empty, joined."""
    text, *others = [line for line in lines if line] or [()]
    for sentence in others:
        text = filled(_("{sentence} {next}"), sentence=text, next=sentence)
    return text


def listed(items: Sequence[Line]) -> Line:
    """``a, b and c``."""
    return _listed(items, LAST_ITEM)


def alternatives(items: Sequence[Line]) -> Line:
    """``a, b or c``."""
    return _listed(items, LAST_ALTERNATIVE)


def _listed(items: Sequence[Line], with_last: str) -> Line:
    """The items with commas, except before the last one."""
    *others, last = items or [()]
    return filled(_(with_last), items=with_commas(others), last=last) if others else last


def with_commas(items: Sequence[Line]) -> Line:
    """``a, b, c``."""
    line, *others = items or [()]
    for item in others:
        line = filled(_(NEXT_ITEM), items=line, next=item)
    return line


def listed_text(items: Sequence[str]) -> str:
    """``a, b and c`` as text."""
    return "".join(map(str, listed([(item,) for item in items])))


def comma_separated(items: Iterable[str]) -> str:
    """``a, b, c``."""
    text, *others = list(items) or [""]
    for item in others:
        text = _(NEXT_ITEM, items=text, next=item)
    return text


def variable(symbol: Symbol) -> Variable:
    """A symbol as inline content."""
    base, _underscore, subscript = symbol.name.partition("_")
    return Variable(base, subscript)


def with_symbols(text: str, symbols: Iterable[Symbol]) -> Line:
    """An author's text as inline content, with variables for words that are names of symbols.

    If it has a letter that isn't a symbol, its letters have meanings of their own and stay text:
    "Q, K and V".
    """
    by_name = {symbol.name: variable(symbol) for symbol in symbols}
    found = [piece for piece in _WORD.split(text) if piece]
    other_letters = {piece for piece in found if len(piece) == 1 and _WORD.fullmatch(piece)}
    if other_letters - by_name.keys() - ONE_LETTER_WORDS:
        return (text,)
    return joined(by_name.get(piece, piece) for piece in found)


def _inline(dimension: Size) -> Iterator[str | Variable]:
    """A size as text and variables."""
    if isinstance(dimension, Symbol):
        yield variable(dimension)
    elif isinstance(dimension, Number):
        yield thousands(dimension.value)
    elif isinstance(dimension, Product):
        yield from _factors(dimension.factors, "·", after_number="")
    elif isinstance(dimension, Sum):
        for position, term in enumerate(dimension.terms):
            if position:
                yield " + "
            yield from _inline(term)


def _factors(
    sizes: Sequence[Size], times: str, after_number: str | None = None
) -> Iterator[str | Variable]:
    """The sizes with a sign between them; sums are in brackets, unless there is only one size.

    Args:
        sizes: the sizes.
        times: the sign.
        after_number: another sign between a number and a symbol: ``4D`` has none.
    """
    for position, size in enumerate(sizes):
        if position:
            is_multiple = isinstance(sizes[position - 1], Number) and not isinstance(size, Number)
            yield times if after_number is None or not is_multiple else after_number
        if isinstance(size, Sum) and len(sizes) > 1:
            yield from ("(", *_inline(size), ")")
        else:
            yield from _inline(size)
