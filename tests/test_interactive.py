"""Interactive models without a browser: traced numbers, exported expressions, and static output."""

from __future__ import annotations

import gzip
import json
import math
import re
from fractions import Fraction
from pathlib import Path

import explored
import pytest
from families import EVERY_PRESET, ONE_OF_EACH_FAMILY, SOME_PRESETS
from markdown import markdown
from project import Build
from test_builders import Builders, written

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Heading, with_ids
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import aligned, percent, short, thousands
from sphinx_llmsize.hosts import HOSTS, host
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.hosts.python_markdown import makeExtension
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.interactive_page import embedded_script, module, script, styles
from sphinx_llmsize.html.standalone_page import page
from sphinx_llmsize.interactive.control_values import with_followers
from sphinx_llmsize.interactive.controls import SIZES
from sphinx_llmsize.interactive.explorer import Explorer, explore
from sphinx_llmsize.interactive.option_controls import initial_options
from sphinx_llmsize.interactive.traceable_sizes import traceable_sizes
from sphinx_llmsize.interactive.variants import all_hold
from sphinx_llmsize.marks import MARK, text_position, without_marks
from sphinx_llmsize.model import Model
from sphinx_llmsize.report import Report
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import (
    Trace,
    evaluate,
    is_whole,
    lesser,
    look_up,
    nearest,
    quotient,
    untraced,
    variable,
)
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views import TRACEABLE_VIEWS, document
from sphinx_llmsize.views.shared.lengths import context_of, tokens_of
from sphinx_llmsize.views.view_options import ViewOptions

TITLE = "Title\n=====\n"
VIEWS = ("table", "formula")
TABLE = ("table",)
TOKEN_VIEWS = ("table", "shapes", "memory", "compute")
SLOW = ("deepseek-v3", "t5-small", "llama-7b", "qwen2.5-0.5b") if EVERY_PRESET else ()
"""Models for tests that explore several views, which takes seconds."""
LIMIT = 10_300
"""Bytes of the script, compressed."""
DIRECTIVE = """
.. llm-size:: llama-7b
   :show: table, formula, diagram
   :interactive:
   :links: qkv: https://example.org
   :name: my-table

See :ref:`the table <my-table>`.
"""


