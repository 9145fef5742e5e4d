"""Types that are refused: the hint names what there is of the same line, and nothing else."""

from __future__ import annotations

import re

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture.families import MODEL_TYPES
from sphinx_llmsize.architecture.find_family import UNSUPPORTED, unsupported_hint

TYPES = [name for types in UNSUPPORTED.values() for name in types.split()]


@pytest.mark.parametrize("model_type", TYPES)
def test_the_hint_is_the_reason(model_type: str) -> None:
    assert model_type not in MODEL_TYPES
    with pytest.raises(ConfigError, match="is not supported") as caught:
        load({"model_type": model_type, "d_model": 64})
    assert caught.value.hint == unsupported_hint(model_type)


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_names_in_a_reason_are_supported(text: str) -> None:
    names = re.findall(r"\b[a-z][a-z0-9_-]+\b", text.partition(": ")[2])
    assert names
    assert set(names) <= set(MODEL_TYPES)
