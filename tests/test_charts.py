"""Charts: positions of their parts, and names as text only."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from sphinx_llmsize.charts import (
    BarPart,
    Chart,
    Curves,
    Scale,
    Series,
    StackedBar,
    StackedBars,
    too_short,
)
from sphinx_llmsize.drawing import draw
from sphinx_llmsize.drawing.bar_segments import GAP
from sphinx_llmsize.drawing.palette import PARTS, Colour, contrast, ink, luminance
from sphinx_llmsize.drawing.picture import Anchor, Area, Picture, Text
from sphinx_llmsize.drawing.scales import decades, fitting_labels, linear_ticks, log_ticks, spread
from sphinx_llmsize.drawing.text_width import MAX_LINES, text_width, wrapped
from sphinx_llmsize.escaping import escape_latex
from sphinx_llmsize.hosts.sphinx.pictures import LANGUAGES
from sphinx_llmsize.html.stylesheet import STATIC
from sphinx_llmsize.html.svg import draw_svg
from sphinx_llmsize.picture_widths import NARROW, WIDE
from sphinx_llmsize.template_files import template_name
from sphinx_llmsize.templating import render

Vector = Sequence[float]
SVG_TEMPLATE, LATEX_TEMPLATE = (template_name("chart", language) for language in LANGUAGES)
STYLESHEET = STATIC / "llmsize.css"
NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    '"><script>alert(1)</script>',
    "]]><svg onload=alert(1)>",
    "&lt;b&gt; &amp; 'x'",
    "a\nb\x00\u202ec\ud800",
    "</title></svg>",
    r"\end{picture}\input{/etc/passwd} $x_1^2$ 100% #1 {y} ~",
    "{{ 7 * 7 }} {% raw %}",
    "模型 é 🦙",
]


def stacked_bars(
    *values: tuple[int, ...], label: str = "Model", scale: Scale = Scale.ABSOLUTE
) -> StackedBars:
    parts = tuple(BarPart(f"part {place}", place) for place in range(len(values[0])))
    drawn = tuple(StackedBar(label, of, str(sum(of))) for of in values)
    return StackedBars("Title", "In words", parts, drawn, scale, "Other")


def curves(*series: tuple[float, ...], names: Sequence[str] = "abcdefgh") -> Curves:
    x = tuple(2.0**power for power in range(len(series[0])))
    named = tuple(Series(name, values) for name, values in zip(names, series, strict=False))
    return Curves("Title", "In words", "factor", x, tuple(f"×{f:g}" for f in x), named)


def visible_segments(chart: StackedBars) -> list[Area]:
    return [area for area in draw(chart).areas if area.tip]


def left(area: Area) -> float:
    return min(x for x, _ in area.corners)


def width(area: Area) -> float:
    return max(x for x, _ in area.corners) - left(area)


def right(area: Area) -> float:
    return left(area) + width(area)


def gaps(segments: Sequence[Area]) -> list[float]:
    """Distance between each segment of a bar and the next."""
    return [left(after) - right(before) for before, after in itertools.pairwise(segments)]


def text(drawn: Picture, of: str) -> Text:
    return next(text for text in drawn.texts if text.text == of)


def span(text: Text) -> tuple[float, float]:
    """Left and right end of a text, by its estimated width."""
    length = text_width(text.text)
    left = (
        text.at[0] - {Anchor.START: 0, Anchor.MIDDLE: length / 2, Anchor.END: length}[text.anchor]
    )
    return left, left + length


@pytest.mark.parametrize("scale", Scale)
def test_segments_are_as_long_as_their_values_and_lie_end_to_end(scale: Scale) -> None:
    drawn = visible_segments(stacked_bars((100, 300, 0, 200), scale=scale))
    assert [area.colour for area in drawn] == [PARTS[0], PARTS[1], PARTS[3]]
    assert gaps(drawn) == pytest.approx([GAP, GAP], abs=0.02)
    whole = right(drawn[-1]) - left(drawn[0])
    widths = [whole * share for share in (1 / 6, 3 / 6, 2 / 6)]
    assert list(map(width, drawn)) == pytest.approx(widths, abs=2 * GAP)
    assert drawn[0].tip == "Model, part 0: 100 (16.7%)"


def test_narrow_segments_lose_nothing_to_gaps() -> None:
    drawn = visible_segments(stacked_bars((5, 195, 795, 5), scale=Scale.PERCENT))
    whole = right(drawn[-1]) - left(drawn[0])
    assert width(drawn[0]) == pytest.approx(whole / 200, abs=0.02)
    assert width(drawn[3]) == pytest.approx(whole / 200, abs=0.02)
    assert gaps(drawn) == pytest.approx([GAP] * 3, abs=0.02)
    # two that are too narrow for a gap touch
    *_, first, second = visible_segments(stacked_bars((990, 5, 5), scale=Scale.PERCENT))
    assert gaps([first, second]) == pytest.approx([0], abs=0.02)


def test_segments_of_parts_in_the_legend_can_be_seen() -> None:
    values = ((20, 980), (1, 99_999))
    _, above, small, large = visible_segments(stacked_bars(*values, scale=Scale.PERCENT))
    assert width(small) == pytest.approx(1, abs=0.02)
    assert right(large) == pytest.approx(right(above), abs=0.02)
    # a bar that is too short for that has the segments that fit
    long, short = visible_segments(stacked_bars((0, 10**6), (1, 10**3)))
    assert width(short) < 1 < width(long)


def test_two_narrow_segments_of_a_short_bar_keep_their_widths() -> None:
    """If one were a pixel wide, the other would have to be narrower than it is."""
    *_, first, second = visible_segments(stacked_bars((10**6, 10**6), (1000, 2000)))
    assert 0.1 < width(first) < width(second) < 1
    assert width(second) == pytest.approx(2 * width(first), abs=0.04)
    assert gaps([first, second]) == pytest.approx([0], abs=0.02)


def test_absolute_bars_share_an_axis_and_percentages_each_fill_it() -> None:
    long, short = visible_segments(stacked_bars((1000,), (10,)))
    assert width(long) > 80 * width(short) > 0
    long, short = visible_segments(stacked_bars((1000,), (10,), scale=Scale.PERCENT))
    assert width(long) == width(short)


@pytest.mark.parametrize("values", [((0,),), ((0, 0), (0, 0)), ((10**15, 1), (1, 1))])
@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_zeros_and_huge_values_fit(
    values: tuple[tuple[int, ...]], scale: Scale, width: int
) -> None:
    drawn = draw(stacked_bars(*values, scale=scale), width)
    assert all(0 <= x <= width for area in drawn.areas for x, _ in area.corners)


@pytest.mark.parametrize("name", ["short", "A very long name " * 9, "x" * 300])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_texts_and_areas_are_within_the_picture(name: str, width: int) -> None:
    parts = (BarPart(name, 0), BarPart(name, 1))
    of = (StackedBar(name, (10**11, 10**10), name), StackedBar(name, (10**8, 10**9), "1.1B"))
    pictures = (
        draw(StackedBars("Title", "In words", parts, of), width),
        draw(curves((1, 2, 4), (1, 4, 16), (1, 1, 1), names=[name, "b", "c"]), width),
    )
    for drawn in pictures:
        assert drawn.width == width
        assert all(0 <= x <= width for area in drawn.areas for x, _ in area.corners)
        for each in drawn.texts:
            assert 0 <= each.at[1] <= drawn.height
            assert span(each)[0] >= -1
            assert span(each)[1] <= width + 1


def test_labels_are_beside_wide_bars_and_above_narrow_ones() -> None:
    chart = stacked_bars((300, 700), label="Model")
    wide, narrow = draw(chart, WIDE), draw(chart, NARROW)
    first, above = (next(area for area in drawn.areas if area.tip) for drawn in (wide, narrow))
    assert span(text(wide, "Model"))[1] <= left(first)
    assert left(above) == 0
    assert text(narrow, "Model").at[1] <= min(y for _, y in above.corners)
    assert wide.height < narrow.height


def test_a_legend_on_one_line_begins_above_the_bars() -> None:
    chart = stacked_bars((300, 700))
    swatches = [area for area in draw(chart, WIDE).areas if not area.tip]
    assert left(swatches[0]) == left(visible_segments(chart)[0])
    many = draw(stacked_bars((1,) * 8, label="A long name"), NARROW)
    rows = {text(many, f"part {number}").at[1] for number in range(8)}
    assert len(rows) == 2


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize("of", [NARROW, WIDE])
def test_the_legend_has_an_entry_for_each_part_with_a_visible_segment(
    scale: Scale, of: int
) -> None:
    chance = random.Random(of)
    for _ in range(50):
        counts = [tuple(int(10 ** chance.uniform(0, 12)) for _ in range(8)) for _ in range(3)]
        drawn = draw(stacked_bars(*counts, scale=scale), of)
        swatches = [area for area in drawn.areas if not area.tip]
        segments = [area for area in drawn.areas if area.tip]
        assert {area.colour for area in swatches} == {area.colour for area in segments}
        for swatch in swatches:
            drawn_as = [width(area) for area in segments if area.colour == swatch.colour]
            assert max(drawn_as) >= 1 - 0.1
        named = [each for each in drawn.texts if "part" in each.text or each.text == "Other"]
        assert len(swatches) == len(named)


def test_parts_that_are_too_small_to_be_told_apart_are_one_at_the_end() -> None:
    alone = (150, 100_000, 120, 0)
    drawn = visible_segments(stacked_bars(alone))
    assert [area.tip.split(":")[0] for area in drawn] == ["Model, part 1", "Model, Other"]
    assert drawn[1].tip == "Model, Other: 270 (0.3%)"
    assert left(drawn[1]) == pytest.approx(left(drawn[0]) + width(drawn[0]), abs=GAP + 0.1)
    # a part that another bar shows has its own colour in all of them
    *_first, last, own = visible_segments(stacked_bars((0, 0, 600, 0), alone))
    assert (last.colour, own.colour) == (PARTS[1], PARTS[2])
    # what is less than a pixel in all bars leaves no trace
    assert len(visible_segments(stacked_bars((1, 100_000, 1, 0)))) == 1


def test_entries_of_a_legend_in_several_rows_stand_in_columns() -> None:
    names = ("Embedding", "Attention", "FFN", "Experts", "Residual streams", "Head")
    parts = tuple(BarPart(name, place) for place, name in enumerate(names))
    chart = StackedBars("Title", "In words", parts, (StackedBar("Model", (5,) * 6, "30"),))
    narrow, wide = (
        sorted((y, x) for x, y in (text(draw(chart, of), name).at for name in names))
        for of in (NARROW, WIDE)
    )
    rows = [[x for _, x in row] for _, row in itertools.groupby(narrow, key=lambda at: at[0])]
    assert 1 < len(rows) < len(names)
    assert all(row == rows[0][: len(row)] for row in rows)
    assert len({y for y, _ in wide}) == 1


def test_gaps_in_a_legend_are_even_in_usual_fonts() -> None:
    """Estimates of widths are those in the widest fonts, in which labels don't touch either."""
    names = ("Token embedding", "Attention", "FFN", "LM head")
    parts = tuple(BarPart(name, place) for place, name in enumerate(names))
    drawn = draw(StackedBars("Title", "In words", parts, (StackedBar("Model", (5,) * 4, "20"),)))
    begins = [span(text(drawn, name))[0] for name in names]
    estimates = [text_width(name) for name in names]
    pitches = [later - begin for begin, later in itertools.pairwise(begins)]
    usual = [pitch - 0.86 * width for pitch, width in zip(pitches, estimates, strict=False)]
    assert max(usual) - min(usual) < 3
    assert all(pitch > width + 17 for pitch, width in zip(pitches, estimates, strict=False))


