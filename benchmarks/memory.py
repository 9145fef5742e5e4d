"""Build few and many uses of the directive and typed by hand; print the memory of each use."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from markup import MARKUPS
from projects import WAYS, Size, write_project
from whole_process import build

USES_ON_PAGE = 20


def main() -> None:
    """Measure each way, with 20 uses on each page and with all on one page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, nargs=2, default=[200, 1000])
    parser.add_argument("--markup", choices=["rst", "md"], default="rst")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        for where, on_page in (("on many pages", USES_ON_PAGE), ("on one page", max(wanted.uses))):
            for way in WAYS:
                root = Path(folder, where, way)
                few, many = (peak(root, way, wanted.markup, n, on_page) for n in wanted.uses)
                each = (many - few) / (wanted.uses[1] - wanted.uses[0])
                megabytes = " and ".join(f"{size / 1e6:.0f} MB" for size in (few, many))
                print(f"{where}, {way}: {megabytes}, {each / 1000:.0f} kB a use")


def peak(root: Path, way: str, markup: str, uses: int, on_page: int) -> int:
    """Peak memory of a build with this number of uses, in bytes."""
    source = root / str(uses)
    size = Size(uses, max(1, uses // on_page), 40)
    write_project(source, MARKUPS[markup], way, size)
    return build(source, root / f"{uses} built").peak


if __name__ == "__main__":
    main()
