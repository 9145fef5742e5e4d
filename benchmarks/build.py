"""Build many uses of the directive and the same content typed by hand; print the ratio."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from markup import MARKUPS
from projects import WAYS, Size, write_project
from reader import same_content
from whole_process import Seconds, in_turn


def main() -> None:
    """Measure each chosen markup language."""
    wanted = arguments()
    size = Size(wanted.uses, wanted.pages, wanted.configurations)
    with TemporaryDirectory() as folder:
        for name in wanted.markup:
            root = Path(folder, name)
            for way in WAYS:
                write_project(root / way, MARKUPS[name], way, size)
            seconds = in_turn(root, WAYS, wanted.rounds)
            report(name, seconds, same_content(root, WAYS, wanted.pages, "diagrams"))


def arguments() -> argparse.Namespace:
    """Options: sizes of the projects, number of rounds, markup languages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--configurations", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markup", nargs="+", choices=list(MARKUPS), default=["rst", "md"])
    return parser.parse_args()


def report(name: str, seconds: Seconds, shown: Counter[str]) -> None:
    """Print the medians and their ratio, then every round."""
    typical = {way: median(times) for way, times in seconds.items()}
    ratio = typical["directive"] / typical["by hand"]
    medians = ", ".join(f"{way} {time:.2f} s" for way, time in typical.items())
    print(f"{name}: {medians}, ratio {ratio:.2f}")
    pairs = zip(seconds["directive"], seconds["by hand"], strict=True)
    print("  rounds:", ", ".join(f"{one:.2f}/{two:.2f} = {one / two:.2f}" for one, two in pairs))
    print("  both show:", ", ".join(f"{count:,} {what}" for what, count in shown.items()))


if __name__ == "__main__":
    main()
