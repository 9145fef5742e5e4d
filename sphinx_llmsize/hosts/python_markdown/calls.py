"""Calls of directives in fences, with options as in MyST, and the lines of their parts.

::

    ```llm-size llama-7b
    :show: table
    num_layers: 40
    ```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent

from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model_errors import option_given_twice
from sphinx_llmsize.translation import _

_INFO = re.compile(r"(?P<brace>\{)?(?P<name>llm-[\w-]+)(?(brace)\})(?:\s+(?P<argument>.*))?")
"""``llm-size`` or ``{llm-size}``, and an argument."""
_OPTION = re.compile(
    r"""(?P<quote>['"]?)(?P<name>[A-Za-z][\w-]*)(?P=quote)\s*:(?:\s+(?P<value>.*))?"""
)
_BLOCK = "---"
"""Line before and after options that don't begin with colons."""
_SCALAR = re.compile(r"[|>][-+]?")
"""Sign of YAML before a value on the lines below."""


@dataclass(frozen=True)
class LocatedCall:
    """A call with the positions of its parts: lines of its fence, of which the first is 0.

    Attributes:
        call: the call.
        options: line of each option, by name.
        body: first line of the body.
    """

    call: Call
    options: dict[str, int]
    body: int

    def line(self, error: ConfigError) -> int:
        """Line of an error in the fence: of the option at fault, in the body, or else the first."""
        if error.option:
            return self.options.get(error.option, 0)
        return 0 if error.line is None else self.body + error.line


def directive_of(info: str) -> tuple[str, str] | None:
    """Name and argument of the directive in a fence's first line; None in other fences."""
    found = _INFO.fullmatch(info)
    return (found["name"], (found["argument"] or "").strip()) if found else None


def call_of(name: str, argument: str, lines: Sequence[str]) -> LocatedCall:
    """Read a call.

    Args:
        name: name of the directive.
        argument: its argument.
        lines: lines below the first.

    Raises:
        ConfigError: a line isn't an option, or an option is given twice; the error's ``line`` is
            counted from the fence's first.
    """
    written, body = _option_lines(lines)
    options: dict[str, str] = {}
    places: dict[str, int] = {}
    for number, text in written:
        found = _OPTION.fullmatch(text.rstrip())
        if text[:1].isspace() and options:
            last = next(reversed(options))
            options[last] = f"{options[last]} {text.strip()}".strip()
        elif not found:
            message = _("{text} is not an option", text=repr(text.strip()[:60]))
            raise ConfigError(message, Problem.OPTION, _("write name: value"), number)
        elif found["name"] in options:
            raise option_given_twice(found["name"]).at(line=number)
        else:
            options[found["name"]] = _value(found["value"] or "")
            places[found["name"]] = number
    text = dedent("\n".join(lines[body:])).rstrip()
    return LocatedCall(Call(name, argument, options, text), places, body + 1)


def _option_lines(lines: Sequence[str]) -> tuple[list[tuple[int, str]], int]:
    """Lines of options with their numbers in the fence, and the index of the body."""
    if lines and lines[0].rstrip() == _BLOCK:
        end = next((at for at in range(1, len(lines)) if lines[at].rstrip() == _BLOCK), None)
        if end is None:
            message = _("the options begin with --- and don't end")
            raise ConfigError(message, Problem.OPTION, _("write --- below the last of them"), 1)
        return list(_uncommented(lines[1:end])), end + 1
    end = next(
        (at for at, line in enumerate(lines) if not line.lstrip().startswith(":")), len(lines)
    )
    return [(at + 1, line.lstrip()[1:]) for at, line in enumerate(lines[:end])], end


def _uncommented(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=2):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _value(text: str) -> str:
    """A value without quotes around it."""
    text = text.strip()
    if _SCALAR.fullmatch(text):
        return ""
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text
