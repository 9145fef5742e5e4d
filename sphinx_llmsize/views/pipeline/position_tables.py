"""Tables for positions in a diagram: shown in the layers, at the step that reads them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sphinx_llmsize.architecture.parts.block_edits import change_inside
from sphinx_llmsize.architecture.stages import Block, Parallel, Source, Stage, Step, stages_of
from sphinx_llmsize.views.pipeline.merged_stages import MergedStages, names_of

PROJECTION = "relative_projection"
"""Id of the stage that projects a table and reads nothing else."""
SCORES = "scores"
"""Id of the stage that reads a table in models without a projection: the scores of attention."""


def is_table(stage: Stage) -> bool:
    """True for a table that attention reads in every layer."""
    return stage.source is Source.POSITIONS


def with_tables(block: Block, tables: tuple[Stage, ...]) -> Block:
    """The block with the tables of its model before the stage that reads them, or in its box."""
    if not tables:
        return block
    names = {name for stage in stages_of(block) for name in names_of(stage)}
    reader = PROJECTION if PROJECTION in names else SCORES
    return _inserted(block, reader, tables)


def _inserted(block: Block, reader: str, tables: tuple[Stage, ...]) -> Block:
    """The block with the tables before the stage with the id ``reader``, or in its box.

    A projection reads only the tables, which go before it. The scores also read the step before
    them, so that the tables are branches beside this step.
    """
    inside = partial(_inserted, reader=reader, tables=tables)
    steps: list[Step] = []
    for step in block:
        if not isinstance(step, Stage):
            steps.append(change_inside(step, inside))
        elif reader not in names_of(step):
            steps.append(step)
        elif isinstance(step, MergedStages):
            steps.append(replace(step, tables=tables))
        elif reader == PROJECTION:
            steps += (*tables, step)
        else:
            before = tuple(steps[-1:])  # empty if the reader is the block's first step
            beside = Parallel((before, *((table,) for table in tables)))
            steps[-1:] = [beside, step]
    return tuple(steps)
