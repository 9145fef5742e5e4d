"""Hosts: output formats for a model's blocks.

``HOSTS`` contains the command line's hosts. Those of Sphinx, Python-Markdown and mystmd are not in
it, since these programs load them as extensions.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report

    Host = Callable[[Report], str]
    """Function that writes a report as text."""

HOSTS = {
    "terminal": "terminal:show",
    "markdown": "markdown:show",
    "html": "html:show",
    "json": "json:show",
    "latex": "latex:show",
    "csv": "csv:show",
}
"""Module and function of each host, by its name for the option ``--format``."""
TERMINAL_FORMAT, PIPE_FORMAT = "terminal", "markdown"
"""Default formats for output to a terminal, and to a file or pipe."""


def host(name: str) -> Host:
    """The function of a host, imported on first use."""
    module, _, function = HOSTS[name].partition(":")
    show: Host = getattr(import_module(f"sphinx_llmsize.hosts.{module}"), function)
    return show
