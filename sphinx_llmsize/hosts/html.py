"""HTML host: a report as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.html.page import page

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report


def show(report: Report) -> str:
    """A page with the report's title, also if the report has no heading."""
    heading, level = report.heading(1)
    return page(report.title, report.blocks, heading=heading, level=level)
