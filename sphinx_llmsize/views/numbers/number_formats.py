"""Formats of numbers, as authors name them."""

from __future__ import annotations

from collections.abc import Collection

from sphinx_llmsize.errors import ConfigError, Problem, suggestion, unknown_word
from sphinx_llmsize.translation import N_, _

FORMAT_WORDS = {
    **dict.fromkeys(("%", "percent", "percentage", "fraction", "ratio"), "share"),
    **dict.fromkeys(("full", "long", "raw", "integer", "digits"), "exact"),
    **dict.fromkeys(("billion", "billions", "million", "text"), "words"),
    **dict.fromkeys(("b", "m", "rounded", "round"), "short"),
}
"""Names of formats, by other words that authors use for them."""
KNOWN_FORMATS = frozenset(FORMAT_WORDS.values())
"""Names of formats that some numbers have."""


def read_format(words: list[str], default: str, formats: Collection[str]) -> str:
    """The format in the words after the name of a number, or the default if there is none.

    Raises:
        ConfigError: the format is unknown, or there are several.
    """
    for position, word in enumerate(words):
        if word not in formats:
            message = N_("unknown format {name}")
            if word in KNOWN_FORMATS:
                message = N_("this number has no format {name}")
            error = unknown_word(message, word, formats, Problem.NUMBER)
            meant = FORMAT_WORDS.get(word.casefold(), "")
            hint = suggestion(meant) if meant in formats else error.hint
            raise ConfigError(error.message, Problem.NUMBER, hint)
        if position:
            message = _("{format} is a second format", format=repr(word[:60]))
            hint = _("one of {names}", names=", ".join(formats))
            raise ConfigError(message, Problem.NUMBER, hint)
    return words[0] if words else default
