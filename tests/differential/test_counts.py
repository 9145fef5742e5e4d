"""Parameters of random configurations, by kind, equal those of transformers' models."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from differential.built import build, kind_of_component, parameters_by_kind
from differential.draw import (
    COMPARED_TYPES,
    Space,
    configurations,
    space_of,
    without_shrinking,
)
from sphinx_llmsize import load
from sphinx_llmsize.errors import ConfigError


@pytest.mark.parametrize("model_type", COMPARED_TYPES)
def test_same_as_transformers(model_type: str, examples: int, tally: Counter[str]) -> None:
    space = space_of(model_type)

    @without_shrinking(examples)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        config = data.draw(configurations(model_type))
        model = built(model_type, config, space, tally)
        theirs = dict(sorted(parameters_by_kind(model, space.rules).items()))
        ours = counted(model_type, config, space, tally)
        tally["compared"] += 1
        tally[f"compared {model_type}"] += 1
        assert ours == theirs, f"\n{model_type} {config}\nours   {ours}\ntheirs {theirs}"
        for saved in saved_configurations(model):
            again = counted(model_type, saved, space, tally)
            assert again == theirs, f"\nsaved {saved}\nours   {again}\ntheirs {theirs}"

    compare()
    assert tally[f"compared {model_type}"] >= examples // 3, "too few could be built"


def built(
    model_type: str, config: dict[str, Any], space: Space, tally: Counter[str]
) -> torch.nn.Module:
    """Model of transformers; a configuration that it can't build is drawn again."""
    try:
        return build(model_type, config, space.auto)
    except Exception as error:
        tally[f"not buildable {model_type}: {type(error).__name__} {str(error)[:200]}"] += 1
        return assume(False)


def saved_configurations(model: torch.nn.Module) -> Iterator[dict[str, Any]]:
    """Configuration as transformers saves it, with all keys and without defaults."""
    for use_diff in (False, True):
        saved = json.loads(model.config.to_json_string(use_diff=use_diff))
        yield {**saved, **getattr(model, "outer", {}), "transformers_version": "5.24.0"}


def counted(
    model_type: str, config: dict[str, Any], space: Space, tally: Counter[str]
) -> dict[str, int]:
    """Our counts by kind; configurations with values that do not fit are drawn again."""
    try:
        model = load({"model_type": model_type, **config})
    except ConfigError as error:
        tally[f"refused {model_type}: {error}"] += 1
        return assume(False)
    counts: Counter[str] = Counter()
    for component, count in model.components.items():
        counts[space.kinds.get(component) or kind_of_component(component)] += count
    return dict(sorted((kind, count) for kind, count in counts.items() if count))
