"""Remove each guard in turn: some test must fail. ``python -m fuzz.guards [FOLDER...]``.

Guards are defined in :mod:`fuzz.guard_kinds`; in templates they are the filters that escape. All
tests run once to find those in which each guard acts. Then each guard is removed, and its tests
run, fast ones first, until one fails. Guards that can be removed without a failure are listed, and
the exit code is 1.
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
FOLDERS = ("sphinx_llmsize", "templates")


class Guards:
    """Plugin of pytest that runs the tests of each guard without it.

    Attributes:
        survivors: number of guards without which no test fails.
        tests_of: ids of the tests in which a guard acts, by its number.
        seconds: time to run each test alone, with its setup.
        passes_alone: by test, whether it passes on its own with all guards.
    """

    def __init__(self, folders: list[str], *, verbose: bool) -> None:
        self.verbose = verbose
        self.folders = folders
        self.survivors = 0
        self.tests_of: dict[int, list[str]] = {}
        self.seconds: dict[str, float] = {}
        self.passes_alone: dict[str, bool] = {}

    def pytest_configure(self) -> None:
        """Don't shrink failing examples, and don't share examples between runs."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("guards", phases=phases, database=None, derandomize=True)
        settings.load_profile("guards")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests of each guard, in place of pytest's loop over all tests."""
        self.items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # conftest.py froze the functions, which sources() has to find
        self.sources = sources(self.folders)
        gc.freeze()
        guards = list(self._guards())
        self._watch()
        _say(f"{len(guards)} guards, of which {len(self.tests_of)} act in some test")
        for index, (source, number, label) in enumerate(guards):
            self._test_without(index, source, number, label)
        _say(f"tests fail without {len(guards) - self.survivors} of {len(guards)} guards")
        return True

    def _guards(self) -> Iterator[tuple[Source, int, str]]:
        """Each guard: its file, its index there, and a label."""
        for source in self.sources:
            for number, label in enumerate(source.guards()):
                yield source, number, f"{source.path.relative_to(ROOT)}:{label}"

    def _watch(self) -> None:
        """Find the tests in which each guard acts."""
        files: dict[Path, list[pytest.Item]] = {}
        for item in self.items.values():
            files.setdefault(item.path, []).append(item)
        for path, items in files.items():
            results = in_child(partial(self._run_watched, items))
            if results is None:
                _say(f"{path.name} does not end")
                continue
            passed = frozenset(results["passed"])
            for index, tests in results["acted"].items():
                found = (test for test in tests if test in passed)
                self.tests_of.setdefault(int(index), []).extend(found)
            for test in passed:
                self.seconds[test] = results["slowest_setup"] + results["seconds"][test]

    def _run_watched(self, items: list[pytest.Item]) -> dict[str, Any]:
        watch = start_watching()
        first = 0
        for source in self.sources:
            source.watch(first)
            first += len(source.guards())
        return run(items, watch)

    def _test_without(self, index: int, source: Source, number: int, label: str) -> None:
        began = monotonic()
        tests = sorted(self.tests_of.get(index, ()), key=self.seconds.__getitem__)
        failed = self._failing_test(source, number, tests)
        if not failed:
            self.survivors += 1
            reason = f"none of {len(tests)} tests fails" if tests else "acts in no test"
            _say(f"{label}: {reason}")
        elif self.verbose:
            _say(f"{label}: {failed} fails, after {monotonic() - began:.1f} s")

    def _failing_test(self, source: Source, number: int, tests: list[str]) -> str:
        """Id of a test that fails without the guard; empty if none does."""
        while tests:
            results = in_child(partial(self._run_without, source, number, tests))
            if results is None:
                return "a test that does not end"
            failed = str(results["failed"])
            if not failed or self._passes_alone(failed):
                return failed
            tests = [test for test in tests if test != failed]
        return ""

    def _run_without(self, source: Source, number: int, tests: list[str]) -> dict[str, Any]:
        source.remove(number)
        return run([self.items[test] for test in tests])

    def _passes_alone(self, test: str) -> bool:
        """True if a test passes on its own with all guards."""
        if test not in self.passes_alone:
            results = in_child(partial(run, [self.items[test]]))
            self.passes_alone[test] = bool(results and not results["failed"])
        return self.passes_alone[test]


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """Remove every guard of the named folders in turn; return 1 if one survived."""
    parser = ArgumentParser(prog="python -m fuzz.guards", description=__doc__)
    parser.add_argument("folders", nargs="*", default=[*FOLDERS], metavar="FOLDER")
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="FILE")
    parser.add_argument("--verbose", action="store_true", help="show a failing test for each guard")
    arguments = parser.parse_args()
    for name in SLOW_TO_IMPORT:
        import_module(name)
    guards = Guards(arguments.folders, verbose=arguments.verbose)
    pytest.main(["-q", "-n0", "-s", "-p", "no:cacheprovider", *arguments.tests], plugins=[guards])
    return 1 if guards.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
