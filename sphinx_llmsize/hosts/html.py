"""HTML host: a report as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.html.standalone_page import page
from sphinx_llmsize.views.shared.size_facts import total_text

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report


def show(report: Report) -> str:
    """A report as an HTML page; without a title, the total takes its place."""
    heading, level = report.heading(default_level=1)
    title = report.title or total_text(report.models[0])
    return page(title, report.blocks, heading=heading, level=level)
