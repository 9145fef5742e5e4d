"""The formula: the exact sum, then the rule of thumb with its constant derived step by step."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Block, Formula, Inline, Line, Paragraph, Variable
from sphinx_llmsize.config.vocabulary import D_H, H_KV, D, H, L
from sphinx_llmsize.formats import decimal, has_exact_decimal, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.options import ViewOptions
from sphinx_llmsize.views.parameters.active_sum import active_sum
from sphinx_llmsize.views.parameters.exact_sum import exact
from sphinx_llmsize.views.parameters.rule_of_thumb import (
    FOLLOW_D,
    QUOTED,
    G,
    Q,
    RuleOfThumb,
    applies,
    rule_of_thumb,
)
from sphinx_llmsize.views.shared.symbolic import numbers_tex, symbols_tex
from sphinx_llmsize.views.shared.typeset import added, braced, number, sum_lines, term
from sphinx_llmsize.views.shared.wording import listed, variable

ACTIVE: Line = (
    "A token is sent to ",
    Variable("k"),
    " of the ",
    Variable("E"),
    " experts. The parameters that it uses are",
)


def formula(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """How the total comes about, what of it a token uses, and how well L·c·D² does."""
    blocks: list[Block] = [exact(model)]
    if model.active != model.total:
        blocks += [Paragraph(ACTIVE), active_sum(model)]
    blocks += _rule(model) if applies(model) else (_no_rule(model),)
    return tuple(blocks)


def _rule(model: Model) -> tuple[Block, ...]:
    rule = rule_of_thumb(model)
    opening = "Rule of thumb: the matrices of one layer that grow with "
    return (
        Paragraph((opening, variable(D), "² hold")),
        _per_layer(rule, model),
        Paragraph(("parameters", *_substitution(rule), ", that is")),
        _coefficient(rule),
        Paragraph(("and all layers together have about",)),
        *_estimates(rule, model),
    )


def _no_rule(model: Model) -> Paragraph:
    differ = len(tuple(model.architecture.stacks())) > 1
    reason = "its layers differ" if differ else "its layers have widths that do not follow "
    of = () if differ else (variable(D),)
    rule = ("The rule of thumb ", variable(L), "·", Variable("c"), "·", variable(D), "² ")
    return Paragraph((*rule, "does not describe this model, since ", reason, *of, "."))


def _per_layer(rule: RuleOfThumb, model: Model) -> Formula:
    symbols = tuple(model.architecture.sizes)
    terms = [braced(symbols_tex(t.parameters, symbols), t.group.value.lower()) for t in rule.terms]
    return Formula(sum_lines(r"N_{\text{layer}}", added(terms)))


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
    for width, ratio in FOLLOW_D.items():
        if width.name in used:
            relations.append((variable(width), " = ", *_ratio(ratio, ratios), variable(D)))
    if not relations:
        return ()
    values = [(variable(symbol), f" = {value}") for symbol, value in rule.ratios]
    where: tuple[Inline, ...] = (", where ", *listed(values)) if values else ()
    return (". With ", *listed(relations), *where)


def _ratio(symbol: Symbol, ratios: dict[Symbol, Fraction]) -> tuple[Inline, ...]:
    return (variable(symbol), "·") if symbol in ratios else ()


def _coefficient(rule: RuleOfThumb) -> Formula:
    """c: by groups, with the ratios' numbers, as one number."""
    symbols = tuple(symbol for symbol, _ in rule.ratios)
    values = {symbol: _fraction(value) for symbol, value in rule.ratios}
    terms = [braced(symbols_tex(t.coefficient, symbols), t.group.value.lower()) for t in rule.terms]
    lines = sum_lines("c", added(terms))
    if rule.ratios:
        numbers = [term(numbers_tex(t.coefficient, values)) for t in rule.terms]
        lines += sum_lines("", added(numbers))
    result = [term(_fraction(rule.c))]
    if rule.c.denominator != 1:
        equals = "=" if has_exact_decimal(rule.c) else r"\approx"
        result.append(term(f"{equals} {decimal(rule.c)}"))
    return Formula((r"N_{\text{layer}} &= c \, D^{2}", *lines, *sum_lines("", result)))


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
            rf"{L.tex} \, c \, D^{{2}} "
            rf"&= {number(rule.layers)} \times {shown} \times {number(rule.hidden)}^{{2}}",
            rf"&= {number(rule.layers)} \times {number(int(per_layer))}",
            rf"&= {number(int(rule.estimate(c)))}",
        )
    )


def _fraction(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
