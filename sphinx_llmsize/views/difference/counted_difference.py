"""The difference of two models, with the convention for its FLOPs and the columns to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sphinx_llmsize.architecture.cost import forward, next_token
from sphinx_llmsize.blocks import Column
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import (
    Difference,
    cumulative_difference,
    difference,
)
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, KV_CACHE, has_kv_cache
from sphinx_llmsize.views.numbers.units import Unit
from sphinx_llmsize.views.option_declarations import choice, option
from sphinx_llmsize.views.option_values import read_tokens
from sphinx_llmsize.views.shared.data_size import bits_of
from sphinx_llmsize.views.shared.folding import column_with_unit
from sphinx_llmsize.views.shared.lengths import check_tokens, context_of, generates
from sphinx_llmsize.views.view_options import ViewOptions


class Counting(Enum):
    """Ways to count the cost of a change."""

    ALONE = "alone"
    """Each change by itself; what they cost together has a row of its own."""
    CUMULATIVE = "cumulative"
    """Each change after those above it."""


@dataclass(frozen=True)
class DifferenceOptions:
    """Values of the options that change the content of a difference."""

    context: int | None = option(
        None,
        read_tokens,
        "tokens",
        "Number of tokens in the context of the next token, whose FLOPs are counted. By default "
        "4,096, or as many as both models have positions for.",
        example="8192",
    )
    costs: Counting = choice(
        Counting,
        "Costs of the changes: each alone, with a row for what they cost together, or "
        "cumulative, each change after those above it.",
        Counting.ALONE,
    )


@dataclass(frozen=True)
class CostColumn:
    """A column of the table: one of the numbers of a :class:`Cost`.

    Attributes:
        label: heading, without the unit.
        name: name of the number in the role ``llm-size``.
        number: function from a cost to the number; it is whole unless several tokens share an
            entry of the KV cache.
        unit: unit of the number, after the label; empty if the label says what is counted.
    """

    label: str
    name: str
    number: Callable[[Cost], Fraction | int]
    unit: str = ""

    @property
    def table_column(self) -> Column:
        """The column of the table, with its translated heading."""
        label = _(self.label)
        if self.unit:
            return column_with_unit(label, _(self.unit))
        return Column(label, numeric=True)


ACTIVE = CostColumn(N_("Active"), "active", lambda cost: cost.active)
"""The column of the active parameters."""


@dataclass(frozen=True)
class CountedDifference:
    """A difference with the conventions by which its costs are counted.

    Attributes:
        difference: the difference.
        tokens: tokens in the context of the next token, or in the forward pass.
        is_per_token: True if FLOPs are those of the next token, False if those of a forward pass.
            The next token needs two models that generate text, at costs that depend on the number
            of tokens only.
        columns: the numbers that the models have.
        counting: whether each change is counted alone or after those above it.
    """

    difference: Difference
    tokens: int
    is_per_token: bool
    columns: tuple[CostColumn, ...]
    counting: Counting


@cached(256)
def count_difference(one: Model, other: Model, options: DifferenceOptions) -> CountedDifference:
    """The difference of two models, with its costs in the columns of the table.

    Args:
        one: first model.
        other: second model.
        options: its options; by default, the context is the smaller of the models' usual ones.

    Raises:
        ConfigError: a model has fewer positions than the context.
    """
    defaults = ViewOptions()
    tokens = options.context or min(context_of(one, defaults), context_of(other, defaults))
    for model in (one, other):
        check_tokens(model, tokens, Problem.OPTION, "context")
    is_per_token = generates(one) and generates(other) and not _depends_on_text(one, other)
    if is_per_token:
        forward_pass = next_token(tokens)
        flops = CostColumn(
            N_("FLOPs per token"), f"flops_per_token:{tokens}", lambda cost: cost.flops
        )
    else:
        forward_pass = forward(tokens)
        # the column shows the whole pass; Cost.flops is per token, so it isn't whole if a pooler
        # reads the sequence once
        flops = CostColumn(N_("FLOPs"), f"flops:{tokens}", lambda cost: cost.flops * tokens)
    if options.costs is Counting.CUMULATIVE:
        result = cumulative_difference(one, other, forward_pass)
    else:
        result = difference(one, other, forward_pass)
    columns = (*_columns_without_flops(one, other), flops)
    return CountedDifference(result, tokens, is_per_token, columns, options.costs)


def _depends_on_text(*models: Model) -> bool:
    """True if the cost of a model depends on the text, not only on the number of tokens."""
    return any(model.architecture.has_unknown_lengths for model in models)


def _columns_without_flops(one: Model, other: Model) -> Iterator[CostColumn]:
    """The columns of parameters and cache that one of the models has a number for."""
    yield CostColumn(N_("Parameters"), "total", lambda cost: cost.parameters)
    if any(model.active != model.total for model in (one, other)):
        yield ACTIVE
    if not _depends_on_text(one, other) and (has_kv_cache(one) or has_kv_cache(other)):
        element_bytes = Fraction(bits_of(DEFAULT_DTYPE), 8)
        label, unit = N_("KV cache per token"), Unit.BYTES.value
        yield CostColumn(label, KV_CACHE, lambda cost: cost.cache * element_bytes, unit)