def test_bars_have_no_title_below_their_numbers() -> None:
    """The caption says what they show."""
    drawn = draw(stacked_bars((300, 700)))
    lowest = max(each.at[1] for each in drawn.texts)
    assert {each.text for each in drawn.texts if each.at[1] == lowest} >= {"0", "200"}
    assert drawn.height - lowest < 10


@pytest.mark.parametrize("room", ["FLOPs", "Activation elements"])
def test_lines_do_not_end_with_per(room: str) -> None:
    wrapped_label = wrapped("Activation elements per token", text_width(f"{room} per"))
    assert not [line for line in wrapped_label if line.endswith("per")]
    assert " ".join(wrapped_label) == "Activation elements per token"


def test_a_logarithmic_scale_shows_small_bars_divided_by_shares() -> None:
    values = ((10**8, 10**8), (10**11, 10**11))
    small, _, large, _ = visible_segments(stacked_bars(*values, scale=Scale.LOG))
    assert width(large) / 5 < width(small) < width(large) / 2
    drawn = draw(stacked_bars(*values, scale=Scale.LOG))
    shown = [each.text for each in drawn.texts]
    assert shown.count("50.0%") == 4
    assert [label for label in shown if label.endswith(("M", "B"))] == [
        *("10M", "100M", "1B", "10B", "100B"),
    ]


