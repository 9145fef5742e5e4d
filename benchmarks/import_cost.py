"""What the extension costs a build that never uses it: tiny projects, built in turn."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from projects import write_conf, write_index
from whole_process import Seconds, build, in_turn

EXTENSIONS: dict[str, tuple[str, ...]] = {
    "no extension": (),
    "sphinxcontrib.mermaid": ("sphinxcontrib.mermaid",),
    "sphinx_llmsize": ("sphinx_llmsize",),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    with TemporaryDirectory() as folder:
        report(measure(Path(folder), rounds))


def measure(root: Path, rounds: int) -> Seconds:
    """The seconds of each project, after one build that is not counted."""
    for name, extensions in EXTENSIONS.items():
        (root / name).mkdir()
        write_conf(root / name, extensions)
        write_index(root / name, [])
        build(root / name, root / f"{name} built")
    return in_turn(root, EXTENSIONS, rounds)


def report(seconds: Seconds) -> None:
    """Each project's median, and the median of the rounds' differences to the plain one."""
    plain = seconds["no extension"]
    for name, times in seconds.items():
        difference = median(one - two for one, two in zip(times, plain, strict=True))
        print(f"{name}: {1000 * median(times):.0f} ms, {1000 * difference:+.0f} ms")


if __name__ == "__main__":
    main()
