"""Reader of a Python dict with comments, such as ``config = {'hidden_dim': 4096}  # Llama``.

The text is parsed with :mod:`ast` and never evaluated. ``true``, ``false`` and ``null`` are
accepted, so JSON with comments or trailing commas is readable too.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.located import (
    MAX_DEPTH,
    Entry,
    Section,
    Value,
    checked_section,
    syntax_error,
    too_deep,
)
from sphinx_llmsize.translation import _

# blank and comment lines; unambiguous, so that the regex cannot backtrack for long
_LEADING_LINES = r"(?:[^\S\n]*(?:\#[^\n]*)?\n)*[^\S\n]*"
_ASSIGNMENT = re.compile(
    rf"{_LEADING_LINES}[A-Za-z_]\w*[^\S\n]*(?::[^\S\n]*dict[^\S\n]*)?=\s*(?=\{{|dict\()"
)
"""The part of ``config = {`` or ``config: dict = dict(`` before the dict."""
_OPENING = re.compile(rf"{_LEADING_LINES}(?:\{{|dict\()")
"""Start of a dict: a brace, or ``dict(``."""
_UNCLOSED = re.compile(
    r"closing parenthesis '\)' does not match opening parenthesis '(.)'(?: on line (\d+))?"
)
"""Python's message for a bracket that is never closed."""
_PARSER_ERRORS = (SyntaxError, ValueError, MemoryError, RecursionError)
"""Errors of :func:`ast.parse`."""
_CONSTANTS = {"true": True, "false": False, "null": None}
"""Constants of JSON and YAML, which :mod:`ast` parses as names."""


class NotPythonError(Exception):
    """The text is not a Python dict; it may be a YAML flow mapping such as ``{key: value}``."""


def looks_like_dict(text: str) -> bool:
    """True if the text begins like a dict, a JSON object or a YAML flow mapping."""
    return bool(_ASSIGNMENT.match(text) or _OPENING.match(text))


def without_assignment(text: str) -> str:
    """Text with the assignment before the dict blanked out; lines and columns don't change."""
    assignment = _ASSIGNMENT.match(text)
    if not assignment:
        return text
    blanks = re.sub(r"[^\n]", " ", assignment[0])
    return blanks + text[assignment.end() :]


def read_python(text: str) -> Section:
    """Read a Python dict.

    Raises:
        ConfigError: an assigned dict is invalid, a value is not a literal, or a key occurs twice.
        NotPythonError: the text is not a Python dict.
    """
    expression = without_assignment(text)
    try:
        # parentheses make ast accept leading blank lines and indentation
        body = _parse(f"({expression}\n)", "eval").body
    except _PARSER_ERRORS as error:
        if expression == text:  # without an assignment, it may be YAML
            raise NotPythonError from error
        _refuse_trailing_statements(expression)
        raise _not_a_dict(error, expression) from None
    if isinstance(body, ast.Tuple) and len(body.elts) == 1:
        body = body.elts[0]  # a comma after the dict
    value = _value(body, 0)
    if not isinstance(value, Section):
        raise NotPythonError
    return value


def _parse(source: str, mode: str) -> Any:
    """Parse source, without its warnings; raises one of :data:`_PARSER_ERRORS`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return ast.parse(source, mode=mode)


def _refuse_trailing_statements(text: str) -> None:
    """Reject statements after the dict.

    Raises:
        ConfigError: there is one; the error is at its line.
    """
    blank_start = text[: len(text) - len(text.lstrip())]
    source = "\n" * blank_start.count("\n") + text.lstrip()  # same lines, without indentation
    try:
        others = _parse(source, "exec").body[1:]
    except _PARSER_ERRORS:
        return
    if others:
        line = min(others[0].lineno - 1, text.count("\n"))
        raise syntax_error(_("something follows the dict"), line, _("remove it"))


def _not_a_dict(error: Exception, text: str) -> ConfigError:
    """Error for an assigned dict that :mod:`ast` cannot parse."""
    line = (getattr(error, "lineno", None) or 1) - 1
    message = getattr(error, "msg", None) or _("too deep or too long")
    if unclosed := _UNCLOSED.fullmatch(message):
        # the closing bracket may be the one that read_python added, so name only the opening one
        message = f"'{unclosed[1]}' was never closed"
        line = int(unclosed[2]) - 1 if unclosed[2] else line
    line = min(line, text.count("\n"))
    return syntax_error(_("not a Python dict: {message}", message=message), line)


def _value(node: ast.expr, depth: int) -> Value:
    """Read a dict, a list, a tuple or a scalar; ``depth`` is the nesting around it.

    Raises:
        ConfigError: it is none of them, is nested too deeply, or has a key twice.
        NotPythonError: a key is a bare word, as in YAML.
    """
    line = node.lineno - 1
    if depth > MAX_DEPTH:
        raise too_deep(line)
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return checked_section([_entry(key, value, depth) for key, value in pairs])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        if node.args:
            hint = _("write the keys themselves")
            raise syntax_error(_("dict() with a value without a key"), line, hint)
        return checked_section(
            [_entry(keyword.arg, keyword.value, depth) for keyword in node.keywords]
        )
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(_value(item, depth + 1) for item in node.elts)
    return _scalar(node)


def _entry(key: ast.expr | str | None, value: ast.expr, depth: int) -> Entry:
    """Read an entry; its key is a node in ``{…}``, a str in ``dict(…)``, and None after ``**``.

    Raises:
        ConfigError: the key isn't text, or the value isn't a literal.
        NotPythonError: the key is a bare word, as in YAML.
    """
    line = (key if isinstance(key, ast.expr) else value).lineno - 1
    if key is None:
        raise syntax_error(_("'**' is not supported"), line, _("write the keys themselves"))
    if isinstance(key, ast.Name) and key.id not in _CONSTANTS:
        raise NotPythonError
    name = key.value if isinstance(key, ast.Constant) else key
    if not isinstance(name, str):
        raise syntax_error(_("a key that is not text in quotes"), line)
    return Entry(name, _value(value, depth + 1), line)


def _scalar(node: ast.expr) -> Value:
    """Read a number, a text, true, false or null.

    Raises:
        ConfigError: the node is any other expression.
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operand = getattr(node.operand, "value", None)
        if isinstance(operand, (int, float)) and not isinstance(operand, bool):
            return -operand
    if isinstance(node, ast.Name) and node.id in _CONSTANTS:
        return _CONSTANTS[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str, type(None))):
        return node.value
    # the message does not quote other expressions: ast.unparse could recurse too deeply
    shown = repr(node.id[:60]) if isinstance(node, ast.Name) else _("an expression")
    hint = _("write numbers, text, lists and dicts")
    raise syntax_error(_("{node} is not a literal value", node=shown), node.lineno - 1, hint)
