"""What the extension costs a build that never uses it: tiny projects, built in turn."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from projects import write_conf, write_index
from whole_process import Seconds, build, imports, in_turn

PLAIN = "no extension"
EXTENSIONS: dict[str, tuple[str, ...]] = {
    PLAIN: (),
    "sphinxcontrib.mermaid": ("sphinxcontrib.mermaid",),
    "sphinx_llmsize": ("sphinx_llmsize",),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    with TemporaryDirectory() as folder:
        root = Path(folder)
        seconds = measure(root, rounds)
        report("modules that a build without it does not import", measure_imports(root, rounds))
        report("whole processes", seconds)


def measure(root: Path, rounds: int) -> Seconds:
    """The processor seconds of each project, after one build that is not counted."""
    for name, extensions in EXTENSIONS.items():
        (root / name).mkdir()
        write_conf(root / name, extensions)
        write_index(root / name, [])
        build(root / name, root / f"{name} built")
    return in_turn(root, EXTENSIONS, rounds)


def measure_imports(root: Path, rounds: int) -> Seconds:
    """The seconds in modules that the plain project's build does not import."""
    seconds: Seconds = {name: [] for name in EXTENSIONS}
    for _ in range(rounds):
        took = {name: imports(root / name, root / f"{name} built") for name in EXTENSIONS}
        for name, modules in took.items():
            added = modules.keys() - took[PLAIN].keys()
            seconds[name].append(sum(modules[module] for module in added))
    return seconds


def report(of: str, seconds: Seconds) -> None:
    """What each extension adds: the median of the rounds' differences to the plain project."""
    print(of)
    for name, times in seconds.items():
        added = median(one - two for one, two in zip(times, seconds[PLAIN], strict=True))
        print(f"  {name}: {1000 * added:+.1f} ms")


if __name__ == "__main__":
    main()
