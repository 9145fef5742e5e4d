"""Inputs found by fuzzing, and a few random texts for each target.

``data/fuzz`` has a folder for each target, with inputs that once raised another error than our
own, or had a wrong result. ``nox -s fuzz`` searches for more.
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
def test_inputs_found_by_fuzzing(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_random_texts(target: str) -> None:
    random = Random(target)
    for _ in range(RUNS):
        text = DRAWS[target](random)
        for data in (text, changed(text, target, random)):
            TARGETS[target](data.encode("utf-8", "replace"))
