"""The benchmarks run, and compare what is the same: small here, their figures mean nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def printed(benchmark: str, *options: str) -> str:
    command = [sys.executable, str(BENCHMARKS / benchmark), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("markup", ["rst", "md"])
def test_both_ways_of_writing_show_the_same(markup: str) -> None:
    # build.py itself compares the pages of both builds, word for word
    small = ("--uses", "6", "--pages", "2", "--configurations", "3", "--rounds", "1")
    told = printed("build.py", *small, "--markup", markup)
    assert f"{markup}: directive" in told
    assert "both show:" in told


def test_roles_say_what_is_typed() -> None:
    # as build.py does
    told = printed("roles.py", "--uses", "40", "--pages", "2", "--rounds", "1")
    assert "rst: role" in told
    assert "md: role" in told


def test_what_loading_costs() -> None:
    told = printed("import_cost.py", "--rounds", "1")
    assert told.count("sphinx_llmsize: ") == 2  # in modules, and in whole processes
