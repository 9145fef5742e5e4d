"""Rules of thumb for compute, compared with the exact FLOPs.

Kaplan et al. 2020, https://arxiv.org/abs/2001.08361, section 2.1; Hoffmann et al. 2022,
https://arxiv.org/abs/2203.15556, appendix F.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.cost import ForwardPass, flops, forward
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Column, Line, Row, Table, Variable, cell, number_columns
from sphinx_llmsize.config.symbols import D_H, T_SEEN, H, L, T
from sphinx_llmsize.formats import flops_text, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient, traceable
from sphinx_llmsize.translation import N_, _, pgettext
from sphinx_llmsize.views.author_labels import Labels
from sphinx_llmsize.views.numbers.part_selection import OUTSIDE_LAYERS
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.encoders import has_cross_attention
from sphinx_llmsize.views.shared.folding import folding_row
from sphinx_llmsize.views.shared.lengths import tokens_line
from sphinx_llmsize.views.shared.outer_parts import parts_outside_layers
from sphinx_llmsize.views.shared.papers import HOFFMANN, KAPLAN
from sphinx_llmsize.views.shared.wording import filled, formula_line, size_line

N = Variable("N")
FORWARD_FLOPS = 2
"""FLOPs per parameter and token of a forward pass: a multiplication and an addition."""
TRAINING_PASSES = 3
"""Cost of a training step in forward passes: the forward pass, and a backward that costs two."""

WITHOUT_HEAD = N_("the counted FLOPs exclude the head and masked scores, as in {paper}")
WITHOUT_MASKED = N_("the counted FLOPs exclude masked scores, as in {paper}")


@dataclass(frozen=True)
class Rule:
    """A rule of thumb for the FLOPs per token of a sequence of T tokens.

    Attributes:
        id: name in the role ``llm-size``: ``with_scores`` of ``flops_rule.with_scores``.
        terms: the rule as a formula.
        notes: the value of N, the purpose of the rule and its source.
        estimate: FLOPs per token by this rule.
        exact: exact FLOPs per token of the computation that the rule estimates.
    """

    id: str
    terms: Line
    notes: tuple[Line | str, ...]
    estimate: int
    exact: Fraction

    @property
    def error(self) -> Fraction:
        """Relative error of the estimate."""
        return self.estimate / self.exact - 1


def rules_table(model: Model, tokens: int, labels: Labels) -> Table:
    """Table with the estimate of each rule, the exact number and their relative difference."""
    caption = filled(
        _("Rules of thumb for the FLOPs per token with {tokens}"), tokens=tokens_line(tokens)
    )
    name, estimate, exact, error = number_columns(
        _("Rule"), _("Estimate"), _("Counted"), _("Difference")
    )
    columns = (name, estimate, replace(exact, folds=True), error)
    rows = (_row(rule, tokens, columns) for rule in rules_of(model, tokens, labels))
    return Table(caption, columns, tuple(rows))


def rules_of(model: Model, tokens: int, labels: Labels = ()) -> Iterator[Rule]:
    """The rules that apply to a model."""
    exact = _flops_per_token(model, model.architecture.placed_stages(), tokens)
    if model.active == model.total:
        value_of_n = _("{N} = {number} parameters")
    else:
        value_of_n = _("{N} = {number} active parameters")
    notes: list[Line | str] = [filled(value_of_n, N=N, number=thousands(model.active))]
    if any(stack.passes != ONE for stack in model.architecture.stacks()):
        notes.append(_("weights that layers share count once"))
    estimate = FORWARD_FLOPS * model.active
    yield Rule("forward", formula_line((str(FORWARD_FLOPS), N)), tuple(notes), estimate, exact)
    if _has_plain_attention(model):
        yield _with_scores(model, tokens, labels)
    purpose = filled(
        _("training: the backward pass costs twice the forward pass, as in {paper}"), paper=HOFFMANN
    )
    training_flops = FORWARD_FLOPS * TRAINING_PASSES
    estimate = training_flops * model.active
    terms = formula_line((str(training_flops), N))
    yield Rule("training", terms, (*notes, purpose), estimate, TRAINING_PASSES * exact)


def _with_scores(model: Model, tokens: int, labels: Labels) -> Rule:
    """Rule of Kaplan et al. 2020: 2N_layers, plus 2L·T·H·d_h for the scores that aren't masked.

    The exact FLOPs are counted in the same way: without embeddings, head and masked scores.
    """
    architecture = model.architecture
    in_layers = [p for p in architecture.placed_stages() if p.stage.group not in OUTSIDE_LAYERS]
    n = sum(architecture.count(placed.active) for placed in in_layers)
    in_layers_only = Variable("N", pgettext("below a symbol", "layers"))
    scores = size_line(L * T * H * D_H)
    terms = formula_line((str(FORWARD_FLOPS), in_layers_only, f" + {FORWARD_FLOPS}", *scores))
    value_of_n = filled(
        _("{N} = {number} excludes {parts}"),
        N=in_layers_only,
        number=thousands(n),
        parts=parts_outside_layers(model, labels),
    )
    notes = (value_of_n, filled(_(_uncounted(model)), paper=KAPLAN))
    estimate = FORWARD_FLOPS * (n + tokens * architecture.count(L * H * D_H))
    return Rule("with_scores", terms, notes, estimate, _without_masked(model, in_layers, tokens))


def _uncounted(model: Model) -> str:
    """Phrase on what the counted FLOPs leave out: the products of a head, even of a tied one."""
    has_head = any(stage.group is Group.HEAD for stage in model.architecture.stages())
    return WITHOUT_HEAD if has_head else WITHOUT_MASKED


def _flops_per_token(model: Model, placed_stages: Iterable[PlacedStage], tokens: int) -> Fraction:
    """Exact FLOPs of these stages in a forward pass, divided by its tokens."""
    per_token: Fraction = quotient(
        flops(model.architecture, placed_stages, forward(tokens)), tokens
    )
    return per_token


def _without_masked(model: Model, placed_stages: Sequence[PlacedStage], tokens: int) -> Fraction:
    """Exact FLOPs per token under a causal mask, where tokens attend to 1 to T tokens.

    FLOPs are linear in this number, so that their mean is that of the first and the last token.
    """
    passes = (ForwardPass(tokens, seen) for seen in (1, tokens))
    both = sum(flops(model.architecture, placed_stages, each) for each in passes)
    per_token: Fraction = quotient(both, 2 * tokens)
    return per_token


def _has_plain_attention(model: Model) -> bool:
    """True if all L layers have the same causal attention, with H heads of dimension d_h."""
    if not model.architecture.has_cache or has_cross_attention(model):
        return False
    stacks = tuple(model.architecture.stacks())
    if len(stacks) != 1 or stacks[0].layers != L or stacks[0].passes != ONE:
        return False
    products = (m for placed in stacks[0].placed_stages for m in placed.stage.computes)
    return any(m.columns == T_SEEN and (m.count, m.inner) == (H, D_H) for m in products)


def _row(rule: Rule, tokens: int, columns: Sequence[Column]) -> Row:
    """The row of a rule, with the names of its numbers."""
    estimate, exact = cell(flops_text(rule.estimate)), cell(flops_text(rule.exact))
    cells = (cell(rule.terms, *rule.notes), estimate, exact, cell(error_text(rule.error)))
    name = f"flops_rule.{rule.id}"
    names = (name, f"{name}.exact", f"{name}.error")
    numbers = ((with_words(each, tokens),) for each in names)
    return replace(folding_row(columns, cells), names=((), *numbers))


@traceable
def error_text(error: Fraction) -> str:
    """Format as ``−23.4%`` or ``+1.2%``; without a sign if it rounds to 0."""
    text = percent(abs(error))
    if text.startswith("<") or not error:
        return text
    return f"{'−' if error < 0 else '+'}{text}"
