"""Operations of a stage, with the shapes of their inputs and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.algebra import Size, product
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.stages import Group, Source, Stage, stages_of
from sphinx_llmsize.architecture.tensors import MatMul, Role
from sphinx_llmsize.config.symbols import D_NOPE, D_ROPE, H_KV, T_SEEN, T
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shapes.stage_arrays import (
    has_length,
    is_attention,
    result_of,
    split_heads,
    with_leading_count,
    without_lengths,
)
from sphinx_llmsize.views.shared.latents import caches_latents
from sphinx_llmsize.views.shared.operations import (
    Array,
    Evaluator,
    Expression,
    expression,
    merged,
    product_of,
)
from sphinx_llmsize.views.shared.wording import TIMES, capital, experts_text, tied_text

BY_ROW = N_("row by row")
ARROW = " → "
TWICE = ("2", TIMES)
"""The keys, and values of the same shape."""


@dataclass(frozen=True)
class Operation:
    """One step of the table; a stage has one or several.

    Attributes:
        label: name of the operation.
        expression: the operation with its inputs.
        result: the output with its shape.
        notes: short texts below the label.
        is_scores: True for attention scores, which sliding windows mask.
    """

    label: str
    expression: Expression
    result: Expression
    notes: tuple[str, ...] = ()
    is_scores: bool = False


def of_whole_sequence(stage: Stage) -> Stage:
    """The stage with T as the number of tokens that each token attends to."""
    (changed,) = stages_of(with_sizes((stage,), {T_SEEN: T}))
    return changed


def operations_of(stage: Stage, name: str, evaluator: Evaluator) -> tuple[Operation, ...]:
    """The operations of a stage of this name, in order."""
    return tuple(_Operations(of_whole_sequence(stage), name, evaluator).all())


@dataclass(frozen=True)
class _Operations:
    """Converts a stage to operations."""

    stage: Stage
    name: str
    evaluator: Evaluator

    def all(self) -> Iterator[Operation]:
        """The operations; notes on the whole stage are added to the first."""
        stage = self.stage
        operations = [
            *self._lookups(),
            *self._with_weights(),
            *self._filters(),
            *self._activations(),
        ]
        if not operations:
            operations = [Operation(self.name, self._elementwise(), (self._output,))]
        elif not self._shows_output(operations):
            last = operations[-1]
            operations[-1] = replace(last, result=(*last.result, ARROW, self._output))
        first, *others = operations
        notes = (
            *first.notes,
            experts_text(stage, self.evaluator.architecture),
            tied_text(stage),
            _("of the encoder's vectors") if stage.source is Source.ENCODER else "",
            _("read by attention in every layer") if stage.source is Source.POSITIONS else "",
        )
        yield replace(first, notes=tuple(filter(None, notes)))
        yield from others

    @property
    def _output(self) -> Array:
        """The output of the stage; an array for each expert that a token uses."""
        experts = self.stage.expert_count
        rows, *others = self.stage.output
        if experts and others[0] == experts.per_token:
            return Array((rows, *others[1:]), experts.per_token)
        return with_leading_count(self.stage.output)

    def _lookups(self) -> Iterator[Operation]:
        """Rows looked up in tables, such as one row per token in the token embedding."""
        intermediate = self.stage.intermediate
        result = with_leading_count(intermediate) if intermediate else self._output
        tables = (tensor.shape for tensor in self.stage.tensors if tensor.role is Role.TABLE)
        for shape in tables:
            template = _("rows of {table}")
            if len(shape) > 1 and shape[-1] == result.shape[-1]:
                template = _("{number} rows of {table}")
            rows = expression(template, number=self.stage.length, table=Array(shape))
            yield Operation(self.name, rows, (result,))

    def _with_weights(self) -> Iterator[Operation]:
        """Products with weights; products of equal shapes are merged."""
        with_weights = replace(self.stage, computes=()).matmuls
        products = merged(m for m in with_weights if self.evaluator.count(m.count))
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
        """Products between activations; attention has a softmax between the two."""
        computes = self.stage.computes
        if is_attention(computes):
            yield from self._attention(*computes)
            return
        for matmul in computes:
            yield Operation(self._label(_(matmul.label)), product_of(matmul), (result_of(matmul),))

    def _attention(self, scores: MatMul, weighted_sum: MatMul) -> Iterator[Operation]:
        """The steps of attention: heads, scores of queries and keys, softmax, sum of values."""
        query = Array((scores.rows, scores.inner), scores.count)
        key = Array((scores.columns, scores.inner), scores.count)
        value = Array((weighted_sum.inner, weighted_sum.columns), scores.count)
        yield Operation(_("Queries by head"), split_heads(query), (query,))
        yield from self._keys_by_head(key, value)
        score_arrays = (result_of(scores),)
        note = _(scores.label)
        yield Operation(self.name, product_of(scores), score_arrays, (note,), is_scores=True)
        yield Operation(_("Softmax"), (_(BY_ROW),), score_arrays)
        label = capital(_(weighted_sum.label))
        result = (result_of(weighted_sum), ARROW, self._output)
        yield Operation(label, product_of(weighted_sum), result, (_("heads joined"),))

    def _keys_by_head(self, key: Array, value: Array) -> Iterator[Operation]:
        """Keys and values by head: one per query head, fewer (GQA), or from a latent (MLA)."""
        if caches_latents([self.stage]):
            # a key consists of a part of its own and, if any, of a rotary part that all heads share
            own = Array((key.shape[0], key.count * D_NOPE))
            shared = Array((key.shape[0], D_ROPE))
            split = split_heads(key)
            if D_ROPE in key.shape[1].symbols():
                split = expression(_("{own} split, {shared} for each"), own=own, shared=shared)
            yield Operation(_("Keys by head"), split, (key,))
            yield Operation(_("Values by head"), split_heads(value), (value,))
            return
        heads = self._key_heads(key, value)
        notes = self._shared_notes(key.count, heads)
        key, value = replace(key, count=heads), replace(value, count=heads)
        if key == value:
            split = (*TWICE, *split_heads(key))
            yield Operation(_("Keys and values by head"), split, (*TWICE, key), notes)
            return
        yield Operation(_("Keys by head"), split_heads(key), (key,), notes)
        yield Operation(_("Values by head"), split_heads(value), (value,), notes)

    def _key_heads(self, key: Array, value: Array) -> Size:
        """The number of key/value heads: the cache for one token, divided by that of one head.

        It is a multiple of a symbol in the cache's shape if possible, such as H_kv.
        """
        count = self.evaluator.count
        cached = [product(*without_lengths(shape)) for shape in self.stage.caches]
        number = sum(map(count, cached)) // count(key.shape[1] + value.shape[1])
        of_one_head = key.shape[1].symbols() | value.shape[1].symbols()
        symbols = frozenset().union(*(size.symbols() for size in cached)) - of_one_head
        candidates = {H_KV} if H_KV in symbols else symbols
        if not cached or (number == count(key.count) and H_KV not in symbols):
            return key.count
        for symbol in sorted(candidates, key=str):
            multiple, rest = divmod(number, count(symbol))
            if not rest:
                return multiple * symbol
        return product(number)

    def _shared_notes(self, heads: Size, key_heads: Size) -> tuple[str, ...]:
        """A note on the number of query heads per key/value head, unless that is 1."""
        ratio, rest = divmod(self.evaluator.count(heads), self.evaluator.count(key_heads))
        if ratio == 1 or rest:
            return ()
        return (_("each serves {number} query heads", number=ratio),)

    def _elementwise(self) -> Expression:
        """The operation of a stage without products: on each row, or through a recurrent state."""
        shapes = (self.stage.intermediate, *self.stage.caches)
        states = [shape for shape in shapes if shape and not has_length(shape)]
        if not states or self.stage.group is Group.NORMS:
            return (_(BY_ROW),)
        return expression(_("row after row, through a state {state}"), state=Array(states[0]))

    def _label(self, part: str) -> str:
        """The label of the stage, followed by that of a product unless it is empty."""
        return _("{stage}: {product}", stage=self.name, product=part) if part else self.name

    def _shows_output(self, operations: list[Operation]) -> bool:
        """True if the output need not be added to the results of the operations."""
        inner, count = self.stage.intermediate, self.evaluator.count
        last = operations[-1].result
        if any(isinstance(piece, Array) and piece.shape == inner for piece in last):
            return True
        if any(self._output in operation.result for operation in operations):
            return True
        # the output may also be several results side by side, such as Q, K and V
        rows, *columns = self.stage.output
        results = [operation.result[-1] for operation in operations]
        arrays = [a for a in results if isinstance(a, Array) and a.shape[0] == rows]
        width = sum(count(product(a.count, *a.shape[1:])) for a in arrays)
        return len(arrays) == len(results) and width == count(product(*columns))
