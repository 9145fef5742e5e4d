"""Measure the import time of the extension in a build that does not use it."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from projects import write_conf, write_index
from sphinx_builds import ImportTimes, Seconds, build, import_times, time_builds

PLAIN = "no extension"
EXTENSIONS: dict[str, tuple[str, ...]] = {
    PLAIN: (),
    "sphinxcontrib.mermaid": ("sphinxcontrib.mermaid",),
    "sphinx_llmsize": ("sphinx_llmsize",),
}


def main() -> None:
    """Measure and print whole processes, and imports alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument(
        "--beside", nargs="*", default=[], help="extensions that every project loads"
    )
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, extensions in EXTENSIONS.items():
            (root / name).mkdir()
            write_conf(root / name, (*args.beside, *extensions))
            write_index(root / name, [])
            build(root / name, root / f"{name} built")  # not measured: it compiles the modules
        report_processes(time_builds(root, EXTENSIONS, args.rounds))
        report_modules(measure_import_times(root, args.rounds))


def report_processes(seconds: Seconds) -> None:
    """Print the plain project's time, and the median of the differences from it."""
    plain = seconds[PLAIN]
    print(f"whole processes: {1000 * median(plain):.0f} ms")
    for name, rounds in seconds.items():
        if name == PLAIN:
            continue
        added = median(own - without for own, without in zip(rounds, plain, strict=True))
        print(f"  {name}: {1000 * added:+.1f} ms, {added / median(plain):.1%}")


def measure_import_times(root: Path, rounds: int) -> dict[str, ImportTimes]:
    """Import time of each module, by project: the minimum of all rounds, in seconds."""
    fastest: dict[str, ImportTimes] = {name: {} for name in EXTENSIONS}
    for _ in range(rounds):
        for name, modules in fastest.items():
            for module, seconds in import_times(root / name, root / f"{name} built").items():
                modules[module] = min(seconds, modules.get(module, seconds))
    return fastest


def report_modules(modules: dict[str, ImportTimes]) -> None:
    """Print the time of the plain project's modules, and of those that only the others import."""
    plain = modules[PLAIN]
    print(f"modules: {1000 * sum(plain.values()):.0f} ms")
    for name, times in modules.items():
        if name == PLAIN:
            continue
        added = sum(seconds for module, seconds in times.items() if module not in plain)
        print(f"  {name}: {1000 * added:+.1f} ms, {added / sum(plain.values()):.1%}")


if __name__ == "__main__":
    main()
