"""Pipeline diagram: the steps from tokens to logits.

Each box's border shows how its parameters grow with D.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from sphinx_llmsize.blocks import Block
from sphinx_llmsize.diagram import TWO_COLUMNS, Diagram, Direction
from sphinx_llmsize.diagram_arrows import length_of
from sphinx_llmsize.diagram_boxes import Box, BoxKind, Growth
from sphinx_llmsize.diagram_breadth import breadth_of, columns_of
from sphinx_llmsize.diagram_tree import (
    Branch,
    Cluster,
    Fork,
    Gated,
    Part,
    Residual,
    with_boxes,
)
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.pipeline.brief_to_the_right import fitted_to_the_right
from sphinx_llmsize.views.pipeline.diagram_legend import diagram_legend
from sphinx_llmsize.views.pipeline.diagram_parts import diagram_parts
from sphinx_llmsize.views.pipeline.level import Level
from sphinx_llmsize.views.shared.model_titles import about
from sphinx_llmsize.views.shared.wording import comma_separated
from sphinx_llmsize.views.view_options import Detail, Legend, ViewOptions

LEVELS = {
    Detail.BRIEF: (Level.BRIEF,),
    Detail.COMPONENT: (Level.STEPS, Level.BLOCKS, Level.ALIKE, Level.BRIEF),
    Detail.FULL: (Level.FULL,),
    Detail.TENSOR: (Level.FULL,),
}
"""Levels of detail to try: the first whose diagram fits a page is used, or else the last."""
MAX_LENGTH = 22
"""Number of boxes on the longest way through a diagram that fits a page: those of Gemma 3n."""
MAX_BREADTH = 3
"""Number of boxes side by side in a diagram that fits a page."""
MAX_IN_COLUMN = 28
"""Number of characters of a line in one of three or more columns."""
GROWTHS = {
    Growth.SQUARE: N_("{step} (grows with D²)"),
    Growth.LINEAR: N_("{step} (grows with D)"),
}
"""Descriptions of boxes by growth."""


def pipeline(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The diagram, in less detail if it would not fit a page."""
    *more_detailed, briefest = LEVELS[options.detail]
    for level in more_detailed:
        diagram = _diagram(model, options, level)
        if _fits(diagram):
            return (diagram,)
    return (_diagram(model, options, briefest),)


def _fits(diagram: Diagram) -> bool:
    """True if the diagram is neither too long nor too wide for a page."""
    return length_of(diagram.items) <= MAX_LENGTH and breadth_of(diagram.items) <= MAX_BREADTH


def _diagram(model: Model, options: ViewOptions, level: Level) -> Diagram:
    """The diagram at a level of detail; a brief one runs down if it is too wide to the right."""
    items = diagram_parts(model, options, level)
    goes_right = options.direction is Direction.LR
    if level is Level.BRIEF and goes_right:
        items = fitted_to_the_right(items)
        if not items:
            return _diagram(model, replace(options, direction=Direction.TB), level)
    elif not goes_right:
        items = _with_short_columns(items)
    return Diagram(
        title=about(model, N_("Pipeline of {model}"), N_("Pipeline")),
        description=_description(items),
        items=items,
        legend=diagram_legend(model, options, items) if options.legend is Legend.YES else (),
        direction=options.direction,
    )


def _with_short_columns(items: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts; in three or more columns, long lines have no shape."""
    columns = dict(columns_of(items))

    def shortened(box: Box) -> Box:
        lengths = [sum(len(str(piece)) for piece in line) for line in box.lines]
        is_narrow = columns.get(box, 0) > TWO_COLUMNS
        has_room = not is_narrow or max(lengths, default=0) <= MAX_IN_COLUMN
        return box if has_room or not box.short_lines else replace(box, lines=box.short_lines)

    return with_boxes(items, shortened)


def _description(parts: Iterable[Part]) -> str:
    """The pipeline in one sentence."""
    return reduce(lambda a, b: _("{step}, then {next}", step=a, next=b), map(_described, parts))


def _described(part: Part) -> str:
    """A part of the pipeline in words."""
    if isinstance(part, Cluster):
        steps = comma_separated(map(_described, part.parts))
        return _("{layers} of ({steps})", layers=part.title, steps=steps)
    if isinstance(part, Fork):
        return _described_fork(part)
    if isinstance(part, Gated):
        gate = _described_parts(part.gate)
        steps = _described_parts(part.parts)
        return _("{branch} beside {other}", branch=f"[{gate}]", other=f"[{steps}]")
    if isinstance(part, Residual):
        steps = comma_separated(map(_described, part.parts))
        return _("input + ({steps})", steps=steps)
    return _described_box(part)


def _described_parts(parts: Iterable[Part]) -> str:
    """Parts in words; without parts, it is the input itself."""
    return comma_separated(map(_described, parts)) or _("the input")


def _described_fork(fork: Fork) -> str:
    """Branches in words: their sum, alternatives, or branches in parallel."""
    if fork.addition:
        addends: list[str] = []
        for branch in fork.branches:
            text = _described_branch(branch)
            addends.append(f"({text})" if len(branch.parts) > 1 else text)
        return " + ".join(addends)
    branches = [f"[{_described_branch(branch)}]" for branch in fork.branches]
    relation = N_("{branch} or {other}") if fork.either else N_("{branch} beside {other}")
    return reduce(lambda a, b: _(relation, branch=a, other=b), branches)


def _described_branch(branch: Branch) -> str:
    """A branch in words, after the layers that take it."""
    steps = _described_parts(branch.parts)
    label = "".join(map(str, branch.label))
    return _("{layers}: {steps}", layers=label, steps=steps) if label else steps


def _described_box(box: Box) -> str:
    """The title of a box, with the growth of its weights unless it is a norm."""
    if box.kind is BoxKind.NORM or box.growth not in GROWTHS:
        return box.title
    return _(GROWTHS[box.growth], step=box.title)
