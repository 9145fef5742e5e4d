"""Sphinx builds in separate processes, with their time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

Seconds = dict[str, list[float]]
"""Processor seconds of each round, by project."""
Modules = dict[str, float]
"""Import time of each module in seconds, without the modules that it imports."""

_PREFIX = "import time:"
"""Prefix of Python's lines of import times."""


class Cost(NamedTuple):
    """Time and memory of a build.

    Attributes:
        processor: processor seconds.
        peak: peak memory in bytes.
    """

    processor: float
    peak: int


def build(source: Path, output: Path) -> Cost:
    """Build HTML from scratch; warnings are errors."""
    rmtree(output, ignore_errors=True)
    command = [sys.executable, *_command(source, output)]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    # Linux measures ru_maxrss in units of 1,024 bytes
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def imports(source: Path, output: Path) -> Modules:
    """Modules that such a build imports."""
    rmtree(output, ignore_errors=True)
    command = [sys.executable, "-X", "importtime", *_command(source, output)]
    output_lines = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True).stderr
    lines = (
        line.removeprefix(_PREFIX).split("|") for line in output_lines.splitlines() if "|" in line
    )
    return {name.strip(): int(own) / 1e6 for own, _, name in lines if own.strip().isdigit()}


def _command(source: Path, output: Path) -> list[str]:
    options = ["-q", "-W", "-j", "1", "-b", "html"]
    return ["-m", "sphinx", *options, str(source), str(output)]


def in_turn(root: Path, names: Iterable[str], rounds: int) -> Seconds:
    """Build the projects of a folder in turn, several times; return their processor seconds."""
    seconds: Seconds = {name: [] for name in names}
    for _ in range(rounds):
        for name, times in seconds.items():
            times.append(build(root / name, root / f"{name} built").processor)
    return seconds
