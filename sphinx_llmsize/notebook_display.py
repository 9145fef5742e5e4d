"""Base class of models, with the methods by which notebooks display them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx_llmsize.notebook import NotebookOutput


class NotebookDisplay:
    """Base class of :class:`~sphinx_llmsize.Model`: its views as the output of a notebook cell."""

    def show(self: Any, *views: str | Iterable[str], **options: object) -> NotebookOutput:
        """Views of the model, which a notebook shows: ``show("memory", context=8192)``.

        Args:
            views: names of views, in order, or a list of them; by default those of the directive
                ``llm-size``.
            options: options of the directive: numbers, texts, or lists or mappings of them.

        Raises:
            ConfigError: a view or an option is unknown, or doesn't fit the model.
            TypeError: a view or an option is neither a text nor a number, nor a list of them.
        """
        from sphinx_llmsize.notebook import show

        return show(self, *views, **options)

    def _repr_mimebundle_(
        self, include: Collection[str] = (), exclude: Collection[str] = ()
    ) -> dict[str, str]:
        """The usual views, in every format that a notebook may show."""
        return self.show()._repr_mimebundle_(include, exclude)

    def _mime_(self) -> tuple[str, str]:
        """The usual views for marimo."""
        return self.show()._mime_()
