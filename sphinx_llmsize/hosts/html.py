"""HTML host: a report as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.html.standalone_page import page
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report


def show(report: Report) -> str:
    """A report as an HTML page; without a title, the total takes its place."""
    heading, level = report.heading(1)
    title = report.title or _("{total} parameters", total=report.models[0].total)
    return page(title, report.blocks, heading=heading, level=level)
