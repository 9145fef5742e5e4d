"""Terminal host: a report in the width and the colours of the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from sphinx_llmsize.terminal.documents import document_text, make_console

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report


def show(report: Report) -> str:
    """A report for the terminal.

    It has colours only if the output is a terminal or ``FORCE_COLOR`` is set (for ``less -R``).
    """
    title, _level = report.heading(default_level=1)
    width = shutil.get_terminal_size().columns
    # sys.stdout is None if it was closed before the start
    is_terminal = bool(os.environ.get("FORCE_COLOR") or (sys.stdout and sys.stdout.isatty()))
    return document_text(report.blocks, title, make_console(width=width, is_terminal=is_terminal))
