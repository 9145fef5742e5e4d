"""Every guard taken away in turn: some test must fail. ``python -m fuzz.guards``.

A guard is a ``raise`` in what reads a page or a file, or an escape in what writes one. Each is
taken away in a copy of the project, and the tests that are about it run there; those that pass
without it are listed, and the exit code is then 1.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

PACKAGE = "sphinx_llmsize"
COPIED = (PACKAGE, "templates", "tests", "fuzz", "docs", "pyproject.toml", "README.md")
PAGES = ("test_faults.py", "test_mistakes.py")
TESTS = {
    "sources": ("test_sources.py", "test_role.py", "test_compare.py", "test_load.py", *PAGES),
    "config": ("test_config.py", "test_layers.py", "test_windows.py", "test_fuzz.py", *PAGES),
    "sandbox": ("test_sandbox.py", "test_fuzz.py", "test_template_directive.py", *PAGES),
    "hosts/sphinx": (
        *("test_sphinx_host.py", "test_role.py", "test_compare.py", "test_template_directive.py"),
        *("test_locations.py", "test_dependencies.py", "test_charts.py", *PAGES),
    ),
    "templating.py": ("test_fuzz.py", "test_names.py", "test_pipeline.py", "test_sphinx_host.py"),
    "model.py": ("test_config.py", "test_load.py", "test_role.py", "test_sphinx_host.py", *PAGES),
    "views/options.py": ("test_scaling.py", "test_memory.py", "test_sphinx_host.py", *PAGES),
    "views/__init__.py": ("test_cli.py", "test_sphinx_host.py", *PAGES),
}
"""What is searched for guards, and the tests that are about it, the quick ones first."""
NOT_GUARDS = ("SkipNode", "StopIteration", "NotImplementedError")
MOST_SECONDS, MOST_BYTES = 120, 8 * 2**30
"""Of a run: without its guard, something may never end."""


@dataclass(frozen=True)
class Guard:
    """Lines of a module, and what to put in their place."""

    module: str
    first: int
    last: int
    without: str

    def __str__(self) -> str:
        return f"{self.module}:{self.first}"

    def taken_from(self, text: str) -> str:
        """The module without it."""
        lines = text.split("\n")
        lines[self.first - 1 : self.last] = [self.without]
        return "\n".join(lines)


def guards(module: str, text: str) -> Iterator[Guard]:
    """Every guard of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and not any(n in ast.unparse(node) for n in NOT_GUARDS):
            without = f"{' ' * node.col_offset}pass"
            yield Guard(module, node.lineno, node.end_lineno or node.lineno, without)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("escape_"):
            returned = node.body[-1]
            last = returned.end_lineno or returned.lineno
            yield Guard(module, returned.lineno, last, "    return text")
            line = text.split("\n")[returned.lineno - 1]
            seen = line.replace('_UNSEEN.sub("", text)', "text")
            if seen != line:
                yield Guard(module, returned.lineno, last, seen)


def passes(root: Path, tests: tuple[str, ...]) -> bool:
    """Whether the tests pass in a process of their own, which has all but ours imported."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.chdir(root)
        os.environ["PYTHONPATH"] = str(root)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(root))
        found = [f"tests/{test}" for test in tests if (root / "tests" / test).exists()]
        os._exit(pytest.main(["-q", "-x", "-n0", "-p", "no:cacheprovider", *found]))
    return os.waitpid(child, 0)[1] == 0


def main() -> int:
    """Take away every guard of the named parts; returns 1 where no test missed one."""
    parser = ArgumentParser(prog="python -m fuzz.guards", description=__doc__)
    parser.add_argument("parts", nargs="*", default=[*TESTS], metavar="PART")
    chosen = parser.parse_args().parts
    _import_before()
    total, survived = 0, 0
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name in COPIED:
            copy = shutil.copytree if Path(name).is_dir() else shutil.copy
            copy(name, root / name)
        for part in chosen:
            if not passes(root, TESTS[part]):
                print(f"the tests of {part} fail as they are")
                return 2
            for guard in _guards_of(root, part):
                total += 1
                if _is_missed_by_none(root, guard, TESTS[part]):
                    survived += 1
                    print(f"no test misses {guard}", flush=True)
            print(f"after {part}: {total - survived} of {total} are missed", flush=True)
    return 1 if survived else 0


def _guards_of(root: Path, part: str) -> Iterator[Guard]:
    path = root / PACKAGE / part
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        yield from guards(str(file.relative_to(root)), file.read_text("utf-8"))


def _is_missed_by_none(root: Path, guard: Guard, tests: tuple[str, ...]) -> bool:
    file = root / guard.module
    text = file.read_text("utf-8")
    file.write_text(guard.taken_from(text), "utf-8")
    try:
        return passes(root, tests)
    finally:
        file.write_text(text, "utf-8")


def _import_before() -> None:
    """What takes long to import, and is the same for every run."""
    for module in ("myst_parser.parsers.sphinx_", "sphinx.testing.util", "sympy"):
        import_module(module)


if __name__ == "__main__":
    sys.exit(main())
