"""Steps of a stage: operations with the shapes of their inputs and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.algebra import ONE, Size, product
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.stages import Group, Source, Stage, stages_of
from sphinx_llmsize.architecture.tensors import SINGLE, MatMul, Role, Shape
from sphinx_llmsize.config.symbols import D_NOPE, D_ROPE, H_KV, R_KV, T_SEEN, Length, T
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.operations import (
    Array,
    Expression,
    Passing,
    expression,
    merged,
    product_of,
)
from sphinx_llmsize.views.shared.wording import capital, experts_text, tied_text

BY_ROW = N_("row by row")
ARROW = " → "


@dataclass(frozen=True)
class Step:
    """One operation.

    Attributes:
        label: name of the step.
        operation: the operation with its inputs.
        result: the output with its shape.
        notes: short texts below the label.
        is_scores: True for attention scores, which sliding windows mask.
    """

    label: str
    operation: Expression
    result: Expression
    notes: tuple[str, ...] = ()
    is_scores: bool = False


def of_whole_sequence(stage: Stage) -> Stage:
    """The stage with each token attending to all T tokens."""
    (whole,) = stages_of(with_sizes((stage,), {T_SEEN: T}))
    return whole


def steps_of(stage: Stage, passing: Passing) -> tuple[Step, ...]:
    """The operations of a stage, in order."""
    return tuple(_Steps(of_whole_sequence(stage), passing).all())


@dataclass(frozen=True)
class _Steps:
    """Steps of one stage."""

    stage: Stage
    passing: Passing

    def all(self) -> Iterator[Step]:
        """The steps; notes on the whole stage are added to the first."""
        stage = self.stage
        found = [*self._lookups(), *self._with_weights(), *self._filters(), *self._activations()]
        if not found:
            found = [Step(_(stage.label), self._elementwise(), (self._output,))]
        elif not self._shows_output(found):
            last = found[-1]
            found[-1] = replace(last, result=(*last.result, ARROW, self._output))
        of_encoder = self.stage.source is Source.ENCODER
        notes = (
            *found[0].notes,
            experts_text(self.stage, self.passing.architecture),
            tied_text(self.stage),
            _("of the encoder's vectors") if of_encoder else "",
        )
        yield replace(found[0], notes=tuple(filter(None, notes)))
        yield from found[1:]

    @property
    def _output(self) -> Array:
        """The output of the stage; one array for each active expert."""
        rows, *others = self.stage.output
        if self.stage.expert_count != SINGLE and others[0] == self.stage.expert_count.per_token:
            return Array((rows, *others[1:]), others[0])
        return _with_leading_count(self.stage.output)

    def _lookups(self) -> Iterator[Step]:
        """Rows looked up in tables, such as one row per token in the token embedding."""
        result_array = _with_leading_count(self.stage.inner) if self.stage.inner else self._output
        for tensor in self.stage.tensors:
            if tensor.role is Role.TABLE:
                table, length = Array(tensor.shape), self.stage.length
                if tensor.shape[-1] == result_array.shape[-1] and len(tensor.shape) > 1:
                    rows = expression(_("{number} rows of {table}"), number=length, table=table)
                else:
                    rows = expression(_("rows of {table}"), table=table)
                yield Step(_(self.stage.label), rows, (result_array,))

    def _with_weights(self) -> Iterator[Step]:
        """Products with weights; products of equal shapes are merged."""
        used = (m for m in replace(self.stage, computes=()).matmuls if self.passing.count(m.count))
        products = merged(used)
        for label, matmul in products:
            name = self._label(label if len(products) > 1 else "")
            yield Step(name, product_of(matmul), (_result_of(matmul),))

    def _filters(self) -> Iterator[Step]:
        """Convolutions along the sequence."""
        for tensor in self.stage.tensors:
            if tensor.role is Role.FILTER and not self.stage.computes:
                along = expression(_("{filter} along the rows"), filter=Array(tensor.shape))
                yield Step(_(self.stage.label), along, (self._output,))

    def _activations(self) -> Iterator[Step]:
        """Products of activations with each other; attention has a softmax between its two."""
        computes = self.stage.computes
        if _is_attention(computes):
            yield from self._attention(*computes)
            return
        for matmul in computes:
            yield Step(self._label(_(matmul.label)), product_of(matmul), (_result_of(matmul),))

    def _attention(self, keys: MatMul, values: MatMul) -> Iterator[Step]:
        """Attention: split into heads, scores, softmax, weighted sum, heads joined.

        Args:
            keys: product of queries and keys, the scores.
            values: product of scores and values.
        """
        query = Array((keys.rows, keys.inner), keys.count)
        yield Step(_("Queries by head"), _split(query), (query,))
        yield from self._keys_by_head(keys, values)
        scores = _result_of(keys)
        label, notes = _(self.stage.label), (_(keys.label),)
        yield Step(label, product_of(keys), (scores,), notes, is_scores=True)
        yield Step(_("Softmax"), (_(BY_ROW),), (scores,))
        joined = (_result_of(values), ARROW, self._output)
        yield Step(capital(_(values.label)), product_of(values), joined, (_("heads joined"),))

    def _keys_by_head(self, keys: MatMul, values: MatMul) -> Iterator[Step]:
        """Keys and values by head: one per query head, fewer (GQA), or from a latent (MLA)."""
        cached = [product(*_without_lengths(shape)) for shape in self.stage.caches]
        value = Array((values.inner, values.columns), keys.count)
        key = Array((keys.columns, keys.inner), keys.count)
        if any(R_KV in size.symbols() for size in cached):
            own = Array((keys.columns, keys.count * D_NOPE))
            shared = Array((keys.columns, D_ROPE))
            split = expression(_("{own} split, {shared} for each"), own=own, shared=shared)
            yield Step(_("Keys by head"), split, (key,))
            yield Step(_("Values by head"), _split(value), (value,))
            return
        heads = self._key_heads(keys, values, cached)
        notes = self._shared_notes(keys.count, heads)
        key, value = replace(key, count=heads), replace(value, count=heads)
        if key == value:
            yield Step(_("Keys and values by head"), _split(key), (key,), notes)
            return
        yield Step(_("Keys by head"), _split(key), (key,), notes)
        yield Step(_("Values by head"), _split(value), (value,), notes)

    def _key_heads(self, keys: MatMul, values: MatMul, cached: list[Size]) -> Size:
        """The number of key/value heads, from the size of the KV cache."""
        count, heads = self.passing.count, keys.count
        cached_heads = sum(map(count, cached)) // count(keys.inner + values.columns)
        if not cached or cached_heads == count(heads):
            return heads
        of_head = keys.inner.symbols() | values.columns.symbols()
        symbols = frozenset().union(*(size.symbols() for size in cached)) - of_head
        named = sorted(symbols & {H_KV} or symbols, key=str)
        return next(
            (cached_heads // count(s) * s for s in named if cached_heads % count(s) == 0),
            product(cached_heads),
        )

    def _shared_notes(self, heads: Size, key_heads: Size) -> tuple[str, ...]:
        """A note on the number of query heads per key/value head, unless that is 1."""
        count = self.passing.architecture.count
        times, rest = divmod(count(heads), count(key_heads))
        if times == 1 or rest:
            return ()
        return (_("each serves {number} query heads", number=times),)

    def _elementwise(self) -> Expression:
        """The operation of a stage without products: on each row, or through a recurrent state."""
        is_norm = self.stage.group is Group.NORMS
        states = () if is_norm else (self.stage.inner, *self.stage.caches)
        state = next((shape for shape in states if shape and not _has_length(shape)), ())
        if not state:
            return (_(BY_ROW),)
        return expression(_("row after row, through a state {state}"), state=Array(state))

    def _label(self, part: str) -> str:
        """The label of the stage, with that of one of its products if given."""
        label = _(self.stage.label)
        return _("{stage}: {product}", stage=label, product=part) if part else label

    def _shows_output(self, found: list[Step]) -> bool:
        """True if a step has the output as result, the last one ``inner``, or all its columns."""
        inner = any(isinstance(a, Array) and a.shape == self.stage.inner for a in found[-1].result)
        if inner or any(self._output in step.result for step in found):
            return True
        arrays = [step.result[-1] for step in found]
        rows, *width = self.stage.output
        beside = [a for a in arrays if isinstance(a, Array) and a.shape[0] == rows]
        columns = [product(a.count, *a.shape[1:]) for a in beside]
        count = self.passing.count
        return len(beside) == len(arrays) and sum(map(count, columns)) == count(product(*width))


def _result_of(matmul: MatMul) -> Array:
    return Array((matmul.rows, matmul.columns), matmul.count)


def _with_leading_count(shape: Shape) -> Array:
    """``H × [T, T]`` for ``[H, T, T]``: a dimension before the sequence counts arrays."""
    count, *own = shape
    if len(own) > 1 and not _has_length((count,)) and _has_length(tuple(own)):
        return Array(tuple(own), count)
    return Array(shape)


def _split(heads: Array) -> Expression:
    """The operation that splits the columns of an array into heads."""
    rows, width = heads.shape
    if heads.count == ONE:
        return expression(_("{array} for all heads"), array=heads)
    return expression(_("{array} split"), array=Array((rows, product(heads.count, width))))


def _is_attention(computes: tuple[MatMul, ...]) -> bool:
    """True if the products are the scores and the weighted sum of attention."""
    if len(computes) != 2:  # noqa: PLR2004 - scores and weighted sum
        return False
    keys, values = computes
    of_pairs = keys.columns == values.inner and _has_length((keys.columns,))
    return of_pairs and keys.rows == values.rows and keys.count == values.count


def _has_length(shape: Shape) -> bool:
    return any(isinstance(symbol, Length) for size in shape for symbol in size.symbols())


def _without_lengths(shape: Shape) -> Shape:
    return tuple(size for size in shape if not _has_length((size,))) or (ONE,)
