"""Exception for invalid input, the kinds of problem, and suggestions for misspelt words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from enum import Enum
from typing import Any, TypeVar

from sphinx_llmsize.escaping import visible
from sphinx_llmsize.translation import _


class Problem(Enum):
    """Kinds of problem; each value is a warning subtype (``llmsize.<value>``)."""

    MODEL = "model"
    """A model that is unknown, missing, not public, or defined twice on a page."""
    DUPLICATE = "duplicate"
    """A name that two pages give to different models."""
    SYNTAX = "syntax"
    """A configuration that is not valid YAML, JSON or Python, or markup that cannot be read."""
    KEY = "key"
    """A key that is unknown, misspelt, given twice, or of another family."""
    MISSING = "missing"
    """A configuration without a required key."""
    VALUE = "value"
    """A value of the wrong type or out of range."""
    SHAPE = "shape"
    """Values that contradict each other, such as heads that do not divide the hidden dimension."""
    FILE = "file"
    """A file that cannot be read or written, or lies outside the allowed folders."""
    OPTION = "option"
    """An unknown option, view or setting, or an invalid value of one."""
    EXPECT = "expect"
    """A total that differs from ``:expect:``."""
    TEMPLATE = "template"
    """A project's template that cannot be read or fails."""
    NUMBER = "number"
    """A number, in prose or a table, that a model does not have, or one with an unknown format."""
    EXPRESSION = "expression"
    """An expression in ``llm-template`` that is invalid or exceeds a limit."""
    LINK = "link"
    """A diagram link whose box or target does not exist."""
    INTERNAL = "internal"
    """An exception of sphinx-llmsize itself; not the author's mistake."""


MAX_LISTED = 40
"""Maximum number of words that a hint lists."""
NEAR = 0.65
"""Minimum similarity of a misspelt word to the suggested one."""
NEARLY_EQUAL = 0.88
"""Stricter minimum, for words that are often similar without being misspelt."""

Error = TypeVar("Error", bound="ConfigError")


class ConfigError(Exception):
    """Invalid input, with its position and a suggested fix.

    Control characters and direction overrides in ``message`` and ``hint`` become escapes.

    Attributes:
        message: one sentence without a full stop.
        problem: kind of mistake.
        hint: suggested fix; may be empty.
        line: 0-based line within the text; None if no line is at fault.
        file: file that contains the line; empty for text on the page itself.
        option: name of the directive's option, or of the setting, at fault; may be empty.
    """

    def __init__(  # noqa: PLR0917 - pickle passes all by position
        self,
        message: str,
        problem: Problem,
        hint: str = "",
        line: int | None = None,
        file: str = "",
        option: str = "",
    ) -> None:
        # pickle and copy pass args to __init__
        super().__init__(message, problem, hint, line, file, option)
        self.message = visible(message)
        self.problem = problem
        self.hint = visible(hint)
        self.line = line
        self.file = file
        self.option = option

    def __str__(self) -> str:
        """Message and hint as one line of text."""
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def replace(self: Error, **changes: Any) -> Error:
        """Copy with other values of these attributes; the others are kept.

        Args:
            changes: attributes by name, as in ``replace(problem=Problem.OPTION, file="")``.
        """
        names = ("message", "problem", "hint", "line", "file", "option")
        kept = {name: getattr(self, name) for name in names}
        return type(self)(**{**kept, **changes})

    def at(self: Error, *, line: int | None = None, file: str = "", option: str = "") -> Error:
        """Copy with this position, except for parts of the position that are already set."""
        line = line if self.line is None else self.line
        return self.replace(line=line, file=self.file or file, option=self.option or option)

    def with_hint(self: Error, hint: str) -> Error:
        """Copy with another hint appended; an empty one is ignored."""
        hints = "; ".join(filter(None, (self.hint, hint)))
        hints = hints.replace("?; ", "? ")  # a question needs no semicolon after it
        return self.replace(hint=hints)


class UnknownModel(ConfigError, LookupError):  # noqa: N818 - public name
    """Unknown name of a model; the hint suggests a similar one, if there is any."""


class AbsentNumber(ConfigError):  # noqa: N818 - a number that other models may have
    """A part of a number's name that the model doesn't have."""


def unknown_word(
    message: str,
    word: str,
    known: Collection[str],
    problem: Problem,
    *,
    listed: Collection[str] = (),
    **values: str,
) -> ConfigError:
    """Error for a word that is not one of the known words.

    The hint suggests the most similar known word; if none is similar, it lists them, unless there
    are more than :data:`MAX_LISTED`.

    Args:
        message: marked by ``N_``; its placeholder ``{name}`` is the word, shortened and quoted.
        word: the word.
        known: all valid words, in the order to list them; may be empty.
        problem: kind of mistake.
        listed: the words to list; empty for all.
        values: values of other placeholders in the message.
    """
    hint, listed = did_you_mean(word, known), listed or known
    if not hint and 0 < len(listed) <= MAX_LISTED:
        hint = _("one of {names}", names=", ".join(listed))
    return ConfigError(_(message, name=repr(word[:60]), **values), problem, hint)


def did_you_mean(word: str, known: Iterable[str], cutoff: float = NEAR) -> str:
    """``did you mean 'hidden_size'?`` for a near miss, else an empty string."""
    return suggestion(nearest(word, known, cutoff))


def suggestion(name: str) -> str:
    """``did you mean 'hidden_size'?`` for a name, else an empty string."""
    return _("did you mean {name}?", name=repr(name)) if name else ""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.0) -> str:
    """Known word most similar to ``word``, or '' if none reaches the cutoff.

    Letter case is ignored, ``-`` equals ``_``, and only 100 characters of the word are compared.
    """
    # of names that are equal when folded, the first is returned
    folded = {name.casefold().replace("-", "_"): name for name in reversed(tuple(known))}
    near = get_close_matches(word[:100].casefold().replace("-", "_"), folded, n=1, cutoff=cutoff)
    return folded[near[0]] if near else ""
