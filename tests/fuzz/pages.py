"""Random pages in both markup languages: our directives and roles, also in nested markup."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from textwrap import indent

from fuzz import inputs

MAX_PIECES = 3
MAX_DEPTH = 3
_TICKS = 3
"""Backticks of a Markdown fence without fences in it."""


def page(random: Random, markup: str) -> str:
    """A page in ``rst`` or ``md``."""
    title = "Title\n=====\n" if markup == "rst" else "# Title\n"
    return "\n".join((title, *_pieces(random, markup, MAX_DEPTH)))


def _pieces(random: Random, markup: str, depth: int) -> list[str]:
    return [_piece(random, markup, depth) for _ in range(random.randint(1, MAX_PIECES))]


def _piece(random: Random, markup: str, depth: int) -> str:
    kinds: list[Callable[[Random, str, int], str]] = [_directive, _directive, _sentence]
    if depth:
        kinds += [_nested, _nested]
    return random.choice(kinds)(random, markup, depth)


def _text(random: Random, target: str) -> str:
    text = inputs.DRAWS[target](random)
    return inputs.changed(text, target, random) if random.random() < 0.5 else text


def _directive(random: Random, markup: str, depth: int) -> str:
    target = random.choice(("directive", "directive", "comparison", "template"))
    text = _text(random, target)
    if target == "directive":
        argument, _, below = text.partition("\n")
        return written("llm-size", argument, below, markup, depth)
    name = "llm-compare" if target == "comparison" else "llm-template"
    return written(name, "", text, markup, depth)


def written(name: str, argument: str, below: str, markup: str, depth: int = 0) -> str:
    """A directive; ``depth`` is the number of directives that may be nested in it."""
    if markup == "rst":
        return f".. {name}:: {argument}\n{indent(below, '   ')}\n"
    fence = "`" * (_TICKS + depth)
    return f"{fence}{{{name}}} {argument}\n{below}\n{fence}\n"


def _sentence(random: Random, markup: str, depth: int) -> str:
    role = ":llm-size:" if markup == "rst" else "{llm-size}"
    numbers = (f"{role}`{_text(random, 'figure')}`" for _ in range(random.randrange(1, 3)))
    return f"a model of {' and '.join(numbers)} *parameters*\n"


def _nested(random: Random, markup: str, depth: int) -> str:
    inner = "\n".join(_pieces(random, markup, depth - 1))
    wrappers: list[Callable[[], str]] = [
        lambda: written("note", "", f"\n{inner}", markup, depth),
        lambda: f"- item\n\n{indent(inner, '  ')}\n",
        lambda: _quoted(inner, markup),
        lambda: written(
            "list-table", "", f"\n* - a\n  - b\n* - {_hanging(inner)}\n  - c", markup, depth
        ),
    ]
    if markup == "md":
        wrappers.append(lambda: _in_rst(random, depth))
    return random.choice(wrappers)()


def _quoted(inner: str, markup: str) -> str:
    if markup == "rst":
        return f"text\n\n{indent(inner, '   ')}\n"
    return indent(inner, "> ", lambda line: True)


def _hanging(inner: str) -> str:
    return indent(inner, "    ").removeprefix("    ")


def _in_rst(random: Random, depth: int) -> str:
    inner = "\n".join(_pieces(random, "rst", depth - 1))
    return written("eval-rst", "", inner, "md", depth)
