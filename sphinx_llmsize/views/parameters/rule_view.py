"""Rule view: the rule of thumb L·c·D², its constant and its share of all parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Formula, Line, Paragraph, Tex, Variable
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, L
from sphinx_llmsize.formats import decimal, has_exact_decimal, percent, thousands, two_places
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import NARROW_SPACE, _, pgettext
from sphinx_llmsize.views.author_labels import (
    Labels,
    group_in_sentence,
    own_label,
    placed_stage_ids,
)
from sphinx_llmsize.views.parameters.rule_of_thumb import (
    QUOTED,
    RATIO_TO_D,
    G,
    Q,
    RuleOfThumb,
    has_rule_of_thumb,
    rule_of_thumb,
)
from sphinx_llmsize.views.shared.papers import KAPLAN
from sphinx_llmsize.views.shared.symbolic import (
    factored,
    numbers_tex,
    summands,
    sympy_symbol,
    value_of,
)
from sphinx_llmsize.views.shared.typeset import indexed, number, underbraced, words
from sphinx_llmsize.views.shared.wording import (
    filled,
    formula_line,
    joined_sentences,
    listed_text,
    variable,
    with_small_initial,
)
from sphinx_llmsize.views.view_options import DEFAULT_VIEWS, ViewOptions

PRODUCT = rf"{L.tex} \, c \, D^{{2}}"
"""TeX of the rule."""
MOST_ON_A_PHONE = 2
"""Number of widths in c that fit on a line on a phone; lines break between more of them."""


def rule(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The constant c, the estimate and its share of the total; or why the rule doesn't apply."""
    return tuple(block for part in PARTS for block in part(model, options))


