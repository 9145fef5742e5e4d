"""Build both ways of writing with one process and with two; print how much faster two are."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from markup import MARKUPS
from projects import WAYS, Size, write_project
from whole_process import Cost, build

JOBS = (1, 2)


def main() -> None:
    """Measure, and print every way's gain and the ratio of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--configurations", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markup", choices=["rst", "md"], default="rst")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        root = Path(folder)
        size = Size(wanted.uses, wanted.pages, wanted.configurations)
        for way in WAYS:
            write_project(root / way, MARKUPS[wanted.markup], way, size)
        gains = [gain(root, way, wanted.rounds) for way in WAYS]
    for way, times in zip(WAYS, gains, strict=True):
        print(f"{way}: {times:.2f} times faster with two processes")
    print(f"ratio {gains[0] / gains[1]:.2f}")


def gain(root: Path, way: str, rounds: int) -> float:
    """How many times faster two processes are, by the seconds that one waits."""
    costs: dict[int, list[Cost]] = {jobs: [] for jobs in JOBS}
    for _ in range(rounds):
        for jobs, measured in costs.items():
            measured.append(build(root / way, root / f"{way} built", jobs))
    for jobs, measured in costs.items():
        elapsed, processor = waited(measured), median(cost.processor for cost in measured)
        print(f"{way}, -j {jobs}: {elapsed:.2f} s, of processors {processor:.2f} s")
    return waited(costs[1]) / waited(costs[2])


def waited(costs: list[Cost]) -> float:
    """The median of the seconds that one waits."""
    return median(cost.elapsed for cost in costs)


if __name__ == "__main__":
    main()
