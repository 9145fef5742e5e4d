"""FLOPs of random models equal those that torch counts in transformers' models."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from differential.draw import COMPARED_TYPES, configurations, space_of, without_shrinking
from differential.measured import flops_by_module
from differential.runnable import build_to_run, first_pass, next_pass, runnable, tokens_of
from differential.uncompared import compared, generates
from sphinx_llmsize import load
from sphinx_llmsize.architecture.cost import ForwardPass, forward, next_token
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

BUILT_FOR_EACH_RUN = 10
"""Ratio of ``--examples`` to the models that are run, which takes longer than building them."""
MANY_RUNS = 100
"""Number of forward passes of a run with all types."""
FIRST_ID = 5
"""First token id of a sequence, after the ids for start, end and padding."""


@pytest.mark.parametrize("model_type", COMPARED_TYPES)
def test_same_as_torch(model_type: str, examples: int, tally: Counter[str]) -> None:
    @without_shrinking(max(1, examples // BUILT_FOR_EACH_RUN))
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        drawn = data.draw(configurations(model_type))
        tokens = tokens_of(model_type, data.draw(st.integers(3, 17)))
        theirs = measured(model_type, drawn, FIRST_ID + torch.arange(tokens)[None], tally)
        ours = counted(model_type, theirs.config, tally)
        check(ours, forward(tokens), theirs.forward, tally)
        if theirs.next_token and generates(model_type, ours.architecture):
            check(ours, next_token(tokens), theirs.next_token, tally)

    compare()
    assert tally[f"forward passes {model_type}"], "none could be run"


def test_next_tokens_were_compared(tally: Counter[str]) -> None:
    """If transformers renames the argument for its cache, no type would be compared any more."""
    if tally["forward passes"] < MANY_RUNS:
        pytest.skip("only some types were run")
    assert tally["next tokens"] > tally["forward passes"] / 2


@dataclass(frozen=True)
class Measured:
    """FLOPs of transformers' model.

    Attributes:
        config: the configuration that was run.
        forward: FLOPs of each module in a pass of the whole sequence.
        next_token: the same for a token after cached ones; empty without a cache.
    """

    config: dict[str, Any]
    forward: Counter[str]
    next_token: Counter[str]


def measured(
    model_type: str, drawn: dict[str, Any], ids: torch.Tensor, tally: Counter[str]
) -> Measured:
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
    return Measured(config, whole, last)


def counted(model_type: str, config: dict[str, Any], tally: Counter[str]) -> Model:
    """Our model; configurations with values that do not fit each other are drawn again."""
    try:
        return load({"model_type": model_type, **config})
    except ConfigError as error:
        tally[f"refused {model_type}: {error}"] += 1
        return assume(False)


def check(ours: Model, run: ForwardPass, theirs: Counter[str], tally: Counter[str]) -> None:
    """Assert that both counts of one pass are equal."""
    our_flops, their_flops = compared(ours.model_type, ours.architecture, run, theirs)
    kind = "next tokens" if run.uses_cache else "forward passes"
    tally[kind] += 1
    tally[f"{kind} {ours.model_type}"] += 1
    assert our_flops == their_flops, f"\n{dict(ours.config.sizes)}\n{run}\n{theirs}"
