"""Sphinx builds in separate processes, with their time and memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

Seconds = dict[str, list[float]]
"""Processor seconds of each round, by project."""
ImportTimes = dict[str, float]
"""Import time of each module in seconds, without the modules that it imports."""

_IMPORT_TIME = re.compile(r"import time: +(?P<microseconds>\d+) \| +\d+ \| +(?P<module>\S+)")
"""Line of Python's option ``-X importtime``; the second number includes imported modules."""


class Cost(NamedTuple):
    """Time and memory of a build.

    Attributes:
        processor: processor seconds.
        peak: peak memory in bytes.
    """

    processor: float
    peak: int


def build(source: Path, output: Path) -> Cost:
    """Build HTML from scratch; return its time and memory.

    Raises:
        CalledProcessError: the build fails, or gives a warning.
    """
    rmtree(output, ignore_errors=True)
    command = [sys.executable, *_command(source, output)]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    # Linux measures ru_maxrss in units of 1,024 bytes
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def import_times(source: Path, output: Path) -> ImportTimes:
    """Build HTML from scratch; return the import time of each module."""
    rmtree(output, ignore_errors=True)
    command = [sys.executable, "-X", "importtime", *_command(source, output)]
    process = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True)
    times: ImportTimes = {}
    for line in process.stderr.splitlines():
        if found := _IMPORT_TIME.match(line):
            times[found["module"]] = int(found["microseconds"]) / 1e6
    return times


def _command(source: Path, output: Path) -> list[str]:
    options = ["-q", "-W", "-j", "1", "-b", "html"]
    return ["-m", "sphinx", *options, str(source), str(output)]


def time_builds(root: Path, names: Iterable[str], rounds: int) -> Seconds:
    """Build each project of a folder in turn, so many times; return their processor seconds.

    Args:
        root: folder of the projects; each is built into the folder ``NAME built`` beside it.
        names: names of the projects.
        rounds: number of builds of each project.
    """
    seconds: Seconds = {name: [] for name in names}
    for _ in range(rounds):
        for name, times in seconds.items():
            times.append(build(root / name, root / f"{name} built").processor)
    return seconds
