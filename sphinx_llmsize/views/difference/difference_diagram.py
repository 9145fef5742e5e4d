"""Two pipelines side by side, aligned by stage, with marks on the boxes that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, KeyItem, Line
from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import CHANGE_WORDS, Box, BoxKind, Mark
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, boxes_of
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.aligned_rows import AlignedSection, Pair, aligned_sections
from sphinx_llmsize.views.difference.box_texts import (
    ChangedSizes,
    changes_in_boxes,
    meanings_of_symbols,
    row_texts,
    sizes_line,
)
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.marked_rows import marked_sections, rows_of_changed_keys
from sphinx_llmsize.views.difference.stage_row import RowId
from sphinx_llmsize.views.shared.drawn_sentences import key
from sphinx_llmsize.views.shared.folding import DASH
from sphinx_llmsize.views.shared.layer_text import layers_text
from sphinx_llmsize.views.shared.model_titles import title_first
from sphinx_llmsize.views.shared.wording import comma_separated

FRAMES = {
    Mark.CHANGED: (N_("Thick frame"), N_("changed")),
    Mark.ADDED: (N_("Double lines"), N_("added")),
    Mark.REMOVED: (N_("Dotted frame"), N_("removed")),
    Mark.SAME: (N_("Rounded frame"), N_("unchanged")),
}
"""Frames and their meanings."""
WITH_WORD = N_("{number} · {word}")
"""The last line of a box that differs, and the title of layers whose number differs."""
LANE_IDS = ("a", "b")
"""Beginning of the ids of boxes and clusters, for the first model and for the second."""
NO_BREAK_SPACE = "\u00a0"


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
    aligned = aligned_sections(models)
    rows = rows_of_changed_keys(counted, aligned)
    sizes = changes_in_boxes(counted, aligned, rows)
    marked = marked_sections(counted, aligned, rows)
    lanes = [_lane(marked, sizes, side, title_first(model)) for side, model in enumerate(models)]
    fork = Fork(tuple(Branch(_without_missing_end(lane.parts)) for lane in lanes))
    diagram = Diagram(
        title=_("{one} and {other} side by side", one=lanes[0].name, other=lanes[1].name),
        description=_description(lanes),
        items=(fork,),
        legend=_legend(fork, sizes.values()),
        direction=Direction.TB,
    )
    return (diagram,)


def _lane(
    sections: Sequence[AlignedSection], sizes: Mapping[RowId, ChangedSizes], side: int, name: str
) -> Lane:
    """The lane of the first model (side 0) or of the second one (side 1)."""
    parts: list[Part] = [Box(f"model_{side + 1}", name, BoxKind.HEADING)]
    changed_layers: list[str] = []
    for index, section in enumerate(sections):
        id = f"{LANE_IDS[side]}{index}"
        boxes: list[Box] = []
        for position, pair in enumerate(section.pairs):
            of_row = sizes.get(section.row_id(pair), ())
            boxes.append(_box(pair, side, f"{id}_{position}", of_row))
        if not any(section.layers):
            parts += boxes
            continue
        # an empty space beside layers that only the other model has is as high as their frame
        title = _layers_title(section, side if section.layers[side] else 1 - side)
        parts.append(Cluster(f"layers_{id}", title, tuple(boxes)))
        if section.mark is not Mark.SAME and section.layers[side]:
            changed_layers.append(title)
    return Lane(name, tuple(parts), tuple(changed_layers))


def _layers_title(section: AlignedSection, side: int) -> str:
    """``× 12 layers``, with a word if they changed: ``× 12 layers · added``."""
    title = layers_text(section.layers[side])
    if section.mark is Mark.SAME:
        return title
    return _(WITH_WORD, number=title, word=_(CHANGE_WORDS[section.mark]))


def _legend(fork: Fork, sizes: Iterable[ChangedSizes]) -> Line:
    """The meaning of the frames that occur and of changed sizes; what is left out."""
    marks = {box.mark for box in boxes_of((fork,))}
    items = [
        KeyItem(mark.value, _(name), (_(meaning),))
        for mark, (name, meaning) in FRAMES.items()
        if mark in marks
    ]
    symbols = meanings_of_symbols(sizes)
    return (
        *key(items),
        *((*symbols, ". ") if symbols else ()),
        _("Residual connections are not drawn."),
    )


def _without_missing_end(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts up to the last one that the model has."""
    found = list(parts)
    while isinstance(found[-1], (Box, Cluster)) and found[-1].is_missing:
        found.pop()
    return tuple(found)


def _box(pair: Pair, side: int, id: str, sizes: ChangedSizes) -> Box:
    """The box of the first (0) or second (1) row of a pair; a dash for a missing row.

    Args:
        pair: the rows.
        side: which of them.
        id: id of the box.
        sizes: the changed sizes by which they differ, apart from masks and positions; empty if
            there are other reasons.
    """
    row, mark = pair[side], _mark(pair, side)
    if row is None:
        return Box(id, DASH, lines=((NO_BREAK_SPACE,),), stacked=True, mark=mark)
    if row.group is Group.NORMS and mark is Mark.SAME:
        return Box(id, row.kind.text, BoxKind.NORM, mark=mark)
    *first_texts, number = row_texts(row, pair[1 - side])
    *_first_texts, short_number = row_texts(row, pair[1 - side], is_short=True)
    lines: tuple[Line, ...] = ((number,),)
    short_lines: tuple[Line, ...] = ((short_number,),)
    if sizes and mark is Mark.CHANGED and not row.mask_and_positions:
        # the size of a norm says enough: its parameters are one or two vectors of that size
        line = sizes_line(sizes, side)
        is_norm = row.group is Group.NORMS
        lines = (line,) if is_norm else (*lines, line)
        short_lines = (line,) if is_norm else (*short_lines, line)
    elif mark in CHANGE_WORDS:
        word = _(CHANGE_WORDS[mark])
        lines, short_lines = ((_(WITH_WORD, number=number, word=word),),), (*short_lines, (word,))
    first_lines = tuple((text,) for text in first_texts)
    return Box(
        id,
        row.kind.text,
        lines=(*first_lines, *lines),
        short_lines=(*first_lines, *short_lines),
        reads=() if row.reads_tokens else None,
        stacked=True,
        mark=mark,
    )


def _mark(pair: Pair, side: int) -> Mark:
    """The mark of the first (0) or second (1) row of a pair."""
    one, other = pair
    if pair[side] is None:
        return Mark.MISSING
    if one is None or other is None:
        return Mark.ADDED if one is None else Mark.REMOVED
    return Mark.SAME if one.is_like(other) else Mark.CHANGED


def _description(lanes: Sequence[Lane]) -> str:
    """The numbers of layers and the boxes of each model that differ, in words."""
    texts = []
    for lane in lanes:
        steps = _changed_steps(lane) or _("as in the other model")
        texts.append(_("{model}: {steps}", model=lane.name, steps=steps))
    return "; ".join(texts)


def _changed_steps(lane: Lane) -> str:
    """``× 12 layers · changed, MLP (changed), …``: the differences; empty if there are none."""
    steps = list(lane.changed_layers)
    for box in boxes_of(lane.parts):
        if box.mark in CHANGE_WORDS:
            change = _(CHANGE_WORDS[box.mark])
            steps.append(_("{step} ({change})", step=box.title, change=change))
    return comma_separated(steps)
