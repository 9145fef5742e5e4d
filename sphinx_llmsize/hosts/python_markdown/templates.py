"""Fences of ``llm-template`` in a page, replaced by the Markdown that they generate."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.directives.template import TEMPLATE
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.python_markdown.conversion import Conversion
from sphinx_llmsize.hosts.python_markdown.fence_calls import directive_of
from sphinx_llmsize.hosts.python_markdown.fences import Fence, IndexedLines, fences, texts_of
from sphinx_llmsize.hosts.python_markdown.output_html import notice


def expand_templates(entries: IndexedLines, conversion: Conversion) -> IndexedLines:
    """The lines, with the output of templates in place of their fences."""
    expanded: IndexedLines = []
    start = 0  # index after the template before
    for fence in fences(texts_of(entries)):
        if _is_template(fence):
            expanded += entries[start : fence.start]
            origins = [origin for origin, _text in entries[fence.start : fence.end]]
            for number, (origin, text) in enumerate(_output_lines(fence, origins, conversion)):
                prefix = fence.indent if number else fence.prefix
                expanded.append((origin, f"{prefix}{text}".rstrip()))
            start = fence.end
    return [*expanded, *entries[start:]]


def _is_template(fence: Fence) -> bool:
    """True for a closed fence of ``llm-template`` that is not in a comment."""
    name, _argument = directive_of(fence.info) or ("", "")
    return name == TEMPLATE and fence.is_closed and not fence.is_hidden


def _output_lines(fence: Fence, origins: Sequence[int], conversion: Conversion) -> IndexedLines:
    """Output of a template, or a notice after a report of its mistake.

    Args:
        fence: the template.
        origins: index of the page's line for each line of the fence.
        conversion: conversion of the page.
    """
    from sphinx_llmsize.sandbox import render  # with jinja2, only if needed

    try:
        rendered = render("\n".join(fence.body), conversion.page.find_model)
    except ConfigError as error:
        line = 0 if error.line is None else error.line + 1  # the body is below the first line
        conversion.report(error, origins[min(line, len(origins) - 1)])
        placeholder = conversion.md.htmlStash.store(notice(error))
        return [(origins[0], text) for text in ("", placeholder, "")]
    pairs = zip(rendered.origins, rendered.lines, strict=True)
    return [(origins[origin + 1], text) for origin, text in pairs]
