"""What an author can ask of a view."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import plain_scalar
from sphinx_llmsize.translation import _

MAX_TOKENS = 10**9
"""More than any context has."""
MAX_FACTORS = 12
"""More than a picture has room for."""
_FACTOR = re.compile(r"[1-9]\d{0,3}(/[1-9]\d{0,3})?|\d{1,4}\.\d{1,4}", re.ASCII)


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


def read_tokens(text: str, problem: Problem = Problem.OPTION) -> int:
    """``4096`` or ``4,096`` tokens.

    Raises:
        ConfigError: it is no such number, or more than any context has.
    """
    value = plain_scalar(text.replace(",", "_"))
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_TOKENS:
        hint = _("a number from 1 to {number}", number=MAX_TOKENS)
        raise ConfigError(_("{text} tokens cannot be", text=repr(text[:60])), problem, hint)
    return value


def read_factors(text: str) -> tuple[Fraction, ...]:
    """``1, 2, 4`` or ``1/2, 1``: in ascending order, each once.

    Raises:
        ConfigError: one is no factor, or they are more than a picture has room for.
    """
    factors = {_factor(part) for part in read_names(text)}
    if len(factors) > MAX_FACTORS:
        raise ConfigError(
            _("{factors} factors", factors=len(factors)),
            Problem.OPTION,
            _("at most {number}", number=MAX_FACTORS),
        )
    return tuple(sorted(factors))


def read_names(text: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _factor(text: str) -> Fraction:
    if _FACTOR.fullmatch(text) and (factor := Fraction(text)) > 0:
        return factor
    hint = _("numbers such as 1/2, 1, 1.5, 2")
    raise ConfigError(_("{text} is not a factor", text=repr(text[:60])), Problem.OPTION, hint)
