"""Small numbers as words: ``five language models``."""

from __future__ import annotations

from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import N_, _

WORDS = {
    2: N_("two"),
    3: N_("three"),
    4: N_("four"),
    5: N_("five"),
    6: N_("six"),
    7: N_("seven"),
    8: N_("eight"),
    9: N_("nine"),
    10: N_("ten"),
    11: N_("eleven"),
    12: N_("twelve"),
}
"""Words for the numbers from two to twelve."""


def number_word(number: int) -> str:
    """``five``; digits for 1 and for numbers above twelve."""
    return _(WORDS[number]) if number in WORDS else thousands(number)
