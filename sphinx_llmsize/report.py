"""Reports: what a host outside Sphinx writes as one text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.model import Model

MAX_LEVEL = 6
"""Lowest level of a heading in HTML and Markdown."""


@dataclass(frozen=True, repr=False)
class Report:
    """Models and views of them.

    Attributes:
        title: what the views are about.
        models: the models, in order.
        build: function that builds the blocks of the views.
        level: level of the title as a heading, 1 to 6, or 0 for no heading; None for the usual
            one of the host.
        numbers: function that returns numbers besides those of the models, for data formats.
        is_data: True if the reader chose the views, which data formats otherwise leave out.
    """

    title: str
    models: tuple[Model, ...]
    build: Callable[[], Document]
    level: int | None = None
    is_data: bool = False
    numbers: Callable[[], dict[str, object]] = dict

    @cached_property
    def blocks(self) -> Document:
        """The blocks of the views, built on first use."""
        return self.build()

    def heading(self, usual: int) -> tuple[str, int]:
        """Text of the heading, empty for none, and its level."""
        level = usual if self.level is None else self.level
        return (self.title, level) if level else ("", usual)
