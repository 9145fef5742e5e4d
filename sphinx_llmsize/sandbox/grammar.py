"""Which of Jinja's language is spoken here; the rest is refused where it stands."""

from __future__ import annotations

import re

from jinja2 import Environment, TemplateSyntaxError, nodes

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sandbox.bounds import MAX_DEPTH, MAX_SOURCE, beyond, wrong
from sphinx_llmsize.sandbox.operators import ARITHMETIC

SPOKEN = frozenset(
    {
        *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Assign),
        *(nodes.Name, nodes.Const, nodes.Tuple, nodes.List, nodes.Concat),
        *(nodes.Call, nodes.Keyword, nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem),
        *(nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr),
        *(nodes.Neg, nodes.Pos, *ARITHMETIC),
    }
)
BRACES = 'two braces that are meant as such are written {{ "{{" }}, or in TeX with a blank: { {'
_INSTEAD = {
    nodes.Macro: "loops and set are there",
    nodes.Dict: 'write a list of pairs: [("a", 1), ("b", 2)]',
    nodes.Slice: "write the items that are wanted",
    nodes.AssignBlock: "write {% set name = value %}",
}
# nothing is rendered by it: it only parses, so there is nothing for it to escape
_JINJA = Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701
_LONG_NUMBER = re.compile("[0-9_]{1000}")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def parse(source: str) -> nodes.Template:
    """The text as Jinja's nodes, each of them one that is spoken here.

    Raises:
        ConfigError: it is not Jinja, too long or too deep, or more of Jinja than is spoken.
    """
    if len(source) > MAX_SOURCE:
        raise beyond(f"a text of more than {MAX_SOURCE:,} characters")
    try:
        template = _JINJA.parse(source)
    except TemplateSyntaxError as error:
        place = error.lineno - 1
        meant = re.search(r"\{[{#]", source.split("\n")[place])
        message = (error.message or "not understood").rstrip(".")
        raise wrong(f"cannot read this: {message}", BRACES if meant else "").at(
            line=place
        ) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        # Python refuses to read very long numbers
        found = _LONG_NUMBER.search(source)
        line = source.count("\n", 0, found.start()) if found else None
        raise wrong("this number is too long").at(line=line) from None
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
        raise wrong(f"Jinja's {word!r} is not spoken here", _INSTEAD.get(type(node), ""))
    if isinstance(node, nodes.For) and node.recursive:
        raise wrong("loops are not recursive here")
    if any(getattr(node, starred, None) for starred in ("dyn_args", "dyn_kwargs")):
        raise wrong("arguments are written one by one here")
    # a text can say any character by an escape
    text = node.value if isinstance(node, nodes.Const) else None
    if isinstance(text, str) and (unseen := _UNSEEN.search(text)):
        raise wrong(f"the character U+{ord(unseen[0]):04X} has no place in a page")


def _too_deep() -> ConfigError:
    return beyond(f"this nests more than {MAX_DEPTH} deep")
