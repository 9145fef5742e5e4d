"""The role: numbers in the text of a page, as ``{llm-size}`` before a code span."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor

from sphinx_llmsize.directives.markdown_role import ROLE_OR_CODE, role_number
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts.python_markdown.directives import GetConversion
from sphinx_llmsize.hosts.python_markdown.output_html import wrong_number
from sphinx_llmsize.typography import typographic


class Numbers(InlineProcessor):
    """Replaces the role by a number of a model."""

    def __init__(self, md: Markdown, conversion: GetConversion) -> None:
        super().__init__(ROLE_OR_CODE.pattern, md)
        self.compiled_re = ROLE_OR_CODE
        self.conversion = conversion

    def handleMatch(  # type: ignore[override] # noqa: N802 - Python-Markdown's name
        self, m: re.Match[str], data: str
    ) -> tuple[str | Element | None, int | None, int | None]:
        """Return the number, or the text of a wrong role marked as an error after a warning."""
        if not m["role"]:
            return None, None, None
        conversion = self.conversion()
        text = " ".join((m["text"] or "").split())
        try:
            number = typographic(role_number(m["role"], text, conversion.page))
            result: str | Element = visible(number)
        except ConfigError as error:
            conversion.report(error, conversion.line_of(m[0].partition("\n")[0]))
            result = wrong_number(error, text)
        return result, m.start(), m.end()
