"""Parser of the calls of directives in fences, which have options as in MyST.

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
from itertools import takewhile
from textwrap import dedent

from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model_errors import option_given_twice
from sphinx_llmsize.translation import _

_INFO = re.compile(r"(?P<brace>\{)?(?P<name>llm-[\w-]+)(?(brace)\})(?:\s+(?P<argument>.*))?")
"""Text after the mark of a fence: ``llm-size`` or ``{llm-size}``, and an argument."""
_MISSPELT = re.compile(r"(?i:\{?\s*\.?llm[-_]?(?:size|compare|diff|template)\b.*)")
"""Other ways to write a directive's name: ``llm_size``, ``{.llm-size}``, ``LLM-size``."""
_OPTION = re.compile(
    r"""(?P<quote>['"]?)(?P<name>[A-Za-z][\w-]*)(?P=quote)\s*:(?:\s+(?P<value>.*))?"""
)
"""An option without the colon before it: ``show: table``."""
_BLOCK_MARK = "---"
"""Line before and after options that don't begin with colons."""
_BLOCK_SCALAR = re.compile(r"[|>][-+]?")
"""YAML's sign for a value on the lines below it: ``|``, ``>-``."""
_LIST = re.compile(r"\[(?P<items>.*)\]")
"""List of YAML on one line: ``[table, memory]``."""
_ITEM = re.compile(r"-\s+(?P<value>.*)")
"""Item of a list of YAML on a line of its own: ``- table``."""
NumberedLine = tuple[int, str]
"""A line with its number in the fence, whose first line is 0."""


@dataclass(frozen=True)
class LocatedCall:
    """A call with the lines of its parts, counted from the first line of its fence, which is 0.

    Attributes:
        call: the call.
        option_lines: line of each option, by name.
        body_line: first line of the body.
    """

    call: Call
    option_lines: dict[str, int]
    body_line: int

    def line(self, error: ConfigError) -> int:
        """Line of an error: of the option at fault, in the body, or else the fence's first."""
        if error.option:
            return self.option_lines.get(error.option, 0)
        return 0 if error.line is None else self.body_line + error.line


def directive_of(info: str) -> tuple[str, str] | None:
    """Name and argument of the directive in the text after a fence's mark; None for other text.

    A misspelt name is returned as written, so that a mistake suggests the right one.
    """
    if match := _INFO.fullmatch(info):
        return match["name"], (match["argument"] or "").strip()
    if _MISSPELT.fullmatch(info):
        return info.replace("{ ", "{").split()[0].rstrip("}"), ""
    return None


def parse_call(name: str, argument: str, lines: Sequence[str]) -> LocatedCall:
    """Parse the options and the body of a call.

    Args:
        name: name of the directive.
        argument: its argument.
        lines: lines of the fence between its first and its last.

    Raises:
        ConfigError: a line isn't an option, or an option is given twice; the error's ``line`` is
            counted from the fence's first.
    """
    numbered, body = _option_lines(lines)
    options: dict[str, str] = {}
    option_lines: dict[str, int] = {}
    last = ""  # name of the option above
    for number, text in numbered:
        match = _OPTION.fullmatch(text.rstrip())
        if last and (text[:1].isspace() or _ITEM.match(text)):  # it continues the option above
            options[last] = _continued(options[last], text.strip())
        elif not match:
            message = _("{text} is not an option", text=repr(text.strip()[:60]))
            raise ConfigError(message, Problem.OPTION, _("write name: value"), number)
        elif match["name"] in options:
            raise option_given_twice(match["name"]).at(line=number)
        else:
            last = match["name"]
            options[last] = _value(match["value"] or "")
            option_lines[last] = number
    text = dedent("\n".join(lines[body:])).rstrip()
    return LocatedCall(Call(name, argument, options, text), option_lines, body + 1)


def _option_lines(lines: Sequence[str]) -> tuple[list[NumberedLine], int]:
    """Lines of options without the colon before them, and the index of the body's first line."""
    if lines and lines[0].rstrip() == _BLOCK_MARK:
        return _lines_of_block(lines)
    stripped = (line.lstrip() for line in lines)
    options = [line[1:] for line in takewhile(lambda line: line.startswith(":"), stripped)]
    return list(enumerate(options, start=1)), len(options)


def _lines_of_block(lines: Sequence[str]) -> tuple[list[NumberedLine], int]:
    """Lines of options between two lines ``---``, the first of which is ``lines[0]``.

    Returns:
        the lines, and the index of the body's first line.

    Raises:
        ConfigError: there is no second line ``---``.
    """
    for end in range(1, len(lines)):
        if lines[end].rstrip() == _BLOCK_MARK:
            return list(_without_comments(lines[1:end])), end + 1
    message = _("the options begin with --- and don't end")
    raise ConfigError(message, Problem.OPTION, _("write --- below the last of them"), 1)


def _without_comments(lines: Sequence[str]) -> Iterator[NumberedLine]:
    """The lines of a block of options without empty lines and comments."""
    for number, line in enumerate(lines, start=2):  # after the fence's first line and ---
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _continued(value: str, text: str) -> str:
    """A value with the text of the next line, which may be an item of a list: ``- table``."""
    if item := _ITEM.fullmatch(text):
        return ", ".join(filter(None, (value, _value(item["value"]))))
    return f"{value} {text}".strip()


def _value(text: str) -> str:
    """A value without quotes around it; empty for the sign of a value on the lines below.

    The items of a list are joined: ``table, memory`` for ``[table, memory]``.
    """
    text = text.strip()
    if _BLOCK_SCALAR.fullmatch(text):
        return ""
    if items := _LIST.fullmatch(text):
        return ", ".join(map(_value, items["items"].split(",")))
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text
