"""Files with guards: remove one guard, or watch all of them, in the running process.

No file is changed: imported functions get new code, and Jinja's loader returns a new text of the
template. So no module has to be imported and no test collected again.
"""

from __future__ import annotations

import ast
import builtins
import gc
import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Protocol

import jinja2
from jinja2.defaults import DEFAULT_FILTERS

from fuzz.guard_kinds import Guard, guards, passing_functions
from fuzz.guard_trees import parsed, replaced
from fuzz.guard_watch import WATCH, Watch

ROOT = Path(__file__).parent.parent.parent
PACKAGE, TEMPLATES = ROOT / "sphinx_llmsize", ROOT / "templates"
_ESCAPE = re.compile(r"\s*\|\s*(xml|latex|mermaid|markdown)\b")


class Source(Protocol):
    """A file with guards."""

    path: Path

    def guards(self) -> list[str]:
        """Line and kind of each guard, as ``7 raise``."""

    def watch(self, first: int) -> None:
        """Watch all guards from now on; ``first`` is the number of the first one."""

    def remove(self, number: int) -> None:
        """Remove a guard, by its index in the list of guards."""


class Module:
    """A module of the package."""

    def __init__(self, path: Path, passing: frozenset[str]) -> None:
        self.path = path
        self.text = path.read_text("utf-8")
        self.passing = passing
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        import_module(module.removesuffix(".__init__"))
        self.functions = [
            found
            for found in gc.get_objects()
            if isinstance(found, FunctionType) and found.__code__.co_filename == str(path)
        ]

    def guards(self) -> list[str]:
        return [f"{guard.line} {guard.kind}" for guard in self._parse()[1]]

    def watch(self, first: int) -> None:
        tree, found = self._parse()
        watched = {guard.node: partial(guard.watched, i) for i, guard in enumerate(found, first)}
        self._replace_code(replaced(tree, watched))

    def remove(self, number: int) -> None:
        tree, found = self._parse()
        self._replace_code(replaced(tree, {found[number].node: found[number].without}))

    def _parse(self) -> tuple[ast.Module, list[Guard]]:
        tree = parsed(self.text)
        return tree, guards(tree, self.passing)

    def _replace_code(self, tree: ast.AST) -> None:
        """Replace the code of each function by that of the function in this tree."""
        found: dict[tuple[str, int], list[CodeType]] = {}
        for code in _codes(compile(tree, str(self.path), "exec", dont_inherit=True)):
            found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
        for function in self.functions:
            code = function.__code__
            new = found.get((code.co_name, code.co_firstlineno), ())
            if len(new) == 1:  # several lambdas in one line keep their code
                function.__code__ = new[0]


class Template:
    """A template of the package; its guards are the filters that escape."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")

    def guards(self) -> list[str]:
        return [
            f"{self.text.count(chr(10), 0, found.end()) + 1} filter {found[1]}"
            for found in _ESCAPE.finditer(self.text)
        ]

    def watch(self, first: int) -> None:
        numbers = count(first)
        self._replace_text(
            _ESCAPE.sub(lambda found: f" | {WATCH}({next(numbers)}, '{found[1]}')", self.text)
        )

    def remove(self, number: int) -> None:
        found = list(_ESCAPE.finditer(self.text))[number]
        self._replace_text(self.text[: found.start()] + self.text[found.end() :])

    def _replace_text(self, text: str) -> None:
        get_source = jinja2.FileSystemLoader.get_source

        def new_source(loader: Any, environment: Any, name: str) -> Any:
            found, file, is_fresh = get_source(loader, environment, name)
            return text if Path(file) == self.path else found, file, is_fresh

        jinja2.FileSystemLoader.get_source = new_source  # type: ignore[method-assign]


def sources(folders: list[str]) -> list[Source]:
    """Modules and templates in these folders: ``sphinx_llmsize/sandbox``, ``templates``."""
    modules = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__main__.py"]
    trees = (parsed(path.read_text("utf-8")) for path in modules)
    passing = frozenset(name for tree in trees for name in passing_functions(tree))
    roots = [(ROOT / folder).resolve() for folder in folders]
    paths = [*modules, *sorted(TEMPLATES.rglob("*.jinja"))]
    return [
        Module(path, passing) if path.suffix == ".py" else Template(path)
        for path in paths
        if any(path.is_relative_to(root) for root in roots)
    ]


def start_watching() -> Watch:
    """Create the watch that watched modules and templates report to."""
    watch = Watch()
    setattr(builtins, WATCH, watch)

    @jinja2.pass_environment
    def watched(environment: jinja2.Environment, text: str, index: int, name: str) -> str:
        return str(watch.call(index, 0, environment.filters[name], text))

    DEFAULT_FILTERS[WATCH] = watched
    return watch


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Code of all functions and classes within a module's code."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
