"""Fences of ``llm-template`` in a page, replaced by the Markdown that they make."""

from __future__ import annotations

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.python_markdown.calls import directive_of
from sphinx_llmsize.hosts.python_markdown.conversion import Conversion
from sphinx_llmsize.hosts.python_markdown.fences import IndexedLines, fences, texts_of
from sphinx_llmsize.hosts.python_markdown.output import notice

TEMPLATE = "llm-template"
"""The directive whose output is Markdown."""


def expand_templates(entries: IndexedLines, conversion: Conversion) -> IndexedLines:
    """The lines, with the output of templates in place of their fences."""
    from sphinx_llmsize.sandbox import render  # with jinja2, only if needed

    expanded: IndexedLines = []
    at = 0
    for fence in fences(texts_of(entries)):
        found = directive_of(fence.info)
        if not found or found[0] != TEMPLATE or not fence.is_closed or fence.is_hidden:
            continue
        expanded += entries[at : fence.start]
        origins = [origin for origin, _text in entries[fence.start : fence.end]]
        at = fence.end
        try:
            rendered = render("\n".join(fence.body), conversion.page.find_model)
        except ConfigError as error:
            line = 0 if error.line is None else error.line + 1
            conversion.report(error, origins[min(line, len(origins) - 1)])
            stored = conversion.md.htmlStash.store(notice(error))
            output_lines = [(origins[0], text) for text in ("", stored, "")]
        else:
            pairs = zip(rendered.origins, rendered.lines, strict=True)
            output_lines = [(origins[origin + 1], text) for origin, text in pairs]
        for number, (origin, text) in enumerate(output_lines):
            before = fence.indent if number else fence.prefix
            expanded.append((origin, f"{before}{text}".rstrip()))
    return [*expanded, *entries[at:]]
