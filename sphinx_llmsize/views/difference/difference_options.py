"""Options of the directive ``llm-diff`` that change its content."""

from __future__ import annotations

from dataclasses import dataclass

from sphinx_llmsize.views.options import option
from sphinx_llmsize.views.view_options import read_tokens


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
