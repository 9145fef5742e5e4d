"""Which of Jinja's language is spoken here; the rest is refused where it stands."""

from __future__ import annotations

import re

from jinja2 import Environment, TemplateSyntaxError, nodes

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sandbox.bounds import MAX_DEPTH, MAX_SOURCE, beyond, wrong
from sphinx_llmsize.sandbox.operators import ARITHMETIC
from sphinx_llmsize.translation import N_, _

SPOKEN = frozenset(
    {
        *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Assign),
        *(nodes.Name, nodes.Const, nodes.Tuple, nodes.List, nodes.Concat),
        *(nodes.Call, nodes.Keyword, nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem),
        *(nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr),
        *(nodes.Neg, nodes.Pos, *ARITHMETIC),
    }
)
BRACES = N_('two braces that are meant as such are written {{ "{{" }}, or in TeX with a blank: { {')
_INSTEAD = {
    nodes.Macro: N_("loops and set are there"),
    nodes.Dict: N_('write a list of pairs: [("a", 1), ("b", 2)]'),
    nodes.Slice: N_("write the items that are wanted"),
    nodes.AssignBlock: N_("write {% set name = value %}"),
}
# nothing is rendered by it: it only parses, so there is nothing for it to escape
_JINJA = Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701
_LONG_NUMBER = re.compile("[0-9_]{1000}")
_NEWLINE = re.compile("\r\n|\r|\n")
"""What ends a line for Jinja."""
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def parse(source: str) -> nodes.Template:
    """The text as Jinja's nodes, each of them one that is spoken here.

    Raises:
        ConfigError: it is not Jinja, too long or too deep, or more of Jinja than is spoken.
    """
    if len(source) > MAX_SOURCE:
        raise beyond(_("a text of more than {number} characters", number=MAX_SOURCE))
    try:
        template = _JINJA.parse(source)
    except TemplateSyntaxError as error:
        place = error.lineno - 1
        meant = re.search(r"\{[{#]", _NEWLINE.split(source)[place])
        message = (error.message or "not understood").rstrip(".")[:200]
        raise wrong(
            _("cannot read this: {message}", message=message), _(BRACES) if meant else ""
        ).at(line=place) from None
    except RecursionError:
        raise _too_deep().at(line=_most_brackets(source)) from None
    except ValueError:
        # Python refuses to read very long numbers
        found = _LONG_NUMBER.search(source)
        line = source.count("\n", 0, found.start()) if found else None
        raise wrong(_("this number is too long")).at(line=line) from None
    _check(template, line=0, depth=0)
    return template


def _check(node: nodes.Node, *, line: int, depth: int) -> None:
    # the parser does not number every node
    line = node.lineno - 1 if node.lineno else line
    try:
        if depth > MAX_DEPTH:
            raise _too_deep()
        _check_one(node)
    except ConfigError as error:
        raise error.at(line=line) from None
    for child in node.iter_child_nodes():
        _check(child, line=line, depth=depth + 1)


def _check_one(node: nodes.Node) -> None:
    if type(node) not in SPOKEN:
        word = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).lower()
        raise wrong(
            _("Jinja's {word} is not spoken here", word=repr(word)), _(_INSTEAD.get(type(node), ""))
        )
    if isinstance(node, nodes.For) and node.recursive:
        raise wrong(_("loops are not recursive here"))
    if any(getattr(node, starred, None) for starred in ("dyn_args", "dyn_kwargs")):
        raise wrong(_("arguments are written one by one here"))
    # a text can say any character by an escape
    text = node.value if isinstance(node, nodes.Const) else None
    if isinstance(text, str) and (unseen := _UNSEEN.search(text)):
        raise wrong(
            _("the character U+{unseen} has no place in a page", unseen=f"{ord(unseen[0]):04X}")
        )


def _too_deep() -> ConfigError:
    return beyond(_("this nests more than {number} deep", number=MAX_DEPTH))


def _most_brackets(source: str) -> int:
    """The line that most likely nests too deep for the parser, which does not tell."""
    lines = _NEWLINE.split(source)
    return max(range(len(lines)), key=lambda line: len(re.findall(r"[(\[{]", lines[line])))
