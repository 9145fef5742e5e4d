"""Operations of a stage, with the shapes of their inputs and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.algebra import Size, product
from sphinx_llmsize.architecture.stages import Group, Source, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Role
from sphinx_llmsize.config.symbols import D_NOPE, D_ROPE
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shapes.key_heads import key_heads
from sphinx_llmsize.views.shapes.stage_arrays import (
    has_length,
    is_attention,
    of_whole_sequence,
    result_of,
    split_heads,
    with_leading_count,
)
from sphinx_llmsize.views.shared.experts_text import experts_text
from sphinx_llmsize.views.shared.latents import caches_latents
from sphinx_llmsize.views.shared.operations import (
    Array,
    Evaluator,
    Expression,
    expression,
    merged,
    product_of,
)
from sphinx_llmsize.views.shared.weight_lines import part_label
from sphinx_llmsize.views.shared.wording import TIMES, capital, in_sentence, tied_text

BY_ROW = N_("row by row")
"""An operation that is applied to each row."""
ARROW = " → "
"""Sign between a result and the output that it is rearranged to."""
TWICE = ("2", TIMES)
"""Factor of an array that stands for both keys and values."""


@dataclass(frozen=True)
class Operation:
    """An operation, which is a row of the table; a stage has one or several.

    Attributes:
        label: its name.
        expression: the operation with its inputs.
        result: the result with its shape.
        notes: short texts below the label.
        is_scores: it computes attention scores, which sliding windows mask.
    """

    label: str
    expression: Expression
    result: Expression
    notes: tuple[str, ...] = ()
    is_scores: bool = False


def operations_of(stage: Stage, name: str, evaluator: Evaluator) -> list[Operation]:
    """The operations of a stage, in order.

    Args:
        stage: the stage.
        name: its name, from which the labels of its main operations are made.
        evaluator: evaluates sizes in the forward pass.
    """
    return _StageConverter(of_whole_sequence(stage), name, evaluator).operations()


@dataclass(frozen=True)
class _StageConverter:
    """Converts a stage to operations; the attributes are those of :func:`operations_of`."""

    stage: Stage
    name: str
    evaluator: Evaluator

    def operations(self) -> list[Operation]:
        """The operations; notes on the whole stage are added to the first."""
        operations = [*self._lookups(), *self._with_weights(), *self._filters()]
        operations += self._activations()
        if not operations:
            operations = [Operation(self.name, self._elementwise(), (self._output,))]
        elif not self._has_output(operations):
            last = operations[-1]
            operations[-1] = replace(last, result=(*last.result, ARROW, self._output))
        first = operations[0]
        operations[0] = replace(first, notes=(*first.notes, *self._notes()))
        return operations

    def _notes(self) -> Iterator[str]:
        """Notes on the whole stage: experts, tied weights, and inputs from elsewhere."""
        if experts := experts_text(self.stage, self.evaluator.architecture):
            yield experts
        if tied := tied_text(self.stage):
            yield tied
        if self.stage.source is Source.ENCODER:
            yield _("of the encoder's vectors")
        if self.stage.reads:
            norm = self.evaluator.architecture.stage(self.stage.reads)
            yield _("of the output of {step}", step=in_sentence(norm.label))
        if self.stage.source is Source.POSITIONS:
            yield _("read by attention in every layer")

    @property
    def _output(self) -> Array:
        """The output of the stage; an array for each expert that a token uses."""
        output = self.stage.output
        experts = self.stage.expert_count
        if experts and output[1] == experts.per_token:
            return Array((output[0], *output[2:]), experts.per_token)
        return with_leading_count(output)

    def _lookups(self) -> Iterator[Operation]:
        """Rows looked up in tables, such as one row per token in the token embedding."""
        result = self._output
        if self.stage.intermediate:
            result = with_leading_count(self.stage.intermediate)
        for tensor in self.stage.tensors:
            if tensor.role is Role.TABLE:
                shape = tensor.shape
                template = _("rows of {table}")
                if len(shape) > 1 and shape[-1] == result.shape[-1]:
                    template = _("{number} rows of {table}")
                rows = expression(template, number=self.stage.length, table=Array(shape))
                yield Operation(self.name, rows, (result,))

    def _with_weights(self) -> Iterator[Operation]:
        """Products with weights; products of equal shapes are merged."""
        matmuls = replace(self.stage, computes=()).matmuls
        products = merged(m for m in matmuls if self.evaluator.count(m.count))
        for label, matmul in products:
            name = self._label(label if len(products) > 1 else "")
            yield Operation(name, product_of(matmul), (result_of(matmul),))

    def _filters(self) -> Iterator[Operation]:
        """Convolutions along the sequence."""
        for tensor in self.stage.tensors:
            if tensor.role is Role.FILTER and not self.stage.computes:
                along = expression(_("{filter} along the rows"), filter=Array(tensor.shape))
                yield Operation(self.name, along, (self._output,))

    def _activations(self) -> Iterator[Operation]:
        """Products of activations with activations; attention has a softmax between its two."""
        computes = self.stage.computes
        if is_attention(computes):
            yield from self._attention(*computes)
            return
        for matmul in computes:
            label = self._label(part_label(matmul.label))
            yield Operation(label, product_of(matmul), (result_of(matmul),))

    def _attention(self, scores: MatMul, weighted_sum: MatMul) -> Iterator[Operation]:
        """The steps of attention: heads, scores, softmax, weighted sum of the values."""
        query = Array((scores.rows, scores.inner), scores.count)
        key = Array((scores.columns, scores.inner), scores.count)
        value = Array((weighted_sum.inner, weighted_sum.columns), scores.count)
        yield Operation(_("Queries by head"), split_heads(query), (query,))
        if caches_latents([self.stage]):
            yield from self._heads_from_latents(key, value)
        else:
            yield from self._heads_of_keys(key, value)
        score_arrays = (result_of(scores),)
        note = part_label(scores.label)
        yield Operation(self.name, product_of(scores), score_arrays, (note,), is_scores=True)
        yield Operation(_("Softmax"), (_(BY_ROW),), score_arrays)
        label = capital(_(weighted_sum.label))
        result = (result_of(weighted_sum), ARROW, self._output)
        yield Operation(label, product_of(weighted_sum), result, (_("heads joined"),))

    def _heads_from_latents(self, key: Array, value: Array) -> Iterator[Operation]:
        """Keys and values by head in MLA, where a key may end with a part shared by all heads."""
        split = split_heads(key)
        rows, width = key.shape
        if D_ROPE in width.symbols():
            own = Array((rows, key.count * D_NOPE))
            shared = Array((rows, D_ROPE))
            split = expression(_("{own} split, {shared} for each"), own=own, shared=shared)
        yield Operation(_("Keys by head"), split, (key,))
        yield Operation(_("Values by head"), split_heads(value), (value,))

    def _heads_of_keys(self, key: Array, value: Array) -> Iterator[Operation]:
        """Keys and values by head: as many heads as queries have, or fewer (GQA).

        Nothing if the cache doesn't hold them by head, such as Reformer's, which has the states
        that they are made of.
        """
        heads = key_heads(self.stage, key, value, self.evaluator.count)
        if heads is None:
            return
        notes = self._notes_on_sharing(key.count, heads)
        key, value = replace(key, count=heads), replace(value, count=heads)
        if key == value:
            split = (*TWICE, *split_heads(key))
            yield Operation(_("Keys and values by head"), split, (*TWICE, key), notes)
            return
        yield Operation(_("Keys by head"), split_heads(key), (key,), notes)
        yield Operation(_("Values by head"), split_heads(value), (value,), notes)

    def _notes_on_sharing(self, heads: Size, key_heads: Size) -> tuple[str, ...]:
        """A note on the number of query heads per key/value head, unless that is 1."""
        ratio, rest = divmod(self.evaluator.count(heads), self.evaluator.count(key_heads))
        if ratio == 1 or rest:
            return ()
        return (_("each serves {number} query heads", number=ratio),)

    def _elementwise(self) -> Expression:
        """The operation of a stage without products.

        It changes each row, or their number, or a recurrent state from row to row.
        """
        before, after = self.stage.input_length, self.stage.length
        if before:
            return expression(_("{number} rows to {other}"), number=before, other=after)
        shapes = (self.stage.intermediate, *self.stage.caches)
        states = [shape for shape in shapes if shape and not has_length(shape)]
        if not states or self.stage.group is Group.NORMS:
            return (_(BY_ROW),)
        return expression(_("row after row, through a state {state}"), state=Array(states[0]))

    def _label(self, part: str) -> str:
        """The name of the stage, followed by the label of a product unless it is empty."""
        return _("{stage}: {product}", stage=self.name, product=part) if part else self.name

    def _has_output(self, operations: list[Operation]) -> bool:
        """True if the results of the operations include the output or inner activations.

        The output may also be all results side by side, such as Q, K and V.
        """
        for piece in operations[-1].result:
            if isinstance(piece, Array) and piece.shape == self.stage.intermediate:
                return True
        if any(self._output in operation.result for operation in operations):
            return True
        count = self.evaluator.count
        rows, *columns = self.stage.output
        results = [operation.result[-1] for operation in operations]
        arrays = [each for each in results if isinstance(each, Array) and each.shape[0] == rows]
        width = sum(count(product(array.count, *array.shape[1:])) for array in arrays)
        return len(arrays) == len(results) and width == count(product(*columns))
