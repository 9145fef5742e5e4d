"""The role in Markdown, in texts and captions: ``{llm-size}`` before a code span."""

from __future__ import annotations

import re

from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import Problem, unknown_word
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.numbers.role_text import role_text

ROLE = "llm-size"
"""Name of the role."""
ROLE_OR_CODE = re.compile(
    r"(?<![\\`])(?:\{(?P<role>(?i:llm)[\w-]+)\})?"
    r"(?:(?P<ticks>`+)(?!`)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)|(?<=\})``(?!`))",
    re.DOTALL,
)
"""A role with a name like ours, perhaps misspelt, or a code span, in which a role stays text."""


def role_number(name: str, text: str, page: Page) -> str:
    """Text of the number that a role shows.

    Args:
        name: name of the role, perhaps misspelt.
        text: its text.
        page: the page.

    Raises:
        ConfigError: the name is misspelt, or the text names no number.
    """
    if name != ROLE:
        raise unknown_word(N_("unknown role {name}"), name, (ROLE,), Problem.SYNTAX)
    return role_text(text, page.model_of_number)