def test_bars_are_too_short_beside_a_much_longer_one() -> None:
    short, long = stacked_bars((10, 29), (9000, 1000)).bars
    assert too_short((short, long)) == (short,)
    assert too_short((short,)) == too_short(()) == ()


def test_decades_begin_below_the_smallest_number() -> None:
    assert decades(124, 6738) == (10, 100, 1000)
    assert decades(1, 9) == (1,)


@pytest.mark.parametrize(
    ("largest", "ticks"),
    [
        (0, [0]),
        (7, [0, 2, 4, 6]),
        (100, [0, 20, 40, 60, 80, 100]),
        (1_557_611_200, [0, 5 * 10**8, 10**9, 15 * 10**8]),
    ],
)
def test_ticks_are_round(largest: int, ticks: list[int]) -> None:
    assert list(linear_ticks(largest)) == ticks


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([1, 4], [1, 2, 4]),
        ([0.3, 64], [0.25, 1, 4, 16, 64]),
        ([1, 1], [0.5, 1, 2]),
        ([1, 5000], [1, 10, 100, 1000, 10000]),
    ],
)
def test_logarithmic_ticks_enclose_the_values(values: list[float], ticks: list[float]) -> None:
    assert list(log_ticks(values)) == ticks


def test_labels_move_only_to_avoid_overlaps() -> None:
    assert spread([10, 50], [8, 8], 0, 100) == [10, 50]
    assert spread([50, 50], [10, 10], 0, 100) == [45, 55]
    assert spread([0, 0, 100], [10, 10, 10], 0, 100) == [5, 15, 95]


