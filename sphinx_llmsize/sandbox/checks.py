"""Parsing of templates; nodes that aren't supported are rejected before anything is evaluated."""

from __future__ import annotations

import re
import sys
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import TOKEN_INTEGER
from jinja2.parser import Parser

from sphinx_llmsize.errors import Problem, unknown_word
from sphinx_llmsize.sandbox.limits import MAX_DEPTH, MAX_SOURCE, as_config_error, excess, mistake
from sphinx_llmsize.sandbox.template_functions import FILTERS, OPERATIONS, TESTS
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.translation import N_, _

ALLOWED = {
    *OPERATIONS,
    "Template", "Output", "TemplateData", "For", "If", "Assign", "Name", "Const",
    "Tuple", "List", "And", "Or", "Not", "CondExpr", "Keyword", "Operand",
}  # fmt: skip
"""Names of the Jinja node types that a template can contain."""
BRACES = N_('write literal double braces as {{ "{{" }}, or in TeX with a blank: { {')
"""Suggested fix for braces that aren't meant as an expression."""
_HINTS = {
    "Macro": N_("use loops and set"),
    "Dict": N_('write a list of pairs: [("a", 1), ("b", 2)]'),
    "Slice": N_("write the items themselves"),
    "AssignBlock": N_("write {% set name = value %}"),
}
"""Suggested fix by the name of an unsupported node type."""
_JINJA = Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701 - it only parses
_MAX_DIGITS = sys.int_info.default_max_str_digits
"""Maximum number of digits that Python's int() reads."""
_BARE_NAME = re.compile(r"\{\{\s*([\w-]+(?:\.\d[\w-]*)*)")
"""A name at the start of an expression, such as ``llama-3.1-8b``."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters other than tabs and newlines, and lone surrogates."""


def parse(source: str) -> nodes.Template:
    """Parse a template; every mistake in it is a ConfigError with its 0-based line."""
    if len(source) > MAX_SOURCE:
        raise excess(_("the text has more than {number} characters", number=MAX_SOURCE))
    try:
        parser = Parser(_JINJA, source)
        template = parser.parse()
    except TemplateSyntaxError as error:
        line = error.lineno - 1
        hint = _syntax_hint(re.split("\r\n|\r|\n", source)[line])
        message = _("cannot read this: {message}", message=str(error.message).rstrip(".")[:200])
        raise mistake(message, hint).at(line=line) from None
    except RecursionError as error:
        raise as_config_error(error).at(line=parser.stream.current.lineno - 1) from None
    except ValueError:
        # Python's int() rejects very long numbers; its error has no line
        integers = (token for token in _JINJA.lex(source) if token[1] == TOKEN_INTEGER)
        lines = (line - 1 for line, _type, text in integers if len(text) > _MAX_DIGITS)
        raise mistake(_("this number is too long")).at(line=next(lines, None)) from None
    _check(template, depth=0)
    return template


def _syntax_hint(line: str) -> str:
    """Suggested fix for a line that Jinja cannot read."""
    if "{{" not in line and "{#" not in line:
        return ""
    if (found := _BARE_NAME.search(line)) and find_preset(found[1]):
        return _("write {value}", value=f'model("{found[1]}")')
    if line.count("'") % 2 or line.count('"') % 2:
        return _("a quote is not closed")
    if line.count("{{") > line.count("}}") and "}" in line:
        return _("close the expression with {braces}", braces="}}")
    return _(BRACES)


def _check(node: Any, depth: int) -> None:
    """Check a node and those inside it; raises ConfigError with the line of one that is refused."""
    try:
        if depth > MAX_DEPTH:
            raise RecursionError
        _check_alone(node)
        for child in node.iter_child_nodes():
            _check(child, depth + 1)
    except Exception as error:
        line = node.lineno - 1 if node.lineno else None  # without one, the parent's is used
        raise as_config_error(error).at(line=line) from None


def _check_alone(node: Any) -> None:
    """Check a node without those inside it; raises ConfigError for one that is not supported."""
    name = type(node).__name__
    if name not in ALLOWED:
        word = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
        message = _("Jinja's {word} is not supported here", word=repr(word))
        raise mistake(message, _(_HINTS.get(name, "")))
    match node:
        case nodes.Filter() if node.name not in FILTERS:
            message = N_("there is no filter {name}")
            raise unknown_word(message, node.name, FILTERS, Problem.EXPRESSION)
        case nodes.Test() if node.name not in TESTS:
            message = N_("there is no test {name}")
            raise unknown_word(message, node.name, TESTS, Problem.EXPRESSION)
        case nodes.For(recursive=True):
            raise mistake(_("loops cannot be recursive"))
        # an escape sequence in a string literal can produce any character
        case nodes.Const(value=str(text)) if found := _CONTROL.search(text):
            code = f"{ord(found[0]):04X}"
            raise mistake(_("the character U+{code} cannot be used in a page", code=code))
    if getattr(node, "dyn_args", None) or getattr(node, "dyn_kwargs", None):
        raise mistake(_("write each argument by itself, without *"))
