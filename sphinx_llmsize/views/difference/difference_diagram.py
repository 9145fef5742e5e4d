"""Two pipelines side by side, aligned by stage, with marks on the boxes that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Drawn, Line
from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import CHANGE_WORDS, Box, BoxKind, Mark
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, boxes_of
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.stage_rows import RowSection, StageRow, sections
from sphinx_llmsize.views.difference.text_pairs import Models
from sphinx_llmsize.views.shared.folding import DASH
from sphinx_llmsize.views.shared.wording import comma_separated, title_first

FRAMES = {
    Mark.CHANGED: N_("Thick frame: changed."),
    Mark.ADDED: N_("Double lines: added."),
    Mark.REMOVED: N_("Dotted frame: removed."),
    Mark.SAME: N_("Rounded frame: the same in both."),
}
"""Meaning of the frames."""
Pair = tuple[StageRow | None, StageRow | None]
"""Rows next to each other; None where a model has no such row."""
NO_SECTION = RowSection("", ())
NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True)
class AlignedSection:
    """A section of both models' pipelines, aligned row by row.

    Attributes:
        titles: number of layers in each model: ``× 32 layers``; empty outside the layers.
        pairs: rows next to each other.
    """

    titles: tuple[str, str]
    pairs: list[Pair]

    @property
    def mark(self) -> Mark:
        """The mark of the frames around the layers."""
        one, other = self.titles
        if one == other:
            return Mark.SAME
        if one and other:
            return Mark.CHANGED
        return Mark.REMOVED if one else Mark.ADDED


@dataclass(frozen=True)
class Lane:
    """The column of boxes of one model.

    Attributes:
        name: name of the model.
        parts: a box with the name, the boxes of the model, and clusters of its layers.
        changed_layers: titles of the clusters whose number of layers differs.
    """

    name: str
    parts: tuple[Part, ...]
    changed_layers: tuple[str, ...]


def difference_diagram(counted: CountedDifference) -> tuple[Block, ...]:
    """The diagram: a lane of boxes for each model, aligned row by row."""
    models = counted.difference.models
    aligned = _aligned_sections(models)
    lanes = [_lane(aligned, side, title_first(model)) for side, model in enumerate(models)]
    fork = Fork(tuple(Branch(_without_missing_end(lane.parts)) for lane in lanes))
    diagram = Diagram(
        title=_("{one} and {other} side by side", one=lanes[0].name, other=lanes[1].name),
        description=_description(lanes),
        items=(fork,),
        legend=_legend(fork),
        direction=Direction.TB,
    )
    return (diagram,)


def _aligned_sections(models: Models) -> list[AlignedSection]:
    """The sections of both pipelines in order; the last ones of one model may be empty."""
    one, other = models
    return [
        AlignedSection((section.title, of_other.title), _pairs(section.rows, of_other.rows))
        for section, of_other in zip_longest(sections(one), sections(other), fillvalue=NO_SECTION)
    ]


def _lane(aligned: Sequence[AlignedSection], side: int, name: str) -> Lane:
    """The lane of the first model (side 0) or of the second one (side 1)."""
    parts: list[Part] = [Box(f"model_{side + 1}", name, BoxKind.HEADING)]
    changed_layers: list[str] = []
    for number, section in enumerate(aligned):
        id = f"{'ab'[side]}{number}"
        boxes = [_box(pair, side, f"{id}_{row}") for row, pair in enumerate(section.pairs)]
        if not section.titles[side]:
            parts += boxes
            continue
        title = _with_word(section.titles[side], section.mark)
        parts.append(Cluster(f"layers_{id}", title, tuple(boxes)))
        if section.mark is not Mark.SAME:
            changed_layers.append(title)
    return Lane(name, tuple(parts), tuple(changed_layers))


def _legend(fork: Fork) -> Line:
    """The meaning of the frames that occur, and of the numbers."""
    marks = {box.mark for box in boxes_of((fork,))}
    frames = [Drawn((f"{_(text)} ",)) for mark, text in FRAMES.items() if mark in marks]
    return (*frames, _("Numbers are parameters."))


def _without_missing_end(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts up to the last one that the model has."""
    found = list(parts)
    while isinstance(found[-1], Box) and found[-1].is_missing:
        found.pop()
    return tuple(found)


