"""FLOPs of random models equal those that torch counts when transformers runs them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from differential.draw import COMPARED_TYPES, configurations, space_of
from differential.measured import flops_by_module
from differential.runnable import build_to_run, first_pass, next_pass, runnable, tokens_of
from differential.uncompared import compared, generates
from sphinx_llmsize import load
from sphinx_llmsize.architecture.cost import ForwardPass, forward, next_token
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

FEWER = 10
"""One configuration in ten is run, because running takes longer than building."""
FIRST_ID = 5
"""First token id of a sequence, after the ids for start, end and padding."""


@pytest.mark.parametrize("model_type", COMPARED_TYPES)
def test_same_as_torch(model_type: str, examples: int, tally: Counter[str]) -> None:
    @settings(
        max_examples=max(1, examples // FEWER),
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        drawn = data.draw(configurations(model_type))
        tokens = tokens_of(model_type, data.draw(st.integers(3, 17)))
        theirs = ran(model_type, drawn, FIRST_ID + torch.arange(tokens)[None], tally)
        ours = counted(model_type, theirs.config, tally)
        check(ours, forward(tokens), theirs.forward, tally)
        if theirs.next_token and generates(model_type, ours.architecture):
            check(ours, next_token(tokens), theirs.next_token, tally)

    compare()
    assert tally[f"forward passes {model_type}"], "none could be run"


@dataclass(frozen=True)
class Ran:
    """Configuration of a model that ran, and the FLOPs of its modules.

    ``next_token`` is empty for a model without a cache.
    """

    config: dict[str, Any]
    forward: Counter[str]
    next_token: Counter[str]


def ran(model_type: str, drawn: dict[str, Any], ids: torch.Tensor, tally: Counter[str]) -> Ran:
    """FLOPs of transformers' model; a configuration that does not run is drawn again."""
    try:
        config = runnable(model_type, drawn)
        model = build_to_run(model_type, config, space_of(model_type))
        whole = flops_by_module(model, first_pass(model, ids))
    except Exception as error:
        tally[f"not runnable {model_type}: {type(error).__name__} {str(error)[:200]}"] += 1
        return assume(False)
    try:
        following = next_pass(model, ids)
        last = flops_by_module(model, following) if following else Counter()
    except Exception as error:
        tally[f"no next token {model_type}: {type(error).__name__} {str(error)[:200]}"] += 1
        last = Counter()
    return Ran(config, whole, last)


def counted(model_type: str, config: dict[str, Any], tally: Counter[str]) -> Model:
    """Our model; configurations whose parts do not fit each other are drawn again."""
    try:
        return load({"model_type": model_type, **config})
    except ConfigError as error:
        tally[f"refused {model_type}: {error}"] += 1
        return assume(False)


def check(ours: Model, run: ForwardPass, theirs: Counter[str], tally: Counter[str]) -> None:
    """Assert that both counts are equal."""
    our_flops, their_flops = compared(ours.model_type, ours.architecture, run, theirs)
    kind = "next tokens" if run.uses_cache else "forward passes"
    tally[kind] += 1
    tally[f"{kind} {ours.model_type}"] += 1
    assert our_flops == their_flops, f"\n{dict(ours.config.sizes)}\n{run}\n{theirs}"
