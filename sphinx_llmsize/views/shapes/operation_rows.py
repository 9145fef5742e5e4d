"""Operations of a whole model, with the titles of its sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import (
    Block,
    Parallel,
    Source,
    Stage,
    stages_of,
    without_residuals,
)
from sphinx_llmsize.config.symbols import T_SEEN, V
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.author_labels import (
    Labels,
    own_label,
    stage_ids,
    stage_in_sentence,
    stage_label,
)
from sphinx_llmsize.views.shapes.layer_sections import sections
from sphinx_llmsize.views.shapes.stage_arrays import is_attention
from sphinx_llmsize.views.shapes.stage_operations import Operation, operations_of
from sphinx_llmsize.views.shared.lengths import generates
from sphinx_llmsize.views.shared.operations import Array, Evaluator, expression

SCORES = {"scores": N_("Attention scores"), "cross_scores": N_("Cross-attention scores")}
"""Names of the products of queries and keys, by the id of their stage."""


def operation_rows(
    model: Model, evaluator: Evaluator, labels: Labels = ()
) -> Iterator[Operation | str]:
    """Every operation in order, and the title of each section before its operations.

    Args:
        model: the model.
        evaluator: evaluates sizes in the forward pass.
        labels: the author's own labels of stages.
    """
    stages = [placed.stage for placed in model.architecture.placed_stages()]
    for section in sections(model.architecture):
        yield section.title
        converter = _SectionConverter(evaluator, stages[0], section.stacks, labels)
        yield from converter.operations(section.steps)
    if generates(model):
        logits = Array(stages[-1].output)
        last_row = expression(_("the last row of {array}"), array=logits)
        yield Operation(_("Next token"), last_row, (Array((V,)),))


@dataclass(frozen=True)
class _SectionConverter:
    """Converts stages of a section to operations.

    Attributes:
        evaluator: evaluates sizes in the forward pass.
        first: first stage of the model.
        stacks: the stacks that contain the section; empty outside the layers.
        labels: the author's own labels of stages.
    """

    evaluator: Evaluator
    first: Stage
    stacks: tuple[Stack, ...]
    labels: Labels

    def operations(self, block: Block, first_note: str = "") -> Iterator[Operation]:
        """The operations of stages and of parallel branches, with a note on the first."""
        for position, step in enumerate(without_residuals(block)):
            note = "" if position else first_note
            if isinstance(step, Parallel):
                yield from self._branches(step, note)
            else:
                yield from self._stage(step, note)

    def _branches(self, fork: Parallel, first_note: str) -> Iterator[Operation]:
        """The operations of each branch; all but the first have a note that names the first."""
        first, *others = fork.branches
        yield from self.operations(first, first_note)
        stages = tuple(stages_of(first))
        for branch in others:
            # A note is shown on a branch's first operation. "added to" is true of its last one,
            # so only a branch of one step gets it; longer ones get "beside".
            is_added = fork.is_sum and len(branch) == 1
            stage = stages[-1] if is_added else stages[0]
            name = stage_in_sentence(self.labels, stage, self.stacks)
            if is_added:
                note = _("added to {stage}", stage=name)
            else:
                note = _("beside {stage}", stage=name)
            yield from self.operations(branch, note)

    def _stage(self, stage: Stage, first_note: str) -> Iterator[Operation]:
        """The operations of a stage, with the token ids first if it reads them."""
        if stage == self.first or stage.source is Source.TOKENS:
            yield Operation(_("Token ids"), (), (Array(stage.output[:1]),))
        operations = operations_of(stage, self._name(stage), self.evaluator)
        for position, operation in enumerate(operations):
            notes = list(operation.notes)
            # a step that reads an earlier norm has a note that says so
            if first_note and position == 0 and not stage.reads:
                notes.append(first_note)
            if operation.is_scores:
                notes += self._window_notes(stage)
            yield replace(operation, notes=tuple(notes))

    def _name(self, stage: Stage) -> str:
        """The name of a stage's operations; a stage of attention is named after its scores."""
        if is_attention(stage.computes) and stage.id in SCORES:
            return own_label(self.labels, stage_ids(stage, self.stacks), _(SCORES[stage.id]))
        return stage_label(self.labels, stage, self.stacks)

    def _window_notes(self, stage: Stage) -> Iterator[str]:
        """Notes on the attention windows of scores, with the number of layers unless it is all."""
        # windows limit self-attention only; the scores of cross-attention have T_SOURCE columns
        if T_SEEN not in (matmul.columns for matmul in stage.computes):
            return
        count = self.evaluator.architecture.count
        all_layers = sum(count(stack.uses) for stack in self.stacks)
        layers_by_note: Counter[str] = Counter()
        for stack in self.stacks:
            for each in stack.windows:
                layers_by_note[_masked(each.window)] += each.layers
            for each in stack.two_sided_windows:
                layers_by_note[_masked_on_each_side(each.window // 2)] += each.layers
        for note, some in layers_by_note.items():
            if some < all_layers:
                yield _(
                    "{masked} in {some} of {all} layers", masked=note, some=some, all=all_layers
                )
            else:
                yield note


def _masked(window: int) -> str:
    """Note on scores with a window of the last tokens."""
    return ngettext(
        "masked beyond the last {number} token",
        "masked beyond the last {number} tokens",
        window,
        number=window,
    )


def _masked_on_each_side(window: int) -> str:
    """Note on scores with a window of ``window`` tokens on each side."""
    return ngettext(
        "masked beyond {number} token on each side",
        "masked beyond {number} tokens on each side",
        window,
        number=window,
    )
