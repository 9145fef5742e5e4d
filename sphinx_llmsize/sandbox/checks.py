"""Parsing of templates; nodes that aren't supported are rejected before anything is evaluated."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import TOKEN_INTEGER

from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.sandbox import limits
from sphinx_llmsize.sandbox.filters import FILTERS, TESTS
from sphinx_llmsize.sandbox.limits import excess, mistake, too_deep
from sphinx_llmsize.sandbox.template_operators import OPERATIONS
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.translation import N_, _

ALLOWED = frozenset(
    {
        *OPERATIONS,
        "Template", "Output", "TemplateData", "For", "If", "Assign", "Name", "Const",
        "Tuple", "List", "And", "Or", "Not", "CondExpr", "Keyword", "Operand",
    }
)  # fmt: skip
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
_KNOWN_NAMES = {
    "Filter": (FILTERS, N_("there is no filter {name}")),
    "Test": (TESTS, N_("there is no test {name}")),
}
"""By node type, the names that a node can have, and the message for any other."""
# autoescaping is irrelevant: this environment only parses
_JINJA = Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701
_OPENING = re.compile(r"\{[{#]")
"""Start of an expression or a comment."""
_BARE_NAME = re.compile(r"\{\{\s*([\w-]+(?:\.\d[\w-]*)*)")
"""A name at the start of an expression, such as ``llama-3.1-8b``."""
_NEWLINE = re.compile("\r\n|\r|\n")
"""Line terminators that Jinja recognises."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters other than tabs and newlines, and lone surrogates."""


def parse(source: str) -> nodes.Template:
    """Parse a template.

    Raises:
        ConfigError: it is too long or too deep, cannot be parsed, or has a node that is not
            supported; the error has its 0-based line.
    """
    if len(source) > limits.MAX_SOURCE:
        most = limits.MAX_SOURCE
        raise excess(_("the text has more than {number} characters", number=most))
    try:
        template = _JINJA.parse(source)
    except TemplateSyntaxError as error:
        raise _syntax_error(error, source) from None
    except RecursionError:
        raise too_deep().at(line=_line_with_most_brackets(source)) from None
    except ValueError:
        # Python's int() rejects very long numbers; its error has no line
        raise mistake(_("this number is too long")).at(line=_line_of_long_number(source)) from None
    _check(template, line=0, depth=0)
    return template


def _syntax_error(error: TemplateSyntaxError, source: str) -> ConfigError:
    """Error for a template that Jinja cannot parse."""
    line = error.lineno - 1
    message = _("cannot read this: {message}", message=str(error.message).rstrip(".")[:200])
    return mistake(message, _syntax_hint(_NEWLINE.split(source)[line])).at(line=line)


def _syntax_hint(line: str) -> str:
    """Suggested fix for a line that Jinja cannot read."""
    if (found := _BARE_NAME.search(line)) and find_preset(found[1]):
        return _("write {value}", value=f'model("{found[1]}")')
    if _OPENING.search(line) and (line.count("'") % 2 or line.count('"') % 2):
        return _("a quote is not closed")
    if line.count("{{") > line.count("}}") and "}" in line:
        return _("close the expression with {braces}", braces="}}")
    return _(BRACES) if _OPENING.search(line) else ""


def _line_with_most_brackets(source: str) -> int:
    """0-based line with the most opening brackets; the parser's RecursionError has no line."""
    lines = _NEWLINE.split(source)
    return max(range(len(lines)), key=lambda line: len(re.findall(r"[(\[{]", lines[line])))


def _line_of_long_number(source: str) -> int | None:
    """0-based line of the first number that Python's int() rejects; None if there is none."""
    for line, token, text in _JINJA.lex(source):
        if token == TOKEN_INTEGER:
            try:
                int(text, 0)
            except ValueError:
                return line - 1
    return None


def _check(node: nodes.Node, *, line: int, depth: int) -> None:
    """Check a node and the nodes inside it; ``line`` and ``depth`` are its parent's.

    Raises:
        ConfigError: one is too deep, or :func:`_check_one` refuses it; the error has its 0-based
            line.
    """
    # some nodes have no line number: use the parent's
    line = node.lineno - 1 if node.lineno else line
    try:
        if depth > limits.MAX_DEPTH:
            raise too_deep()
        _check_one(node)
    except ConfigError as error:
        raise error.at(line=line) from None
    for child in node.iter_child_nodes():
        _check(child, line=line, depth=depth + 1)


def _check_one(node: Any) -> None:
    """Check a node without those inside it.

    Raises:
        ConfigError: it is of a type that is not supported, an unknown filter or test, a recursive
            loop, a call with unpacked arguments, or text with a control character.
    """
    name = type(node).__name__
    if name not in ALLOWED:
        word = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
        message = _("Jinja's {word} is not supported here", word=repr(word))
        raise mistake(message, _(_HINTS.get(name, "")))
    if name in _KNOWN_NAMES:
        known, message = _KNOWN_NAMES[name]
        if node.name not in known:
            raise unknown_word(message, node.name, known, Problem.EXPRESSION)
    if isinstance(node, nodes.For) and node.recursive:
        raise mistake(_("loops cannot be recursive"))
    if getattr(node, "dyn_args", None) or getattr(node, "dyn_kwargs", None):
        raise mistake(_("write each argument by itself, without *"))
    # an escape sequence in a string literal can produce any character
    text = node.value if isinstance(node, nodes.Const) else None
    if isinstance(text, str) and (found := _CONTROL.search(text)):
        code = f"{ord(found[0]):04X}"
        raise mistake(_("the character U+{code} cannot be used in a page", code=code))
