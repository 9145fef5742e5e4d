"""The one error a user can cause, and the kinds it comes in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Problem(Enum):
    """Kinds of problem; each value is a warning subtype (``llmsize.<value>``)."""

    MODEL = "model"
    """A model name that is neither a preset nor described by a configuration."""
    SYNTAX = "syntax"
    """A configuration text that is not the YAML, JSON or Python dict it looks like."""
    KEY = "key"
    """A key that is unknown, misspelt, given twice, or foreign to the family."""
    MISSING = "missing"
    """A configuration without a key that it cannot do without."""
    VALUE = "value"
    """A value that is not of its key's type, or out of its range."""
    SHAPE = "shape"
    """Values that are fine one by one but do not fit each other (heads that do not divide)."""
    FILE = "file"
    """A configuration file that cannot or must not be read."""
    OPTION = "option"
    """A directive option or view that does not exist, or an option's unusable value."""
    EXPECT = "expect"
    """A total stated with ``:expect:`` that the model does not have."""
    LINK = "link"
    """A diagram link whose box or target does not exist."""


@dataclass(frozen=True)
class ConfigError(Exception):
    """Input that cannot be used, with the place and a way out.

    Attributes:
        message: what is wrong, in one sentence without a final stop.
        hint: what to write instead; empty when there is nothing useful to say.
        line: 0-based line within the text that was read; None when no line is at fault.
        file: the file that the line is in; None for text on the page itself.
        option: the directive option at fault; None when it is not an option.
    """

    message: str
    problem: Problem
    hint: str = ""
    line: int | None = None
    file: str | None = None
    option: str | None = None

    def __str__(self) -> str:
        """The message and its hint as one line of text."""
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def at(
        self, *, line: int | None = None, file: str | None = None, option: str | None = None
    ) -> ConfigError:
        """The same error, its place filled in where it had none."""
        return replace(
            self,
            line=self.line if self.line is not None else line,
            file=self.file or file,
            option=self.option or option,
        )

    def hinting(self, hint: str) -> ConfigError:
        """The same error with one more hint, if that is not empty."""
        return replace(self, hint="; ".join(filter(None, (self.hint, hint))))


class UnknownModel(ConfigError, LookupError):  # noqa: N818 - a name that is promised
    """A name that is no preset; the hint names the nearest one."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean 'hidden_size'?`` for a near miss, else an empty string."""
    folded = {name.casefold().replace("-", "_"): name for name in known}
    near = get_close_matches(word[:100].casefold().replace("-", "_"), folded, n=1, cutoff=0.72)
    return f"did you mean {folded[near[0]]!r}?" if near else ""
