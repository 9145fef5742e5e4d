"""Numbers as people write them in a configuration, and nothing that merely looks like one.

YAML 1.1 reads ``010`` as 8 and ``4096:00`` as 245760. Here such words stay words, and the
key that wanted a number says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx_llmsize.sources.located import Scalar

MAX_DIGITS = 40
"""Beyond any size; also below the length at which int() refuses to convert."""

_INT = re.compile(r"-?(?:0|[1-9][0-9]*(?:_[0-9]{3})*|[1-9][0-9]{0,2}(?:_[0-9]{3})+)", re.ASCII)
_FLOAT = re.compile(r"-?(?=\.?[0-9])(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?", re.ASCII)
_WORDS: dict[str, Scalar] = {
    word: value
    for words, value in (
        (("null", "Null", "NULL", "None", "~", ""), None),
        (("true", "True", "TRUE"), True),
        (("false", "False", "FALSE"), False),
    )
    for word in words
}


def plain_scalar(text: str) -> Scalar:
    """An unquoted word's value: null, a flag, an int, a float, or the word itself."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= MAX_DIGITS:
        if _INT.fullmatch(text):
            return int(text.replace("_", ""))
        if _FLOAT.fullmatch(text):
            return float(text)
    return text
