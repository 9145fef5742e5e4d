"""Hosts: everything that shows a model's blocks.

``HOSTS`` has a line for each host of the command line, as ``VIEWS`` has for each view. The
Sphinx host is an extension and registers itself by ``setup``.
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
    """Function of a model, and of what makes its blocks, so that a host may do without them."""

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
