"""Two pipelines side by side, aligned by stage, with marks on the boxes that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from sphinx_llmsize.views.difference.stage_rows import Section, StageRow, sections
from sphinx_llmsize.views.shared.folding import DASH
from sphinx_llmsize.views.shared.wording import comma_separated, title_first

FRAMES = {
    Mark.CHANGED: N_("Thick frame: changed."),
    Mark.ADDED: N_("Double lines: added."),
    Mark.REMOVED: N_("Dashed frame: removed."),
}
"""Meaning of the frames."""
Pair = tuple[StageRow | None, StageRow | None]
"""Rows next to each other; None where a model has no such row."""
NO_SECTION = Section("", ())
NO_BREAK_SPACE = "\u00a0"


def difference_diagram(counted: CountedDifference) -> tuple[Block, ...]:
    """The diagram: a lane for each model, with equally many boxes."""
    found = counted.difference
    names = (title_first(found.one), title_first(found.other))
    lanes: tuple[list[Part], list[Part]] = ([], [])
    for position, (lane, name) in enumerate(zip(lanes, names, strict=True), start=1):
        lane.append(Box(f"model_{position}", name, BoxKind.DATA))
    for number, (one, other) in enumerate(_aligned(sections(found.one), sections(found.other))):
        pairs = _pairs(one.rows, other.rows)
        for side, (section, letter) in enumerate(((one, "a"), (other, "b"))):
            boxes = tuple(
                _box(pair, side, f"{letter}{number}_{row}") for row, pair in enumerate(pairs)
            )
            cluster = Cluster(f"layers_{letter}{number}", section.title, boxes)
            lanes[side].extend((cluster,) if section.title else boxes)
    fork = Fork(tuple(Branch(_until_last(lane)) for lane in lanes))
    diagram = Diagram(
        title=_("{one} and {other} side by side", one=names[0], other=names[1]),
        description=_description(lanes, names),
        items=(fork,),
        legend=_legend(fork),
        direction=Direction.TB,
    )
    return (diagram,)


def _legend(fork: Fork) -> Line:
    """The meaning of the frames that occur, and of the numbers."""
    marks = {box.mark for box in boxes_of((fork,))}
    frames = [Drawn((f"{_(text)} ",)) for mark, text in FRAMES.items() if mark in marks]
    return (*frames, _("Numbers are parameters."))


def _until_last(lane: Sequence[Part]) -> tuple[Part, ...]:
    """The parts until the last one that the model has."""
    is_missing = [isinstance(part, Box) and part.is_missing for part in lane]
    return tuple(lane[: len(lane) - is_missing[::-1].index(False)])


def _aligned(one: Sequence[Section], other: Sequence[Section]) -> Iterator[tuple[Section, Section]]:
    """Sections of both models, those in layers beside each other."""
    if len(one) == len(other) and all(
        bool(a.title) == bool(b.title) for a, b in zip(one, other, strict=True)
    ):
        yield from zip(one, other, strict=True)
        return
    yield from zip_longest(one, other, fillvalue=NO_SECTION)


def _pairs(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id; rows that take the place of others are beside them."""
    ids = ([row.id for row in one], [row.id for row in other])
    pairs: list[Pair] = []
    for _tag, i, i_end, j, j_end in SequenceMatcher(None, *ids, autojunk=False).get_opcodes():
        for a, b in zip_longest(one[i:i_end], other[j:j_end]):
            pairs += [(a, b)] if _are_alike(a, b) else [(a, None), (None, b)]
    return pairs


def _are_alike(one: StageRow | None, other: StageRow | None) -> bool:
    """True for equal rows, for those of the same aspect except norms, or if one is missing."""
    if one is None or other is None or one.id == other.id:
        return True
    return one.group is not Group.NORMS and any(
        {one.group, other.group} <= set(aspect.value) for aspect in Aspect
    )


def _box(pair: Pair, side: int, id: str) -> Box:
    """The box of a row; an empty one where the model has none."""
    row, mark = pair[side], _mark(pair, side)
    if row is None:
        return Box(id, DASH, lines=((NO_BREAK_SPACE,),), stacked=True, mark=mark)
    word = _(CHANGE_WORDS[mark]) if mark in CHANGE_WORDS else ""
    line = _("{number} · {word}", number=row.number, word=word) if word else row.number
    reads = () if row.reads_tokens else None
    return Box(id, row.title, lines=((line,),), reads=reads, stacked=True, mark=mark)


def _mark(pair: Pair, side: int) -> Mark:
    """The mark of the first (0) or second (1) row of a pair."""
    one, other = pair
    if pair[side] is None:
        return Mark.MISSING
    if one is None or other is None:
        return Mark.ADDED if one is None else Mark.REMOVED
    is_same = (one.title, one.number) == (other.title, other.number)
    return Mark.SAME if is_same else Mark.CHANGED


def _description(lanes: Sequence[Sequence[Part]], names: Sequence[str]) -> str:
    """The boxes of each model that differ, in words."""

    def text(lane: Sequence[Part]) -> str:
        boxes = (box for box in boxes_of(lane) if box.mark in CHANGE_WORDS)
        return comma_separated(
            [
                _("{step} ({change})", step=box.title, change=_(CHANGE_WORDS[box.mark]))
                for box in boxes
                if box.mark
            ]
        )

    texts = [text(lane) or _("as in the other model") for lane in lanes]
    return "; ".join(
        _("{model}: {steps}", model=name, steps=steps)
        for name, steps in zip(names, texts, strict=True)
    )
