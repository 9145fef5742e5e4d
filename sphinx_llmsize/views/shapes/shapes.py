"""Shapes of activations: a table of all operations from token ids to the next token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.blocks import Block, Column, Facts, Line, Note, Row, RowKind, Table, cell
from sphinx_llmsize.config.symbols import Length, T, W
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.row_names import size_names
from sphinx_llmsize.views.shapes.operation_rows import operation_rows
from sphinx_llmsize.views.shapes.stage_arrays import has_length, of_whole_sequence
from sphinx_llmsize.views.shapes.stage_operations import Operation
from sphinx_llmsize.views.shared.counted_table import EMPTY
from sphinx_llmsize.views.shared.folding import folding_row
from sphinx_llmsize.views.shared.lengths import (
    equal_lengths_note,
    smallest_position_table,
    tokens_line,
    tokens_of,
    usual_tokens,
)
from sphinx_llmsize.views.shared.model_titles import about_line
from sphinx_llmsize.views.shared.operations import Evaluator, symbols_of
from sphinx_llmsize.views.shared.size_facts import facts_of
from sphinx_llmsize.views.shared.wording import (
    alternatives,
    filled,
    joined_sentences,
    label_line,
    shape_line,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

MAX_LISTED = 3
"""Maximum number of shapes of scores that a sentence lists."""
EXAMPLE_TOKENS = 5
"""Default number of tokens; few enough to imagine as rows."""


def shapes(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The sizes, a table of all operations, and notes on the number of tokens."""
    evaluator = Evaluator(model.architecture, _tokens(model, options))
    rows = tuple(operation_rows(model, evaluator, options.labels))
    caption = about_line(
        model,
        N_("Shapes in {model} for {tokens}"),
        N_("Shapes for {tokens}"),
        tokens=tokens_line(evaluator.tokens),
    )
    columns = (Column(_("Step")), Column(_("Operation"), folds=True), Column(_("Result")))
    table = Table(caption, columns, tuple(_row(row, columns, evaluator) for row in rows))
    operations = [row for row in rows if isinstance(row, Operation)]
    facts = _facts(operations, evaluator, model)
    example = () if options.tokens else _example_sentence(evaluator.tokens)
    note = joined_sentences(_note_on_length(model), example)
    return (facts, table, Note(note), *_notes_on_limits(model))


def _tokens(model: Model, options: ViewOptions) -> int:
    """Number of tokens: the author's, or the example's if the model allows it."""
    if options.tokens:
        return tokens_of(model, options)
    return min(EXAMPLE_TOKENS, usual_tokens(model))


def _row(operation: Operation | str, columns: Sequence[Column], evaluator: Evaluator) -> Row:
    """The row of an operation, or the heading of those below it if it is a text."""
    if isinstance(operation, str):
        return Row((cell(operation), EMPTY, EMPTY), RowKind.GROUP)
    head = cell(label_line(operation.label), *operation.notes)
    cells = (head, evaluator.cell(operation.expression), evaluator.cell(operation.result))
    return folding_row(columns, cells)


def _facts(operations: Iterable[Operation], evaluator: Evaluator, model: Model) -> Facts:
    """Every symbol in the table with its value: lengths, derived sizes, sizes of the model."""
    expressions = [each for row in operations for each in (row.expression, row.result)]
    used = symbols_of(expressions)
    lengths = sorted((symbol for symbol in used if isinstance(symbol, Length)), key=str)
    sizes = [symbol for symbol in evaluator.architecture.sizes if symbol in used]
    derived = sorted(used - {*lengths, *sizes}, key=str)
    symbols = (*lengths, *derived, *sizes)
    return facts_of(((s, evaluator.count(s)) for s in symbols), size_names(model))


def _note_on_length(model: Model) -> Line:
    """Sentences on weights, which don't depend on T, and on scores, which do."""
    shapes = _score_shapes(model)
    if len(shapes) > MAX_LISTED:
        scores = filled(
            _(
                "Only the scores have two lengths in their shape. They are computed for each "
                "input, not learned."
            )
        )
    elif shapes:
        scores = filled(
            _("Only the scores are {shapes}. They are computed for each input, not learned."),
            shapes=alternatives(shapes),
        )
    else:
        scores = filled(
            _(
                "No activation is {T} × {T} either: what a token uses of earlier ones has a fixed "
                "size."
            ),
            T=variable(T),
        )
    return joined_sentences(_weights_sentence(model), scores)


def _score_shapes(model: Model) -> list[Line]:
    """``T × T``: the lengths in the shapes of scores, each once."""
    stages = (of_whole_sequence(placed.stage) for placed in model.architecture.placed_stages())
    shapes = [(matmul.rows, matmul.columns) for stage in stages for matmul in stage.computes]
    scores = (shape for shape in shapes if all(has_length((size,)) for size in shape))
    return list(map(shape_line, dict.fromkeys(scores)))


def _example_sentence(tokens: int) -> Line:
    """Sentence on the default number of tokens."""
    message = _("Here, {T} = {number} is only an example with few rows.")
    return filled(message, T=variable(T), number=thousands(tokens))


def _weights_sentence(model: Model) -> Line:
    """Sentence on weights, none of which depends on the number of tokens."""
    tensors = [t for placed in model.architecture.placed_stages() for t in placed.stage.tensors]
    convolves = any(tensor.role is Role.FILTER for tensor in tensors)
    if convolves and W in model.architecture.sizes:
        message = _(
            "No weight has {T} in its shape. The same weights apply to each of the {T} rows "
            "separately (a convolution to {W} at a time), so {T} is only the number of rows."
        )
    else:
        message = _(
            "No weight has {T} in its shape. The same weights apply to each of the {T} rows "
            "separately, so {T} is only the number of rows."
        )
    return filled(message, T=variable(T), W=variable(W))


def _notes_on_limits(model: Model) -> Iterator[Note]:
    """Notes on the maximum of T, and on lengths that are assumed, such as of an encoder's text."""
    table = smallest_position_table(model)
    if table:
        symbol, rows = table
        reserved = model.family.reserved_positions
        if reserved:
            message = _(
                "The position embedding has {P} = {rows} rows, of which usually {reserved} are "
                "reserved for padding, so {T} is at most {most}."
            )
        else:
            message = _(
                "The position embedding has a row for each of {P} = {rows} positions, so {T} is at "
                "most {P}."
            )
        contents = {"P": variable(symbol), "T": variable(T)}
        numbers = {"rows": rows, "reserved": reserved, "most": rows - reserved}
        texts = {name: thousands(number) for name, number in numbers.items()}
        yield Note(filled(message, **texts, **contents))
    if line := equal_lengths_note(model):
        yield Note(line)
