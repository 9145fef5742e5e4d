"""Reports: models and views of them, which a host outside Sphinx writes as one text."""

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
        title: names of the models, in words; empty for one model without a name.
        models: the models, in order.
        build: function that builds the blocks of the views.
        level: level of the title as a heading, 1 to 6, or 0 for no heading; None for the usual
            one of the host.
        has_chosen_views: True if the user chose the views; otherwise JSON has the models' numbers
            alone, and CSV only the first table.
        numbers: function that returns numbers besides those of the models, for data formats.
    """

    title: str
    models: tuple[Model, ...]
    build: Callable[[], Document]
    level: int | None = None
    has_chosen_views: bool = False
    numbers: Callable[[], dict[str, object]] = dict

    @cached_property
    def blocks(self) -> Document:
        """The blocks of the views, built on first use."""
        return self.build()

    def heading(self, usual: int) -> tuple[str, int]:
        """Text of the heading, empty for none, and its level; by default the host's usual one."""
        level = usual if self.level is None else self.level
        return (self.title, level) if level else ("", usual)