@pytest.mark.parametrize("seed", range(20))
def test_spread_labels_never_overlap(seed: int) -> None:
    chance = random.Random(seed)
    sizes = [chance.uniform(5, 30) for _ in range(6)]
    wanted = sorted(chance.uniform(-20, 220) for _ in sizes)
    centres = spread(wanted, sizes, 0, 200)
    windows = [(c - size / 2, c + size / 2) for c, size in zip(centres, sizes, strict=True)]
    assert windows[0][0] >= -1e-9
    assert windows[-1][1] <= 200 + 1e-9
    assert all(above[1] <= below[0] + 1e-9 for above, below in itertools.pairwise(windows))


def test_every_second_label_is_shown_if_all_do_not_fit() -> None:
    assert list(fitting_labels([0, 10, 20, 30], [5] * 4, 1)) == [0, 1, 2, 3]
    assert list(fitting_labels([0, 10, 20, 30], [15] * 4, 1)) == [0, 2]


def test_curves_have_logarithmic_axes() -> None:
    drawn = draw(curves((1, 2, 4), (1, 4, 16)))
    once, twice = [stroke.points for stroke in drawn.strokes if stroke.colour]
    assert once[0] == twice[0]
    assert 2 * (once[0][1] - once[2][1]) == pytest.approx(twice[0][1] - twice[2][1], abs=0.1)
    assert once[1][0] - once[0][0] == pytest.approx(once[2][0] - once[1][0], abs=0.1)


