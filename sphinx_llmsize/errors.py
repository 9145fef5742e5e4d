"""The one error a user can cause, and the kinds it comes in."""

from __future__ import annotations

from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING

from sphinx_llmsize.translation import _

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
    TEMPLATE = "template"
    """A template of the project's own that does not work."""
    FIGURE = "figure"
    """A number in prose that the model does not have, or that cannot be written that way."""
    EXPRESSION = "expression"
    """An expression in a page's own text that means nothing, or computes more than it may."""
    LINK = "link"
    """A diagram link whose box or target does not exist."""


class ConfigError(Exception):
    """Input that cannot be used, with the place and a way out.

    Attributes:
        message: what is wrong, in one sentence without a final stop.
        problem: what kind of mistake it is.
        hint: what to write instead; empty when there is nothing useful to say.
        line: 0-based line within the text that was read; None when no line is at fault.
        file: the file that the line is in; empty for text on the page itself.
        option: the directive option at fault; empty when it is not an option.
    """

    def __init__(  # noqa: PLR0917 - all by position, as exceptions pickle
        self,
        message: str,
        problem: Problem,
        hint: str = "",
        line: int | None = None,
        file: str = "",
        option: str = "",
    ) -> None:
        # all of them are args, so that the error pickles and copies as exceptions do
        super().__init__(message, problem, hint, line, file, option)
        self.message = message
        self.problem = problem
        self.hint = hint
        self.line = line
        self.file = file
        self.option = option

    def __str__(self) -> str:
        """The message and its hint as one line of text."""
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def at(self, *, line: int | None = None, file: str = "", option: str = "") -> ConfigError:
        """The same error, its place filled in where it had none."""
        line = line if self.line is None else self.line
        return self._replaced(self.hint, line, self.file or file, self.option or option)

    def hinting(self, hint: str) -> ConfigError:
        """The same error with one more hint, if that is not empty."""
        hints = "; ".join(filter(None, (self.hint, hint)))
        return self._replaced(hints, self.line, self.file, self.option)

    def _replaced(self, hint: str, line: int | None, file: str, option: str) -> ConfigError:
        return type(self)(self.message, self.problem, hint, line, file, option)


class UnknownModel(ConfigError, LookupError):  # noqa: N818 - a name that is promised
    """A name that is no preset; the hint names the nearest one."""


NEAR = 0.65
"""How alike two words must be for one to be a slip of the other."""
NEARLY_EQUAL = 0.88
"""The same, where words that merely resemble each other are common."""


def did_you_mean(word: str, known: Iterable[str], cutoff: float = NEAR) -> str:
    """``did you mean 'hidden_size'?`` for a near miss, else an empty string."""
    return suggestion(nearest(word, known, cutoff))


def suggestion(name: str) -> str:
    """``did you mean 'hidden_size'?`` for a name, else an empty string."""
    return _("did you mean {name}?", name=repr(name)) if name else ""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.0) -> str:
    """The known word that is most like another, at least as much as ``cutoff`` says; or ''."""
    folded = {name.casefold().replace("-", "_"): name for name in known}
    near = get_close_matches(word[:100].casefold().replace("-", "_"), folded, n=1, cutoff=cutoff)
    return folded[near[0]] if near else ""
