"""Suggestions for misspelt names of models."""

from __future__ import annotations

import re

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.near_names import correction, line_of
from sphinx_llmsize.sources.preset_files import preset_names, presets


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("lama-7b", "llama-7b"),
        ("lamma-7b", "llama-7b"),
        ("llamma-3-8b", "llama-3-8b"),
        ("gemmma-2-9b", "gemma-2-9b"),
        ("gema-2-9b", "gemma-2-9b"),
        ("mixtrall-8x7b", "mixtral-8x7b"),
    ],
)
def test_a_misspelt_line_is_corrected(name: str, meant: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(name)
    assert caught.value.hint == f"did you mean {meant!r}?"


def test_names_of_the_line_for_another_size() -> None:
    with pytest.raises(ConfigError) as caught:
        load("lamma-77b")
    assert caught.value.hint.startswith("names of this line: llama-7b, ")


def test_no_line_is_another_with_doubled_letters() -> None:
    lines = {line_of(name) for name in presets()} - {""}
    assert len(lines) > 50
    assert len({re.sub(r"(.)\1", r"\1", line) for line in lines}) == len(lines)


def test_names_of_other_lines_are_no_corrections() -> None:
    for name in ("mixtral-7b-v0.1", "llava-7b"):
        assert not correction(name, preset_names())
