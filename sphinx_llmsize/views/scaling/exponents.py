"""The exponents of what is scaled: in each component, and in each cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sphinx_llmsize.algebra import Size, product
from sphinx_llmsize.architecture.stacks import PlacedStage, by_group
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Cell, Column, Line, Muted, Row, RowKind, Table
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.scaling.costs import Cost
from sphinx_llmsize.views.scaling.expressions import parameters_line, polynomial_line, power_line
from sphinx_llmsize.views.scaling.growth import Growth, Polynomial, effective_exponent
from sphinx_llmsize.views.scaling.scaled import Step
from sphinx_llmsize.views.shared.occurrences import occurrences
from sphinx_llmsize.views.shared.wording import filled, in_sentence, joined, listed, title

UNKNOWN: Cell = (("–",),)
Count = Callable[[Model], Fraction]
"""What is counted of a model."""


@dataclass(frozen=True)
class Grown:
    """Something that grows.

    Attributes:
        name: for people.
        of: its number in a model.
        polynomial: the same, by what is scaled; None where it is none.
        symbols: its formula, where it is short enough to be told.
    """

    name: str
    of: Count
    polynomial: Polynomial | None
    symbols: Line = ()


@dataclass(frozen=True)
class Exponents:
    """How every component of a model, and every cost, grows."""

    growth: Growth
    costs: tuple[Cost, ...]

    @cached_property
    def components(self) -> tuple[Grown, ...]:
        """Groups of stages that have parameters."""
        model = self.growth.scaled.base
        places = by_group(model.architecture.places())
        return tuple(self._component(*each) for each in places if model.in_groups(each[0]))

    @cached_property
    def totals(self) -> tuple[Grown, ...]:
        """The costs."""
        return tuple(
            Grown(cost.name, cost.of, self._polynomial(cost.parts(self._model), cost.of))
            for cost in self.costs
        )

    @property
    def are_known(self) -> bool:
        """Whether everything is a polynomial."""
        return all(grown.polynomial for grown in (*self.components, *self.totals))

    def table(self) -> Table:
        """A row for each: its formula, its exponent, and what was measured between factors."""
        x = self.growth.x
        columns = (
            Column(_("Component")),
            Column(_("In symbols, and in {x}", x=x)),
            Column(_("Exponent of {x}", x=x), numeric=True),
            *(Column(_measured_between(*pair), numeric=True) for pair in self._pairs),
        )
        rows = (
            *(self._row(grown, RowKind.MEMBER) for grown in self.components),
            *(self._row(grown, RowKind.TOTAL) for grown in self.totals),
        )
        caption = _("{model}: exponents of {x}", model=title(self._model), x=x)
        return Table(caption, columns, rows)

    def sentence(self) -> Line:
        """Components by exponent: ``Parameters grow with D² in attention, with D in norms``."""
        by_degree: dict[int, list[Line]] = {}
        for grown in self.components:
            if grown.polynomial and grown.polynomial.degree:
                names = by_degree.setdefault(grown.polynomial.degree, [])
                names.append((in_sentence(grown.name),))
        told: Line = ()
        for degree, names in sorted(by_degree.items(), reverse=True):
            places = {"power": power_line(self.growth.x, degree), "components": listed(names)}
            if told:
                told = filled(
                    _("{sentence}, with {power} in {components}"), sentence=told, **places
                )
            else:
                told = filled(_("Parameters grow with {power} in {components}"), **places)
        return joined((*told, _("."))) if told else ()

    def _component(self, group: Group, places: tuple[PlacedStage, ...]) -> Grown:
        def of(model: Model) -> Fraction:
            return Fraction(model.in_groups(group))

        architecture = self._model.architecture
        found = occurrences(places, architecture)
        parts = ((Fraction(1), product(each.layers, each.stage.parameters)) for each in found)
        symbols = parameters_line(places, architecture)
        return Grown(_(group.label), of, self._polynomial(parts, of), symbols)

    def _polynomial(self, parts: Iterator[tuple[Fraction, Size]], of: Count) -> Polynomial | None:
        built = self.growth.scaled.built
        return self.growth.polynomial(parts, (of(step.model) for step in built))

    def _row(self, grown: Grown, kind: RowKind) -> Row:
        found = grown.polynomial
        exponent: Cell = ((str(found.degree),),) if found else UNKNOWN
        measured = (_measured(grown.of, *pair) for pair in self._pairs)
        return Row((((grown.name,),), self._formula(grown), exponent, *measured), kind)

    def _formula(self, grown: Grown) -> Cell:
        if grown.polynomial is None:
            return (grown.symbols,) if grown.symbols else UNKNOWN
        line = polynomial_line(grown.polynomial, self.growth.x)
        if not grown.symbols:
            return (line,)
        return (grown.symbols, (Muted(f"= {''.join(map(str, line))}"),))

    @property
    def _model(self) -> Model:
        return self.growth.scaled.base

    @property
    def _steps(self) -> tuple[Step, ...]:
        return self.growth.scaled.steps

    @property
    def _pairs(self) -> tuple[tuple[Step, Step], ...]:
        """The first two steps, and the last two."""
        pairs = tuple(zip(self._steps, self._steps[1:], strict=False))
        return tuple(dict.fromkeys((pairs[0], pairs[-1])))


def _measured(of: Count, before: Step, after: Step) -> Cell:
    numbers = of(before.model), of(after.model)
    if not all(numbers):
        return UNKNOWN
    return ((f"{effective_exponent(*numbers, after.factor / before.factor):.2f}",),)


def _measured_between(before: Step, after: Step) -> str:
    return _("Measured {factor} to {next}", factor=_times(before), next=_times(after))


def _times(step: Step) -> str:
    return f"{step.factor}×"
