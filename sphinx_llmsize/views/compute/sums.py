"""The FLOPs in symbols: of a layer, of all of them, and as a polynomial in T."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import flops, forward
from sphinx_llmsize.architecture.matmul import MatMul
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Formula, Paragraph
from sphinx_llmsize.config.symbols import Length, T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.shared.lengths import position_rows
from sphinx_llmsize.views.shared.operations import Passing
from sphinx_llmsize.views.shared.symbolic import Notation, parts, summands, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.typeset import (
    Term,
    added,
    braced,
    indexed,
    number,
    room,
    sum_lines,
    term,
)
from sphinx_llmsize.views.shared.wording import filled, in_sentence, stage_name, variable

WHOLE = "C"
TOKENS = sympy_symbol(T)
TIMES, SPACE = r" \times ", r" \, "
Tex = Callable[[sympy.Expr], str]
Written = Callable[["_Summand", Tex], "tuple[Term, ...]"]
"""Typesets a summand."""


def flops_sum(model: Model, tokens: int) -> tuple[Block, ...]:
    """What a layer takes, if all are alike, and the whole model; the latter for any T."""
    stacks = tuple(model.architecture.stacks())
    alike = _Alike(model.architecture, stacks[0], tokens).blocks() if len(stacks) == 1 else ()
    for_any = _polynomial(model) if _is_polynomial(model.architecture) else ()
    return (*alike, *for_any)


@dataclass(frozen=True)
class _Summand:
    """FLOPs under one name."""

    label: str
    flops: sympy.Expr


@dataclass(frozen=True)
class _Alike:
    """A model whose layers are all alike."""

    architecture: Architecture
    stack: Stack
    tokens: int

    def blocks(self) -> tuple[Formula, Formula]:
        """A layer, with what grows with T² apart; then all layers and what stands around them."""
        return (Formula(tuple(self._layer())), Formula(tuple(self._whole())))

    @property
    def _uses(self) -> Size:
        return self.stack.layers * self.stack.shared_by

    @cached_property
    def _notation(self) -> Notation:
        products = (m for p in self.architecture.places() for m in p.stage.matmuls)
        used = frozenset().union(self._uses.symbols(), *(m.flops.symbols() for m in products))
        passing = Passing(self.architecture, self.tokens)
        return Notation({symbol: passing.count(symbol) for symbol in (*used, T)})

    @property
    def _of_layer(self) -> sympy.Expr:
        return sympy.Add(*(s.flops for s in (*self._weights(), *self._activations())))

    def _layer(self) -> Iterator[str]:
        notation = self._notation
        both = (self._weights(), self._activations())
        sums = [sympy.Add(*(s.flops for s in each)) for each in both]
        counted = [term(number(notation.counted(each))) for each in sums if each != 0]
        yield from sum_lines(_layer_name(), self._terms(notation.symbols, SPACE, _named))
        plain = self._terms(notation.numbers, TIMES, _one_by_one)
        yield from sum_lines("", plain, column=_layer_name())
        if len(counted) > 1:
            yield from sum_lines("", added(counted), column=_layer_name())
        yield from sum_lines(
            "", (term(number(notation.counted(self._of_layer))),), column=_layer_name()
        )

    def _whole(self) -> Iterator[str]:
        notation = self._notation
        layers = to_sympy(self._uses)
        around = tuple(self._around())
        one = notation.counted(self._of_layer)
        symbols = [term(notation.symbols(layers) + SPACE + _layer_name())]
        symbols += [braced(notation.symbols(s.flops), s.label) for s in around]
        numbers = [term(notation.numbers(layers) + TIMES + number(one))]
        numbers += [term(notation.numbers(s.flops)) for s in around]
        total = notation.counted(layers) * one + sum(notation.counted(s.flops) for s in around)
        yield from sum_lines(WHOLE, added(symbols))
        yield from sum_lines("", added(numbers), column=WHOLE)
        yield from sum_lines("", (term(rf"\mathbf{{{number(total)}}}"),))

    def _terms(self, tex: Tex, times: str, written: Written) -> Iterator[Term]:
        """``2·T·(attention + feed-forward) + scores``."""
        twice = 2 * TOKENS
        inside = [
            one
            for summand in self._weights()
            for one in written(replace(summand, flops=sympy.expand(summand.flops / twice)), tex)
        ]
        if inside:
            yield term(tex(twice) + times + r"\bigl(") + inside[0]
            rest = list(added(inside))[1:]
            yield from rest[:-1]
            yield (rest[-1] if rest else term("")) + term(r"\bigr)")
        others = [one for summand in self._activations() for one in written(summand, tex)]
        yield from (term("+ ") + other for other in others)

    def _weights(self) -> Iterator[_Summand]:
        """Products with weights, by group."""
        for group in Group:
            stages = [p.stage for p in self.stack.places if p.stage.group is group]
            products = (m for s in stages for m in s.matmuls if m not in s.computes)
            found = _added(products)
            if found != 0:
                yield _Summand(in_sentence(group.label), found)

    def _activations(self) -> Iterator[_Summand]:
        """Products of activations with each other, by stage."""
        for place in self.stack.places:
            if place.stage.computes:
                found = _added(place.stage.computes)
                yield _Summand(stage_name(place.stage), found)

    def _around(self) -> Iterator[_Summand]:
        for place in self.architecture.places():
            found = _added(place.stage.matmuls)
            if not place.stack and found != 0:
                yield _Summand(stage_name(place.stage), found)


def _polynomial(model: Model) -> Iterator[Block]:
    """``C = a·T + b·T²`` in numbers, and from where the second term is the larger one."""
    constant, linear, quadratic = _coefficients(model.architecture)
    terms = {"": constant, r" \, T": linear, r" \, T^{2}": quadratic}
    written = (term(number(count) + power) for power, count in terms.items() if count)
    yield Paragraph(filled(_("For any {T} that is"), T=variable(T)))
    yield Formula(sum_lines(WHOLE, added(written)))
    equal = -(-linear // quadratic) if quadratic else 0
    rows = position_rows(model)
    if equal and (rows is None or equal <= rows[1]):
        message = _(
            "so from {T} = {number} on the scores of all pairs of tokens take more than all the "
            "rest."
        )
        yield Paragraph(filled(message, T=variable(T), number=thousands(equal)))


def _coefficients(architecture: Architecture) -> tuple[int, int, int]:
    """Of the polynomial in T that passes of 1, 2 and 3 tokens lie on."""
    one, two, three = (
        flops(architecture, architecture.places(), forward(tokens)) for tokens in (1, 2, 3)
    )
    quadratic = (three - 2 * two + one) // 2
    linear = two - one - 3 * quadratic
    return one - linear - quadratic, linear, quadratic


def _is_polynomial(architecture: Architecture) -> bool:
    """Whether no length is that of groups of tokens, the last of which may be incomplete."""
    products = (m for place in architecture.places() for m in place.stage.matmuls)
    return all(length.rate == 1 for m in products for length in _lengths(m))


def _added(products: Iterable[MatMul]) -> sympy.Expr:
    """The FLOPs of products; what is as long as the sequence is T."""
    return sympy.Add(*map(_flops, products))


def _flops(matmul: MatMul) -> sympy.Expr:
    as_long = {sympy_symbol(s): TOKENS for s in _lengths(matmul) if s.rate == 1}
    return to_sympy(matmul.flops).subs(as_long)


def _lengths(matmul: MatMul) -> Iterator[Length]:
    return (symbol for symbol in matmul.flops.symbols() if isinstance(symbol, Length))


def _named(summand: _Summand, tex: Tex) -> tuple[Term, ...]:
    """With its name under it, in as many parts as lines take."""
    return tuple(
        braced(part, summand.label) for part in parts(summand.flops, tex, room(_layer_name()))
    )


def _one_by_one(summand: _Summand, tex: Tex) -> tuple[Term, ...]:
    return tuple(term(tex(part)) for part in summands(summand.flops))


def _layer_name() -> str:
    return indexed("C", pgettext("below a symbol", "layer"))
