"""Option for the number of examples, and a summary after the last test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--examples``, the number for each ``model_type``."""
    parser.addoption("--examples", type=int, default=20, help="configurations for each type")


@pytest.fixture
def examples(request: pytest.FixtureRequest) -> int:
    """Value of ``--examples``."""
    return int(request.config.getoption("--examples"))


@pytest.fixture(scope="session")
def tally() -> Iterator[Counter[str]]:
    """Numbers of configurations, compared or skipped, by message; printed after the last test."""
    counts: Counter[str] = Counter()
    yield counts
    types = sum(name.startswith("compared ") for name in counts)
    print(f"\n{types} types, {counts['compared']:,} configurations compared")
    for kind in ("forward passes", "next tokens"):
        types = sum(name.startswith(f"{kind} ") for name in counts)
        print(f"{types} types, {counts[kind]:,} {kind} compared")
    for name, count in counts.items():
        if name.startswith(("refused", "not buildable", "not runnable", "no next token")):
            print(f"{count:6,} {name}")
