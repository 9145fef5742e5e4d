"""Time ``llmsize update`` on many files, and compare it with parsing the same files."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from itertools import cycle, islice, product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

MODELS = ("gpt2", "llama-7b", "llama-3-8b", "llama-3.1-405b", "mixtral-8x7b", "deepseek-v3")
CHANGES = ("", "?num_layers=40", "?vocab_size=50000", "?num_layers=20", "?vocab_size=64000")
VIEWS = ("table,formula", "diagram", "memory", "table,formula,rule,diagram")
PROSE = "A paragraph of *ordinary* text with a [link](https://example.org) and `code`.\n\n" * 20
PARSE_FILES = """
import sys
from pathlib import Path
from markdown_it import MarkdownIt
for path in Path(sys.argv[1]).rglob("*.md"):
    MarkdownIt("commonmark").parse(path.read_text("utf-8"))
"""


def main() -> None:
    """Print the median seconds of each run, and the ratio to parsing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--regions", type=int, default=1000)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    update = (sys.executable, "-m", "sphinx_llmsize", "update")
    times: dict[str, list[float]] = {}
    for _round in range(args.rounds):
        with TemporaryDirectory() as folder:
            write_files(Path(folder), args.regions, args.files)
            runs: dict[str, Sequence[str]] = {
                "check, all stale": (*update, "--check", folder),
                "update": (*update, folder),
                "check": (*update, "--check", folder),
                "parse": (sys.executable, "-c", PARSE_FILES, folder),
            }
            for name, command in runs.items():
                times.setdefault(name, []).append(seconds(command))
    for name, measured in times.items():
        ratio = median(measured) / median(times["parse"])
        print(f"{name}: {median(measured):.2f} s, {ratio:.1f} times parsing")


def write_files(folder: Path, regions: int, files: int) -> None:
    """Write files with empty regions: half are for numbers in sentences, half for blocks.

    The blocks are views of a model, and every fifth a comparison or a difference.
    """
    models = [f"{model}{change}" for model, change in product(MODELS, CHANGES)]
    texts = []
    for number, (model, views) in enumerate(islice(cycle(product(models, VIEWS)), regions // 2)):
        region = f"llm-size: {model} show={views}"
        if number % 5 == 0:
            directive = "llm-compare" if number % 2 else "llm-diff"
            region = f"{directive}: {model}, {models[number % len(models) - 1]}"
        texts.append(f"<!-- {region} -->\n<!-- /{region.partition(':')[0]} -->\n")
        texts.append(f"It has <!-- llm-size: {model}:total --><!-- /llm-size --> parameters.\n")
    for number in range(files):
        start, end = number * regions // files, (number + 1) * regions // files
        page = "\n".join((PROSE, *texts[start:end]))
        (folder / f"page{number}.md").write_text(page, "utf-8")


def seconds(command: Sequence[str]) -> float:
    """Run a command; return the seconds that it takes."""
    start = perf_counter()
    process = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    assert process.returncode < 2  # 1: files were not up to date
    return perf_counter() - start


if __name__ == "__main__":
    main()
