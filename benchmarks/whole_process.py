"""A Sphinx build as its author would start it, and how long the processor works on it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import rmtree


def build(source: Path, output: Path) -> float:
    """Processor seconds of a fresh HTML build in one process, warnings being errors."""
    rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-j", "1", "-b", "html"]
    start = _children()
    subprocess.run([*command, str(source), str(output)], check=True)
    return _children() - start


def _children() -> float:
    """Processor seconds of all processes that were waited for until now."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
