"""The role in Markdown, in text and captions: ``{llm-size}`` before a code span."""

from __future__ import annotations

import re

from sphinx_llmsize.directives.misplaced import unread_markup_error
from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import Problem, unknown_word
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.numbers.role_text import role_text

ROLE = "llm-size"
"""Name of the role."""
ROLE_OR_CODE = re.compile(
    rf"(?<![\\`])(?P<role>\{{(?i:llm)[\w-]+\}}|\{{{ROLE}\}} |:{ROLE}:)?"
    r"(?:(?P<ticks>`+)(?!`)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)|(?<=\})``(?!`))",
    re.DOTALL,
)
"""A role with a name like ours, or a code span, in which a role stays text.

The role may be misspelt, without a text, with a space before its text, or in reStructuredText's
form.
"""


def role_number(markup: str, text: str, page: Page) -> str:
    """Text of the number that a role shows.

    Args:
        markup: markup before the role's text: ``{llm-size}``, if it is written correctly.
        text: its text.
        page: the page.

    Raises:
        ConfigError: the role is misspelt or in another form, or the text names no number.
    """
    name = markup.strip("{}: ")
    if name != ROLE:
        raise unknown_word(N_("unknown role {name}"), name, (ROLE,), Problem.SYNTAX)
    right = f"{{{ROLE}}}"
    if markup != right:
        raise unread_markup_error(markup.strip(), f"{right}`{text}`")
    return role_text(text, page.model_of_number)
