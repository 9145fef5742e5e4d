"""Time mystmd's build of a page with 40 uses, and compare it with the same page without them."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from sphinx_llmsize.hosts.mystmd.plugin import plugin_source

MODELS = (
    *("llama-7b", "gpt2", "llama-3-8b", "mixtral-8x7b", "deepseek-v3", "jamba-v0.1"),
    *("t5-small", "bert-base-uncased", "opt-125m", "qwen3-8b"),
)
NUMBERS = ("total", "active", "weights:bf16", "hidden_dim")
SIZES = (40_000, 50_000, 60_000, 70_000)
PAIRS = (("gpt2", "llama-7b"), ("llama-3-8b", "mixtral-8x7b"))
CONFIG = "version: 1\nproject:\n  plugins: [llmsize.mjs]\nsite:\n  template: ./theme\n"
THEME = "title: none\nmyst: v1\nkind: site\n"


def main() -> None:
    """Print the median seconds of each build, and the ratio to the page without uses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--myst", default=os.environ.get("LLMSIZE_MYST") or shutil.which("myst"))
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if not args.myst:
        parser.error("myst is not installed: give its path by --myst")
    times: dict[str, list[float]] = {}
    for _round in range(args.rounds):
        for name, text in pages().items():
            times.setdefault(name, []).append(seconds(args.myst, text))
    for name, measured in times.items():
        ratio = median(measured) / median(times["no uses"])
        print(f"{name}: {median(measured):.2f} s, {ratio:.1f} times the page without uses")


def pages() -> dict[str, str]:
    """A page without uses, and pages with 40 by what they show."""
    numbers = [f"Number {{llm-size}}`{n}:{number}`.\n" for n in MODELS for number in NUMBERS]
    tables = [
        use("llm-size", f"{name}?vocab_size={size}", "table") for name in MODELS for size in SIZES
    ]
    mixed = [use("llm-size", name) for name in MODELS[:8]]
    mixed += [use(name, ", ".join(pair)) for name in ("llm-compare", "llm-diff") for pair in PAIRS]
    uses = {"numbers": numbers, "tables": tables, "all kinds": [*numbers[:28], *mixed]}
    assert {len(each) for each in uses.values()} == {40}
    return {"no uses": "Text.\n" * 40, **{name: "\n".join(each) for name, each in uses.items()}}


def use(directive: str, argument: str, views: str = "") -> str:
    """A directive; without views, it shows the usual ones."""
    option = f":show: {views}\n" if views else ""
    return f"```{{{directive}}} {argument}\n{option}```\n"


def seconds(myst: str, text: str) -> float:
    """Build a site with one page; return the seconds that it takes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "theme").mkdir()
        (folder / "theme" / "template.yml").write_text(THEME)
        (folder / "myst.yml").write_text(CONFIG)
        (folder / "llmsize.mjs").write_text(plugin_source("0"), "utf-8")
        (folder / "index.md").write_text(f"# Title\n\n{text}", "utf-8")
        start = perf_counter()
        subprocess.run(
            [myst, "build", "--site", "--strict"], cwd=folder, check=True, capture_output=True
        )
        return perf_counter() - start


if __name__ == "__main__":
    main()
