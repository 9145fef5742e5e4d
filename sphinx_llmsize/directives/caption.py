"""Numbers in captions, written as the role in Markdown: ``{llm-size}`` before a code span."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeVar

from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, SizeOptions
from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.views.numbers.role_text import role_text

_ROLE = re.compile(r"\{llm-size\}(?P<ticks>`+)(?!`)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)")


Captioned = TypeVar("Captioned", SizeOptions, CompareOptions, DiffOptions)


def with_numbers(options: Captioned, page: Page) -> Captioned:
    """The options, with numbers in place of roles in the caption.

    Raises:
        ConfigError: a role names no number.
    """

    def number(role: re.Match[str]) -> str:
        return role_text(role["text"].strip(), page.model_of_number)

    try:
        return replace(options, caption=_ROLE.sub(number, options.caption))
    except ConfigError as error:
        raise error.at(option="caption") from None
