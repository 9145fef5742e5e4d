"""Numbers in captions, written as the role in Markdown: ``{llm-size}`` before a code span."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeVar

from sphinx_llmsize.directives.markdown_role import ROLE_OR_CODE, role_number
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, SizeOptions
from sphinx_llmsize.directives.page import Page
from sphinx_llmsize.errors import ConfigError

Captioned = TypeVar("Captioned", SizeOptions, CompareOptions, DiffOptions)


def with_numbers_in_caption(options: Captioned, page: Page) -> Captioned:
    """The options, with numbers in place of roles in the caption.

    Raises:
        ConfigError: a role is misspelt or names no number.
    """

    def replaced(found: re.Match[str]) -> str:
        if not found["role"]:  # a code span: a role inside it stays text
            return found[0]
        return role_number(found["role"], (found["text"] or "").strip(), page)

    try:
        return replace(options, caption=ROLE_OR_CODE.sub(replaced, options.caption))
    except ConfigError as error:
        raise error.at(option="caption") from None
