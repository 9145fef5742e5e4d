"""Suggestions for unknown names: a corrected spelling, or other names of the same line of models.

A line of models has names with the same first word: llama, qwen, exaone. A name of another line,
version or size is never suggested as a correction, however similar it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import takewhile

from sphinx_llmsize.errors import nearest, suggestion
from sphinx_llmsize.translation import _

SIMILARITY = 0.88
"""Minimum similarity of a misspelt word to the correct one: lama is near llama, umt not near mt."""
LONG_WORD = 4
"""Minimum number of letters of a word that may be misspelt."""
MAX_NAMES = 8
"""Maximum number of names in a list of a line's names."""


def hint_for(name: str, known: Sequence[str]) -> str:
    """Hint for an unknown name; empty if no known name is of its line.

    ``lama-7b`` and ``llama7b`` suggest ``llama-7b``; ``exaone`` lists the names of that line.
    """
    return suggestion(correction(name, known)) or names_of_line(name, known)


def correction(name: str, known: Sequence[str]) -> str:
    """Known name with the same numbers, and words spelt almost equally; empty if there is none."""
    wanted = words(name)
    alike = [other for other in known if _is_alike(words(other), wanted)]
    return same_letters(name, known) or nearest(name.rpartition("/")[2], alike)


def same_letters(name: str, known: Sequence[str]) -> str:
    """Known name that differs only in hyphens, underscores, letter case or organisation, or ''."""
    joined = "".join(words(name))
    return next((other for other in known if "".join(words(other)) == joined), "")


def names_of_line(name: str, known: Sequence[str]) -> str:
    """Hint that lists known names of the same line, even if its name is misspelt; or empty.

    Names that begin with the same words, such as the version, come first.
    """
    lines: dict[str, list[str]] = {}
    for other in known:
        if "/" not in other:
            lines.setdefault(line_of(other), []).append(other)
    wanted = line_of(name)
    near = get_close_matches(wanted, lines, n=1, cutoff=SIMILARITY) if wanted else []
    if not near:
        return ""
    names = sorted(lines[near[0]], key=lambda other: -_common_words(other, name))
    shown = ", ".join((*names[:MAX_NAMES], *(["…"] if names[MAX_NAMES:] else [])))
    return _("of this line there are {names}", names=shown)


def _common_words(one: str, other: str) -> int:
    """Number of words with which both names begin."""
    pairs = zip(words(one), words(other), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def line_of(name: str) -> str:
    """First word of a name, without an organisation: llama for ``meta-llama/Llama-3-8B``."""
    return next((word for word in words(name) if word.isalpha()), "")


def words(name: str) -> list[str]:
    """Words and numbers of a name without its organisation: ``Llama-3-8B`` is llama, 3, 8, b."""
    return re.findall(r"[^\W\d_]+|\d+", name.rpartition("/")[2].casefold())


def _is_alike(known: list[str], wanted: list[str]) -> bool:
    """True if numbers are equal, short words have the same letters, and long words are similar."""
    return len(known) == len(wanted) and all(
        word == other
        or (word.isalpha() and sorted(word) == sorted(other))
        or (len(other) >= LONG_WORD and get_close_matches(word, [other], cutoff=SIMILARITY))
        for word, other in zip(known, wanted, strict=True)
    )
