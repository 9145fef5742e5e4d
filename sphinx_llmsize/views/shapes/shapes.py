"""The shapes: what becomes of T tokens, operation by operation, from ids to the next token."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Fact,
    Facts,
    Inline,
    Line,
    Muted,
    Paragraph,
    Row,
    RowKind,
    Table,
)
from sphinx_llmsize.config.mixers import W
from sphinx_llmsize.config.vocabulary import T_SEEN, T_SOURCE, Length, T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.options import ViewOptions
from sphinx_llmsize.views.shapes.steps import Step
from sphinx_llmsize.views.shapes.story import story
from sphinx_llmsize.views.shared.counted_rows import EMPTY
from sphinx_llmsize.views.shared.lengths import as_long, position_rows, tokens_of
from sphinx_llmsize.views.shared.operations import Passing, symbols_of
from sphinx_llmsize.views.shared.wording import title, variable

USUAL_TOKENS = 5
"""Few enough to see them as rows."""
COLUMNS = (Column("Step"), Column("Operation"), Column("Result"))


def shapes(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The sizes that are used, a row for each step, and why no weight depends on T."""
    passing = Passing(model.architecture, tokens_of(model, options, USUAL_TOKENS))
    told = tuple(story(model, passing))
    caption = f"{title(model)}: shapes for {thousands(passing.tokens)} tokens"
    table = Table(caption, COLUMNS, tuple(_row(step, passing) for step in told))
    steps = (step for step in told if isinstance(step, Step))
    return (_facts(steps, passing), table, Paragraph(_reason(model)), *_limits(model))


def _row(step: Step | str, passing: Passing) -> Row:
    if isinstance(step, str):
        return Row((((step,),), EMPTY, EMPTY), RowKind.GROUP)
    head: Cell = ((step.label,), *((Muted(note),) for note in step.notes))
    return Row((head, passing.cell(step.operation), passing.cell(step.result)))


def _facts(steps: Iterable[Step], passing: Passing) -> Facts:
    """Every symbol of the table with its number, the lengths first."""
    used = symbols_of(told for step in steps for told in (step.operation, step.result))
    lengths = sorted((s for s in used if isinstance(s, Length)), key=str)
    sizes = [symbol for symbol in passing.architecture.sizes if symbol in used]
    others = sorted(used - {*lengths, *sizes}, key=str)
    return Facts(
        tuple(
            Fact(variable(symbol), thousands(passing.count(symbol)), symbol.meaning)
            for symbol in (*lengths, *others, *sizes)
        )
    )


def _reason(model: Model) -> Line:
    """Why the weights are the same for any number of tokens."""
    stages = [place.stage for place in model.architecture.places()]
    sizes = (size for stage in stages for tensor in stage.tensors for size in tensor.stored)
    depends = any(isinstance(symbol, Length) for size in sizes for symbol in size.symbols())
    # no family has such weights; should one come, nothing wrong is said of it
    weights: Line = () if depends else _same_weights(model)
    seen = frozenset().union(
        *(matmul.columns.symbols() for stage in stages for matmul in stage.computes)
    )
    return (*weights, *(_scores(across=T_SOURCE in seen) if T_SEEN in seen else _no_scores()))


def _same_weights(model: Model) -> Line:
    tensors = [t for place in model.architecture.places() for t in place.stage.tensors]
    convolves = any(tensor.role is Role.FILTER for tensor in tensors)
    rows: tuple[Inline, ...] = (" rows on its own",)
    if convolves and W in model.architecture.sizes:
        rows = (" rows on its own (a convolution to ", variable(W), " at a time)")
    return (
        "No weight has ",
        variable(T),
        " in its shape: the same weights are applied to each of the ",
        variable(T),
        *rows,
        ", so ",
        variable(T),
        " only says how many rows pass. ",
    )


def _scores(*, across: bool) -> Line:
    pairs: tuple[Inline, ...] = (variable(T), " × ", variable(T))
    if across:
        pairs = (*pairs, " or ", variable(T), " × ", variable(T_SOURCE))
    return ("Only the scores are ", *pairs, ", and they are computed anew, not learned.")


def _no_scores() -> Line:
    return (
        "Nothing is ",
        variable(T),
        " × ",
        variable(T),
        " either: what a token needs of those before it has a size of its own.",
    )


def _limits(model: Model) -> Iterable[Paragraph]:
    """What bounds T, and what the lengths of other sequences are taken to be."""
    if rows := position_rows(model):
        symbol, number = rows
        yield Paragraph(
            (
                "The position embedding has a row for each of ",
                variable(symbol),
                f" = {thousands(number)} positions, so ",
                variable(T),
                " cannot be more.",
            )
        )
    if line := as_long(model):
        yield Paragraph(line)
