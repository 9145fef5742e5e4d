"""Parameter tensors with symbolic shapes, and how often each is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.algebra import ONE, ZERO, Size, Symbol, product

Shape = tuple[Size, ...]


class Role(Enum):
    """What a tensor does with what passes through it."""

    WEIGHT = "weight"
    """A matrix, multiplied with."""
    TABLE = "table"
    """A matrix of which rows are looked up."""
    FILTER = "filter"
    """Weights of a convolution along the sequence."""
    BIAS = "bias"
    """A vector, added."""
    SCALE = "scale"
    """A vector, multiplied element by element."""


@dataclass(frozen=True)
class ExpertCount:
    """How often a tensor is there, and how many of them one token uses.

    Attributes:
        total: E, the experts.
        per_token: k, those that a token is sent to.
    """

    total: Size
    per_token: Size

    @property
    def sizes(self) -> tuple[Size, Size]:
        """Both."""
        return (self.total, self.per_token)


SINGLE = ExpertCount(ONE, ONE)


@dataclass(frozen=True)
class Tensor:
    """A parameter tensor: ``q_proj.weight: D × H·d_h``.

    Attributes:
        name: the same in all families, whatever each one's code calls it.
        shape: input dimension first, as ``x @ W`` reads (``torch.nn.Linear`` stores it the
            other way round).
        component: what :attr:`Model.components` counts it under.
        label: its short name next to its siblings in a stage (``q``, ``gate``).
        role: what it does.
        tied_to: whose weights it uses, in words; it then has no parameters of its own.
        copies: the experts it is there for.
        times: how often each token is multiplied with it: where heads share it, once for each
            of them; never, if only some texts need it.
    """

    name: str
    shape: Shape
    component: str
    label: str = ""
    role: Role = Role.WEIGHT
    tied_to: str = ""
    expert_count: ExpertCount = SINGLE
    applications: Size = ONE

    @property
    def parameters_of_one(self) -> Size:
        """The product of its shape; nothing where it is tied."""
        return ZERO if self.tied_to else product(*self.shape)

    @property
    def parameters(self) -> Size:
        """Those of all its copies."""
        return ZERO if self.tied_to else product(self.expert_count.total, self.parameters_of_one)

    @property
    def active(self) -> Size:
        """Those that one token uses."""
        return (
            ZERO if self.tied_to else product(self.expert_count.per_token, self.parameters_of_one)
        )

    @property
    def stored(self) -> Shape:
        """Its shape with the experts' dimension before it."""
        return self.shape if self.expert_count is SINGLE else (self.expert_count.total, *self.shape)

    @property
    def is_matrix(self) -> bool:
        """Whether it is neither a vector nor applied number by number."""
        return self.role in {Role.WEIGHT, Role.TABLE, Role.FILTER}

    def depends_on(self, symbol: Symbol) -> bool:
        """Whether the symbol stands in its shape."""
        return any(symbol in dimension.symbols() for dimension in self.shape)
