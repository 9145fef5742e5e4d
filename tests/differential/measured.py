"""FLOPs of the matrix products in a real forward pass, as torch counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

PRODUCTS = frozenset(
    (torch.ops.aten.mm, torch.ops.aten.addmm, torch.ops.aten.bmm, torch.ops.aten.baddbmm)
)
"""Operations that are counted; those of convolutions, which torch also counts, are not."""


def flops_by_module(model: torch.nn.Module, inputs: Mapping[str, Any]) -> Counter[str]:
    """FLOPs of each module, without those of its submodules.

    The keys are a module's path and class: ``layers.0.mlp DbrxFFN``.
    """
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        model(**inputs)
    counts: Counter[str] = Counter()
    for name, by_operation in counter.get_flop_counts().items():
        if name != "Global":
            counts[name] = sum(n for operation, n in by_operation.items() if operation in PRODUCTS)
    classes = {name: type(module).__name__ for name, module in model.named_modules()}
    flops: Counter[str] = Counter()
    for path, number in _without_submodules(counts).items():
        if number:
            flops[f"{path} {classes.get(path.partition('.')[2], '')}"] = number
    return flops


def _without_submodules(counts: Counter[str]) -> Counter[str]:
    """FLOPs of each module by path, without those of its submodules."""
    own = Counter(counts)
    for name, count in counts.items():
        above = name
        while "." in above:
            above = above.rpartition(".")[0]
            if above in counts:
                own[above] -= count
                break
    return own
