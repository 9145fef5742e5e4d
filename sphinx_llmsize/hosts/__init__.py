"""Hosts: output formats for a model's blocks.

``HOSTS`` lists the hosts of the command line. The Sphinx host is an extension, which Sphinx loads
through ``setup``.
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
    """Returns a model as text; the second argument makes its blocks, if the host needs them."""

HOSTS = {
    "markdown": "markdown:show",
    "json": "json:show",
}
"""Module and function of each host, by its name in ``--format``; the first is the default."""


@cache
def host(name: str) -> Host:
    """The host of that name, imported at its first use."""
    module, _, function = HOSTS[name].partition(":")
    found: Host = getattr(import_module(f"sphinx_llmsize.hosts.{module}"), function)
    return found
