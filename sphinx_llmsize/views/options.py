"""What an author can ask of a view."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.diagram import Direction


class Detail(Enum):
    """How finely the breakdown is cut."""

    COMPONENT = "component"
    TENSOR = "tensor"


@dataclass(frozen=True)
class ViewOptions:
    """The options that change what a view says."""

    detail: Detail = Detail.COMPONENT
    direction: Direction = Direction.TB
