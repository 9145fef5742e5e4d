"""The composition of models: bars and a table with the same numbers, in every builder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from project import Build, Project

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Note, Table
from sphinx_llmsize.charts import Scale, StackedBar, StackedBars, unseen_parts
from sphinx_llmsize.drawing import draw
from sphinx_llmsize.drawing.palette import PARTS
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.picture_widths import NARROW, WIDE
from sphinx_llmsize.views import document
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row
from sphinx_llmsize.views.comparison.composition import compositions
from sphinx_llmsize.views.view_options import ViewOptions

GPT2, MIXTRAL = load("gpt2"), load("mixtral-8x7b")
UNDISCLOSED = ComparedRow("GPT-4", stated={"total": "undisclosed"})
PAGE = (
    "Title\n=====\n\n.. llm-compare:: gpt2, gpt2-xl\n   :show: table, composition\n"
    "   :caption: The *smallest*\n\n.. llm-compare:: gpt2, mixtral-8x7b\n   :show: composition\n"
    "   :scale: percent\n   :caption: In percent\n   :name: shares\n\nSee :numref:`shares`.\n"
)
SVG = re.compile(r"<svg xmlns.*?</svg>", re.DOTALL)


def pictures(project: Project, page: str = "index.html") -> list[str]:
    return SVG.findall(project.output(page))


def blocks(scale: Scale | None = Scale.ABSOLUTE) -> tuple[StackedBars, Table]:
    bars, table = compositions((model_row(GPT2), model_row(MIXTRAL)), scale)
    assert isinstance(bars, StackedBars)
    assert isinstance(table, Table)
    return bars, table


def test_a_bar_for_each_model_with_the_components_of_all_models() -> None:
    bars, _ = blocks()
    assert [part.label for part in bars.parts] == [
        *("Embedding", "Attention", Group.FEED_FORWARD.label, "MoE", "Norms", "LM head"),
    ]
    assert [sum(bar.values) for bar in bars.bars] == [GPT2.total, MIXTRAL.total]
    assert bars.description.startswith(
        "GPT-2 small: 124M parameters, of which embedding 31.6%, attention 22.8%, "
    )


@pytest.mark.parametrize(
    ("scale", "row", "heading"),
    [
        (Scale.ABSOLUTE, ["GPT-2 small", "39.4M", "28.3M", "56.7M", "–", "38.4K", "tied"], "Total"),
        (
            Scale.PERCENT,
            ["GPT-2 small", "31.6%", "22.8%", "45.5%", "–", "<0.1%", "tied"],
            "Parameters",
        ),
    ],
)
def test_the_table_has_the_figures_of_the_bars(scale: Scale, row: list[str], heading: str) -> None:
    bars, table = blocks(scale)
    labels = [column.label for column in table.columns]
    assert labels == ["Model", *(part.label for part in bars.parts), heading]
    cells = ["".join(map(str, line)) for (line,) in table.rows[0].cells]
    assert cells == [*row, "124M"]


def test_components_have_the_same_colour_in_every_chart() -> None:
    (alone, _), (among, _) = compositions((model_row(GPT2),)), blocks()
    colours = {part.label: part.colour for part in among.parts}
    assert isinstance(alone, StackedBars)
    assert all(colours[part.label] == part.colour for part in alone.parts)


def test_models_without_counts_are_named_below_the_chart() -> None:
    *_, note = compositions((model_row(GPT2), UNDISCLOSED))
    assert note == Note(("Without GPT-4, whose components are not known.",))
    with pytest.raises(ConfigError, match="no model has a composition"):
        compositions((UNDISCLOSED,))


NARROW_NORMS = "Norms would be too small to see."
TWO = "of GPT-2 small and Mixtral 8x7B by component"


@pytest.mark.parametrize(
    ("scale", "title", "note", "table"),
    [
        (
            *(Scale.ABSOLUTE, f"Parameters {TWO}"),
            "The bar of GPT-2 small (124M) is too short to see beside 46.7B; a log or percent "
            "scale shows it.",
            "The parameters in numbers",
        ),
        (
            *(Scale.LOG, f"Parameters {TWO}"),
            "The scale is logarithmic, and the colours divide each bar by its shares.",
            "The parameters in numbers",
        ),
        *(
            (scale, f"Shares of the parameters {TWO}", NARROW_NORMS, "The shares in numbers")
            for scale in (Scale.PERCENT, None)
        ),
    ],
)
def test_captions_of_several_models(scale: Scale | None, title: str, note: str, table: str) -> None:
    bars, numbers = blocks(scale)
    assert (bars.title, bars.note, numbers.title) == (title, note, table)
    assert numbers.name == title
    assert numbers.turns


def test_captions_of_one_model_and_of_many() -> None:
    bars, table = compositions((model_row(GPT2),))
    assert isinstance(bars, StackedBars)
    assert isinstance(table, Table)
    assert (bars.title, bars.note) == ("Parameters of GPT-2 small by component", NARROW_NORMS)
    assert table.title == "The parameters in numbers"
    assert table.name == "Parameters of GPT-2 small by component"
    unnamed = compositions((model_row(load({"model_type": "gpt2"})),))[0]
    assert isinstance(unnamed, StackedBars)
    assert unnamed.title == "Parameters by component"
    many = compositions((model_row(GPT2),) * 5)[0]
    assert isinstance(many, StackedBars)
    assert many.title == "Parameters of five language models by component"


def test_two_bars_that_are_too_short_are_named_together() -> None:
    rows = [model_row(load(name)) for name in ("gpt2", "gpt2-medium", "deepseek-v3")]
    bars = compositions(rows, Scale.ABSOLUTE)[0]
    assert isinstance(bars, StackedBars)
    assert bars.note.startswith(
        "The bars of GPT-2 small (124M) and GPT-2 medium (355M) are too short to see beside 671B;"
    )


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_the_legend_names_what_is_drawn_and_the_table_all(scale: Scale, width: int) -> None:
    bars, table = blocks(scale)
    drawn = draw(bars, width)
    seen = {area.colour for area in drawn.areas if area.tip}
    named = {part.label for part in bars.parts if PARTS[part.colour] in seen}
    labels = {part.label for part in bars.parts}
    assert {text.text for text in drawn.texts} & labels == named < labels
    assert labels <= {column.label for column in table.columns}


LABELS = (("feed_forward", "MLP"), ("total", "All"))


def test_labels_of_the_author() -> None:
    bars, table = document(GPT2, ("composition",), ViewOptions(labels=LABELS))
    assert isinstance(bars, StackedBars)
    assert isinstance(table, Table)
    assert "MLP" in {part.label for part in bars.parts}
    assert "MLP 45.5%" in bars.description
    assert {"MLP", "All"} <= {column.label for column in table.columns}


def test_the_stylesheet_shows_the_chart_that_fits_the_column(build: Build) -> None:
    page = build({"index.rst": PAGE}).output("index.html")
    wide, narrow = page.split('<div class="llmsize-wide">')[1].split('<div class="llmsize-narrow"')
    assert 'viewBox="0 0 684 ' in wide
    assert 'hidden="until-found"' in narrow
    assert 'viewBox="0 0 340 ' in narrow


def test_the_stylesheet_hides_the_caption_of_the_numbers_of_a_chart(build: Build) -> None:
    page = build({"index.rst": "T\n=\n\n.. llm-compare:: gpt2, llama-7b\n   :show: composition\n"})
    html = page.output("index.html")
    hidden = re.findall(r'<table class="[^"]*llmsize-numbers-of-chart', html)
    assert (len(hidden), html.count("<figcaption>")) == (1, 1)


def test_one_model_in_markdown() -> None:
    shown = document(MIXTRAL, ("composition",), ViewOptions())
    text = to_markdown(shown)
    assert "**Parameters of Mixtral 8x7B by component**" in text
    assert "of which token embedding" in text
    assert "| 45.1B |" in text


def test_inline_pictures_have_unique_ids(build: Build) -> None:
    more = ":orphan:\n\n" + PAGE.partition("   :name:")[0]
    project = build({"index.rst": PAGE, "more.rst": more}, numfig=True)
    assert project.log == ""
    drawn = pictures(project) + pictures(project, "more.html")
    ids = [e.get("id") for svg in drawn for e in ElementTree.fromstring(svg).iter() if e.get("id")]
    assert len(ids) == len(set(ids)) == 16
    assert "Fig. 2" in project.output("index.html").split("See ")[1]


def test_ids_of_pictures_are_unique_in_singlehtml(build: Build) -> None:
    page = "\n.. llm-size:: gpt2\n   :show: composition\n"
    index = f"Title\n=====\n\n.. toctree::\n\n   a-b\n   a_b\n{page}"
    files = {"index.rst": index, "a-b.rst": f"A\n=\n{page}", "a_b.rst": f"B\n=\n{page}"}
    ids = re.findall(r'<title id="(.*?)">', build(files, "singlehtml").output("index.html"))
    assert len(ids) == len(set(ids)) == 6


def test_hostile_names_stay_text(build: Build) -> None:
    body = "\n\n   hidden_dim: 64\n   num_layers: 2\n   num_heads: 4\n   vocab_size: 100\n"
    name = '"><script>alert(1)</script>]]>'
    page = f"T\n=\n\n.. llm-size:: {name}\n   :show: composition{body}"
    drawn = pictures(build({"index.rst": page}))
    assert len(drawn) == 2
    tags = {e.tag.rpartition("}")[2] for svg in drawn for e in ElementTree.fromstring(svg).iter()}
    assert tags == {"svg", "title", "desc", "g", "polyline", "polygon", "text"}


def test_drawn_in_latex_with_its_package(build: Build) -> None:
    tex = build({"index.rst": PAGE}, "latex", project="p").output("p.tex")
    assert tex.count(r"\begin{picture}") == 2
    assert tex.count(r"\usepackage{pict2e}") == 1
    assert "of which embedding" not in tex


def test_latex_without_charts_needs_no_package(build: Build) -> None:
    page = {"index.rst": "T\n=\n\n.. llm-compare:: gpt2\n"}
    assert "pict2e" not in build(page, "latex", project="p").output("p.tex")


@pytest.mark.parametrize(
    ("builder", "file"),
    [
        *(("text", "index.txt"), ("man", "p.1"), ("texinfo", "p.texi"), ("epub", "index.xhtml")),
        *(("xml", "index.xml"), ("pseudoxml", "index.pseudoxml")),
    ],
)
def test_other_builders_describe_the_chart_in_words(builder: str, file: str, build: Build) -> None:
    settings = {"project": "p", "author": "a", "version": "1", "copyright": "c"}
    project = build({"index.rst": PAGE}, builder, numfig=True, **settings)
    assert project.log == ""
    output = project.output(file)
    assert "<svg" not in output
    assert "of which embedding" in " ".join(output.split())
    assert "983M" in output


def test_the_same_in_both_markup_languages_and_twice(build: Build) -> None:
    rst = "Title\n=====\n\n.. llm-size:: gpt2\n   :show: composition\n"
    myst = "# Title\n\n```{llm-size} gpt2\n:show: composition\n```\n"
    first, second, third = (
        pictures(build(files))
        for files in ({"index.rst": rst}, {"index.rst": rst}, {"index.md": myst})
    )
    assert len(first) == 2
    assert first == second == third


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("   :show: compositon\n\n   gpt2", 5, "did you mean 'composition'?"),
        ("   :show: formula\n\n   gpt2", 5, "here: table, composition"),
        ("   :scale: root\n\n   gpt2", 5, "one of absolute, log, percent"),
        ("   :show: composition\n\n   A: {total: 5}", 5, "no model has a composition to show"),
        (
            "   :show: composition\n   :labels: feed_foward: MLP\n\n   gpt2",
            *(6, "did you mean 'feed_forward'?"),
        ),
        ("   :show: composition\n   :sort: totl\n\n   gpt2", 6, "did you mean 'total'?"),
    ],
)
def test_one_warning_at_the_line(body: str, line: int, message: str, build: Build) -> None:
    page = f"T\n=\n\n.. llm-compare::\n{body}\n"
    (warned,) = build({"index.rst": page}).warned
    assert warned.line == line
    assert message in warned.message


OWN = "own/llmsize/chart.svg.jinja"


def test_a_template_of_the_project(build: Build) -> None:
    files = {"index.rst": PAGE, OWN: "<p>{{ picture.title | xml }}: {{ picture.width }}</p>"}
    project = build(files, templates_path=["own"])
    titles = re.findall(r"<p>(.*? by component): 684</p>", project.output("index.html"))
    assert titles == [
        "Parameters by component",
        f"Shares of the parameters {TWO}",
    ]
    template = Path(project.app.srcdir, OWN)
    template.write_text("<p>changed</p>")
    os.utime(template, (2**31, 2**31))
    project.app.build()
    assert project.output("index.html").count("<p>changed</p>") == 4


def test_a_template_that_fails(build: Build) -> None:
    files = {"index.rst": PAGE, OWN: "{{ nothing.there }}"}
    project = build(files, templates_path=["own"])
    assert [(warned.line, warned.type) for warned in project.warned] == [
        (4, "llmsize.template"),
        (8, "llmsize.template"),
    ]
    assert "of which embedding" in project.output("index.html")


def test_parts_that_are_drawn_together_are_not_named_as_too_narrow() -> None:
    bars = (StackedBar("a", (9980, 15, 15), "10K"), StackedBar("b", (9000, 0, 1), "9K"))
    assert unseen_parts(bars, Scale.ABSOLUTE) == ()
    assert unseen_parts((bars[1],), Scale.ABSOLUTE) == (1, 2)
