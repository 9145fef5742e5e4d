"""Python-Markdown host, for MkDocs, Zensical, Pelican and Nikola.

It is an extension of Python-Markdown: fences such as ``llm-size`` are directives, and the role is
``{llm-size}`` before a code span.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx_llmsize.hosts.python_markdown.extension import LlmSizeExtension


def makeExtension(**settings: Any) -> LlmSizeExtension:  # noqa: N802 - Python-Markdown's name
    """Make the extension, with the settings of :class:`.extension_settings.Settings`."""
    from sphinx_llmsize.hosts.python_markdown.extension import LlmSizeExtension

    return LlmSizeExtension(**settings)
