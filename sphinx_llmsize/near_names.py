"""Suggestions for unknown names: a corrected spelling, or other names of the same line of models.

A line of models has names with the same first word: llama, qwen, exaone. A name of another line,
version or size is never suggested as a correction, however similar it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import takewhile

from sphinx_llmsize.errors import nearest, suggestion
from sphinx_llmsize.translation import _

SIMILARITY = 0.88
"""Minimum similarity of a misspelt word to the correct one: of lama to llama, but not umt to mt."""
LONG_WORD = 4
"""Minimum number of letters of a word that may be misspelt."""
_DOUBLED = re.compile(r"(.)\1")
MAX_NAMES = 8
"""Maximum number of names that a hint lists."""


def hint_for(name: str, known: Sequence[str]) -> str:
    """Hint for an unknown name; empty if no known name is of its line.

    ``lama-7b`` and ``llama7b`` suggest ``llama-7b``; ``exaone`` lists the names of that line.
    """
    return suggestion(correction(name, known)) or names_of_line(name, known)


def correction(name: str, known: Sequence[str]) -> str:
    """Known name with the same numbers and with words that are spelt almost equally, or empty."""
    if same := same_letters(name, known):
        return same
    name_words = words(name)
    similar = [other for other in known if _are_similar(name_words, words(other))]
    return nearest(name.rpartition("/")[2], similar)


def same_letters(name: str, known: Sequence[str]) -> str:
    """Known name that differs only in punctuation, letter case or organisation, or empty.

    Punctuation within a size makes another size: 13b isn't 1.3b.
    """
    wanted = _letters_and_sizes(name)
    return next((other for other in known if _letters_and_sizes(other) == wanted), "")


@lru_cache(maxsize=4096)  # an unknown name is compared with those of all presets
def _letters_and_sizes(name: str) -> tuple[str, list[str]]:
    """Letters and digits of a name, and those digits that are directly before a unit of parameters.

    The latter are 3 for ``opt-1.3b``, but 13 for ``OPT 13B``.
    """
    return "".join(words(name)), re.findall(r"(\d+)[bmt](?![a-z])", name.casefold())


def names_of_line(name: str, known: Sequence[str]) -> str:
    """Hint that lists known names of the same line, or of one that is spelt almost equally.

    Names that have more words in common with the name, such as the version, come first. Empty if
    there is no such line.
    """
    lines: dict[str, list[str]] = {}
    for other in known:
        if "/" not in other:
            lines.setdefault(line_of(other), []).append(other)
    line = line_of(name)
    similar = [other for other in lines if _is_similar(line, other)] if line else []
    if not similar:
        return ""
    names = sorted(
        lines[nearest(line, similar)], key=lambda other: _common_words(other, name), reverse=True
    )
    if len(names) > MAX_NAMES:
        names[MAX_NAMES:] = ["…"]
    return _("names of this line: {names}", names=", ".join(names))


def _common_words(one: str, other: str) -> int:
    """Number of words with which both names begin."""
    pairs = zip(words(one), words(other), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def line_of(name: str) -> str:
    """First word of a name, without an organisation: llama for ``meta-llama/Llama-3-8B``."""
    return next((word for word in words(name) if word.isalpha()), "")


@lru_cache(maxsize=4096)  # as above
def words(name: str) -> tuple[str, ...]:
    """Words and numbers of a name without its organisation: ``Llama-3-8B`` is llama, 3, 8, b."""
    return tuple(re.findall(r"[^\W\d_]+|\d+", name.rpartition("/")[2].casefold()))


def _are_similar(name_words: tuple[str, ...], known_words: tuple[str, ...]) -> bool:
    """True if two names have equally many words, each similar to that in the same position."""
    if len(name_words) != len(known_words):
        return False
    pairs = zip(name_words, known_words, strict=True)
    return all(_is_similar(word, known) for word, known in pairs)


def _is_similar(word: str, known: str) -> bool:
    """True for an equal word or number, letters in another order, or a similar long word.

    Words are similar, too, if only the wrong letters are doubled: lamma for llama.
    """
    if word == known:
        return True
    if known.isalpha() and sorted(word) == sorted(known):
        return True
    if len(word) < LONG_WORD or not known.isalpha():
        return False
    has_same_letters = _DOUBLED.sub(r"\1", word) == _DOUBLED.sub(r"\1", known)
    return has_same_letters or bool(get_close_matches(known, [word], cutoff=SIMILARITY))
