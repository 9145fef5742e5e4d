"""Options of the directive ``llm-diff`` that change its content."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.views.option_declarations import choice, option
from sphinx_llmsize.views.option_values import read_tokens


class Counting(Enum):
    """Ways to count the cost of a change."""

    ALONE = "alone"
    """Each change by itself; what they cost together has a row of its own."""
    CUMULATIVE = "cumulative"
    """Each change after those above it."""


@dataclass(frozen=True)
class DifferenceOptions:
    """Values of the options that change the content of a difference."""

    context: int | None = option(
        None,
        read_tokens,
        "tokens",
        "Number of tokens in the context of the next token, whose FLOPs are counted. By default "
        "4,096, or as many as both models have positions for.",
        example="8192",
    )
    costs: Counting = choice(
        Counting,
        "Costs of the changes: each alone, with a row for what they cost together, or "
        "cumulative, each change after those above it.",
        Counting.ALONE,
    )
