"""Exact sizes of language models, in Sphinx, Markdown, notebooks and on the command line."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from sphinx_llmsize.errors import ConfigError, UnknownModel
    from sphinx_llmsize.loading import load
    from sphinx_llmsize.model import Model
    from sphinx_llmsize.notebook import compare, diff

__version__ = "0.1.0"
__all__ = ["ConfigError", "Model", "UnknownModel", "compare", "diff", "load", "setup"]

_MODULE_OF = {
    "ConfigError": "sphinx_llmsize.errors",
    "Model": "sphinx_llmsize.model",
    "UnknownModel": "sphinx_llmsize.errors",
    "compare": "sphinx_llmsize.notebook",
    "diff": "sphinx_llmsize.notebook",
    "load": "sphinx_llmsize.loading",
}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension with Sphinx."""
    from sphinx_llmsize.hosts.sphinx import setup as setup_host

    return setup_host(app)


def __getattr__(name: str) -> Any:
    """Import public names on first use, so that importing the package is fast."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)
