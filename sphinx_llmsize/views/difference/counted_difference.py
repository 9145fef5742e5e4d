"""The difference of two models, with the forward pass and the columns that show its costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.architecture.cost import forward, next_token
from sphinx_llmsize.differences.changed_keys import KeyChange
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import (
    Difference,
    SizeChange,
    cumulative_difference,
    difference,
)
from sphinx_llmsize.differences.structure import StructureChange
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, cached
from sphinx_llmsize.views.difference.difference_options import Counting, DifferenceOptions
from sphinx_llmsize.views.difference.parts_in_words import part_in_words
from sphinx_llmsize.views.numbers.byte_measures import CACHE_DTYPE, caches
from sphinx_llmsize.views.shared.data_size import bits_of
from sphinx_llmsize.views.shared.lengths import check_tokens, context_of, generates
from sphinx_llmsize.views.view_options import ViewOptions


@dataclass(frozen=True)
class CostColumn:
    """A column of the table: one of the numbers of a :class:`Cost`.

    Attributes:
        label: heading.
        name: name of the number in the role ``llm-size``, for a model.
        number: its value, a whole number unless several tokens share an entry of the cache.
    """

    label: str
    name: str
    number: Callable[[Cost], Fraction | int]


@dataclass(frozen=True)
class CountedDifference:
    """A difference, and how it is counted.

    Attributes:
        difference: the difference.
        tokens: tokens in the context of the next token, or in the forward pass.
        generates: both models generate tokens, so FLOPs are those of the next token.
        columns: the numbers that the models have.
        costs: how the cost of each change is counted.
    """

    difference: Difference
    tokens: int
    generates: bool
    columns: tuple[CostColumn, ...]
    costs: Counting = Counting.ALONE

    @property
    def sizes(self) -> tuple[SizeChange, ...]:
        """Changed sizes, and other changed keys that cost something."""
        changes = self.difference.sizes
        return tuple(each for each in changes if each.cost != Cost() or _is_size(each))

    @property
    def without_cost(self) -> tuple[KeyChange, ...]:
        """Changed keys, other than sizes, that cost nothing."""
        changes = (each for each in self.difference.sizes if each not in self.sizes)
        return tuple(key for change in changes for key in change.keys)

    @property
    def structure(self) -> tuple[StructureChange, ...]:
        """Replaced parts that cost something, or that have another name."""
        changes = self.difference.structure
        return tuple(change for change in changes if change.cost != Cost() or _is_named(change))


def count_difference(one: Model, other: Model, options: DifferenceOptions) -> CountedDifference:
    """Count the difference of two models.

    Raises:
        ConfigError: a model has fewer positions than the context.
    """
    views = ViewOptions()
    tokens = options.context or min(context_of(one, views), context_of(other, views))
    for model in (one, other):
        check_tokens(model, tokens, Problem.OPTION, "context")
    both_generate = generates(one) and generates(other) and not _depends_on_text(one, other)
    forward_pass = (next_token if both_generate else forward)(tokens)
    is_cumulative = options.costs is Counting.CUMULATIVE
    found = (_cumulative if is_cumulative else _alone)(one, other, forward_pass)
    columns = _columns(one, other, tokens, both_generate)
    return CountedDifference(found, tokens, both_generate, columns, options.costs)


_alone, _cumulative = cached(256)(difference), cached(256)(cumulative_difference)


def _is_size(change: SizeChange) -> bool:
    return any(each.key.symbol for each in change.keys)


def _is_named(change: StructureChange) -> bool:
    return part_in_words(change.before, change.aspect) != part_in_words(change.after, change.aspect)


def _depends_on_text(*models: Model) -> bool:
    return any(model.architecture.has_unknown_lengths for model in models)


def _columns(one: Model, other: Model, tokens: int, is_next: bool) -> tuple[CostColumn, ...]:
    columns = [CostColumn(N_("Parameters"), "total", lambda cost: cost.parameters)]
    if any(model.active != model.total for model in (one, other)):
        columns.append(CostColumn(N_("Active"), "active", lambda cost: cost.active))
    if not _depends_on_text(one, other) and (caches(one) or caches(other)):
        size = Fraction(bits_of(CACHE_DTYPE), 8)
        label = N_("KV cache per token, bytes")
        columns.append(CostColumn(label, "kv_cache", lambda cost: cost.cache * size))
    per_token = CostColumn(
        N_("FLOPs per token"), f"flops_per_token:{tokens}", lambda cost: cost.flops
    )
    # a pooler reads the whole sequence once, so that numbers per token would be fractions
    whole = CostColumn(N_("FLOPs"), f"flops:{tokens}", lambda cost: cost.flops * tokens)
    return (*columns, per_token if is_next else whole)