class TestTracedNumbers:
    """Numbers with their expressions."""

    def test_arithmetic_is_exact_and_can_be_repeated(self) -> None:
        trace = Trace()
        d, h = variable(trace, "D", 4096), variable(trace, "H", 32)
        made = {
            "sum": 3 * d + h - 1,
            "head_dim": d // h,
            "rest": d % (h + 1),
            "ratio": quotient(d, 3) / h,
            "square": d**2,
            "up": math.ceil(quotient(d, 3)),
            "nearest": nearest(quotient(d, 3)),
            "half": nearest(quotient(d, 16)),
            "numerator": quotient(d, 3).numerator,
            "entry": look_up(h, {31: 7, 32: 9, 33: 8}),
            "lesser": lesser(h, 20),
            "lesser of both": lesser(h, d),
        }
        assert untraced(made["ratio"]) == Fraction(128, 3)
        values = evaluate(trace.nodes, {"D": 5000, "H": 33})
        found = {name: values[number.position] for name, number in made.items()}
        assert found == {
            "sum": 15032,
            "head_dim": 151,
            "rest": 2,
            "ratio": Fraction(5000, 99),
            "square": 25_000_000,
            "up": 1667,
            "nearest": 1667,
            "half": 313,
            "numerator": 5000,
            "entry": 8,
            "lesser": 20,
            "lesser of both": 33,
        }

    def test_decisions_are_recorded(self) -> None:
        trace = Trace()
        d = variable(trace, "D", 4096)
        with trace.recording() as conditions:
            assert d > 100
            assert d != 5
            assert int(d) == 4096
            assert list(range(d // 1024)) == [0, 1, 2, 3]
        held = [(operator, trace.nodes[a], trace.nodes[b]) for operator, a, b in conditions]
        assert ("<", (100,), ("=", "D")) in held
        assert ("==", ("=", "D"), (4096,)) in held
        assert ("//", 0, trace.position_of(1024)) in trace.nodes

    def test_texts_are_marked(self) -> None:
        trace = Trace()
        d = variable(trace, "D", 4096)
        for text, form in (
            (thousands(d), "thousands"),
            (short(d * d), "short"),
            (percent(quotient(d, 8192)), "percent"),
            (_("{number} rows", number=d), "thousands"),
            (ngettext("{n} row", "{n} rows", d, n=d), "thousands"),
            (aligned([d, d // 3])[1], "aligned"),
            (f"{d}", "plain"),
        ):
            mark = MARK.search(text)
            assert mark
            assert trace.texts[text_position(mark)][0] == form
        assert without_marks(_("{number} rows", number=d)) == "4,096 rows"
        assert is_whole(d)

    def test_untraced_numbers_have_no_marks(self) -> None:
        assert thousands(4096) == "4,096"
        assert quotient(1, 3) == Fraction(1, 3)


@pytest.mark.presets
@pytest.mark.parametrize("name", ["gpt2", "mamba-130m", *SLOW])
def test_the_static_views_are_the_usual_ones(name: str) -> None:
    model = load(name)
    shown = fragment(explored.explored(model, VIEWS))
    static = re.sub(r"<template>.*?</template>|<script.*?</script>", "", shown, flags=re.DOTALL)
    usual = fragment(document(model, VIEWS, ViewOptions()))
    assert explored.text_of(static) == explored.text_of(usual)
    assert "data-llmsize-number" not in usual
    assert MARK.search(re.sub(r"<[^<>]*>", "", static)) is None


@pytest.mark.presets
@pytest.mark.parametrize("name", ["bert-base-uncased", *SLOW])
def test_static_views_have_their_own_numbers_of_tokens(name: str) -> None:
    """The controls set one number for all views, and the columns of the memory that it names."""
    model = load(name)
    usual = document(model, TOKEN_VIEWS, ViewOptions())
    interactive = explored.explored(model, TOKEN_VIEWS)
    assert tuple(interactive) == tuple(usual)
    shown = fragment(interactive)
    static = re.sub(r"<template>.*?</template>|<script.*?</script>", "", shown, flags=re.DOTALL)
    assert explored.text_of(static) == explored.text_of(fragment(usual))
    # the script shows another variant at once
    explorer = interactive.explorer
    numbers = evaluate(explorer.trace.nodes, {each.name: each.value for each in explorer.controls})
    for variants in explorer.views.values():
        assert any(all_hold(variant.conditions, numbers) for variant in variants)
    shapes = explorer.views["shapes"]
    assert not all_hold(shapes[0].conditions, numbers)


@pytest.mark.parametrize("given", [{}, {"tokens": 64}, {"context": 64}])
def test_explorers_begin_with_the_tokens_of_static_views(given: dict[str, int]) -> None:
    options = ViewOptions(**given)
    for name in ONE_OF_EACH_FAMILY:
        model = load(name)
        initial = initial_options(model, ("compute",), options)
        static = {tokens_of(model, options), context_of(model, options)}
        assert static == {initial.tokens} == {initial.context}, name


def test_controls_are_the_sizes_that_a_model_has() -> None:
    names = {
        name: [control.name for control in explored.explored(load(name), (view,)).explorer.controls]
        for name, view in (
            ("llama-7b", "table"),
            ("gpt2", "table"),
            ("deepseek-v3", "table"),
            ("bart-base", "composition"),
            ("switch-base-8", "composition"),
            ("nemotron-h-8b", "composition"),
        )
    }
    assert names == {
        "llama-7b": ["D", "L", "H", "H_kv", "F", "V"],
        # the weights of its attention are D × D, and the width of its MLP is written as 4D
        "gpt2": ["D", "L", "V"],
        "deepseek-v3": ["D", "L", "H", "F", "V", "E", "k", "F_e"],
        "bart-base": ["D", "L_enc", "L_dec", "F_enc", "F_dec", "V"],
        "switch-base-8": ["D", "L_enc", "L_dec", "H", "F", "V", "E"],
        # its configuration lists the layers, and has sizes of experts, but no layer with experts
        "nemotron-h-8b": ["D", "H", "H_kv", "F", "V"],
    }
    assert {name for each in names.values() for name in each} <= {s.name for s in SIZES}


@pytest.mark.parametrize(
    ("name", "views"),
    [
        ("opt-125m", ("compute",)),
        ("bert-base-uncased", TOKEN_VIEWS),
        ("nemotron-h-8b", ("shapes",)),
    ],
)
def test_conditions_depend_on_controls_only(name: str, views: tuple[str, ...]) -> None:
    """The script knows no other sizes; OPT's hidden dimension has no control."""
    explorer = explored.explored(load(name), views).explorer
    variants = [variant for each in explorer.views.values() for variant in each]
    assert variants[0].conditions
    conditions = [condition for variant in variants for condition in variant.conditions]
    positions = [position for _operator, *positions in conditions for position in positions]
    names = {control.name for control in explorer.controls}
    assert explorer.trace.variables_of(positions) <= names


@pytest.mark.presets
@pytest.mark.parametrize("name", ["gemma-2-2b", "mixtral-8x7b", *SLOW])
def test_each_step_of_a_slider_fits_the_other_sizes(name: str) -> None:
    explorer = explored.explored(load(name), TABLE).explorer
    for control in explorer.controls:
        for step in control.steps:
            assert explored.model_at(explorer, {control.name: step})


@pytest.mark.presets
@pytest.mark.parametrize("name", ["falcon-7b", "plamo-13b", "qwen3-30b-a3b", *SOME_PRESETS])
def test_every_control_has_an_effect(name: str) -> None:
    """Changes without effect are refused, so that a control must not make one."""
    model = load(name)
    messages = [
        message_of_change(model, {control.key.name: step})
        for control in traceable_sizes(model, Trace(), ()).controls
        if control.key
        for step in {control.steps[0], control.steps[-1]} - {control.value}
    ]
    assert not [message for message in messages if "has no effect" in message]


def message_of_change(model: Model, sizes: dict[str, int]) -> str:
    """Message of an error; empty if the model can have the sizes."""
    try:
        apply_changes(model, section_of(sizes))
    except ConfigError as error:
        return error.message
    return ""


@pytest.mark.parametrize(
    ("name", "size", "has_control"),
    [
        ("llama-3.3-nemotron-super-49b", "D", False),  # rounds the widths of each layer
        ("olmo-hybrid-7b", "D", True),
        ("lfm2-350m", "F", True),
    ],
)
def test_a_size_with_another_structure_at_each_step_has_no_control(
    name: str, size: str, *, has_control: bool
) -> None:
    explorer = explore(load(name), ("rule",), ViewOptions())
    assert (size in {control.name for control in explorer.controls}) is has_control
    assert len(explorer.results) == 1


def test_experts_in_use_are_lowered_as_in_a_configuration() -> None:
    explorer = explored.explored(load("mixtral-8x7b"), TABLE).explorer
    lowered = with_followers(explorer.trace, explorer.controls, {"E": 1})
    assert lowered["k"] == 1
    values = evaluate(explorer.trace.nodes, lowered)
    (result,) = explorer.results
    mark = MARK.search(result.text)
    assert mark
    _form, (total,), *_others = explorer.trace.texts[text_position(mark)]
    assert all_hold(result.conditions, values)
    assert values[total] == load("mixtral-8x7b", {"num_experts": 1}).total
    written = with_followers(explorer.trace, explorer.controls, {"E": 1, "k": 2})
    values = evaluate(explorer.trace.nodes, written)
    (message,) = (each.text for each in explorer.errors if all_hold(each.conditions, values))
    expected = "A token cannot use N experts: there is only one"
    assert re.sub(r"\d+", "N", without_marks(message)) == expected


@pytest.mark.parametrize("layers", [{"L_enc": 18}, {"L_dec": 15}, {"L_enc": 24, "L_dec": 13}])
def test_layers_of_encoder_and_decoder_are_counted_apart(layers: dict[str, int]) -> None:
    explorer = explored.explored(load("switch-base-8"), ("composition",)).explorer
    values = evaluate(
        explorer.trace.nodes, with_followers(explorer.trace, explorer.controls, layers)
    )
    (result,) = (each for each in explorer.results if all_hold(each.conditions, values))
    mark = MARK.search(result.text)
    assert mark
    _form, (total,), *_others = explorer.trace.texts[text_position(mark)]
    assert values[total] == explored.model_at(explorer, layers).total


def test_layers_of_several_kinds_are_counted_by_tables() -> None:
    explorer = explored.explored(load("jamba-v0.1"), ("diagram",)).explorer
    layers = next(control for control in explorer.controls if control.name == "L")
    assert (layers.value, layers.most) == (32, 200)
    assert any(node[0] == "at" for node in explorer.trace.nodes)


def test_layers_are_listed_only_for_the_number_of_layers_of_the_model() -> None:
    """The page hides the list of a diagram as soon as a reader changes a size."""
    interactive = explored.explored(load("lfm2-350m"), ("diagram",))
    assert not views_without_variant(interactive.explorer, {"L": 17})
    html = fragment(interactive)
    listed = "The attention layers are 3, 6, 9, 11, 13 and 15, counted from 1."
    assert f'<span class="llmsize-of-preset">{listed}</span>' in html


def test_sizes_that_equal_others_are_followed() -> None:
    """Between the steps of a slider: Minitron's heads are together as wide as D = 6,144."""
    explorer = explore(load("minitron-8b-base"), ("rule",), ViewOptions())
    hidden = next(each for each in explorer.controls if each.name == "D")
    assert 6144 not in hidden.steps
    assert not views_without_variant(explorer, {"D": 6144})


@pytest.mark.presets
@pytest.mark.parametrize("name", ["bert-base-uncased", *SLOW])
def test_the_least_values_have_variants(name: str) -> None:
    """For one token, texts have a singular."""
    explorer = explored.explored(load(name), TOKEN_VIEWS).explorer
    for control in explorer.controls:
        missing = views_without_variant(explorer, {control.name: control.least})
        assert not missing, (control.name, missing)


def test_pairs_of_values_have_variants_near_their_sliders() -> None:
    """Numbers of 1 are left out of products; no slider of a width goes down to 1."""
    explorer = explored.explored(load("mixtral-8x7b"), ("formula",)).explorer
    for setting in ({"L": 1, "H_kv": 1}, {"L": 1, "E": 1}, {"H_kv": 1, "k": 1}, {"F": 1}, {"V": 1}):
        assert not views_without_variant(explorer, setting)
    assert views_without_variant(explorer, {"F": 1, "V": 1}) == ["formula"]


def test_a_ratio_of_1_has_a_variant() -> None:
    """At F = D, a text such as F = D/2 has neither a numerator nor a denominator."""
    explorer = explore(load("olmoe-1b-7b-0924"), ("rule",), ViewOptions())
    assert not views_without_variant(explorer, {"F": 2048})
    assert not views_without_variant(explorer, {"D": 1024})


def views_without_variant(explorer: Explorer, setting: dict[str, int]) -> list[str]:
    """Names of the views that a page can't show for a setting; none if it is contradictory."""
    values = with_followers(explorer.trace, explorer.controls, setting)
    numbers = evaluate(explorer.trace.nodes, values)
    if any(all_hold(error.conditions, numbers) for error in explorer.errors):
        return []
    return [
        name
        for name, variants in explorer.views.items()
        if not any(all_hold(each.conditions, numbers) for each in variants)
    ]


@pytest.mark.parametrize(
    ("name", "size", "expected"), [("minicpm3-4b", 8192, [50_601_945_600]), ("llama-7b", 33, [])]
)
def test_totals_are_only_for_sizes_with_the_same_structure(
    name: str, size: int, expected: list[int]
) -> None:
    """MiniCPM3 has other layers, which are traced too; 33 heads don't divide D."""
    model = load(name)
    for view in ("table", "composition"):
        explorer = explore(model, (view,), ViewOptions())
        setting = {each.name: each.value for each in explorer.controls} | {"H": size}
        values = evaluate(explorer.trace.nodes, setting)
        found = [each.text for each in explorer.results if all_hold(each.conditions, values)]
        marks = [text_position(mark) for text in found for mark in MARK.finditer(text)]
        totals = [values[explorer.trace.texts[mark][1][0]] for mark in marks]
        assert totals in ([], expected)


def test_contradictions_have_messages() -> None:
    explorer = explored.explored(load("mixtral-8x7b"), TABLE).explorer
    messages = {re.sub(r"[\d,]+", "N", without_marks(error.text)) for error in explorer.errors}
    assert messages == {
        "N heads do not divide hidden dimension N",
        "N key/value heads do not divide N heads",
        "N key/value heads do not divide a single head",
        "A token cannot use N of N experts",
        "A token cannot use N experts: there is only one",
    }


def test_other_views_are_shown_for_the_own_sizes_only() -> None:
    explorer = explored.explored(load("llama-7b"), ("table", "scaling")).explorer
    (only,) = explorer.views["scaling"]
    assert len(only.conditions) == len(explorer.controls)
    heading, *blocks = only.blocks
    assert heading == Heading(("Scaling",))
    static = document(load("llama-7b"), ("table", "scaling"), ViewOptions())
    assert tuple(with_ids("scaling", blocks)) == static[static.index(heading) + 1 :]
    # the tokens are in the scaling view, but not in the composition
    views = ("compute", "scaling", "composition")
    explorer = explored.explored(load("llama-7b"), views).explorer
    assert views_without_variant(explorer, {"T": 64}) == ["scaling"]
    assert views_without_variant(explorer, {"F": 64}) == ["scaling", "composition"]


@pytest.mark.parametrize("name", sorted(TRACEABLE_VIEWS))
def test_traceable_views_follow_the_controls(name: str) -> None:
    explorer = explored.explored(load("llama-7b"), (name,)).explorer
    setting = {control.name: control.value for control in explorer.controls} | {"L": 40}
    values = evaluate(explorer.trace.nodes, setting)
    for variants in explorer.views.values():
        assert any(all_hold(variant.conditions, values) for variant in variants)


@pytest.mark.parametrize("name", sorted(TRACEABLE_VIEWS))
def test_the_script_has_every_format(name: str) -> None:
    begin = module().index("const FORMATS = {")
    formats = {
        "name",
        "title",
        *re.findall(r"^  (\w+): ", module()[begin:].split("\n};")[0], re.MULTILINE),
    }
    texts = explored.explored(load("llama-7b"), (name,)).explorer.trace.texts
    assert texts
    assert {format_name for format_name, *_others in texts} <= formats


def test_the_script_is_small() -> None:
    start = script().removeprefix(module())
    assert len(gzip.compress((module() + start[-600:]).encode())) < LIMIT
    assert len(gzip.compress(script().encode())) < LIMIT
    assert not re.search(r"\beval\b|new Function|https?:|innerHTML =(?! html)", script())
    assert "</" not in script() + styles()


@pytest.mark.parametrize("name", HOSTS)
def test_every_host_shows_the_views(name: str) -> None:
    model = load("gpt2")
    shown = host(name)(Report("GPT-2", (model,), lambda: explored.explored(model, ("table",))))
    usual = host(name)(
        Report("GPT-2", (model,), lambda: document(model, ("table",), ViewOptions()))
    )
    without_data = re.sub(r"<script.*?</script>", "", shown, flags=re.DOTALL)
    assert MARK.search(re.sub(r"<[^<>]*>", "", without_data)) is None
    assert (shown == usual) is (name != "html")


def test_explorer_and_static_views_have_the_caption() -> None:
    interactive, usual = (
        load("gpt2").show("table", caption="Four sizes", interactive=value).blocks
        for value in (True, False)
    )
    assert interactive == usual
    assert "Four sizes" in to_markdown(interactive)
    assert "Four sizes" in fragment(interactive)


@pytest.mark.parametrize("views", ["table", "diagram, table"])
def test_sphinx_shows_the_caption_of_static_views_once(views: str, build: Build) -> None:
    options = f"   :show: {views}\n   :interactive:\n   :caption: Four sizes\n"
    built = build({"index.rst": f"{TITLE}\n.. llm-size:: gpt2\n{options}"}, "text")
    assert built.output("index.txt").count("Four sizes") == 1


@pytest.mark.parametrize("option", ["tokens", "context"])
def test_an_error_names_the_option_that_the_author_set(option: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load("gpt2").show("memory", interactive=True, **{option: 5000})
    assert raised.value.option == option


def test_only_interactive_pages_have_a_script() -> None:
    interactive, usual = explored.explored(load("gpt2"), VIEWS), load("gpt2").show("table").blocks
    assert "<script>" in page("GPT-2", interactive)
    assert "<script" not in page("GPT-2", usual)
    assert embedded_script((usual,)) == ""


def test_data_cannot_end_its_element() -> None:
    model = load({"hidden_dim": 64, "num_layers": 2, "num_heads": 2, "vocab_size": 9, "ffn_dim": 8})
    shown = fragment(explored.explored(model, VIEWS))
    (data,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', shown)
    assert "<" not in data
    (model_data,) = json.loads(data)
    assert model_data["controls"][0]["name"] == "D"


def test_sphinx_loads_the_script_only_where_it_is_needed(build: Build) -> None:
    usual = DIRECTIVE.replace("   :interactive:\n", "").replace("my-table", "other")
    myst = "# MyST\n\n```{llm-size} gpt2\n:show: table\n:interactive:\n```\n"
    built = build({"index.rst": TITLE + DIRECTIVE, "other.rst": TITLE + usual, "myst.md": myst})
    index = built.output("index.html")
    assert built.log == ""
    assert "llmsize-explorer.js" in index
    assert "llmsize-explorer" not in built.output("other.html")
    assert built.output("_static/llmsize-explorer.js") == script()
    assert built.output("_static/llmsize-explorer.css") == styles()
    assert 'href="https://example.org"' in index
    assert "llmsize-link:" not in index
    assert '<span id="my-table"></span>' in index
    ids = re.findall(r' id="([^"]+)"', re.sub(r"<template>.*?</template>", "", index, flags=re.S))
    assert len(ids) == len(set(ids))
    assert "mathjax" not in index.casefold().replace("mathjax_ignore", "")
    assert '"layout":".. llm-size:: {name}' in index
    assert '"layout":"```{llm-size} {name}' in built.output("myst.html")


def test_links_of_stages_lead_from_the_boxes_that_contain_them(build: Build) -> None:
    url = "https://example.org/?a=1&copy"
    directive = f"""
.. llm-size:: llama-7b
   :show: diagram
   :detail: brief
   :interactive:
   :links: qkv: {url}, lm_head: page
"""
    built = build({"index.rst": TITLE + directive, "page.rst": TITLE})
    assert built.log == ""
    links = re.findall(r'<a href="([^"]+)">', built.output("index.html"))
    assert {"https://example.org/?a=1&amp;copy", "page.html"} <= set(links)
    assert "llmsize-link:" not in built.output("index.html")


def test_other_builders_show_the_views(tmp_path: Path) -> None:
    directive = "\n.. llm-size:: llama-7b\n   :show: table\n   :interactive:\n"
    builders = Builders(tmp_path, {"index.rst": TITLE + directive}, project="p")
    for builder in ("text", "latex", "epub", "xml"):
        page = written(builders.project(builder))
        assert "6,738,415,616" in page, builder
        assert "data-llmsize-number" not in page, builder


def test_python_markdown_has_the_script_once_a_page() -> None:
    fence = "```llm-size {}\n:show: table\n:interactive:\n```\n\n"
    text = fence.format("gpt2") + fence.format("llama-7b")
    page = markdown(text, extensions=[makeExtension()])
    assert page.count('class="llmsize llmsize-explorer"') == 2
    assert page.count("<script>") == 1
    ids = re.findall(r'class="llmsize llmsize-explorer" id="([^"]+)"', page)
    assert len(set(ids)) == 2