def test_curves_that_coincide_are_drawn_once_with_all_names() -> None:
    drawn = draw(curves((1, 2, 4), (1, 4, 16), (1, 2, 4.001)))
    assert len([stroke for stroke in drawn.strokes if stroke.colour]) == 2
    assert {"a,", "c", "b"} <= {text.text for text in drawn.texts}


def test_many_curves_that_coincide_are_all_named() -> None:
    names = [f"a quantity number {number}" for number in range(6)]
    drawn = draw(curves(*((1, 2, 4),) * 6, names=names))
    shown = " ".join(text.text for text in drawn.texts)
    assert ", ".join(names) in shown


def test_curves_differ_in_dashes_and_markers() -> None:
    drawn = draw(curves(*((1.0, 1.5**power, 3.0**power) for power in range(6))))
    lines = [stroke for stroke in drawn.strokes if stroke.colour]
    assert len({line.colour for line in lines}) == len({line.dashes for line in lines}) == 6
    keys = [area for area in drawn.areas if not area.tip]
    outlines = {
        tuple(
            (round(x - area.corners[0][0], 1), round(y - area.corners[0][1], 1))
            for x, y in area.corners
        )
        for area in keys
    }
    assert len(outlines) == 6


def test_markers_have_the_number_as_a_tooltip() -> None:
    tips = [area.tip for area in draw(curves((1, 3.924), names=["Weights"])).areas if area.tip]
    assert tips == ["Weights, ×1: 1×", "Weights, ×2: 3.92×"]


def test_values_that_are_not_positive_are_not_drawn() -> None:
    drawn = draw(curves((1, 2, 4), (0, 2, 4), (0, 0, 0)))
    assert [len(stroke.points) for stroke in drawn.strokes if stroke.colour] == [3, 2]
    assert draw(curves((0, 0), names=["nothing"])).areas == ()


def test_long_names_are_wrapped() -> None:
    for name in ("word " * 40, "x" * 300, "", "模" * 90):
        lines = wrapped(name, 100)
        assert len(lines) <= MAX_LINES
        assert all(text_width(line) <= 100 for line in lines)


