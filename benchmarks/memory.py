"""Print the memory of each use of the directive, and of the same content typed by hand.

This is the difference between the peaks of two builds, divided by that of their numbers of uses.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from markup import MARKUPS
from projects import WAYS, Size, write_project
from sphinx_builds import build

USES_ON_PAGE = 20


def main() -> None:
    """Measure each way, with 20 uses on each page and with all on one page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, nargs=2, default=[200, 1000])
    parser.add_argument("--markup", choices=["rst", "md"], default="rst")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        for way in WAYS:
            report(Path(folder, "on many pages", way), args.markup, args.uses, USES_ON_PAGE)
            report(Path(folder, "on one page", way), args.markup, args.uses, max(args.uses))


def report(root: Path, markup: str, uses: list[int], on_page: int) -> None:
    """Print the peaks of builds with few and many uses, and the memory of each use.

    Args:
        root: folder of the projects; its name is the way in which they are written.
        markup: name of the markup language.
        uses: the two numbers of uses.
        on_page: number of uses on each page.
    """
    few, many = (peak(root, root.name, markup, number, on_page) for number in uses)
    each = (many - few) / (uses[1] - uses[0])
    peaks = f"{few / 1e6:.0f} MB and {many / 1e6:.0f} MB"
    print(f"{root.parent.name}, {root.name}: {peaks}, {each / 1000:.0f} kB a use")


def peak(root: Path, way: str, markup: str, uses: int, on_page: int) -> int:
    """Peak memory of a build with this number of uses, in bytes."""
    source = root / str(uses)
    size = Size(uses, max(1, uses // on_page), 40)
    write_project(source, MARKUPS[markup], way, size)
    return build(source, root / f"{uses} built").peak


if __name__ == "__main__":
    main()
