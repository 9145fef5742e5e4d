"""Time to count a model's parameters, compared with building the model in transformers.

transformers builds it on the meta device, without weights.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from sphinx_llmsize.architecture.find_family import find_family
from sphinx_llmsize.architecture.multimodal import text_config
from sphinx_llmsize.sources.preset_files import presets

MODEL = "llama-3.1-405b"
"""Preset that whole processes count and build."""
BUILD = """
import json, os, sys, warnings
os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
import torch
from transformers import AutoConfig, AutoModelForCausalLM
config = json.load(open(sys.argv[1]))
config = AutoConfig.for_model(config.pop("model_type"), **config)
with torch.device("meta"):
    model = AutoModelForCausalLM.from_config(config)
model.tie_weights()
print(sum(parameter.numel() for parameter in model.parameters()))
"""


def main() -> None:
    """Measure and print both: counting all presets, and whole processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--torch", default=sys.executable, help="a Python that has transformers")
    args = parser.parse_args()
    report_counting(args.rounds)
    report_processes(args.rounds, args.torch)


def report_counting(rounds: int) -> None:
    """Print the milliseconds from a configuration to the total: the slowest presets, the median."""
    times = {name: median(count(name) for _ in range(rounds)) for name in presets()}
    slowest = sorted(times, key=lambda name: times[name])[-3:]
    for name in slowest:
        print(f"{name}: {times[name]:.2f} ms")
    print(f"median of {len(times)} models: {median(times.values()):.2f} ms")


def count(name: str) -> float:
    """Count a preset's parameters without caches; return the milliseconds."""
    section = text_config(presets()[name].section)
    start = perf_counter()
    family = find_family(section)
    parsed = family.read(section, is_config_json=True)
    architecture = family.build(family.configure(parsed), parsed)
    total = sum(architecture.count(placed.parameters) for placed in architecture.placed_stages())
    assert total > 0
    return 1000 * (perf_counter() - start)


def report_processes(rounds: int, python: str) -> None:
    """Print the median seconds of two commands: ``llmsize show``, and building in transformers."""
    config = {entry.key: entry.value for entry in presets()[MODEL].section.entries}
    command = [sys.executable, "-m", "sphinx_llmsize", "show", MODEL, "--format", "json"]
    ours: list[float] = []
    theirs: list[float] = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "config.json")
        path.write_text(json.dumps(config), "utf-8")
        for _ in range(rounds):
            seconds, printed = run(command)
            ours.append(seconds)
            seconds, total = run([python, "-c", BUILD, str(path)])
            theirs.append(seconds)
            assert json.loads(printed)["total"] == int(total)
    ratio = median(theirs) / median(ours)
    print(f"{MODEL}: {median(ours):.2f} s, built {median(theirs):.2f} s, {ratio:.0f} times faster")


def run(command: list[str]) -> tuple[float, str]:
    """Run a process; return its seconds and its output."""
    start = perf_counter()
    process = subprocess.run(command, check=True, capture_output=True, text=True)
    return perf_counter() - start, process.stdout.strip()


if __name__ == "__main__":
    main()
