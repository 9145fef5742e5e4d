"""Regressions found by fuzzing, and a few random texts of every kind.

``data/fuzz`` holds, by target, inputs that once raised something else than our own error, or
gave an answer that could not be. ``nox -s fuzz`` looks for more.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fuzz.inputs import DRAWS, changed
from fuzz.targets import TARGETS

FOUND = sorted(path for path in (Path(__file__).parent / "data" / "fuzz").rglob("*.txt"))
RUNS = 20


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_was_found(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_random_texts(target: str) -> None:
    random = Random(target)
    for _ in range(RUNS):
        text = DRAWS[target](random)
        for data in (text, changed(text, target, random)):
            TARGETS[target](data.encode("utf-8", "replace"))
