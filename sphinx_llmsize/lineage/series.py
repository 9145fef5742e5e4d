"""Series of a released model, its version and its variant, read from its display name.

``Qwen2.5 Coder 7B`` is of the series Qwen, version 2.5, variant Coder. Names are compared without
spaces, hyphens and letter case, so that LLaMA and Llama 2 are one series.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sphinx_llmsize.sources.makers import maker_of
from sphinx_llmsize.sources.preset_files import Preset

_SIZE = re.compile(
    r"""
    \b (?:\d+x)? [AE]? \d+(?:\.\d+)?  # number: 7, 0.5, 8x7, E2
    (?: [KMBT] | b\b )                # unit: 7B, 8x7B, E2B, 128K
    (?: \d+T? )?                      # decimal places or tokens of training: 1B7, 2B4T
    (?: -A?\d+(?:\.\d+)?[MBT] )? \b  # active parameters: 30B-A3B
    | \b \d+E\d+T \b                 # epochs and tokens of training: 4E1T
    | (?<=R) \d+B \b                  # the 7B of R7B
    """,
    re.VERBOSE,
)
"""Sizes, lengths and amounts of training."""
_DATE = re.compile(r"\(?\b(?:\d{2}-)?\d{4}\b\)?")
"""Dates of releases: ``0724``, ``(2501)``, ``08-2024``."""
_VERSION = re.compile(
    r"""
    (?P<series>
        [A-Z]\d\b                       # a letter and a digit: T5
        | (?![A-Z]\d\b) .*? [^\W\d]\+?  # anything else up to a letter or a plus sign: Qwen
    )
    [ -]? (?:\b[vV])?                   # separator: the "-V" of DeepSeek-V3
    (?P<version> \d(?:\.\d+)? ) (?!\d)  # one digit, perhaps with decimals: 2.5
    (?P<rest> .* )                      # other words: Coder
    """,
    re.VERBOSE,
)
"""``Qwen2.5 Coder``, ``DeepSeek-V3``; in ``T5 1.1``, the 5 is part of the series.

A longer number isn't a version.
"""
_SEPARATORS = re.compile(r"[\s,()-]+")
"""Characters between the words of a name."""
_SIZES_IN_WORDS = frozenset(
    (
        "tiny", "mini", "small", "medium", "large", "base", "micro", "nano", "lite", "air",
        "xsmall", "xlarge", "xxlarge", "xl", "xxl", "flash", "pro", "plus",
        "instruct", "chat", "preview",
    )
)  # fmt: skip
"""Words for sizes and for training; models that differ only in these are of one variant."""
NUMBERED_AGAIN = ("Nemotron 3",)
"""Beginnings of names whose number restarts, and so doesn't order them.

Nemotron 3 is newer than Nemotron-4.
"""
WHOLE_NAMES = ("Mistral Small",)
"""Names of series whose last word isn't a size."""


@dataclass(frozen=True)
class Generation:
    """A version of a series.

    Attributes:
        maker: maker of the series; the organisation on the Hub if ``sources/makers`` has no entry.
        series: name of the series: ``Qwen``.
        version: ``(2, 5)``; empty for names without a version, which come first.
    """

    maker: str
    series: str
    version: tuple[int, ...]

    @property
    def key(self) -> tuple[str, str]:
        """Maker and series, the latter without letter case and separators."""
        return self.maker, _SEPARATORS.sub("", self.series).casefold()


@dataclass(frozen=True)
class NameParts:
    """Parts of a display name.

    Attributes:
        generation: series and version.
        variant: the other words: ``{"coder"}``.
        beginning: the name up to its version: ``Qwen2.5``.
    """

    generation: Generation
    variant: frozenset[str]
    beginning: str


def parts_of_name(preset: Preset) -> NameParts:
    """The parts of a preset's display name."""
    name = " ".join(_DATE.sub(" ", without_size(preset.title)).split())
    maker = maker_of(preset)
    found = _VERSION.fullmatch(name)
    if not found or name.startswith(NUMBERED_AGAIN):
        series = _without_size_words(name)
        return NameParts(Generation(maker, series, ()), frozenset(), series)
    version = tuple(map(int, found["version"].removesuffix(".0").split(".")))
    words = frozenset(_SEPARATORS.split(found["rest"].casefold()))
    variant = words - _SIZES_IN_WORDS - {""}
    beginning = name[: found.end("version")]
    return NameParts(Generation(maker, found["series"], version), variant, beginning)


def without_size(name: str) -> str:
    """A display name without its size: ``Llama 3`` for ``Llama 3 8B``."""
    return " ".join(_SIZE.sub(" ", name).split()).rstrip(" ,-")


def _without_size_words(name: str) -> str:
    """A name without the words for sizes at its end."""
    words = _SEPARATORS.split(name)
    while len(words) > 1 and words[-1].casefold() in _SIZES_IN_WORDS and name not in WHOLE_NAMES:
        words.pop()
        name = " ".join(words)
    return name