LIGHT = {colour.name: colour.hex for colour in PARTS}
DARK = dict(
    re.findall(r"--llmsize-([\w-]+): var\(--llmsize-dark\) #(\w+);", STYLESHEET.read_text("utf-8"))
)
BACKGROUND = {"light": "FCFCFC", "dark": "1A1C1E"}
"""Backgrounds with the least contrast of furo, pydata, Sphinx Book, Read the Docs, Alabaster."""
COLOUR_BLINDNESS = {
    "": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""Matrices for linear sRGB from Machado, Oliveira and Fernandes 2009, severity 1; none of it."""
OKLAB = (
    ((0.4122, 0.5363, 0.0514), (0.2119, 0.6807, 0.1074), (0.0883, 0.2817, 0.6300)),
    ((0.2105, 0.7936, -0.0041), (1.9780, -2.4286, 0.4506), (0.0259, 0.7828, -0.8087)),
)


def product(matrix: Sequence[Vector], vector: Vector) -> Vector:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def in_oklab(hex: str, without: str) -> Vector:
    """A colour's position in OKLab with a kind of colour blindness."""
    linear = tuple(luminance(hex[i : i + 2] * 3) for i in (0, 2, 4))
    cones = product(
        OKLAB[0], [min(max(c, 0), 1) for c in product(COLOUR_BLINDNESS[without], linear)]
    )
    return product(OKLAB[1], [cone ** (1 / 3) for cone in cones])


@pytest.mark.parametrize("without", COLOUR_BLINDNESS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_distinct_with_colour_blindness(theme: str, without: str) -> None:
    shown = {name: (LIGHT if theme == "light" else DARK)[name] for name in LIGHT}
    for one, other in itertools.combinations(shown.values(), 2):
        assert math.dist(in_oklab(one, without), in_oklab(other, without)) > 0.06


@pytest.mark.parametrize("colour", PARTS, ids=lambda colour: colour.name)
def test_a_colour_has_the_same_hue_in_light_and_dark_themes(colour: Colour) -> None:
    hues, chromas = [], []
    for hex in (colour.hex, DARK[colour.name]):
        _, a, b = in_oklab(hex, "")
        hues.append(math.degrees(math.atan2(b, a)))
        chromas.append(math.hypot(a, b))
    turn = abs(hues[0] - hues[1]) % 360
    assert min(turn, 360 - turn) < 20 or max(chromas) < 0.02


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colour", PARTS, ids=lambda colour: colour.name)
def test_colours_have_enough_contrast(colour: Colour, theme: str) -> None:
    is_light = theme == "light"
    shown = colour.hex if is_light else DARK[colour.name]
    written = ink(colour).hex if is_light else DARK["ink"] * 2
    assert contrast_between(shown, BACKGROUND[theme]) >= 3
    assert contrast_between(shown, written) >= 4.5


def contrast_between(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return contrast(lighter, darker)


def hostile_charts(name: str) -> list[Chart]:
    bar = StackedBar(name, (1, 2), name)
    parts = (BarPart(name, 0), BarPart(name, 7))
    return [
        StackedBars(name, name, parts, (bar,)),
        Curves(name, name, name, (1, 2), (name, name), (Series(name, (1, 2)),)),
    ]


@pytest.mark.parametrize("kind", [0, 1], ids=["bars", "curves"])
@pytest.mark.parametrize("name", HOSTILE)
def test_names_add_no_elements(name: str, kind: int) -> None:
    def elements(of: str) -> list[str]:
        svg = draw_svg(hostile_charts(of)[kind], SVG_TEMPLATE, id=of)
        return sorted({each.tag for each in ElementTree.fromstring(svg).iter()})

    allowed = ("desc", "g", "polygon", "polyline", "svg", "text", "title")
    assert elements(name) == elements("plain") == [f"{NAMESPACE}{tag}" for tag in allowed]


def test_names_are_shown_unchanged() -> None:
    chart = hostile_charts("<b>&amp;")[0]
    root = ElementTree.fromstring(draw_svg(chart, SVG_TEMPLATE, id="id"))
    assert {text.text for text in root.iter(f"{NAMESPACE}text")} >= {"<b>&amp;"}
    title, description = root[0], root[1]
    assert (title.text, description.text) == ("<b>&amp;", "<b>&amp;")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == title.get("id") == "id-title"
    assert root.get("aria-describedby") == description.get("id")


@pytest.mark.parametrize("kind", [0, 1], ids=["bars", "curves"])
def test_latex_and_svg_draw_the_same(kind: int) -> None:
    chart = hostile_charts("name")[kind]
    drawn = draw(chart)
    tex = render(LATEX_TEMPLATE, picture=drawn)
    assert tex.count(r"\polygon*") == len(drawn.areas)
    assert tex.count(r"\polyline") == len(drawn.strokes)
    assert tex.count(r"\put") == len(drawn.texts)


def test_latex_commands_in_names_are_text() -> None:
    shown = escape_latex(HOSTILE[5])
    assert r"\end" not in shown.replace(r"\textbackslash{}end", "")
    assert r"\$x\_1\textasciicircum{}2\$ 100\% \#1 \{y\} \textasciitilde{}" in shown
    assert escape_latex("--") == "{-}{-}"


def test_every_number_in_a_picture_is_finite() -> None:
    drawn = draw(curves((1e-9, 1, 1e30)))
    assert all(math.isfinite(x + y) for stroke in drawn.strokes for x, y in stroke.points)
