"""The diagram as the build draws it: no overlaps and all arrows, for every model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from families import SOME_MODELS, SOME_PRESETS

from sphinx_llmsize import load
from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import Box, BoxKind, Growth
from sphinx_llmsize.diagram_tree import Cluster
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.drawing.orientation import HEAD
from sphinx_llmsize.drawing.picture import FONT_SIZE, Anchor, Point
from sphinx_llmsize.drawing.pipeline_picture import Frame, Lettering, PipelinePicture
from sphinx_llmsize.drawing.text_runs import Run, line_width, runs
from sphinx_llmsize.inline import FormulaText, Variable
from sphinx_llmsize.picture_widths import NARROW, WIDE
from sphinx_llmsize.templating import render
from sphinx_llmsize.views.pipeline.pipeline import pipeline
from sphinx_llmsize.views.view_options import Detail, ViewOptions

SVG = "{http://www.w3.org/2000/svg}"
COLUMN = 736
"""Width of the column of a page in Furo."""
PHONE = 358
"""Width of a page's column on a phone."""
HOSTILE = ["</svg><script>alert(1)</script>", '" onload="alert(1)', "]]>&amp;", r"\end{picture}"]


def diagram(model: Any, direction: Direction = Direction.TB, **options: Any) -> Diagram:
    (block,) = pipeline(load(model), ViewOptions(direction=direction, **options))
    assert isinstance(block, Diagram)
    return block


def text_frame(text: Lettering) -> Frame:
    """Rectangle of a text, from the top of its letters to the bottom of its subscripts."""
    width = line_width(text.runs)
    left = text.at[0] - (width / 2 if text.anchor is Anchor.MIDDLE else 0)
    return Frame(left, text.at[1] - 0.75 * FONT_SIZE, width, FONT_SIZE)


def is_within(inner: Frame, outer: Frame) -> bool:
    room = outer.within(-0.02)
    return (
        room.left <= inner.left
        and room.top <= inner.top
        and inner.right <= room.right
        and inner.bottom <= room.bottom
    )


