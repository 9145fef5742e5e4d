"""Fuzz all targets: ``python -m fuzz --seconds 60``.

Failing inputs are written into ``--folder``, and the exit code is 1; copy it into
``tests/data/fuzz`` as a regression test. The corpus is in the same folder; later runs extend it.
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
"""Random inputs of a new corpus."""
MAX_INPUT_BYTES = 2000
MAX_INPUT_SECONDS = 20
MAX_MEGABYTES = 4096
"""Memory of the fuzzer, with its corpus and the caches of thousands of models."""
_EXECUTIONS = re.compile(r"(?:stat::number_of_executed_units:|Done) +(\d+)")


def main() -> int:
    """Run the targets one after the other; return 1 if one of them failed."""
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
    """Fuzz a target; return the number of runs, and True if all of them passed."""
    corpus = chosen.folder / target
    if not corpus.is_dir():
        _write_seeds(target, corpus)
    seconds = max(1, chosen.seconds // len(chosen.targets))
    command = [sys.executable, "-m", "fuzz.run", target, str(corpus)]
    command += [f"-timeout={MAX_INPUT_SECONDS}", f"-rss_limit_mb={MAX_MEGABYTES}"]
    command += [f"-max_len={MAX_INPUT_BYTES}", f"-seed={chosen.seed}"]
    command += ["-print_final_stats=1", "-verbosity=1"]
    command += [f"-artifact_prefix={chosen.folder}/{target}-"]
    command += [f"-runs={chosen.runs}" if chosen.runs else f"-max_total_time={seconds}"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if not line.startswith(("#", "INFO"))]
        print(done.stdout[-4000:], *errors, sep="\n")
    counts = [int(number) for number in _EXECUTIONS.findall(done.stderr)]
    return max(counts, default=0), done.returncode == 0


def _write_seeds(target: str, corpus: Path) -> None:
    corpus.mkdir(parents=True)
    random = Random(target)
    for number in range(SEEDS):
        text = DRAWS[target](random)
        (corpus / f"seed{number}").write_bytes(text.encode("utf-8", "replace"))


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="time of all targets together")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs; 0: any")
    parser.add_argument("--runs", type=int, default=0, help="of each target, in place of --seconds")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("build/fuzz"),
        help="folder of the corpus and of failing inputs",
    )
    parser.add_argument("targets", nargs="*", default=[*DRAWS], metavar="TARGET")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
