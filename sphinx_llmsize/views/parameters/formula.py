"""Formula view: the exact sum, then the rule of thumb with its constant derived step by step."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Block, Formula, Inline, Line, Paragraph, Variable
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, L
from sphinx_llmsize.formats import decimal, has_exact_decimal, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.parameters.parameter_sums import active_sum, total_sum
from sphinx_llmsize.views.parameters.rule_of_thumb import (
    QUOTED,
    RATIO_TO_D,
    G,
    Q,
    RuleOfThumb,
    applies,
    rule_of_thumb,
)
from sphinx_llmsize.views.shared.symbolic import numbers_tex, symbols_tex
from sphinx_llmsize.views.shared.typeset import added, braced, indexed, number, sum_lines, term
from sphinx_llmsize.views.shared.wording import (
    comma_separated,
    filled,
    in_sentence,
    listed,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions


def formula(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """All parameters, the active ones, and the rule of thumb L·c·D² if it applies."""
    blocks: list[Block] = [total_sum(model)]
    if model.active != model.total:
        blocks += [_active(), active_sum(model)]
    blocks += _rule(model) if applies(model) else (_no_rule(model),)
    return tuple(blocks)


def _active() -> Paragraph:
    message = _("A token is sent to {k} of the {E} experts. Its active parameters are")
    return Paragraph(filled(message, k=Variable("k"), E=Variable("E")))


def _rule(model: Model) -> tuple[Block, ...]:
    rule = rule_of_thumb(model)
    opening = _("Rule of thumb: the matrices of one layer that grow with {square} hold")
    return (
        Paragraph(filled(opening, square=(variable(D), "²"))),
        _per_layer(rule, model),
        Paragraph(_substitution(rule)),
        _coefficient(rule),
        Paragraph((_("and all layers together have about"),)),
        *_estimates(rule, model),
    )


def _no_rule(model: Model) -> Paragraph:
    rule = (variable(L), "·", Variable("c"), "·", variable(D), "²")
    if len(tuple(model.architecture.stacks())) > 1:
        reason = _(
            "The rule of thumb {rule} does not describe this model, since its layers differ."
        )
    else:
        reason = _(
            "The rule of thumb {rule} does not describe this model, since its layers have "
            "widths that do not follow {D}."
        )
    return Paragraph(filled(reason, rule=rule, D=variable(D)))


def _per_layer(rule: RuleOfThumb, model: Model) -> Formula:
    symbols = tuple(model.architecture.sizes)
    terms = [
        braced(symbols_tex(t.parameters, symbols), in_sentence(t.group.label)) for t in rule.terms
    ]
    return Formula(sum_lines(_layer_name(), added([each] for each in terms)))


def _layer_name() -> str:
    return indexed("N", pgettext("below a symbol", "layer"))


def _substitution(rule: RuleOfThumb) -> Line:
    """``With F = r·D, where r = 43/16`` for the widths in the terms."""
    used = {symbol.name for t in rule.terms for symbol in t.parameters.free_symbols}
    ratios = dict(rule.ratios)
    relations: list[tuple[Inline, ...]] = []
    if D_H.name in used:
        relations.append((variable(H), "·", variable(D_H), " = ", *_ratio(Q, ratios), variable(D)))
    if H_KV.name in used:
        divided = ("/", variable(G)) if G in ratios else ()
        relations.append((variable(H_KV), " = ", variable(H), *divided))
    for width, ratio in RATIO_TO_D.items():
        if width.name in used:
            relations.append((variable(width), " = ", *_ratio(ratio, ratios), variable(D)))
    if not relations:
        return (_("parameters, that is"),)
    if not rule.ratios:
        return filled(_("parameters. With {relations}, that is"), relations=listed(relations))
    values = listed([(variable(symbol), f" = {value}") for symbol, value in rule.ratios])
    message = _("parameters. With {relations}, where {values}, that is")
    return filled(message, relations=listed(relations), values=values)


def _ratio(symbol: Symbol, ratios: dict[Symbol, Fraction]) -> tuple[Inline, ...]:
    return (variable(symbol), "·") if symbol in ratios else ()


def _coefficient(rule: RuleOfThumb) -> Formula:
    """The constant c: a sum over groups, the same sum in numbers, and its value."""
    symbols = tuple(symbol for symbol, _ in rule.ratios)
    values = {symbol: _fraction(value) for symbol, value in rule.ratios}
    terms = [
        braced(symbols_tex(t.coefficient, symbols), in_sentence(t.group.label)) for t in rule.terms
    ]
    lines = sum_lines("c", added([each] for each in terms))
    if rule.ratios:
        numbers = [term(numbers_tex(t.coefficient, values)) for t in rule.terms]
        lines += sum_lines("", added([each] for each in numbers))
    result = [term(_fraction(rule.c))]
    if rule.c.denominator != 1:
        equals = "=" if has_exact_decimal(rule.c) else r"\approx"
        result.append(term(f"{equals} {decimal(rule.c)}"))
    return Formula((rf"{_layer_name()} &= c \, D^{{2}}", *lines, *sum_lines("", result)))


def _estimates(rule: RuleOfThumb, model: Model) -> Iterator[Block]:
    """L·c·D² and the parameters it leaves out, then the rule with c = 12 if c is close to it."""
    covered = int(rule.estimate(rule.c))
    rest = comma_separated(f"{name} {thousands(count)}" for name, count in rule.rest)
    share, total = percent(covered / model.total), thousands(model.total)
    message = _(
        "That is {share} of the exact {total}. The other {number}: {rest}.",
        share=share,
        total=total,
        number=model.total - covered,
        rest=rest,
    )
    yield _estimate(rule, rule.c)
    yield Paragraph((message,))
    if rule.is_near_quoted:
        quoted = int(rule.estimate(QUOTED))
        rounded = _("With {c} rounded to {number}, as the rule is usually quoted,")
        yield Paragraph(filled(rounded, c=Variable("c"), number=str(QUOTED)))
        yield _estimate(rule, QUOTED)
        share = percent(quoted / model.total)
        yield Paragraph((_("which is {share} of the exact number.", share=share),))


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
