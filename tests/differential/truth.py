"""Script that recomputes the counts in ``tests/data/truth.json`` with transformers.

Each entry of the file is a released model:

- ``config``: the keys that differ from the defaults of its ``model_type``,
- ``config_json``: the complete configuration, as transformers saves it,
- ``total``, ``components``, ``active``: parameters of the model that transformers builds on
  torch's meta device; the same from both configurations. Shared tensors count once, buffers do
  not count. ``active`` is null for a model without experts.

``name``, ``model_type`` and the two configurations are written by hand; this script computes the
rest::

    nox -s truth               write the file again
    nox -s truth -- --check    report differences and leave the file as it is
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedConfig

from differential.built import build
from differential.components import component, components

FILE = Path(__file__).parents[1] / "data" / "truth.json"
EXPERTS_PER_TOKEN = (
    *("num_experts_per_tok", "num_experts_per_token", "moe_k", "moe_topk", "top_k_experts"),
)
"""Attributes of transformers' configurations with the number of experts that a token uses."""
SPECIAL_NUMBERS = {"Infinity": float("inf"), "-Infinity": float("-inf"), "NaN": float("nan")}
"""Values of ``{"__float__": …}``, as transformers writes numbers that JSON doesn't have."""


def recount(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Entry with the counts of the model that transformers builds.

    Raises:
        ValueError: the two configurations give different counts.
    """
    short, full = counts(entry, "config"), counts(entry, "config_json")
    if short != full:
        raise ValueError(f"{entry['name']}: config gives {short}, config_json gives {full}")
    return {**entry, **full}


def counts(entry: Mapping[str, Any], spelling: str) -> dict[str, Any]:
    """Total, components and active parameters; ``spelling`` is the key of a configuration."""
    model = built(entry["model_type"], config_of(entry, spelling))
    by_component = components(entry["model_type"], model)
    return {
        "total": sum(by_component.values()),
        "components": by_component,
        "active": active(entry["model_type"], model, by_component),
    }


def config_of(entry: Mapping[str, Any], spelling: str) -> dict[str, Any]:
    """Arguments of transformers' configuration class, always with ``architectures``."""
    config = {key: special_numbers(value) for key, value in entry[spelling].items()}
    config.pop("model_type", None)
    return {**config, "architectures": entry["config_json"]["architectures"]}


def special_numbers(value: Any) -> Any:
    """The value, with numbers in place of ``{"__float__": …}`` in it."""
    if isinstance(value, list):
        return [special_numbers(item) for item in value]
    if isinstance(value, dict) and list(value) == ["__float__"]:
        return SPECIAL_NUMBERS[value["__float__"]]
    return value


def built(model_type: str, config: dict[str, Any]) -> torch.nn.Module:
    """Model on the meta device, with a separate LM head if the configuration says so.

    transformers ties the LM head of every T5, although Flan-T5's checkpoints have a separate one.
    """
    model = build(model_type, config)
    if model_type == "t5" and config.get("tie_word_embeddings") is False:
        head = model.get_output_embeddings()
        head.weight = torch.nn.Parameter(torch.empty_like(head.weight))
    return model


def active(model_type: str, model: torch.nn.Module, counted: Mapping[str, int]) -> int | None:
    """Parameters that one token uses: total − experts · (E − k) / E; None without experts."""
    if "experts" not in counted:
        return None
    number = next(
        parameter.shape[0]
        for name, parameter in model.named_parameters()
        if component(model_type, name) == "experts"
    )
    unused = number - experts_per_token(model.config)
    return sum(counted.values()) - counted["experts"] * unused // number


def experts_per_token(config: PreTrainedConfig) -> int:
    """Number of experts that a token uses; it is the same in all layers of the released models."""
    value = next(getattr(config, name) for name in EXPERTS_PER_TOKEN if hasattr(config, name))
    return int(value[0] if isinstance(value, list) else value)


def differences(entry: Mapping[str, Any], recounted: Mapping[str, Any]) -> list[str]:
    """A sentence for each count that differs from that in the file."""
    names = [name for name in recounted if recounted[name] != entry.get(name)]
    return [
        f"{entry['name']}: {name} is {recounted[name]}, the file has {entry.get(name)}"
        for name in names
    ]


def to_text(entries: list[dict[str, Any]]) -> str:
    """Entries as JSON, one on each line."""
    lines = (json.dumps(entry, ensure_ascii=False) for entry in entries)
    return "[\n  " + ",\n  ".join(lines) + "\n]\n"


def main() -> int:
    """Recount every entry; return 1 with ``--check`` if a count differs."""
    parser = argparse.ArgumentParser(description="Recount tests/data/truth.json.")
    parser.add_argument("--check", action="store_true", help="report differences, write nothing")
    check = parser.parse_args().check
    entries = json.loads(FILE.read_text("utf-8"))
    recounted = [recount(entry) for entry in entries]
    pairs = zip(entries, recounted, strict=True)
    found = [line for old, new in pairs for line in differences(old, new)]
    print("\n".join(found) or f"{len(entries)} entries, no differences")
    if not check:
        FILE.write_text(to_text(recounted), "utf-8")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
