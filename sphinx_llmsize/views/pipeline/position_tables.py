"""Tables for positions in a diagram: in the layers, beside or in the step that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sphinx_llmsize.architecture.parts.block_edits import change_inside
from sphinx_llmsize.architecture.stages import Block, Parallel, Source, Stage, Step, stages_of
from sphinx_llmsize.views.pipeline.merged_stages import MergedStages, names_of

PROJECTION, SCORES = "relative_projection", "scores"
"""Ids of the stages that read a table: a projection of it, or else the scores of attention."""


def is_table(step: object) -> bool:
    """True for a stage that attention reads in every layer."""
    return isinstance(step, Stage) and step.source is Source.POSITIONS


def with_tables(block: Block, tables: Sequence[Stage]) -> Block:
    """The block with the tables of its model before the step that reads them, or in its box."""
    if not tables:
        return block
    names = {name for stage in stages_of(block) for name in names_of(stage)}
    reader = PROJECTION if PROJECTION in names else SCORES
    return _inserted(block, reader, tuple(tables))


def _inserted(block: Block, reader: str, tables: tuple[Stage, ...]) -> Block:
    """The block with the tables before the stage with the id ``reader``, or in its box.

    A projection reads only the tables, which go before it. The scores also read the step before
    them, so that the tables are branches beside this step.
    """
    inside = partial(_inserted, reader=reader, tables=tables)
    steps: list[Step] = []
    for step in block:
        if isinstance(step, Stage) and step.id == PROJECTION == reader:
            steps += tables
        elif isinstance(step, MergedStages) and reader in names_of(step):
            steps.append(replace(step, tables=tables))
            continue
        elif isinstance(step, Stage) and reader in names_of(step):
            before = tuple(steps[-1:])  # empty if the reader is the block's first step
            steps[-1:] = [Parallel((before, *((table,) for table in tables)))]
        steps.append(change_inside(step, inside))
    return tuple(steps)
