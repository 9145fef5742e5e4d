"""Build many uses of the directive and the same content typed by hand; print the ratio."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from markup import MARKUPS
from page_contents import compare_pages
from projects import WAYS, Size, write_project
from sphinx_builds import Seconds, time_builds


def main() -> None:
    """Measure each chosen markup language."""
    args = arguments()
    size = Size(args.uses, args.pages, args.configurations)
    with TemporaryDirectory() as folder:
        for name in args.markup:
            root = Path(folder, name)
            for way in WAYS:
                write_project(root / way, MARKUPS[name], way, size)
            seconds = time_builds(root, WAYS, args.rounds)
            counts = compare_pages(root, WAYS, args.pages, required="diagrams")
            report(name, seconds, counts)


def arguments() -> argparse.Namespace:
    """Options: sizes of the projects, number of rounds, markup languages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--configurations", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markup", nargs="+", choices=list(MARKUPS), default=["rst", "md"])
    return parser.parse_args()


def report(name: str, seconds: Seconds, counts: Counter[str]) -> None:
    """Print the medians and their ratio, every round, and the contents of the pages."""
    medians = {way: median(rounds) for way, rounds in seconds.items()}
    ratio = medians["directive"] / medians["by hand"]
    times = ", ".join(f"{way} {time:.2f} s" for way, time in medians.items())
    print(f"{name}: {times}, ratio {ratio:.2f}")
    rounds = [
        f"{directive:.2f}/{by_hand:.2f} = {directive / by_hand:.2f}"
        for directive, by_hand in zip(seconds["directive"], seconds["by hand"], strict=True)
    ]
    print("  rounds:", ", ".join(rounds))
    print("  both show:", ", ".join(f"{count:,} {kind}" for kind, count in counts.items()))


if __name__ == "__main__":
    main()
