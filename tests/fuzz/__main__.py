"""Fuzz all targets: ``python -m fuzz --seconds 60``.

Failing inputs are written into ``--folder``, and the exit code is 1; copy it into
``tests/data/fuzz`` as a regression test. The corpus is in the same folder; later runs extend it.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fuzz.run import TARGETS, start, write_seeds

MAX_INPUT_BYTES = 2000
MAX_INPUT_SECONDS = 20
MAX_MEGABYTES = 4096
"""Memory of a target, with its corpus and the caches of thousands of models."""
_EXECUTIONS = re.compile(r"(?:stat::number_of_executed_units:|Done) +(\d+)")


def main() -> int:
    """Run the targets, one on each core at a time; return 1 if one of them failed."""
    chosen = _arguments()
    total, failed = 0, []
    cores = os.cpu_count() or 1
    for first in range(0, len(chosen.targets), cores):
        targets = chosen.targets[first : first + cores]
        processes = [_start(target, chosen) for target in targets]
        for target, process in zip(targets, processes, strict=True):
            _process, status = os.waitpid(process, 0)
            total += _report(target, _log(target, chosen), failed=status != 0)
            failed += [target] if status else []
    print(f"{'all':12} {total:12,} runs")
    return 1 if failed else 0


def _start(target: str, chosen: Namespace) -> int:
    """Start to fuzz a target; return the id of its process."""
    corpus = chosen.folder / target
    if not corpus.is_dir():
        write_seeds(target, corpus)
    seconds = max(1, chosen.seconds // len(chosen.targets))
    options = [str(corpus), f"-timeout={MAX_INPUT_SECONDS}", f"-rss_limit_mb={MAX_MEGABYTES}"]
    options += [f"-max_len={MAX_INPUT_BYTES}", f"-seed={chosen.seed}"]
    options += ["-print_final_stats=1", "-verbosity=1"]
    options += [f"-artifact_prefix={chosen.folder}/{target}-"]
    options += [f"-runs={chosen.runs}" if chosen.runs else f"-max_total_time={seconds}"]
    return start(target, options, _log(target, chosen))


def _log(target: str, chosen: Namespace) -> Path:
    """File with the output of a target."""
    return Path(chosen.folder, f"{target}.log")


def _report(target: str, log: Path, failed: bool) -> int:
    """Print the number of runs, after the output if the target failed; return the number."""
    output = log.read_text("utf-8", errors="replace")
    if failed:
        lines = output.splitlines()
        print(*(line for line in lines if not line.startswith(("#", "INFO"))), sep="\n")
    runs = max(map(int, _EXECUTIONS.findall(output)), default=0)
    print(f"{target:12} {runs:12,} runs{'  FAILED' if failed else ''}", flush=True)
    return runs


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="processor time of all targets")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs; 0: any")
    parser.add_argument("--runs", type=int, default=0, help="of each target, in place of --seconds")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("build/fuzz"),
        help="folder of the corpus and of failing inputs",
    )
    parser.add_argument("targets", nargs="*", default=[*TARGETS], metavar="TARGET")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
