"""What an author can ask of a view."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sphinx_llmsize.diagram import Direction


class Detail(Enum):
    """How finely the breakdown is cut."""

    COMPONENT = "component"
    TENSOR = "tensor"


@dataclass(frozen=True)
class ViewOptions:
    """The options that change what a view says.

    Attributes:
        detail: of the breakdown.
        direction: of the diagram.
        tokens: how many pass through the model at once; each view has its own default.
        context: how many tokens a generated one attends to; each view has its own default.
        dtype: of weights, activations and the KV cache; each view has its own default.
        vary: the key that is scaled.
        factors: by what it is scaled.
        follow: the keys that grow with it, where that is not what the view would choose.
    """

    detail: Detail = Detail.COMPONENT
    direction: Direction = Direction.TB
    tokens: int | None = None
    context: int | None = None
    dtype: str = ""
    vary: str = "hidden_dim"
    factors: tuple[Fraction, ...] = ()
    follow: tuple[str, ...] | None = None
