"""The diagram on paper: legible sheets that together have all of its text."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import pytest
from families import SOME_DEFAULTS
from test_drawn_pipeline import (
    diagram,
    frames,
    is_within,
    line_frame,
    nothing_overlaps,
    overlap,
    text_frame,
)

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.drawing.pagination import SHEET_HEIGHT, SHEET_WIDTH, sheets
from sphinx_llmsize.drawing.picture import FONT_SIZE
from sphinx_llmsize.drawing.pipeline_picture import CUT_MARK_RADIUS, CutMark, Frame, PipelinePicture
from sphinx_llmsize.views.view_options import Detail

PAPER = (453, 0.8 * 648)
"""Largest picture on a page in points: the line width of A4, the height of Letter."""
WIDEST = {"defaults of nllb-moe": 5, "defaults of switch_transformers": 5}
"""Font size in points of models with so many branches side by side that letters are smaller."""


@pytest.mark.presets
@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("model", SOME_DEFAULTS)
def test_legible_and_complete_on_paper(model: str, direction: Direction) -> None:
    shown = diagram(SOME_DEFAULTS[model], direction)
    drawn = sheets(shown)
    assert min(map(font_size_on_paper, drawn)) > WIDEST.get(model, 6.5)
    all_parts_are_drawn(draw_pipeline(shown), drawn)
    for sheet in drawn:
        nothing_overlaps(sheet)
        lines_cross_nothing(sheet)
    circles_are_in_pairs(drawn)


def font_size_on_paper(sheet: PipelinePicture) -> float:
    """Font size on paper in points."""
    return FONT_SIZE * min(0.8, PAPER[0] / sheet.width, PAPER[1] / sheet.height)


def all_parts_are_drawn(whole: PipelinePicture, drawn: tuple[PipelinePicture, ...]) -> None:
    repeated = Counter(each.box.id for sheet in drawn for each in sheet.boxes)
    assert repeated == Counter(each.box.id for each in whole.boxes)
    outputs = Counter(text.runs for sheet in drawn for text in sheet.labels)
    assert outputs == Counter(text.runs for text in whole.labels)
    assert sum(len(sheet.heads) for sheet in drawn) == len(whole.heads)
    titles = {each.cluster.id for sheet in drawn for each in sheet.clusters if each.texts}
    assert titles == {each.cluster.id for each in whole.clusters}


def lines_cross_nothing(sheet: PipelinePicture) -> None:
    titles = [text_frame(text) for each in sheet.clusters for text in each.texts]
    circles = [circle(mark) for mark in sheet.cut_marks]
    outputs = map(text_frame, sheet.labels)
    everything = [
        room.within(0.1) for room in (*frames(sheet).values(), *titles, *outputs, *circles)
    ]
    for arrow in sheet.arrows:
        for start, end in pairwise(arrow.points):
            assert (start[0] == end[0]) != (start[1] == end[1])
            assert [room for room in everything if overlap(line_frame(start, end), room)] == []


def circles_are_in_pairs(drawn: tuple[PipelinePicture, ...]) -> None:
    numbers = Counter(mark.text.runs for sheet in drawn for mark in sheet.cut_marks)
    assert set(numbers.values()) <= {2}
    for sheet in drawn:
        circles = [circle(mark).within(0.1) for mark in sheet.cut_marks]
        rooms = [*frames(sheet).values(), *map(text_frame, sheet.labels)]
        assert [pair for pair in combinations(circles, 2) if overlap(*pair)] == []
        assert [each for each in circles if any(overlap(each, room) for room in rooms)] == []
        page = Frame(0, 0, sheet.width, sheet.height)
        assert [each for each in circles if not is_within(each, page)] == []


def circle(mark: CutMark) -> Frame:
    x, y = mark.at
    return Frame(x - CUT_MARK_RADIUS, y - CUT_MARK_RADIUS, 2 * CUT_MARK_RADIUS, 2 * CUT_MARK_RADIUS)


def full(model: str) -> Diagram:
    """The diagram with all details."""
    return diagram(model, detail=Detail.TENSOR)


def box_ids(drawn: tuple[PipelinePicture, ...]) -> list[list[str]]:
    return [[each.box.id for each in sheet.boxes] for sheet in drawn]


def test_small_diagrams_are_not_folded() -> None:
    shown = diagram("pythia-14m")
    assert sheets(shown) == (draw_pipeline(shown),)


def test_two_columns_of_a_page() -> None:
    (sheet,) = sheets(full("llama-3-8b"))
    at = frames(sheet)
    assert at["attention_output"].right < at["ffn_up"].left
    first, second = sheet.clusters
    assert first.cluster == second.cluster
    assert first.texts[0].runs == second.texts[0].runs
    # the frame is open where the cluster continues
    assert [len(first.sides), len(second.sides)] == [3, 3]


def test_cut_lines_continue_at_the_same_numbers() -> None:
    (sheet,) = sheets(full("llama-3-8b"))
    cut = [arrow for arrow in sheet.arrows if not arrow.head]
    assert len(cut) == len(sheet.cut_marks) / 2
    for arrow in cut:
        (begun,) = (
            other
            for other in sheet.arrows
            if (other.start, other.end) == (arrow.start, arrow.end) and other.head
        )
        out = next(mark for mark in sheet.cut_marks if mark.at[0] == arrow.points[-1][0])
        into = next(mark for mark in sheet.cut_marks if mark.at[0] == begun.points[0][0])
        assert out.text.runs == into.text.runs
        assert arrow.points[-1] == (out.at[0], out.at[1] - CUT_MARK_RADIUS)
        assert begun.points[0] == (into.at[0], into.at[1] + CUT_MARK_RADIUS)


def test_several_pages() -> None:
    drawn = sheets(full("jamba-v0.1"))
    assert len(drawn) > 1
    assert all(sheet.width <= SHEET_WIDTH and sheet.height <= SHEET_HEIGHT for sheet in drawn)
    whole = {box.id for box in full("jamba-v0.1").boxes}
    assert {id for ids in box_ids(drawn) for id in ids} == whole


@pytest.mark.parametrize(
    ("model", "runs_down"), [("gpt2", False), ("prophetnet-large-uncased", True)]
)
def test_direction_is_respected_if_there_is_room(model: Any, runs_down: bool) -> None:
    sheet = sheets(diagram(model, Direction.LR))[0]
    one, other = (each.frame for each in sheet.boxes[:2])
    assert (one.bottom < other.top) == runs_down
