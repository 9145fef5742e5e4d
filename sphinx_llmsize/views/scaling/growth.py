"""Growth with a scaled size: a count at every factor, and the polynomial through the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from math import log

import sympy

from sphinx_llmsize.architecture.cost import cache_elements_per_token, output_elements
from sphinx_llmsize.architecture.stacks import by_group
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, Rounded
from sphinx_llmsize.formats import FLOPS_PREFIXES, short, thousands, three_digits
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import nearest
from sphinx_llmsize.translation import _, localize
from sphinx_llmsize.views.author_labels import Labels, group_label
from sphinx_llmsize.views.scaling.cost_formulas import cache_line, flops_line, output_elements_line
from sphinx_llmsize.views.scaling.count_formulas import parameters_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.data_size import DTYPES, bytes_of, size_text
from sphinx_llmsize.views.shared.symbolic import polynomial

WEIGHTS = "weights"
"""First word of the id of the memory for weights."""


def _rounded(count: Fraction) -> Line:
    """``6.74B``; as data, ``6,738,415,616``."""
    whole = nearest(count)
    return (Rounded(short(whole), thousands(whole)),)


@dataclass(frozen=True)
class CountGrowth:
    """Growth of one count with the scaled size.

    Attributes:
        scaled: the model at every factor.
        name: display name of the component or cost.
        count_in: function that returns the count for a model.
        write: function that writes a count; by default, with three digits.
        symbols: the formula in the model's symbols; empty if there is none.
        id: name of the count in the role ``llm-size``: ``total``, ``flops.per_token:2048``; empty
            for none.
        is_in_bytes: the count is a number of bytes.
    """

    scaled: ScaledModels
    name: str
    count_in: Callable[[Model], Fraction | int]
    write: Callable[[Fraction], str | Line] = _rounded
    symbols: Line = ()
    id: str = ""
    is_in_bytes: bool = False

    @cached_property
    def counts(self) -> dict[Fraction, Fraction]:
        """The count at each factor."""
        models = self.scaled.models
        return {factor: Fraction(self.count_in(model)) for factor, model in models.items()}

    @property
    def heading(self) -> str:
        """Heading of its column in a table."""
        return self.name

    @property
    def is_of_weights(self) -> bool:
        """True for the memory for weights, which grows as the parameters do."""
        return self.id.partition(":")[0] == WEIGHTS

    def text(self, factor: Fraction) -> str | Line:
        """The count at a factor, as it is below the heading."""
        return self.write(self.counts[factor])

    def ratio(self, factor: Fraction) -> Fraction:
        """The count at a factor, relative to the unchanged model."""
        return self.counts[factor] / self.counts[Fraction(1)]

    @cached_property
    def polynomial(self) -> sympy.Poly | None:
        """The count as a polynomial in the scaled size; None if it is not one."""
        return polynomial([(self.scaled.value(f), count) for f, count in self.counts.items()])

    @property
    def exponent(self) -> int | None:
        """Degree of the polynomial; None if the count is not a polynomial."""
        if self.polynomial is None:
            return None
        degree: int = self.polynomial.degree()
        return max(0, degree)  # sympy gives 0 a negative degree

    def exponent_between(self, before: Fraction, after: Fraction) -> float | None:
        """Slope between two factors on logarithmic axes; None where the count is 0."""
        first, last = self.counts[before], self.counts[after]
        if not first or not last:
            return None
        return log(last / first) / log(after / before)


@dataclass(frozen=True)
class FlopsGrowth(CountGrowth):
    """Growth of the FLOPs per token, with their unit in the heading: ``GFLOPs per token``."""

    @cached_property
    def _power(self) -> int:
        """The power of 1000 in the unit, the largest in which no number is below 1."""
        smallest = min(self.counts[factor] for factor in self.scaled.factors)
        return max((p for p in FLOPS_PREFIXES if smallest >= 1000**p), default=0)

    @property
    def heading(self) -> str:
        """``GFLOPs per token``."""
        return _("{unit} per token", unit=f"{FLOPS_PREFIXES.get(self._power, '')}FLOPs")

    def text(self, factor: Fraction) -> str | Line:
        """``24.0``; as data, ``23.955767296``."""
        count, digits = self.counts[factor], 3 * self._power
        exact = Decimal(nearest(count)).scaleb(-digits)
        return (Rounded(three_digits(count / 10**digits), localize(f"{exact:,f}")),)


def component_growths(scaled: ScaledModels, labels: Labels = ()) -> tuple[CountGrowth, ...]:
    """Parameter growth of each group of stages that has parameters, with the author's labels."""
    base = scaled.base

    def count_of(group: Group) -> Callable[[Model], int]:
        """The function that counts the parameters of a group in a model."""
        return lambda model: model.parameters_in(group)

    return tuple(
        CountGrowth(
            scaled,
            group_label(labels, group),
            count_of(group),
            symbols=parameters_line(placed_stages, base.architecture),
            id=group.value,
        )
        for group, placed_stages in by_group(base.architecture.placed_stages())
        if base.parameters_in(group)
    )


def cost_growths(scaled: ScaledModels, tokens: int, dtype: str) -> Iterator[CountGrowth]:
    """Growth of each cost; that of the KV cache only if generated tokens add to it.

    Args:
        scaled: the model at every factor.
        tokens: length of the forward pass for FLOPs and activations.
        dtype: data type of the weights and the KV cache.
    """
    growth = partial(CountGrowth, scaled)
    yield growth(_("Parameters"), lambda m: m.total, id="total")
    if scaled.base.active != scaled.base.total:
        yield growth(_("Active parameters"), lambda m: m.active, id="active")
    yield growth(
        _("Weights"), lambda m: bytes_of(m.total, dtype), size_text, id=f"{WEIGHTS}:{dtype}"
    )
    yield FlopsGrowth(
        scaled,
        _("FLOPs per token"),
        lambda m: Fraction(m.flops(tokens), tokens),
        symbols=flops_line(scaled.base.architecture, tokens),
        id=f"flops.per_token:{tokens}",
    )
    if cache_elements_added(scaled.base):
        yield growth(
            _("KV cache per token"),
            lambda m: bytes_of(cache_elements_added(m), dtype),
            size_text,
            cache_line(scaled.base.architecture, bytes_of(1, dtype)),
            id=f"kv_cache:{dtype}" if dtype in DTYPES else "",
            is_in_bytes=True,
        )
    yield growth(
        _("Activation elements per token"),
        lambda m: _activations_per_token(m, tokens),
        symbols=output_elements_line(scaled.base.architecture),
        id=f"activations.per_token:{tokens}",
    )


def without_weights(costs: Iterable[CountGrowth]) -> tuple[CountGrowth, ...]:
    """The costs without the memory for weights."""
    return tuple(cost for cost in costs if not cost.is_of_weights)


def _activations_per_token(model: Model, tokens: int) -> Fraction:
    """Elements of the stages' outputs in a forward pass, divided by its tokens."""
    elements = output_elements(model.architecture, model.architecture.placed_stages(), tokens)
    return Fraction(elements, tokens)


def cache_elements_added(model: Model) -> Fraction:
    """Elements that each token adds to the KV cache; 0 if that isn't known."""
    if model.architecture.has_unknown_lengths:
        return Fraction(0)
    return cache_elements_per_token(model.architecture, model.architecture.placed_stages())
