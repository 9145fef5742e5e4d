"""HTML host: a model's page as one file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.page import page
from sphinx_llmsize.views.shared.wording import title

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model


def show(model: Model, blocks: Callable[[], Document]) -> str:
    """A model's page."""
    return page(title(model), blocks())
