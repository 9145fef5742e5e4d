"""Hosts: output formats for a model's blocks.

``HOSTS`` contains the command line's hosts. The Sphinx host is not among them: Sphinx loads it as
an extension.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx_llmsize.blocks import Document
    from sphinx_llmsize.model import Model

    Host = Callable[[Model, Callable[[], Document]], str]
    """Function that renders a model as text; its second argument builds the blocks on demand."""

HOSTS = {"markdown": "markdown:show", "html": "html:show", "json": "json:show"}
"""Module and function of each host, by its name in ``--format``; the first is the default."""


@cache
def host(name: str) -> Host:
    """Return the host of this name, imported on first use."""
    module, _, function = HOSTS[name].partition(":")
    found: Host = getattr(import_module(f"sphinx_llmsize.hosts.{module}"), function)
    return found
