"""Tests run in processes of their own, of which it is told what failed and which guards acted."""

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

MOST_SECONDS, MOST_WAITING, MOST_BYTES = 60, 1800, 8 * 2**30
"""Of a test, of the processor and altogether: without a guard, something may never end."""


class Ran:
    """Results of tests that ran."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed = ""
        self.seconds: dict[str, float] = {}
        self.slowest_setup = 0.0
        self.acted: dict[int, list[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.when == "setup":
            self.slowest_setup = max(self.slowest_setup, report.duration)
        if report.failed:
            self.failed = report.nodeid
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)


class _Acts:
    """Notes in which tests a guard acts; what acts in a fixture acts in all tests after it."""

    def __init__(self, watch: Watch, ran: Ran) -> None:
        self.watch, self.ran = watch, ran
        self.before: set[int] = set()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.before |= self.watch.acted
        self.watch.acted = set()
        try:
            return (yield)
        finally:
            for index in self.before | self.watch.acted:
                self.ran.acted.setdefault(index, []).append(item.nodeid)
            self.watch.acted = set()


def run(items: list[pytest.Item], watch: Watch | None = None) -> dict[str, Any]:
    """Run tests in this process until one fails; all of them where guards are watched."""
    ran = Ran()
    manager = items[0].config.pluginmanager
    manager.register(ran)
    if watch:
        manager.register(_Acts(watch, ran))
    for item, after in zip(items, [*items[1:], None], strict=True):
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        signal.alarm(MOST_WAITING)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if ran.failed and not watch:
            break
    return vars(ran)


def in_child(work: Callable[[], Any]) -> Any:
    """Result of a function run in a process of its own; None if the process failed."""
    reading, writing = os.pipe()
    with TemporaryDirectory() as folder:
        child = os.fork()
        if child == 0:
            with suppress(BaseException):
                _confine(folder)
                told = json.dumps(work())
                with os.fdopen(writing, "w") as file:
                    file.write(told)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as file:
            answer = file.read()
        os.waitpid(child, 0)
    return json.loads(answer) if answer else None


def _confine(folder: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
