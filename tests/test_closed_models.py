"""Models whose sizes are not published."""

from __future__ import annotations

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.sources.closed_models import is_closed
from sphinx_llmsize.sources.preset_files import preset_names


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4",
        "GPT 4",
        "gpt4o",
        "openai/gpt-4-turbo",
        "gpt-4.1-mini",
        "Claude 3 Opus",
        "claude",
        "gemini-2.5-pro",
        "o1",
    ],
)
def test_their_names(name: str) -> None:
    with pytest.raises(ConfigError, match="is not published"):
        load(name)


@pytest.mark.parametrize(
    "name", ["gpt-4all", "gpt4all-13b", "gpt-oss", "gemini-nano", "gemini-1.5-flash-8b", "o1000"]
)
def test_other_names(name: str) -> None:
    assert not is_closed(name)


def test_no_preset_has_such_a_name() -> None:
    assert not any(map(is_closed, preset_names()))
