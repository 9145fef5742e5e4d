"""The benchmarks run, and compare what is the same: small here, their figures mean nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.parametrize("markup", ["rst", "md"])
def test_both_ways_of_writing_show_the_same(markup: str) -> None:
    # build.py itself compares the pages of both builds, word for word
    small = ["--uses", "6", "--pages", "2", "--configurations", "3", "--rounds", "1"]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "build.py"), *small, "--markup", markup],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"{markup}: directive" in done.stdout
    assert "both show:" in done.stdout