def _pairs(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id: first the blocks, then the norms between two aligned blocks.

    So norms in other places don't move blocks apart that do the same.
    """
    blocks = [row for row in one if row.group is not Group.NORMS]
    blocks_of_other = [row for row in other if row.group is not Group.NORMS]
    pairs: list[Pair] = []
    start = start_of_other = 0
    for block, block_of_other in _aligned(blocks, blocks_of_other):
        if block and block_of_other and block.id == block_of_other.id:
            end, end_of_other = one.index(block), other.index(block_of_other)
            pairs += _aligned(one[start:end], other[start_of_other:end_of_other])
            pairs.append((block, block_of_other))
            start, start_of_other = end + 1, end_of_other + 1
    return [*pairs, *_aligned(one[start:], other[start_of_other:])]


def _aligned(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id; a row that replaces another one is beside it."""
    ids, ids_of_other = [row.id for row in one], [row.id for row in other]
    matcher = SequenceMatcher(None, ids, ids_of_other, autojunk=False)
    pairs: list[Pair] = []
    for _tag, start, end, start_of_other, end_of_other in matcher.get_opcodes():
        for pair in zip_longest(one[start:end], other[start_of_other:end_of_other]):
            if _can_be_paired(*pair):
                pairs.append(pair)
            else:
                pairs += [(pair[0], None), (None, pair[1])]
    return pairs


def _can_be_paired(one: StageRow | None, other: StageRow | None) -> bool:
    """True for rows with the same id or of the same aspect except norms, or if one is missing."""
    if one is None or other is None or one.id == other.id:
        return True
    if one.group is Group.NORMS:
        return False
    return any({one.group, other.group} <= set(aspect.value) for aspect in Aspect)


def _box(pair: Pair, side: int, id: str) -> Box:
    """The box of the first (0) or second (1) row of a pair; a dash for a missing row."""
    row, mark = pair[side], _mark(pair, side)
    if row is None:
        return Box(id, DASH, lines=((NO_BREAK_SPACE,),), stacked=True, mark=mark)
    if row.group is Group.NORMS and mark is Mark.SAME:
        return Box(id, row.title, BoxKind.NORM, mark=mark)
    *details, number = _texts(row, pair[1 - side])
    words = (_(CHANGE_WORDS[mark]),) if mark in CHANGE_WORDS else ()
    return Box(
        id,
        row.title,
        lines=tuple((text,) for text in (*details, _with_word(number, mark))),
        short_lines=tuple((text,) for text in (*details, number, *words)),
        reads=() if row.reads_tokens else None,
        stacked=True,
        mark=mark,
    )


def _texts(row: StageRow, other: StageRow | None) -> tuple[str, ...]:
    """The lines of a box: its place, its windows if only they differ, and its parameters."""
    place: tuple[str, ...] = (row.place,) if row.place else ()
    if other and other.place and not row.place:
        place = (_("after attention"),)
    if other is None or (row.title, row.number) != (other.title, other.number):
        return (*place, row.number)
    if row.exact != other.exact:
        return (*place, row.exact)
    if row.windows != other.windows:
        return (*place, row.windows, row.number)
    return (*place, row.number)


def _with_word(text: str, mark: Mark) -> str:
    """``26.2M · changed``; only the text without a change."""
    if mark not in CHANGE_WORDS:
        return text
    return _("{number} · {word}", number=text, word=_(CHANGE_WORDS[mark]))


def _mark(pair: Pair, side: int) -> Mark:
    """The mark of the first (0) or second (1) row of a pair."""
    one, other = pair
    if pair[side] is None:
        return Mark.MISSING
    if one is None or other is None:
        return Mark.ADDED if one is None else Mark.REMOVED
    is_same = all(
        getattr(one, name) == getattr(other, name)
        for name in ("title", "exact", "windows", "place")
    )
    return Mark.SAME if is_same else Mark.CHANGED


def _description(lanes: Sequence[Lane]) -> str:
    """The numbers of layers and the boxes of each model that differ, in words."""
    texts = []
    for lane in lanes:
        steps = _changed_steps(lane) or _("as in the other model")
        texts.append(_("{model}: {steps}", model=lane.name, steps=steps))
    return "; ".join(texts)


def _changed_steps(lane: Lane) -> str:
    """``× 9 layers · changed, MLP (added), …``: the differences; empty if there are none."""
    steps = list(lane.changed_layers)
    for box in boxes_of(lane.parts):
        if box.mark in CHANGE_WORDS:
            change = _(CHANGE_WORDS[box.mark])
            steps.append(_("{step} ({change})", step=box.title, change=change))
    return comma_separated(steps)
