"""HTML host: a report as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.html.page import page

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report


def show(report: Report) -> str:
    """A report's page, which has the title in any case, but perhaps no heading."""
    heading, level = report.heading(1)
    return page(report.title, report.blocks, heading=heading, level=level)
