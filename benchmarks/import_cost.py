"""Measure the import time of the extension in a build that does not use it."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from projects import write_conf, write_index
from whole_process import Modules, Seconds, build, imports, in_turn

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
    parser.add_argument("--beside", nargs="*", default=[], help="extensions that every project has")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, extensions in EXTENSIONS.items():
            (root / name).mkdir()
            write_conf(root / name, (*wanted.beside, *extensions))
            write_index(root / name, [])
            build(root / name, root / f"{name} built")  # not measured: it compiles the modules
        report_processes(in_turn(root, EXTENSIONS, wanted.rounds))
        report_modules(measure_imports(root, wanted.rounds))


def report_processes(seconds: Seconds) -> None:
    """Print the plain project's time, and the median of the differences from it."""
    plain = seconds[PLAIN]
    print(f"whole processes: {1000 * median(plain):.0f} ms")
    for name in (name for name in seconds if name != PLAIN):
        added = median(one - two for one, two in zip(seconds[name], plain, strict=True))
        print(f"  {name}: {1000 * added:+.1f} ms, {added / median(plain):.1%}")


def measure_imports(root: Path, rounds: int) -> dict[str, Modules]:
    """Import time of each module in a project's build, in seconds: the minimum of all rounds."""
    least: dict[str, Modules] = {name: {} for name in EXTENSIONS}
    for _ in range(rounds):
        for name, modules in least.items():
            for module, seconds in imports(root / name, root / f"{name} built").items():
                modules[module] = min(seconds, modules.get(module, seconds))
    return least


def report_modules(modules: dict[str, Modules]) -> None:
    """Print the time of the plain project's modules, and of those that only the others import."""
    plain = modules[PLAIN]
    print(f"modules: {1000 * sum(plain.values()):.0f} ms")
    for name in (name for name in modules if name != PLAIN):
        added = sum(modules[name][module] for module in modules[name].keys() - plain.keys())
        print(f"  {name}: {1000 * added:+.1f} ms, {added / sum(plain.values()):.1%}")


if __name__ == "__main__":
    main()