def _introduction(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """A heading of the formulas, or why the rule doesn't apply.

    Readers need no heading if the author's text leads to the rule alone, and no reason if the
    author didn't ask for it.
    """
    if has_rule_of_thumb(model):
        if options.shown == ("rule",):
            return ()
        if rule_of_thumb(model).is_exact:
            lead_in = _("The rule of thumb for the parameters of the layers is exact here:")
        else:
            lead_in = _("Rule of thumb for the parameters of the layers:")
        return (Paragraph((lead_in,)),)
    return () if options.shown == DEFAULT_VIEWS else (_no_rule(model),)


def _derivation(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The rule with the widths in its constant, the constant and the estimate, in a line each."""
    if not has_rule_of_thumb(model):
        return ()
    model_rule = rule_of_thumb(model)
    all_layers = indexed("N", pgettext("below a symbol", "all layers"))
    sign = "=" if model_rule.is_exact else r"\approx"
    lines: tuple[Tex, ...] = (
        (rf"{all_layers} {sign} {PRODUCT}", *_widths(model_rule)),
        _constant(model_rule, options.labels),
        _estimate(model_rule),
    )
    return (Formula(lines, ("", "rule.c", "rule")),)


def _share_of_total(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The share of the total, and the rest."""
    if not has_rule_of_thumb(model):
        return ()
    sentences = _coverage(rule_of_thumb(model), model, options)
    return (Paragraph(joined_sentences(*sentences)),)


PARTS = (_introduction, _derivation, _share_of_total)
"""Functions that make the parts of the view; an interactive page changes each part by itself."""


def _no_rule(model: Model) -> Paragraph:
    """The reason that the rule doesn't apply."""
    layer = formula_line((Variable("c"), "·", variable(D), "²"))
    if len(tuple(model.architecture.stacks())) > 1:
        reason = _(
            "The rule of thumb that the {L} layers of a model have about {rule} parameters, "
            "{layer} each, does not apply to this model, since its layers differ."
        )
    else:
        reason = _(
            "The rule of thumb that the {L} layers of a model have about {rule} parameters, "
            "{layer} each, does not apply to this model, since its layers have widths that do "
            "not follow {D}."
        )
    rule = formula_line((variable(L), "·", *layer))
    return Paragraph(filled(reason, rule=rule, layer=layer, L=variable(L), D=variable(D)))


def _constant(rule: RuleOfThumb, labels: Labels) -> Tex:
    """``c = 4 [attention] + 3·43/16 [feed-forward] = 193/16 = 12.0625``."""
    first, *others = underbraced(
        (_in_numbers(term.coefficient, rule.ratios), words(group_in_sentence(labels, term.group)))
        for term in rule.terms
    )
    pieces = [f"c = {first}", *(f" + {term}" for term in others)]
    if others or rule.ratios:
        pieces.append(f" = {_fraction(rule.c)}")
    if rule.c.denominator != 1:
        is_exact = has_exact_decimal(rule.c)
        pieces.append(f" = {decimal(rule.c)}" if is_exact else rf" \approx {two_places(rule.c)}")
    return tuple(pieces)


def _in_numbers(coefficient: sympy.Expr, ratios: Mapping[Symbol, Fraction]) -> str:
    """``2 + 2/5``, ``3 × 43/16``: a coefficient with the ratios in numbers, whole numbers first."""
    values = {sympy_symbol(symbol): value for symbol, value in ratios.items()}
    terms = []
    for term in sorted(summands(factored(coefficient)), key=lambda each: len(each.free_symbols)):
        _times, factor = term.as_coeff_Mul()
        is_reciprocal = factor in values and values[factor].numerator == 1
        if is_reciprocal or factor.is_Pow:  # 2 × 1/5 is written as 2/5, and 2/12 as 1/6
            terms.append(_fraction(value_of(term, values)))
        else:
            terms.append(numbers_tex(term, values, _fraction))
    return " + ".join(terms)


def _widths(rule: RuleOfThumb) -> Iterator[str]:
    """The widths in c, relative to D: ``with F = 43/16 D, H d_h = D``; none without any."""
    used = {symbol.name for each in rule.terms for symbol in each.parameters.free_symbols}
    widths = (
        *((width, width.tex, ratio, D) for width, ratio in RATIO_TO_D.items()),
        (H_KV, H_KV.tex, G, H),
        (D_H, rf"{H.tex} \, {D_H.tex}", Q, D),  # last, as its left side is the widest
    )
    equations = [
        f"{tex} = {_multiple(rule.ratios.get(ratio), base)}"
        for symbol, tex, ratio, base in widths
        if symbol.name in used
    ]
    if equations:
        equations[0] = rf" \quad {words(_('with'))} \; {equations[0]}"
        pieces = (*(rf"{equation}, \quad " for equation in equations[:-1]), equations[-1])
        yield from pieces if len(pieces) > MOST_ON_A_PHONE else ("".join(pieces),)


def _multiple(ratio: Fraction | None, base: Symbol) -> str:
    """TeX of ``43/16 D``; of ``D`` if the ratio is 1, as it is without one."""
    return base.tex if ratio is None or ratio == 1 else rf"{_fraction(ratio)} \, {base.tex}"


def _estimate(rule: RuleOfThumb) -> Tex:
    """``L c D² = 32 × 193/16 × 4,096² = 6,476,005,376``; ``≈`` before a rounded result."""
    c = decimal(rule.c) if has_exact_decimal(rule.c) else _fraction(rule.c)
    product = rf"{number(rule.layers)} \times {c} \times {number(rule.hidden)}^{{2}}"
    estimate = rule.estimate(rule.c)
    result = floor(estimate)
    sign = "=" if estimate == result else r"\approx"
    return (f"{PRODUCT} = {product}", f" {sign} {number(result)}")


def _coverage(rule: RuleOfThumb, model: Model, options: ViewOptions) -> Iterator[Line]:
    """Share of the exact total, the rest, and the estimate for c = 12 if c is 12 or close to it.

    The total is that of the table or, without one, stands here.
    """
    covered = floor(rule.estimate(rule.c))
    share, total = percent(quotient(covered, model.total)), thousands(model.total)
    if "table" in options.shown:
        yield (_("That is {share} of the total.", share=share),)
    else:
        yield (_("That is {share} of all {total} parameters.", share=share, total=total),)
    if rule.uncounted:
        yield (_rest(rule, model, options.labels),)
    if rule.c == QUOTED:
        yield filled(
            _("In {paper}, {c} is {number} as well."),
            paper=KAPLAN,
            c=Variable("c"),
            number=str(QUOTED),
        )
    elif rule.is_near_quoted:
        quoted = floor(rule.estimate(QUOTED))
        message = _("With {c} = {number}, as in {paper}, {rule} is {estimate} ({share}).")
        yield filled(
            message,
            rule=(variable(L), NARROW_SPACE, Variable("c"), NARROW_SPACE, variable(D), "²"),
            c=Variable("c"),
            number=str(QUOTED),
            paper=KAPLAN,
            estimate=thousands(quoted),
            share=percent(quotient(quoted, model.total)),
        )


def _rest(rule: RuleOfThumb, model: Model, labels: Labels) -> str:
    """Sentence on the parameters that the rule leaves out; several embeddings have one name."""
    placed_stages = {placed.stage.id: placed for placed in model.architecture.placed_stages()}
    embeddings = {
        id for id, placed in placed_stages.items() if placed.stage.group is Group.EMBEDDING
    }
    has_several = len(embeddings.intersection(part.id for part in rule.uncounted)) > 1
    parts: list[str] = []
    for part in rule.uncounted:
        placed = placed_stages.get(part.id)
        usual = _("Embeddings") if has_several and part.id in embeddings else part.name
        label = own_label(labels, placed_stage_ids(placed) if placed else (part.id,), usual)
        parts.append(with_small_initial(label))
    parts = [*dict.fromkeys(parts)]
    rest = thousands(sum(part.parameters for part in rule.uncounted))
    if len(parts) == 1:
        return _("The other {rest} are in the {part}.", rest=rest, part=parts[0])
    listed = [_("the {part}", part=part) for part in parts]
    return _("The other {rest} are in {parts}.", rest=rest, parts=listed_text(listed))


def _fraction(value: Fraction) -> str:
    """TeX of a fraction, or of a whole number."""
    if value.denominator == 1:
        return number(value.numerator)
    return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