def overlap(one: Frame, other: Frame) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def line_frame(start: Point, end: Point) -> Frame:
    """Rectangle of a straight line."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return Frame(left, top, right - left, bottom - top)


def difference(one: Point, other: Point) -> Point:
    return one[0] - other[0], one[1] - other[1]


def is_on_edge(at: Point, frame: Frame) -> bool:
    x, y = at
    on_side = min(abs(x - frame.left), abs(x - frame.right)) < 0.02
    on_top = min(abs(y - frame.top), abs(y - frame.bottom)) < 0.02
    return is_within(Frame(x, y, 0, 0), frame) and (on_side or on_top)


def frames(drawn: PipelinePicture) -> dict[str, Frame]:
    return {each.box.id: each.frame for each in drawn.boxes}


@pytest.mark.presets
@pytest.mark.parametrize("model", SOME_MODELS.values(), ids=SOME_MODELS)
def test_nothing_overlaps_and_every_arrow_is_drawn(model: Any) -> None:
    for direction in Direction:
        shown = diagram(model, direction)
        wide = draw_pipeline(shown)
        wraps = direction is Direction.TB and wide.width > NARROW
        for drawn in (wide, draw_pipeline(shown, NARROW)) if wraps else (wide,):
            nothing_overlaps(drawn)
            every_arrow_is_drawn(shown, drawn)
            clusters_enclose_their_boxes_only(drawn)


def nothing_overlaps(drawn: PipelinePicture) -> None:
    page = Frame(0, 0, drawn.width, drawn.height)
    boxes = list(frames(drawn).values())
    labels = [text_frame(text) for text in drawn.labels]
    labels += [each.frame for each in drawn.badges]
    titles = [text_frame(text) for each in drawn.clusters for text in each.texts]
    everything = [*boxes, *labels, *titles]
    assert [room for room in everything if not is_within(room, page)] == []
    assert [pair for pair in combinations(everything, 2) if overlap(*pair)] == []
    for each in (*drawn.boxes, *drawn.clusters):
        inside = each.frame.within(2)
        assert [text for text in each.texts if not is_within(text_frame(text), inside)] == []


def every_arrow_is_drawn(shown: Diagram, drawn: PipelinePicture) -> None:
    expected = {(arrow.start.id, arrow.end.id) for arrow in shown.arrows}
    assert {(arrow.start.id, arrow.end.id) for arrow in drawn.arrows} == expected
    assert len(drawn.arrows) == len(shown.arrows)
    at = frames(drawn)
    titles = [text for each in drawn.clusters for text in each.texts]
    written = [text_frame(text) for text in (*titles, *drawn.labels)]
    for arrow in drawn.arrows:
        assert is_on_edge(arrow.points[0], at[arrow.start.id])
        assert is_on_edge(arrow.points[-1], at[arrow.end.id])
        assert sum(map(abs, difference(arrow.points[-1], arrow.points[-2]))) > HEAD[0]
        for start, end in pairwise(arrow.points):
            assert (start[0] == end[0]) != (start[1] == end[1])
            line = line_frame(start, end)
            in_the_way = [frame.within(0.1) for frame in (*at.values(), *written)]
            assert [frame for frame in in_the_way if overlap(line, frame)] == []


@pytest.mark.parametrize("name", ["mamba-130m", "mamba2-130m", "jamba-v0.1"])
def test_lines_past_steps_in_lines_past_steps_are_drawn(name: str) -> None:
    shown = diagram(name, detail=Detail.FULL)
    for width in (WIDE, NARROW):
        every_arrow_is_drawn(shown, draw_pipeline(shown, width))


def clusters_enclose_their_boxes_only(drawn: PipelinePicture) -> None:
    for each in drawn.clusters:
        enclosed = {id for id, frame in frames(drawn).items() if is_within(frame, each.frame)}
        touched = {id for id, frame in frames(drawn).items() if overlap(frame, each.frame)}
        assert enclosed == touched == {box.id for box in each.cluster.boxes}


@pytest.mark.parametrize("name", ["deepseek-v3", "jamba-v0.1", "t5-small"])
def test_the_narrow_picture_fits_a_phone(name: str) -> None:
    wide, narrow = (draw_pipeline(diagram(name), width) for width in (WIDE, NARROW))
    assert narrow.width <= PHONE < wide.width
    written = list(chain.from_iterable(texts_in_boxes(narrow).values()))
    broken = ("·", "+ ", "× ", "(")  # no shape takes several lines
    assert [line for line in written if line.startswith(broken) or line.endswith("·")] == []


@pytest.mark.parametrize("name", ["llama-7b", "gpt2", "mixtral-8x7b", "qwen2-7b"])
def test_boxes_of_a_narrow_picture_have_two_lines(name: str) -> None:
    drawn = draw_pipeline(diagram(name), NARROW)
    assert max(len(each.texts) for each in drawn.boxes) == 2


def widths_of_boxes(drawn: PipelinePicture, *ids: str) -> set[float]:
    widths = {each.box.id: each.frame.width for each in drawn.boxes}
    return {widths[id] for id in ids}


@pytest.mark.parametrize("name", ["nllb-moe-54b", "switch-base-8", "llama-3.2-11b-vision"])
@pytest.mark.parametrize("detail", [Detail.COMPONENT, Detail.BRIEF])
def test_alternatives_in_an_encoder_and_a_decoder_fit_a_column(name: str, detail: Detail) -> None:
    """The decoder is below its encoder then."""
    shown = diagram(name, detail=detail)
    assert draw_pipeline(shown, WIDE).width <= WIDE
    assert max(draw_pipeline(shown, width).height for width in (WIDE, NARROW)) <= 1400


@pytest.mark.presets
@pytest.mark.parametrize("name", ["zaya1-8b", "kimi-linear-48b-a3b", *SOME_PRESETS])
def test_brief_pictures_to_the_right_fit_a_column(name: str) -> None:
    assert draw_pipeline(diagram(name, Direction.LR, detail=Detail.BRIEF), WIDE).width <= COLUMN


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_boxes_side_by_side_are_equally_wide(width: int) -> None:
    deepseek = draw_pipeline(diagram("deepseek-v3"), width)
    assert len(widths_of_boxes(deepseek, "q_down", "q_up", "kv_down", "kv_up")) == 1
    gpt_neox = draw_pipeline(diagram("gpt-neox-20b"), width)
    assert len(widths_of_boxes(gpt_neox, "qkv", "ffn_up", "attention_output", "ffn_down")) == 1


def test_boxes_side_by_side_are_only_equally_wide_if_they_fit_the_column() -> None:
    """As wide as the widest of them, the boxes of a full diagram of DeepSeekMoE do not fit."""
    drawn = draw_pipeline(diagram("deepseek-moe-16b", detail=Detail.FULL))
    assert drawn.width <= WIDE
    assert len(widths_of_boxes(drawn, "ffn_up", "router", "shared_up")) == 3


def test_narrow_boxes_above_each_other_are_equally_wide_to_spare_lines() -> None:
    drawn = draw_pipeline(diagram("jamba-v0.1"), NARROW)
    left = widths_of_boxes(drawn, "mixer_input", "convolution", "mixer_output", "ffn_up")
    right = widths_of_boxes(drawn, "qkv", "scores", "attention_output", "router", "experts")
    assert len(left) == len(right) == 1
    assert left != right


def texts_in_boxes(drawn: PipelinePicture) -> dict[str, list[str]]:
    """Lines of text in each box, by its id."""
    return {
        each.box.id: ["".join(run.text for run in text.runs) for text in each.texts]
        for each in drawn.boxes
    }


@pytest.mark.parametrize("name", ["llama-7b", "mixtral-8x7b", "deepseek-v3", "jamba-v0.1"])
def test_all_boxes_of_a_narrow_picture_have_shapes_or_none(name: str) -> None:
    shown = diagram(name)
    texts = texts_in_boxes(draw_pipeline(shown, NARROW))
    with_share = {
        box.id: "".join(map(str, box.lines[0])).split(" · ")
        for box in shown.boxes
        if " · " in str(box) and "%" in str(box)
    }
    assert all(texts[id][-1].endswith(share) for id, (_shape, share) in with_share.items())
    have_shapes = {len(texts[id][-1]) > len(share) for id, (_shape, share) in with_share.items()}
    assert have_shapes == {name in {"llama-7b", "mixtral-8x7b"}}


def test_a_narrow_box_keeps_all_but_its_shape() -> None:
    texts = texts_in_boxes(draw_pipeline(diagram("jamba-v0.1"), NARROW))
    assert texts["scores"] == ["Dot-product attention", "32 heads, 8 KV heads"]
    assert texts["qkv"] == ["QKV projection", "0.2%"]
    texts = texts_in_boxes(draw_pipeline(diagram("deepseek-v3"), NARROW))
    assert texts["experts"] == ["256 experts,", "8 active", "97.4%"]
    texts = texts_in_boxes(draw_pipeline(diagram("jamba-v0.1", detail=Detail.BRIEF), NARROW))
    assert texts["sequence_mixing"][-1] == "28 of 32 layers · 5.7%"


def test_a_diagram_to_the_right_runs_down_on_a_phone() -> None:
    drawn = draw_pipeline(diagram("llama-7b", Direction.LR), NARROW)
    assert drawn.width <= PHONE
    assert [box.frame.top for box in drawn.boxes] == sorted(box.frame.top for box in drawn.boxes)


def test_boxes_of_equal_branches_are_level() -> None:
    at = frames(draw_pipeline(diagram("deepseek-v3"), NARROW))
    for pair in (("q_down", "kv_down"), ("q_norm", "kv_norm"), ("q_up", "kv_up")):
        assert len({(at[id].top, at[id].height) for id in pair}) == 1


@pytest.mark.parametrize("name", ["deepseek-v3", "jamba-v0.1"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_boxes_beside_a_router_stand_in_rows_with_it_and_its_experts(name: str, width: int) -> None:
    at = frames(draw_pipeline(diagram(name), width))
    assert at["ffn_up"].top == at["router"].top
    experts = [frame.top for id, frame in at.items() if id in {"experts", "shared_up"}]
    assert {at["ffn_down"].top} == set(experts)


def test_a_dot_where_a_residual_connection_begins() -> None:
    drawn = draw_pipeline(diagram("llama-7b"))
    past = [arrow for arrow in drawn.arrows if len(arrow.points) > 3]
    assert len(past) == len(drawn.dots) == 2
    assert all(dot in arrow.points for dot, arrow in zip(drawn.dots, past, strict=True))


@pytest.mark.parametrize("name", ["mixtral-8x7b", "deepseek-v3"])
def test_the_line_from_a_router_to_its_experts_is_straight(name: str) -> None:
    drawn = draw_pipeline(diagram(name))
    (choice,) = (arrow for arrow in drawn.arrows if arrow.end.id == "experts")
    at = frames(drawn)
    assert choice.start.id == "router"
    assert len({x for x, _y in choice.points}) == 1
    assert at["router"].bottom < at["experts"].top


def test_a_word_marks_forks_of_which_a_layer_takes_one_branch() -> None:
    words = [
        run.text for badge in draw_pipeline(diagram("jamba-v0.1")).badges for run in badge.text.runs
    ]
    assert words == ["or", "or"]
    assert draw_pipeline(diagram("qwen1.5-moe-a2.7b")).badges == ()


def test_branches_are_side_by_side() -> None:
    at = frames(draw_pipeline(diagram("gpt-j-6b")))
    assert at["qkv"].top == at["ffn_up"].top
    assert at["qkv"].right < at["ffn_up"].left


def test_boxes_in_line_have_one_width() -> None:
    at = frames(draw_pipeline(diagram("llama-7b")))
    steps = ("embedding", "qkv", "scores", "attention_output", "ffn_up", "ffn_down", "lm_head")
    assert len({at[id].width for id in steps}) == 1


def test_added_embeddings_are_beside_the_token_embedding() -> None:
    at = frames(draw_pipeline(diagram("bert-base-uncased")))
    assert at["position"].right < at["embedding"].left
    assert at["embedding"].right < at["token_type"].left
    assert at["position"].top == at["embedding"].top == at["token_type"].top
    middles = {at[id].left + at[id].width / 2 for id in ("tokens", "embedding", "embedding_sum")}
    assert max(middles) - min(middles) < 0.1


@pytest.mark.parametrize("name", ["gpt2", "mobilebert-uncased"])
def test_positions_are_level_with_the_token_ids(name: str) -> None:
    down, right = (
        frames(draw_pipeline(diagram(name, direction)))
        for direction in (Direction.TB, Direction.LR)
    )
    assert down["tokens"].top == down["position_ids"].top
    assert down["embedding"].top == down["position"].top
    assert right["tokens"].right == right["position_ids"].right


@pytest.mark.parametrize("name", ["deepseek-v3", "hunyuan-a13b"])
def test_branches_come_into_their_sum_from_both_sides(name: str) -> None:
    drawn = draw_pipeline(diagram(name))
    at = frames(drawn)["expert_sum"]
    tips = [arrow.points[-1] for arrow in drawn.arrows if arrow.end.id == "expert_sum"]
    middle = at.top + at.height / 2
    assert tips == [(at.left, middle), (at.right, middle)]


def test_left_to_right() -> None:
    drawn = draw_pipeline(diagram("llama-7b", Direction.LR))
    assert [box.frame.left for box in drawn.boxes] == sorted(box.frame.left for box in drawn.boxes)
    assert len({round(box.frame.top + box.frame.height / 2, 1) for box in drawn.boxes}) == 1


def test_decoder_is_beside_its_encoder() -> None:
    drawn = draw_pipeline(diagram("t5-base"))
    at = frames(drawn)
    assert at["encoder_final_norm"].right < at["decoder_tokens"].left
    assert at["tokens"].top == at["decoder_tokens"].top
    (reading,) = (arrow for arrow in drawn.arrows if arrow.start.id == "encoder_final_norm")
    assert "cross_kv" in reading.end.names
    assert reading.points[-1][0] == at[reading.end.id].left


@pytest.mark.parametrize("direction", Direction)
def test_a_cluster_has_room_for_its_title(direction: Direction) -> None:
    box = Box("a", "A", BoxKind.STEP)
    cluster = Cluster("c", "a title much wider than the boxes in it", (box,))
    longer = (replace(box, id="b"), replace(box, id="d"), cluster)
    decoder = replace(box, id="e", reads=())
    drawn = draw_pipeline(Diagram("", "", (*longer, decoder), (), direction))
    nothing_overlaps(drawn)
    clusters_enclose_their_boxes_only(drawn)


def test_symbols_are_italic_and_indices_are_subscripts() -> None:
    heads = (Variable("H", "kv"), FormulaText("·"), Variable("d", "h"))
    in_formula = partial(Run, is_formula=True)
    expected = (
        *(in_formula("H", is_symbol=True), in_formula("kv", is_subscript=True)),
        in_formula("\N{NO-BREAK SPACE}"),
        *(in_formula("d", is_symbol=True), in_formula("h", is_symbol=True, is_subscript=True)),
    )
    assert runs(("heads: ", *heads)) == (Run("heads: "), *expected)
    assert runs(("plain", "text")) == (Run("plaintext"),)
    assert line_width(runs((Variable("d", "h"),))) < line_width((Run("dh"),))


def test_symbols_have_the_typeface_of_formulas() -> None:
    in_serifs = {
        each.text for each in svg("llama-7b").iter(f"{SVG}tspan") if each.get("font-family")
    }
    assert {"D", "V", "d", "h", "kv", " × "} <= in_serifs
    assert "QKV projection" not in in_serifs
    assert not any("%" in text for text in in_serifs)


def svg(name: str = "gpt2", **context: Any) -> ElementTree.Element:
    defaults = {"picture": draw_pipeline(diagram(name)), "id": "id", "links": {}, "background": ""}
    return ElementTree.fromstring(render("llmsize/diagram.svg.jinja", **{**defaults, **context}))


def texts(element: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", ["llama-3-70b", "deepseek-v3", "t5-base", "jamba-v0.1"])
def test_svg_has_the_text_of_the_diagram(name: str) -> None:
    drawn = svg(name)
    boxes = [group for group in drawn.iter(f"{SVG}g") if group.get("class") in CLASSES]
    assert [group.get("class") for group in boxes] == [
        f"llmsize-{box.kind.value} llmsize-{box.growth.value}" for box in diagram(name).boxes
    ]
    assert ["".join(texts(box)) for box in boxes] == [shown(box) for box in diagram(name).boxes]


def shown(box: Box) -> str:
    """Text of a box; the plus sign of an addition is drawn."""
    if box.kind is BoxKind.ADDITION:
        return ""
    pieces = (piece for line in box.lines for piece in line)
    texts = (each.typeset if isinstance(each, FormulaText) else str(each) for each in pieces)
    return box.title + " " * box.is_one_line + "".join(texts).replace("_", "")


CLASSES = {f"llmsize-{kind.value} llmsize-{growth.value}" for kind in BoxKind for growth in Growth}


def test_boxes_that_grow_with_the_square_have_a_double_frame() -> None:
    frames_of = {
        str(group.get("class")): [
            r for r in group.findall(f"{SVG}rect") if r.get("stroke") != "none"
        ]
        for group in svg().iter(f"{SVG}g")
    }
    assert len(frames_of["llmsize-step llmsize-square"]) == 2
    assert len(frames_of["llmsize-step llmsize-linear"]) == 1
    (rounded,) = frames_of["llmsize-step llmsize-constant"]
    assert rounded.get("rx") == "5"
    assert frames_of["llmsize-addition llmsize-constant"] == []


def test_svg_has_a_description_for_screen_readers() -> None:
    drawn, shown = svg(), diagram("gpt2")
    assert drawn.get("role") == "img"
    assert [drawn[0].text, drawn[1].text] == [shown.title, shown.description]
    assert [drawn.get("aria-labelledby"), drawn.get("aria-describedby")] == [
        drawn[0].get("id"),
        drawn[1].get("id"),
    ]


def test_boxes_are_links() -> None:
    address = 'https://example.org/?a=1&b="2"'
    drawn = svg(links={"qkv": address})
    # the links in an element with the role "img" are inaccessible
    assert drawn.get("role") == "group"
    (link,) = drawn.iter(f"{SVG}a")
    assert link.get("href") == address
    assert texts(link)[0] == "QKV projection"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_add_no_elements(name: str) -> None:
    box = Box("box", name, BoxKind.STEP, lines=((name,),), output=(name,))
    last = replace(box, id="last")
    hostile = Diagram(name, name, (Cluster("c", name, (box, last)),), (), Direction.TB)
    drawn = svg(picture=draw_pipeline(hostile))
    assert {each.tag for each in drawn.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "g", "rect", "path", "text", "tspan")
    }
    assert "".join(texts(drawn)).count(name) >= 5
    tex = render("llmsize/diagram.tex.jinja", picture=draw_pipeline(hostile), titles={})
    assert tex.count(r"\end{picture}") == 1


def test_residual_connections_of_a_layer_pass_its_steps_at_one_distance() -> None:
    drawn = draw_pipeline(diagram("jamba-v0.1"), NARROW)
    rails = [
        arrow.points
        for arrow, shown in zip(drawn.arrows, diagram("jamba-v0.1").arrows, strict=True)
        if shown.is_residual
    ]
    assert len({max(x for x, _y in points) for points in rails}) == 1 < len(rails)


@pytest.mark.parametrize("name", ["deepseek-v3", "jamba-v0.1", "mixtral-8x7b", "t5-small"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_no_piece_of_a_line_is_drawn_twice(name: str, width: int) -> None:
    drawn = draw_pipeline(diagram(name), width)

    arrows = [arrow.points for arrow in drawn.arrows]
    ends = {at for line in (*drawn.lines, *arrows) for point in line for at in point}

    def pieces(lines: Iterable[tuple[Point, ...]]) -> list[tuple[int, float, float]]:
        """Direction, position and start of each piece of the lines between two of the ends."""
        found = []
        for start, end in (straight for line in lines for straight in pairwise(line)):
            across = 0 if start[0] == end[0] else 1
            low, high = sorted(at[1 - across] for at in (start, end))
            found += [(across, start[across], at) for at in ends if low <= at < high]
        return found

    covered = pieces(drawn.lines)
    assert len(covered) == len(set(covered)) > len(drawn.lines)
    assert set(covered) == set(pieces(arrows))
