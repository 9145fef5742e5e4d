"""Files with guards: run without one of them, or observe all of them.

Nothing is written: functions that were imported get the code that they have without a guard, and
a template is read without one, so that nothing has to be imported or collected anew.
"""

from __future__ import annotations

import ast
import builtins
import gc
import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Protocol

import jinja2
from jinja2.defaults import DEFAULT_FILTERS

from fuzz.guard_kinds import Guard, guards, parsed, passing_functions, replaced
from fuzz.guard_watch import WATCH, Watch

ROOT = Path(__file__).parent.parent.parent
PACKAGE, TEMPLATES = ROOT / "sphinx_llmsize", ROOT / "templates"
_ESCAPE = re.compile(r"\s*\|\s*(xml|latex|mermaid|markdown)\b")


class Source(Protocol):
    """A file with guards."""

    path: Path

    def guards(self) -> list[str]:
        """Line and kind of each guard: ``7 raise``."""

    def watch(self, first: int) -> None:
        """Have them all watched from now on, the first by that number."""

    def take_away(self, number: int) -> None:
        """Go on without one."""


class Module:
    """A module of the package."""

    def __init__(self, path: Path, passing: frozenset[str]) -> None:
        self.path = path
        self.text = path.read_text("utf-8")
        self.passing = passing
        inside = path.relative_to(ROOT).with_suffix("")
        import_module(".".join(inside.parts).removesuffix(".__init__"))
        self.functions = [
            thing
            for thing in gc.get_objects()
            if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(path)
        ]

    def guards(self) -> list[str]:
        return [f"{guard.line} {guard.kind}" for guard in self._found()[1]]

    def watch(self, first: int) -> None:
        tree, found = self._found()
        watched = {g.node: partial(g.watched, first + i) for i, g in enumerate(found)}
        self._exchange(replaced(tree, watched))

    def take_away(self, number: int) -> None:
        tree, found = self._found()
        self._exchange(replaced(tree, {found[number].node: found[number].without}))

    def _found(self) -> tuple[ast.Module, list[Guard]]:
        tree = parsed(self.text)
        return tree, guards(tree, self.passing)

    def _exchange(self, tree: ast.AST) -> None:
        """Give each function the code that it has in this tree."""
        found: dict[tuple[str, int], list[CodeType]] = {}
        for code in _codes(compile(tree, str(self.path), "exec", dont_inherit=True)):
            found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
        for function in self.functions:
            code = function.__code__
            same = found.get((code.co_name, code.co_firstlineno), ())
            if len(same) == 1:  # else several lambdas of a line, which stay
                function.__code__ = same[0]


class Template:
    """A template of ours, whose guards are the filters that escape."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")

    def guards(self) -> list[str]:
        return [
            f"{self.text.count(chr(10), 0, found.end()) + 1} filter {found[1]}"
            for found in _ESCAPE.finditer(self.text)
        ]

    def watch(self, first: int) -> None:
        numbers = iter(range(first, first + len(self.guards())))
        self._exchange(
            _ESCAPE.sub(lambda found: f" | {WATCH}({next(numbers)}, '{found[1]}')", self.text)
        )

    def take_away(self, number: int) -> None:
        found = list(_ESCAPE.finditer(self.text))[number]
        self._exchange(self.text[: found.start()] + self.text[found.end() :])

    def _exchange(self, text: str) -> None:
        get_source = jinja2.FileSystemLoader.get_source

        def exchanged(loader: Any, environment: Any, name: str) -> Any:
            found, file, is_fresh = get_source(loader, environment, name)
            return text if Path(file) == self.path else found, file, is_fresh

        jinja2.FileSystemLoader.get_source = exchanged  # type: ignore[method-assign]


def sources(parts: list[str]) -> list[Source]:
    """The modules and templates of these parts: ``sphinx_llmsize/sandbox``, ``templates``."""
    modules = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__main__.py"]
    trees = (parsed(path.read_text("utf-8")) for path in modules)
    passing = frozenset(name for tree in trees for name in passing_functions(tree))
    folders = [(ROOT / part).resolve() for part in parts]
    paths = [*modules, *sorted(TEMPLATES.rglob("*.jinja"))]
    return [
        Module(path, passing) if path.suffix == ".py" else Template(path)
        for path in paths
        if any(path.is_relative_to(folder) for folder in folders)
    ]


def start_watching() -> Watch:
    """Watch that modules and templates report acting guards to."""
    watch = Watch()
    setattr(builtins, WATCH, watch)

    @jinja2.pass_environment
    def watched(environment: jinja2.Environment, text: str, index: int, name: str) -> str:
        return str(watch.called(index, 0, environment.filters[name], text))

    DEFAULT_FILTERS[WATCH] = watched
    return watch


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
