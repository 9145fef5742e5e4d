"""The diagram on paper: legible pieces that together have all of its text."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import pytest
from families import DEFAULTS
from test_drawn_pipeline import (
    diagram,
    frames,
    is_within,
    nothing_overlaps,
    overlap,
    room_of,
    stretch,
)

from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.drawing.pagination import SHEET_HEIGHT, SHEET_WIDTH, sheets
from sphinx_llmsize.drawing.picture import FONT_SIZE
from sphinx_llmsize.drawing.pipeline_layout import draw_pipeline
from sphinx_llmsize.drawing.pipeline_picture import JOINT, Frame, Joint, PipelinePicture

PAPER = (453, 0.8 * 648)
"""Largest picture on a page in points: the line width of A4, the height of Letter."""
WIDEST = {"defaults of blt": 6, "defaults of dots3_note_text": 6, "defaults of longcat_flash": 5.5}
"""The points of letters where so many branches stand side by side that they must be small."""


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("model", DEFAULTS)
def test_it_can_be_read_on_paper(model: str, direction: Direction) -> None:
    shown = diagram(DEFAULTS[model], direction)
    drawn = sheets(shown)
    assert min(map(letters, drawn)) > WIDEST.get(model, 6.5)
    everything_is_there(draw_pipeline(shown), drawn)
    for sheet in drawn:
        nothing_overlaps(sheet)
        lines_are_free(sheet)
    circles_go_in_pairs(drawn)


def letters(sheet: PipelinePicture) -> float:
    """Font size on paper in points."""
    return FONT_SIZE * min(0.8, PAPER[0] / sheet.width, PAPER[1] / sheet.height)


def everything_is_there(whole: PipelinePicture, drawn: tuple[PipelinePicture, ...]) -> None:
    repeated = Counter((each.box.id, each.texts[0].runs) for sheet in drawn for each in sheet.boxes)
    assert repeated == Counter((each.box.id, each.texts[0].runs) for each in whole.boxes)
    outputs = Counter(text.runs for sheet in drawn for text in sheet.outputs)
    assert outputs == Counter(text.runs for text in whole.outputs)
    assert sum(len(sheet.heads) for sheet in drawn) == len(whole.heads)
    titles = {each.cluster.id for sheet in drawn for each in sheet.clusters if each.texts}
    assert titles == {each.cluster.id for each in whole.clusters}


def lines_are_free(sheet: PipelinePicture) -> None:
    titles = [room_of(text) for each in sheet.clusters for text in each.texts]
    circles = [circle(joint) for joint in sheet.joints]
    outputs = map(room_of, sheet.outputs)
    everything = [
        room.within(0.1) for room in (*frames(sheet).values(), *titles, *outputs, *circles)
    ]
    for arrow in sheet.arrows:
        for start, end in pairwise(arrow.points):
            assert (start[0] == end[0]) != (start[1] == end[1])
            assert [room for room in everything if overlap(stretch(start, end), room)] == []


def circles_go_in_pairs(drawn: tuple[PipelinePicture, ...]) -> None:
    numbers = Counter(joint.text.runs for sheet in drawn for joint in sheet.joints)
    assert set(numbers.values()) <= {2}
    for sheet in drawn:
        circles = [circle(joint).within(0.1) for joint in sheet.joints]
        rooms = [*frames(sheet).values(), *map(room_of, sheet.outputs)]
        assert [pair for pair in combinations(circles, 2) if overlap(*pair)] == []
        assert [each for each in circles if any(overlap(each, room) for room in rooms)] == []
        page = Frame(0, 0, sheet.width, sheet.height)
        assert [each for each in circles if not is_within(each, page)] == []


def circle(joint: Joint) -> Frame:
    x, y = joint.at
    return Frame(x - JOINT, y - JOINT, 2 * JOINT, 2 * JOINT)


def boxes(drawn: tuple[PipelinePicture, ...]) -> list[list[str]]:
    return [[each.box.id for each in sheet.boxes] for sheet in drawn]


def test_what_has_room_is_drawn_as_it_is() -> None:
    shown = diagram("pythia-14m")
    assert sheets(shown) == (draw_pipeline(shown),)


def test_two_columns_of_a_page() -> None:
    (sheet,) = sheets(diagram("llama-3-8b"))
    at = frames(sheet)
    assert at["attention_output"].right < at["ffn_norm"].left
    first, second = sheet.clusters
    assert first.cluster == second.cluster
    assert first.texts[0].runs == second.texts[0].runs
    # the dashes are missing where it goes on
    assert [len(first.sides), len(second.sides)] == [3, 3]


def test_a_line_that_is_cut_goes_on_at_its_number() -> None:
    (sheet,) = sheets(diagram("llama-3-8b"))
    (ended, begun) = [arrow for arrow in sheet.arrows if arrow.end.id == "ffn_norm"]
    out, into = sheet.joints
    assert out.text.runs == into.text.runs
    assert ended.points[-1] == (out.at[0], out.at[1] - JOINT)
    assert begun.points[0] == (into.at[0], into.at[1] + JOINT)
    assert (ended.head, len(begun.head)) == ((), 3)


def test_three_pages() -> None:
    drawn = sheets(diagram("deepseek-v3"))
    assert len(drawn) == 3
    assert all(sheet.width <= SHEET_WIDTH and sheet.height <= SHEET_HEIGHT for sheet in drawn)
    whole = [box.id for box in diagram("deepseek-v3").boxes]
    assert [id for ids in boxes(drawn) for id in ids] == whole


@pytest.mark.parametrize(("model", "runs_down"), [("gpt2", False), ("t5-base", True)])
def test_direction_is_respected_if_there_is_room(model: Any, runs_down: bool) -> None:
    sheet = sheets(diagram(model, Direction.LR))[0]
    one, other = (each.frame for each in sheet.boxes[:2])
    assert (one.bottom < other.top) == runs_down
