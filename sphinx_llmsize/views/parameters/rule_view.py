"""Rule view: the rule of thumb L·c·D², its constant and its share of all parameters."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Block, Formula, Line, Paragraph, Tex, Variable
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, L
from sphinx_llmsize.formats import has_two_places, percent, short, thousands, two_places
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import Labels, group_in_sentence, own_label, place_ids
from sphinx_llmsize.views.parameters.rule_of_thumb import (
    QUOTED,
    RATIO_TO_D,
    G,
    GroupTerm,
    Q,
    RuleOfThumb,
    applies,
    rule_of_thumb,
)
from sphinx_llmsize.views.shared.symbolic import numbers_tex
from sphinx_llmsize.views.shared.typeset import number, underbraced, words
from sphinx_llmsize.views.shared.wording import (
    filled,
    joined_sentences,
    listed_text,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

STACKED = r" \\ "
"""Line break within a label."""


def rule(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The constant c, the estimate and its share of the total; or why the rule doesn't apply."""
    if not applies(model):
        return (_no_rule(model),)
    model_rule = rule_of_thumb(model)
    return (
        Formula((_constant(model_rule, options.labels), _estimate(model_rule))),
        Paragraph(joined_sentences(*_coverage(model_rule, model, options.labels))),
    )


def _no_rule(model: Model) -> Paragraph:
    """The reason that the rule doesn't apply."""
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


def _constant(rule: RuleOfThumb, labels: Labels) -> Tex:
    """``N ≈ L·c·D², c = 4 [attention] + 3·43/16 [feed-forward] = 193/16 ≈ 12.06``."""
    values = {symbol: _fraction(value) for symbol, value in rule.ratios}
    terms = [
        underbraced(numbers_tex(each.coefficient, values), _label(each, dict(rule.ratios), labels))
        for each in rule.terms
    ]
    result = [f" = {_fraction(rule.c)}"] if len(terms) > 1 or rule.ratios else []
    if rule.c.denominator != 1:
        equals = "=" if has_two_places(rule.c) else r"\approx"
        result.append(f" {equals} {two_places(rule.c)}")
    first, *others = terms
    equation = rf"N \approx {L.tex} \, c \, D^{{2}},"
    return (equation, rf"\quad c = {first}", *(f" + {term}" for term in others), *result)


def _label(term: GroupTerm, ratios: dict[Symbol, Fraction], labels: Labels) -> str:
    """``feed-forward, F = 43·D/16``: TeX of the group and of its widths relative to D."""
    used = {symbol.name for symbol in term.parameters.free_symbols}
    relations = [
        f"{width.tex} = {_times(ratios[ratio], D.tex)}"
        for width, ratio in RATIO_TO_D.items()
        if width.name in used and ratio in ratios
    ]
    if H_KV.name in used and G in ratios:
        relations.append(f"{H_KV.tex} = {_times(ratios[G], H.tex)}")
    if D_H.name in used and Q in ratios:
        relations.append(rf"{H.tex} \, {D_H.tex} = {_times(ratios[Q], D.tex)}")
    lines = (words(group_in_sentence(labels, term.group)), *relations)
    return rf"\substack{{{STACKED.join(lines)}}}" if relations else lines[0]


def _times(ratio: Fraction, tex: str) -> str:
    """``43·D/16``, ``D``, ``H/4``: small, so without a fraction bar."""
    above = tex if ratio.numerator == 1 else rf"{number(ratio.numerator)} \, {tex}"
    return above if ratio.denominator == 1 else f"{above} / {number(ratio.denominator)}"


def _estimate(rule: RuleOfThumb) -> Tex:
    """``N ≈ 32 × 193/16 × 4,096² = 6,476,005,376``."""
    c = two_places(rule.c) if has_two_places(rule.c) else _fraction(rule.c)
    product = rf"{number(rule.layers)} \times {c} \times {number(rule.hidden)}^{{2}}"
    return (rf"N \approx {product}", f" = {number(floor(rule.estimate(rule.c)))}")


def _coverage(rule: RuleOfThumb, model: Model, labels: Labels) -> Iterator[Line]:
    """Share of the exact total, the rest, and the estimate for c = 12 if c is close to it."""
    covered = floor(rule.estimate(rule.c))
    share, total = percent(quotient(covered, model.total)), thousands(model.total)
    yield (_("That is {share} of the exact {total} parameters.", share=share, total=total),)
    if rule.uncounted:
        ids = {place.stage.id: tuple(place_ids(place)) for place in model.architecture.places()}
        rest = listed_text(
            [
                f"{own_label(labels, ids.get(part.id, (part.id,)), part.name)} "
                f"({thousands(part.parameters)})"
                for part in rule.uncounted
            ]
        )
        yield (_("The rest: {rest}.", rest=rest),)
    if rule.is_near_quoted:
        quoted = floor(rule.estimate(QUOTED))
        message = _("With {c} = {number}, as usually quoted: {estimate} ({share}).")
        yield filled(
            message,
            c=Variable("c"),
            number=str(QUOTED),
            estimate=short(quoted),
            share=percent(quotient(quoted, model.total)),
        )


def _fraction(value: Fraction) -> str:
    """TeX of a fraction, or of a whole number."""
    if value.denominator == 1:
        return number(value.numerator)
    return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
