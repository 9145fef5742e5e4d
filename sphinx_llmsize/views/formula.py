"""The formula: the general sum, the same with numbers, the exact result, the rule of thumb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.pieces import Group, Role, Stack, Stage, by_group
from sphinx_llmsize.blocks import Block, Formula, Inline, Paragraph, Variable
from sphinx_llmsize.config.vocabulary import D_H, H_KV, D, F, H
from sphinx_llmsize.formats import decimal, has_exact_decimal, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.options import ViewOptions
from sphinx_llmsize.views.rule_of_thumb import QUOTED, G, Q, R, RuleOfThumb, rule_of_thumb
from sphinx_llmsize.views.symbolic import numbers_tex, summands, symbols_tex, sympy_symbol, to_sympy
from sphinx_llmsize.views.typeset import Term, braced, number, sum_lines, term
from sphinx_llmsize.views.wording import stage_name, variable

Render = Callable[[sympy.Expr, str], tuple[Term, ...]]


def formula(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """How the total comes about, and how well L·c·D² does."""
    rule = rule_of_thumb(model)
    return (
        exact(model),
        Paragraph(
            (
                "Rule of thumb: the matrices of one layer that grow with ",
                variable(D),
                "² hold",
            )
        ),
        _per_layer(rule, model),
        Paragraph(("parameters", *_substitution(rule), ", that is")),
        _coefficient(rule),
        Paragraph(("and all layers together have about",)),
        *_estimates(rule, model),
    )


def exact(model: Model) -> Formula:
    """The general formula, the same with numbers, each summand counted, and the result."""
    sizes = dict(model.architecture.sizes)
    names = {symbol: number(value) for symbol, value in sizes.items()}
    values = {sympy_symbol(symbol): value for symbol, value in sizes.items()}
    times = {symbol: names[symbol] + r" \times " for symbol in sizes}

    def general(expression: sympy.Expr, label: str) -> tuple[Term, ...]:
        return (braced(symbols_tex(expression, tuple(sizes)), label),)

    def in_numbers(expression: sympy.Expr, label: str) -> tuple[Term, ...]:
        return tuple(term(numbers_tex(part, names)) for part in summands(expression))

    def counted(expression: sympy.Expr, label: str) -> tuple[Term, ...]:
        return (term(number(int(expression.subs(values)))),)

    return Formula(
        (
            *sum_lines("N", _sum(model, general, {symbol: symbol.tex for symbol in sizes})),
            *sum_lines("", _sum(model, in_numbers, times)),
            *sum_lines("", _sum(model, counted, times)),
            *sum_lines("", (term(rf"\mathbf{{{number(model.total)}}}"),)),
        )
    )


def _sum(model: Model, render: Render, repeated: dict[Symbol, str]) -> Iterator[Term]:
    """The model's parameters as a sum: stages one by one, stacks as L·(groups)."""
    opening = ""
    for item in model.architecture.items:
        if isinstance(item, Stack):
            terms = [t for label, e in _groups(item) for t in render(e, label)]
            terms[0] = term(rf"{opening}{repeated[item.layers]}\bigl(") + terms[0]
            terms[-1] = terms[-1] + term(r"\bigr)")
            yield from _added(terms)
        else:
            first, *others = render(to_sympy(item.parameters), _label(item))
            yield from _added([term(opening) + first, *others])
        opening = "+ "


def _groups(stack: Stack) -> Iterator[tuple[str, sympy.Expr]]:
    """What one layer has, by group; the biases of a group on their own."""
    for group, places in by_group(stack.places):
        tensors = [tensor for place in places for tensor in place.stage.tensors]
        biases = [t for t in tensors if t.role is Role.BIAS and group is not Group.NORMS]
        others = [tensor for tensor in tensors if tensor not in biases]
        name = group.value.lower()
        for label, members in ((name, others), (f"{name} biases", biases)):
            if members:
                yield label, sympy.Add(*(to_sympy(tensor.parameters) for tensor in members))


def _label(stage: Stage) -> str:
    return f"{stage_name(stage)} (tied)" if stage.tied_to else stage_name(stage)


def _per_layer(rule: RuleOfThumb, model: Model) -> Formula:
    symbols = tuple(symbol for symbol, _ in model.architecture.sizes)
    terms = [braced(symbols_tex(t.parameters, symbols), t.group.value.lower()) for t in rule.terms]
    return Formula(sum_lines(r"P_{\text{layer}}", _added(terms)))


