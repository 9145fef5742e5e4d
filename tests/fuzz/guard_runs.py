"""Test runs in child processes, with their failures and the guards that acted."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from fuzz.guard_watch import Watch

MAX_CPU_SECONDS, MAX_SECONDS, MAX_BYTES = 60, 1800, 8 * 2**30
"""Limits of a test, because code without a guard may never end or take all memory."""


class Results:
    """Plugin of pytest that collects the results of tests.

    Attributes:
        passed: ids of tests.
        failed: id of the test that failed last, or empty.
        seconds: duration of each test.
        slowest_setup: the longest setup of a test, in seconds.
        acted: ids of tests in which each guard acted, by the guard's number.
    """

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed = ""
        self.seconds: dict[str, float] = {}
        self.slowest_setup = 0.0
        self.acted: dict[int, list[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the result of a setup, a call or a teardown."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.when == "setup":
            self.slowest_setup = max(self.slowest_setup, report.duration)
        if report.failed:
            self.failed = report.nodeid
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)


class _ActedRecorder:
    """Plugin that records the guards that act in each test.

    Guards that act in a fixture count for every later test: the fixture may be shared.
    """

    def __init__(self, watch: Watch, results: Results) -> None:
        self.watch, self.results = watch, results
        self.in_fixtures: set[int] = set()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.in_fixtures |= self.watch.acted
        self.watch.acted = set()
        try:
            return (yield)
        finally:
            for index in self.in_fixtures | self.watch.acted:
                self.results.acted.setdefault(index, []).append(item.nodeid)
            self.watch.acted = set()


def run(items: list[pytest.Item], watch: Watch | None = None) -> dict[str, Any]:
    """Run tests in this process until one fails, or all of them if guards are watched."""
    results = Results()
    manager = items[0].config.pluginmanager
    manager.register(results)
    if watch:
        manager.register(_ActedRecorder(watch, results))
    for item, after in zip(items, [*items[1:], None], strict=True):
        signal.setitimer(signal.ITIMER_PROF, MAX_CPU_SECONDS)
        signal.alarm(MAX_SECONDS)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if results.failed and not watch:
            break
    return vars(results)


def in_child(work: Callable[[], Any]) -> Any:
    """Result of a function, run in a child process and passed as JSON; None if it failed."""
    reading, writing = os.pipe()
    with TemporaryDirectory() as folder:
        child = os.fork()
        if child == 0:
            with suppress(BaseException):
                _confine(folder)
                result = json.dumps(work())
                with os.fdopen(writing, "w") as file:
                    file.write(result)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as file:
            result = file.read()
        os.waitpid(child, 0)
    return json.loads(result) if result else None


def _confine(folder: str) -> None:
    """Limit the memory, discard the output and set the folder of temporary files."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
