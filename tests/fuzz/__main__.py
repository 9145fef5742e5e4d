"""Fuzz every target for a while: ``python -m fuzz --seconds 60``.

What is found is left in ``--folder``, to become a file of ``tests/data/fuzz``; the exit code
is then 1. The corpus is there too, and a later run goes on from it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random

from fuzz.inputs import DRAWS

SEEDS = 200
MOST_BYTES = 2000
SLOW = 20
"""Seconds that no input may take."""
MOST_MEGABYTES = 4096
"""Of the fuzzer, which keeps its corpus and what is cached of thousands of models."""
_DONE = re.compile(r"(?:stat::number_of_executed_units:|Done) +(\d+)")


def main() -> int:
    """Run the targets one after the other; returns 1 when one has found something."""
    chosen = _arguments()
    total, failed = 0, []
    for target in chosen.targets:
        runs, passed = fuzz(target, chosen)
        total += runs
        failed += [] if passed else [target]
        print(f"{target:12} {runs:12,} runs{'' if passed else '  FAILED'}", flush=True)
    print(f"{'all':12} {total:12,} runs")
    return 1 if failed else 0


def fuzz(target: str, chosen: Namespace) -> tuple[int, bool]:
    """Number of runs of a target, and True if all of them passed."""
    corpus = chosen.folder / target
    if not corpus.is_dir():
        _write_seeds(target, corpus)
    found = f"{chosen.folder}/{target}-"
    limits = [f"-timeout={SLOW}", f"-rss_limit_mb={MOST_MEGABYTES}", f"-max_len={MOST_BYTES}"]
    until = [f"-max_total_time={max(1, chosen.seconds // len(chosen.targets))}"]
    until = [f"-runs={chosen.runs}"] if chosen.runs else until
    command = [sys.executable, "-m", "fuzz.run", target, *limits, *until]
    command += [f"-artifact_prefix={found}", "-print_final_stats=1", "-verbosity=1", str(corpus)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        told = (line for line in done.stderr.splitlines() if not line.startswith(("#", "INFO")))
        print(done.stdout[-4000:], *told, sep="\n")
    counts = [int(found) for found in _DONE.findall(done.stderr)]
    return max(counts, default=0), done.returncode == 0


def _write_seeds(target: str, corpus: Path) -> None:
    corpus.mkdir(parents=True)
    random = Random(target)
    for number in range(SEEDS):
        text = DRAWS[target](random)
        (corpus / f"seed{number}").write_bytes(text.encode("utf-8", "replace"))


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="of all targets together")
    parser.add_argument("--runs", type=int, default=0, help="of each target, however long")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="of the corpus")
    parser.add_argument("targets", nargs="*", default=[*DRAWS], metavar="TARGET")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