def _substitution(rule: RuleOfThumb) -> tuple[Inline, ...]:
    """``. With F = r·D, where r = 43/16`` for the widths that the terms are written in."""
    used = {symbol.name for t in rule.terms for symbol in t.parameters.free_symbols}
    ratios = dict(rule.ratios)
    relations: list[tuple[Inline, ...]] = []
    if D_H.name in used:
        relations.append((variable(H), "·", variable(D_H), " = ", *_ratio(Q, ratios), variable(D)))
    if H_KV.name in used:
        of = ("/", variable(G)) if G in ratios else ()
        relations.append((variable(H_KV), " = ", variable(H), *of))
    if F.name in used:
        relations.append((variable(F), " = ", *_ratio(R, ratios), variable(D)))
    if not relations:
        return ()
    values = [(variable(symbol), f" = {value}") for symbol, value in rule.ratios]
    where: tuple[Inline, ...] = (", where ", *_listed(values)) if values else ()
    return (". With ", *_listed(relations), *where)


def _listed(items: Sequence[tuple[Inline, ...]]) -> tuple[Inline, ...]:
    """``a, b and c``."""
    listed: list[Inline] = []
    for position, item in enumerate(items):
        if position:
            listed.append(" and " if position == len(items) - 1 else ", ")
        listed += item
    return tuple(listed)


def _ratio(symbol: Symbol, ratios: dict[Symbol, Fraction]) -> tuple[Inline, ...]:
    return (variable(symbol), "·") if symbol in ratios else ()


def _coefficient(rule: RuleOfThumb) -> Formula:
    """c: by groups, with the ratios' numbers, as one number."""
    symbols = tuple(symbol for symbol, _ in rule.ratios)
    values = {symbol: _fraction(value) for symbol, value in rule.ratios}
    terms = [braced(symbols_tex(t.coefficient, symbols), t.group.value.lower()) for t in rule.terms]
    lines = sum_lines("c", _added(terms))
    if rule.ratios:
        numbers = [term(numbers_tex(t.coefficient, values)) for t in rule.terms]
        lines += sum_lines("", _added(numbers))
    result = [term(_fraction(rule.c))]
    if rule.c.denominator != 1:
        equals = "=" if has_exact_decimal(rule.c) else r"\approx"
        result.append(term(f"{equals} {decimal(rule.c)}"))
    return Formula((r"P_{\text{layer}} &= c \, D^{2}", *lines, *sum_lines("", result)))


def _estimates(rule: RuleOfThumb, model: Model) -> Iterator[Block]:
    """What L·c·D² comes to, and what it leaves out; the same with the 12 that is quoted."""
    covered = int(rule.estimate(rule.c))
    rest = ", ".join(f"{name} {thousands(count)}" for name, count in rule.rest)
    yield _estimate(rule, rule.c)
    yield Paragraph(
        (
            f"That is {percent(covered / model.total)} of the exact {thousands(model.total)}. "
            f"The other {thousands(model.total - covered)}: {rest}.",
        )
    )
    if rule.is_near_quoted:
        quoted = int(rule.estimate(QUOTED))
        yield Paragraph(("With ", Variable("c"), f" rounded to {QUOTED}, as the rule is known,"))
        yield _estimate(rule, QUOTED)
        yield Paragraph((f"which is {percent(quoted / model.total)} of the exact number.",))


def _estimate(rule: RuleOfThumb, c: Fraction) -> Formula:
    """``L·c·D² = 32 × 12 × 4,096² = 32 × 201,326,592 = 6,442,450,944``."""
    shown = decimal(c) if has_exact_decimal(c) else _fraction(c)
    per_layer = rule.estimate(c) / rule.layers
    return Formula(
        (
            rf"{rule.stack.layers.tex} \, c \, D^{{2}} "
            rf"&= {number(rule.layers)} \times {shown} \times {number(rule.hidden)}^{{2}}",
            rf"&= {number(rule.layers)} \times {number(int(per_layer))}",
            rf"&= {number(int(rule.estimate(c)))}",
        )
    )


def _added(terms: list[Term]) -> Iterator[Term]:
    for position, item in enumerate(terms):
        yield term("+ ") + item if position else item


def _fraction(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
