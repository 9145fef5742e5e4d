"""Every guard taken away in turn: some test must fail. ``python -m fuzz.guards [PART...]``.

What a guard is, :mod:`fuzz.guard_kinds` says; in a template it is a filter that escapes. First all
tests run once, to see in which of them each guard acts. Then each is taken away, and those tests
run, the quick ones first, until one fails. Guards that no test misses are listed, and the exit
code is then 1.
"""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from fuzz.guard_runs import in_child, run
from fuzz.guard_sources import ROOT, Source, sources, start_watching

SLOW_TO_IMPORT = ("myst_parser.parsers.sphinx_", "sphinx.testing.util", "sympy")
PARTS = ("sphinx_llmsize", "templates")


class Guards:
    """A run of pytest in which tests run as often as there are guards."""

    def __init__(self, parts: list[str], *, verbose: bool) -> None:
        self.verbose = verbose
        self.parts = parts
        self.survivors = 0
        self.tests_of: dict[int, list[str]] = {}
        self.cost: dict[str, float] = {}
        self.alone: dict[str, bool] = {}

    def pytest_configure(self) -> None:
        """Don't shrink failing examples, and don't share examples between runs."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("guards", phases=phases, database=None, derandomize=True)
        settings.load_profile("guards")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of all tests in turn."""
        self.items = {item.nodeid: item for item in session.items}
        self.sources = sources(self.parts)
        gc.freeze()
        guards = list(self._guards())
        self._watch()
        self._say(f"{len(guards)} guards, of which {len(self.tests_of)} act in some test")
        for index, (source, number, told) in enumerate(guards):
            self._do_without(index, source, number, told)
        self._say(f"{len(guards) - self.survivors} of {len(guards)} guards are missed")
        return True

    def _guards(self) -> Iterator[tuple[Source, int, str]]:
        for source in self.sources:
            for number, told in enumerate(source.guards()):
                yield source, number, f"{source.path.relative_to(ROOT)}:{told}"

    def _watch(self) -> None:
        """Find in which tests each guard acts."""
        files: dict[Path, list[pytest.Item]] = {}
        for item in self.items.values():
            files.setdefault(item.path, []).append(item)
        for path, items in files.items():
            told = in_child(partial(self._watched, items))
            if told is None:
                self._say(f"{path.name} does not end")
                continue
            passed = dict.fromkeys(told["passed"])
            for index, tests in told["acted"].items():
                here = (test for test in tests if test in passed)
                self.tests_of.setdefault(int(index), []).extend(here)
            for test in passed:
                # what it takes to run it alone
                self.cost[test] = told["slowest_setup"] + told["seconds"][test]

    def _watched(self, items: list[pytest.Item]) -> dict[str, Any]:
        watch = start_watching()
        first = 0
        for source in self.sources:
            source.watch(first)
            first += len(source.guards())
        return run(items, watch)

    def _do_without(self, index: int, source: Source, number: int, told: str) -> None:
        began = monotonic()
        tests = sorted(self.tests_of.get(index, ()), key=lambda test: self.cost[test])
        result = self._missed_by(source, number, tests)
        if not result:
            self.survivors += 1
            why = f"any of {len(tests)} tests" if tests else "any test, as it never acts"
            self._say(f"{told}: not missed by {why}")
        elif self.verbose:
            self._say(f"{told}: missed by {result}, after {monotonic() - began:.1f} s")

    def _missed_by(self, source: Source, number: int, tests: list[str]) -> str:
        """A test that fails without the guard; empty if none does."""
        while tests:
            told = in_child(partial(self._without, source, number, tests))
            if told is None:
                return "one that does not end"
            failed = str(told["failed"])
            if not failed or self._passes_alone(failed):
                return failed
            tests = [test for test in tests if test != failed]
        return ""

    def _without(self, source: Source, number: int, tests: list[str]) -> dict[str, Any]:
        source.take_away(number)
        return run([self.items[test] for test in tests])

    def _passes_alone(self, test: str) -> bool:
        """True if a test that failed without a guard passes with it and on its own."""
        if test not in self.alone:
            told = in_child(partial(run, [self.items[test]]))
            self.alone[test] = bool(told and not told["failed"])
        return self.alone[test]

    def _say(self, text: str) -> None:
        print(text, flush=True)


def main() -> int:
    """Take away every guard of the named parts; returns 1 where no test missed one."""
    parser = ArgumentParser(prog="python -m fuzz.guards", description=__doc__)
    parser.add_argument("parts", nargs="*", default=[*PARTS], metavar="PART")
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="FILE")
    parser.add_argument("--verbose", action="store_true", help="tell which test misses each")
    chosen = parser.parse_args()
    for name in SLOW_TO_IMPORT:
        import_module(name)
    guards = Guards(chosen.parts, verbose=chosen.verbose)
    pytest.main(["-q", "-n0", "-s", "-p", "no:cacheprovider", *chosen.tests], plugins=[guards])
    return 1 if guards.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
