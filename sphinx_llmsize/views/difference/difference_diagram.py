"""Two pipelines side by side, aligned by stage, with marks on the boxes that differ."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Drawn, Line
from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import CHANGE_WORDS, Box, BoxKind, Mark
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, boxes_of, clusters_of
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.stage_rows import RowSection, StageRow, sections
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


def difference_diagram(counted: CountedDifference) -> tuple[Block, ...]:
    """The diagram: a lane of boxes for each model, aligned row by row."""
    names = (title_first(counted.difference.one), title_first(counted.difference.other))
    lanes = _lanes(counted, names)
    fork = Fork(tuple(Branch(_without_missing_end(lane)) for lane in lanes))
    diagram = Diagram(
        title=_("{one} and {other} side by side", one=names[0], other=names[1]),
        description=_description(lanes, names),
        items=(fork,),
        legend=_legend(fork),
        direction=Direction.TB,
    )
    return (diagram,)


def _lanes(counted: CountedDifference, names: tuple[str, str]) -> tuple[list[Part], list[Part]]:
    """The parts of each model, equally many: its name, boxes, and clusters of layers."""
    left: list[Part] = [Box("model_1", names[0], BoxKind.HEADING)]
    right: list[Part] = [Box("model_2", names[1], BoxKind.HEADING)]
    aligned = zip_longest(
        *map(sections, (counted.difference.one, counted.difference.other)), fillvalue=NO_SECTION
    )
    for number, (one, other) in enumerate(aligned):
        pairs = _pairs(one.rows, other.rows)
        mark = _mark_of_layers(one, other)
        left += _section_parts(one, pairs, 0, f"a{number}", mark)
        right += _section_parts(other, pairs, 1, f"b{number}", mark)
    return left, right


def _section_parts(
    section: RowSection, pairs: Sequence[Pair], side: int, id: str, mark: Mark
) -> tuple[Part, ...]:
    """The boxes of one model in a section, in a cluster if it has layers.

    Args:
        section: section of the model.
        pairs: aligned rows of both models.
        side: 0 for the first model, 1 for the second.
        id: beginning of the boxes' ids.
        mark: change of the number of layers.
    """
    boxes = tuple(_box(pair, side, f"{id}_{row}") for row, pair in enumerate(pairs))
    if not section.title:
        return boxes
    return (Cluster(f"layers_{id}", _with_word(section.title, mark), boxes),)


def _mark_of_layers(one: RowSection, other: RowSection) -> Mark:
    """The mark of the frames around two sections, of which one may have no layers."""
    if one.title == other.title:
        return Mark.SAME
    if one.title and other.title:
        return Mark.CHANGED
    return Mark.REMOVED if one.title else Mark.ADDED


def _legend(fork: Fork) -> Line:
    """The meaning of the frames that occur, and of the numbers."""
    marks = {box.mark for box in boxes_of((fork,))}
    frames = [Drawn((f"{_(text)} ",)) for mark, text in FRAMES.items() if mark in marks]
    return (*frames, _("Numbers are parameters."))


def _without_missing_end(lane: Sequence[Part]) -> tuple[Part, ...]:
    """The parts up to the last one that the model has."""
    parts = list(lane)
    while isinstance(parts[-1], Box) and parts[-1].is_missing:
        parts.pop()
    return tuple(parts)


def _pairs(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id: first the blocks, which norms that moved don't tear apart."""
    blocks, blocks_of_other = (
        [row for row in rows if row.group is not Group.NORMS] for rows in (one, other)
    )
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
    ids = ([row.id for row in one], [row.id for row in other])
    pairs: list[Pair] = []
    for _tag, i, i_end, j, j_end in SequenceMatcher(None, *ids, autojunk=False).get_opcodes():
        for a, b in zip_longest(one[i:i_end], other[j:j_end]):
            pairs += [(a, b)] if _can_be_paired(a, b) else [(a, None), (None, b)]
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
    """The lines of a box: its number, after its windows if only they differ from those beside."""
    if other is None or (row.title, row.number) != (other.title, other.number):
        return (row.number,)
    if row.exact != other.exact:
        return (row.exact,)
    return (row.windows, row.number) if row.windows != other.windows else (row.number,)


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
    return Mark.SAME if _content(one) == _content(other) else Mark.CHANGED


def _content(row: StageRow) -> tuple[str, ...]:
    """The title, the exact number and the windows, which are equal in rows without a change."""
    return (row.title, row.exact, row.windows)


def _description(lanes: Sequence[Sequence[Part]], names: Sequence[str]) -> str:
    """The numbers of layers and the boxes of each model that differ, in words."""
    texts = [_changed_steps(lane) or _("as in the other model") for lane in lanes]
    return "; ".join(
        _("{model}: {steps}", model=name, steps=steps)
        for name, steps in zip(names, texts, strict=True)
    )


def _changed_steps(lane: Sequence[Part]) -> str:
    """``× 9 layers · changed, MLP (added), …``: what differs; empty if nothing does."""
    words = tuple(map(_, CHANGE_WORDS.values()))
    steps = [each.title for each in clusters_of(lane) if each.title.endswith(words)]
    for box in boxes_of(lane):
        if box.mark in CHANGE_WORDS:
            change = _(CHANGE_WORDS[box.mark])
            steps.append(_("{step} ({change})", step=box.title, change=change))
    return comma_separated(steps)
