"""Model sizes in Sphinx and MyST Markdown: exact, derived, live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from sphinx_llmsize.errors import ConfigError, UnknownModel
    from sphinx_llmsize.model import Model, load

__version__ = "0.1.0"
__all__ = ["ConfigError", "Model", "UnknownModel", "load", "setup"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension with Sphinx."""
    from sphinx_llmsize.hosts.sphinx import setup as setup_host

    return setup_host(app)


def __getattr__(name: str) -> Any:
    """The public names, imported when first asked for."""
    if name in ("Model", "load"):
        from sphinx_llmsize import model as module
    elif name in ("ConfigError", "UnknownModel"):
        from sphinx_llmsize import errors as module
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module, name)
