"""Interactive models in a browser: what a reader sets, and what the page then shows.

``nox -s explorer`` compares 10,000 settings over 20 families with Python.

Environment:
    LLMSIZE_EXPLORER_SETTINGS: number of settings for each model of :data:`EVERY_MODEL`.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import explored
import pytest
from markdown import markdown

from sphinx_llmsize import load, views
from sphinx_llmsize.cli import main
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.python_markdown import makeExtension
from sphinx_llmsize.html.class_names import FOLDED_CLASS, NARROW_CLASS, OF_PRESET_CLASS
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.interactive_page import module
from sphinx_llmsize.html.standalone_page import page as html_page
from sphinx_llmsize.interactive.explorer import Explorer

from .conftest import LOOKS
from .visit import Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
VIEWS = tuple(name for name in views.VIEWS if name in views.TRACEABLE_VIEWS)
MODELS = ("llama-7b", "deepseek-v3", "jamba-v0.1")
EVERY_MODEL = (
    *MODELS, "gpt2", "mixtral-8x7b", "gemma-2-2b", "qwen3-30b-a3b", "bert-base-uncased", "t5-small",
    "falcon-7b", "mamba-130m", "phi-2", "opt-125m", "bloom-560m", "gpt-oss-20b", "switch-base-8",
    "command-r-v01", "stablelm-2-1_6b", "rwkv-4-169m-pile", "bart-base", "qwen3-next-80b-a3b",
)  # fmt: skip
MANY = int(os.environ.get("LLMSIZE_EXPLORER_SETTINGS", "0"))
EXPLORER = "document.querySelector('.llmsize-explorer').explorer"
TEXTS = f"""(settings) => settings.map((values) => {{
  const explorer = {EXPLORER};
  explorer.values = {{...values}};
  explorer.update();
  const text = (element) => {{
    const copy = element.cloneNode(true);
    if (explorer.isChanged)
      copy.querySelectorAll(".{OF_PRESET_CLASS}").forEach((each) => each.remove());
    const formulas = [...copy.querySelectorAll("annotation")];
    formulas.forEach((each) => each.remove());
    const all = copy.textContent;
    copy.querySelectorAll(".{FOLDED_CLASS}, .{NARROW_CLASS}").forEach((each) => each.remove());
    return [all, copy.textContent, formulas.map((each) => each.textContent).join("")];
  }};
  const texts = explorer.views.map(({{element}}) => element.hidden ? null : text(element));
  return {{problem: explorer.problem, stayed: explorer.stayed.textContent, texts}};
}})"""
WIDGET = r"""async ({code, html, changed}) => {
  const url = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
  const {render} = (await import(url)).default;
  const el = document.body.appendChild(document.createElement("div"));
  const state = {html, values: changed, data: /json"[^>]*>\[([^<]*)\]</.exec(html)[1]};
  const model = {get: (key) => state[key], set: (key, value) => (state[key] = value),
    save_changes() {}, on() {}};
  render({model, el});
  const shown = el.querySelector(".llmsize-sizes").textContent.trim();
  const layers = [...el.querySelectorAll("input[type=number]")][1];
  layers.value = 36;
  layers.dispatchEvent(new Event("input"));
  return {shown, values: state.values};
}"""
LAID_OUT_ON_DEMAND = """() => [...document.querySelectorAll(".llmsize-explorer *")]
  .filter((each) => getComputedStyle(each).contentVisibility === "auto")
  .map((each) => each.querySelector("svg, math, td").localName)"""
"""Names of what elements that are laid out on demand contain: drawings, formulas or tables."""
OUTSIDE = """() => [...document.querySelectorAll("svg text")].filter((text) => {
  const box = text.parentNode.querySelector(":scope > rect") ?? text.ownerSVGElement;
  const [inner, outer] = [text, box].map((each) => each.getBoundingClientRect());
  return inner.width && (inner.left < outer.left || inner.right > outer.right);
}).map((text) => text.textContent)"""


@pytest.fixture(scope="module")
def opened(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], tuple[Explorer, Visit]]]:
    """Function from a model's name to its explorer, and a visit to its page."""
    with ExitStack() as stack:

        @cache
        def open_page(name: str) -> tuple[Explorer, Visit]:
            document = explored.explored(load(name), VIEWS)
            folder = tmp_path_factory.mktemp("page")
            # a page has a heading, but one of the host would leave the name out of the views
            html = html_page(name, document).replace("<main>", f"<main><h1>{name}</h1>")
            (folder / "index.html").write_text(html, "utf-8")
            address = stack.enter_context(served(folder))
            return document.explorer, stack.enter_context(visit(browser, address, LOOKS[0]))

        yield open_page


def differences(explorer: Explorer, seen: Visit, settings: list[dict[str, int]]) -> list[object]:
    """Settings for which the page shows other texts than Python; views that it hides are right."""
    found: list[object] = []
    hidden = shown = 0
    results = seen.page.evaluate(TEXTS, settings)
    for setting, result in zip(settings, results, strict=True):
        try:
            expected = explored.html_at(explorer, setting)
        except ConfigError:
            found += [] if result["problem"] else [(setting, "no message")]
            continue
        if result["stayed"] != explored.stayed_at(explorer, setting):
            found.append((setting, result["stayed"]))
        for name, text, written in zip(VIEWS, by_view(explorer, result), expected, strict=True):
            hidden += text is None
            shown += text is not None
            if text is not None and not is_written(text, written):
                found.append((setting, name))
        if result["problem"] and None not in result["texts"]:
            found.append((setting, result["problem"]))
    assert hidden <= 0.05 * (hidden + shown)
    return found


def is_written(text: tuple[str, str], html: str) -> bool:
    """True if texts with and without what only narrow screens show are those of HTML.

    The page keeps the layout of its first sizes: with others, a table may fold that did not.
    """
    on_all, on_wide = map(explored.without_spaces, text)
    if explored.text_of(html) == on_all:
        return True
    return explored.text_of(explored.without_narrow(html)) == on_wide


def by_view(explorer: Explorer, result: dict[str, Any]) -> Iterator[tuple[str, str] | None]:
    """The text and TeX of each view, on all screens and on wide ones; None if a part is hidden."""
    pairs = list(zip(explorer.views, result["texts"], strict=True))
    for view in VIEWS:
        parts = [text for name, text in pairs if name.partition("-")[0] == view]
        if None in parts:
            yield None
            continue
        # the text of all parts, then the TeX of all
        on_all, on_wide, tex = map("".join, zip(*parts, strict=True))
        yield on_all + tex, on_wide + tex


@pytest.mark.parametrize("name", EVERY_MODEL if MANY else MODELS)
def test_the_page_shows_what_python_counts(
    opened: Callable[[str], tuple[Explorer, Visit]], name: str
) -> None:
    explorer, seen = opened(name)
    settings = [{}, *explored.settings(explorer, MANY or 20, name)]
    assert differences(explorer, seen, settings) == []
    assert seen.problems == []


def test_only_changed_tables_and_formulas_are_laid_out_on_demand(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    """Pictures of the whole page need all of it, and Chromium crashes for figures."""
    _explorer, seen = opened("jamba-v0.1")
    for changed, expected in (({}, set()), ({"D": 8192}, {"td", "math"})):
        seen.page.evaluate(TEXTS, [changed])
        assert set(seen.page.evaluate(LAID_OUT_ON_DEMAND)) == expected


def test_the_panel_does_not_repeat_the_total_of_the_line_below(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    """Except in print, and above views without such a line."""
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate("location.hash = ''")
    seen.page.reload()
    seen.page.locator(".llmsize-panel").wait_for()
    clip = "each => getComputedStyle(each).clipPath"
    assert seen.page.eval_on_selector(".llmsize-result", clip) == "inset(50%)"
    seen.page.eval_on_selector(".llmsize-sizes > p", "each => each.remove()")
    assert seen.page.eval_on_selector(".llmsize-result", clip) == "none"
    seen.page.reload()


def test_a_reader_sets_sizes(opened: Callable[[str], tuple[Explorer, Visit]]) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate("location.hash = ''")
    seen.page.reload()
    hidden = seen.page.get_by_role("spinbutton", name="hidden dimension")
    hidden.fill("5120")
    seen.page.get_by_role("spinbutton", name="attention heads").fill("40")
    seen.page.get_by_role("spinbutton", name="layers").fill("39")
    seen.page.get_by_role("slider", name="layers").press("ArrowRight")
    seen.page.get_by_role("spinbutton", name="FFN dimension").fill("13824")
    total = seen.page.locator(".llmsize-result")
    total.filter(has_text="13,015,864,320 parameters").wait_for()
    spoken = seen.page.get_by_role("status")
    spoken.filter(has_text="13,015,864,320 parameters").wait_for()
    changes = "40 layers, 40 attention heads and FFN dimension 13,824"
    title = f"LLaMA 7B with hidden dimension 5,120, {changes}"
    assert title in seen.page.inner_text(".llmsize-sizes")
    # key/value heads follow the heads
    assert seen.page.get_by_role("spinbutton", name="key/value heads").input_value() == "40"
    assert seen.page.evaluate("location.hash").endswith(":D=5120,H=40,L=40,F=13824")
    seen.page.reload()
    total.filter(has_text="13,015,864,320 parameters").wait_for()
    reset = seen.page.get_by_role("button", name="Reset")
    reset.press("Enter")
    total.filter(has_text="6,738,415,616 parameters").wait_for()
    spoken.filter(has_text="6,738,415,616 parameters").wait_for()
    assert ":" not in seen.page.evaluate("location.hash")
    assert seen.page.evaluate("document.activeElement.textContent") == "Reset"
    assert reset.is_disabled()
    # as by a link on the page
    seen.page.evaluate(f"location.hash = `${{{EXPLORER}.element.id}}:L=1`")
    total.filter(has_text="464,531,456 parameters").wait_for()
    seen.page.evaluate("location.hash = 'section'")
    total.filter(has_text="464,531,456 parameters").wait_for()
    assert seen.page.evaluate("location.hash") == "#section"


def test_a_value_outside_its_range_is_explained(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    _explorer, seen = opened("deepseek-v3")
    seen.page.evaluate(TEXTS, [{}])
    layers = seen.page.get_by_role("spinbutton", name="layers")
    layers.fill("300")
    layers.press("Tab")
    assert layers.input_value() == "61"
    message = "layers: a whole number from 5 to 200"
    assert seen.page.inner_text(".llmsize-result").endswith(f" parameters. {message}")
    seen.page.get_by_role("status").filter(has_text=message).wait_for()


@pytest.mark.parametrize("text", ["1.5", "99999999999", "-3"])
def test_a_text_that_is_no_value_is_explained_at_once(
    opened: Callable[[str], tuple[Explorer, Visit]], text: str
) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(TEXTS, [{}])
    message = "layers: a whole number from 1 to 1,000,000,000"
    layers = seen.page.get_by_role("spinbutton", name="layers")
    layers.select_text()
    layers.press_sequentially(text)
    assert layers.input_value() == text
    assert seen.page.inner_text(".llmsize-result").endswith(message)
    layers.press("Tab")
    assert layers.input_value() == "32"
    shown = seen.page.inner_text(".llmsize-result")
    assert shown == f"6,738,415,616 parameters. {message}"
    layers.fill("31")
    assert seen.page.inner_text(".llmsize-result").endswith(" parameters")


@pytest.mark.parametrize("value", ["0x1000", "1e3", "1.0", "-1", "", "1000000001"])
def test_an_address_has_values_in_decimal_digits(
    opened: Callable[[str], tuple[Explorer, Visit]], value: str
) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(f"location.hash = `${{{EXPLORER}.element.id}}:D={value},L=40`")
    seen.page.wait_for_function(f"{EXPLORER}.values.L === 40")
    assert seen.page.evaluate(f"{EXPLORER}.values") == {"L": 40}


def test_notes_on_the_released_model_are_hidden_for_other_sizes(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    _explorer, seen = opened("deepseek-v3")
    note = seen.page.get_by_text("The released files hold")
    shown = []
    for values in ({}, {"E": 16}, {"T": 64}):
        seen.page.evaluate(TEXTS, [values])
        shown.append(note.is_visible())
    assert shown == [True, False, True]


def test_contradictions_are_explained(opened: Callable[[str], tuple[Explorer, Visit]]) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(TEXTS, [{"D": 6000}])
    message = "32 heads do not divide hidden dimension 6,000."
    after = "The numbers below are for the previous sizes."
    assert seen.page.inner_text(".llmsize-result") == f"{message} {after}"
    assert seen.page.get_by_role("button", name="Copy as command").is_disabled()


def test_the_source_makes_the_model(opened: Callable[[str], tuple[Explorer, Visit]]) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(TEXTS, [{"D": 5120, "T": 8192, "b": 4, "dtype": 2}])
    assert seen.page.evaluate(f"{EXPLORER}.source()").split("\n") == [
        "llmsize show 'llama-7b?hidden_dim=5120' --tokens 8192 --context 8192 --batch 4 --dtype fp8"
    ]


def test_a_copied_source_is_no_longer_copied_after_a_change(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async () => {}}})"
    )
    seen.page.evaluate(TEXTS, [{"D": 5120}])
    seen.page.get_by_role("button", name="Copy as command").click()
    seen.page.get_by_role("button", name="Copied").wait_for()
    seen.page.get_by_role("button", name="Reset").click()
    label = "document.querySelector('.llmsize-buttons button:last-child').textContent"
    seen.page.wait_for_function(f"{label} === 'Copy as command'", timeout=1000)


def test_texts_of_drawings_stay_in_their_boxes(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    _explorer, seen = opened("deepseek-v3")
    seen.page.evaluate(TEXTS, [{"E": 10**6}])
    assert seen.page.evaluate(OUTSIDE) == []
    assert seen.page.locator("text[textLength]").count() > 0
    seen.page.evaluate(TEXTS, [{}])
    assert seen.page.locator("text[textLength]").count() == 0


def test_a_policy_may_forbid_scripts_in_the_page(browser: Browser, tmp_path: Path) -> None:
    assert main(["assets", str(tmp_path)]) == 0
    settings = {"script": "/llmsize-explorer.js", "stylesheet": "/llmsize.css"}
    fence = "```llm-size gpt2\n:show: table\n:interactive:\n```\n"
    page = markdown(fence, extensions=[makeExtension(**settings)])
    policy = "default-src 'self'; style-src-attr 'unsafe-inline'"
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    (tmp_path / "index.html").write_text(f"<!doctype html>{head}{page}", "utf-8")
    with served(tmp_path) as address, visit(browser, address, LOOKS[0]) as seen:
        seen.page.get_by_role("spinbutton", name="layers").fill("24")
        seen.page.locator(".llmsize-result").filter(has_text="209,494,272 parameters").wait_for()
        panel = "getComputedStyle(document.querySelector('.llmsize-controls')).display"
        assert seen.page.evaluate(panel) == "grid"
        assert seen.problems == []


def test_the_module_is_a_widget(browser: Browser) -> None:
    document = explored.explored(load("gpt2"), ("table",))
    page = browser.new_page()
    values = page.evaluate(
        WIDGET, {"code": module(), "html": fragment(document), "changed": {"L": 24}}
    )
    shown = " ".join(values["shown"].split())
    assert shown.startswith("GPT-2 small with 24 layers: 209,494,272 parameters")
    assert values["values"] == {"L": 36}
    page.close()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_controls_are_accessible(
    opened: Callable[[str], tuple[Explorer, Visit]], axe: Path, look: Any
) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(TEXTS, [{"H_kv": 8} if look.scheme == "light" else {"D": 6000}])
    assert seen.at(look).violations(axe, within="html") == {}
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert seen.page.evaluate(width) <= 0


def test_headings_and_the_title_follow(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--show", "formula, diagram", "--interactive", "--format", "html"]
    assert main(["show", "llama-7b?num_layers=40", *options]) == 0
    (tmp_path / "index.html").write_text(capsys.readouterr().out, "utf-8")
    found = []
    with served(tmp_path) as address, visit(browser, address, LOOKS[0]) as seen:
        for values in ({}, {"L": 48, "F": 8192}, {"L": 32}, {}):
            seen.page.evaluate(TEXTS, [values])
            found.append((seen.page.title(), seen.page.inner_text("h1")))
            label = seen.page.locator(".llmsize-view svg title").first.text_content()
            assert found[-1][0] in label
        assert seen.problems == []
    titles = [
        "LLaMA 7B with 40 layers",
        "LLaMA 7B with 48 layers and FFN dimension 8,192",
        "LLaMA 7B",
        "LLaMA 7B with 40 layers",
    ]
    assert found == [(title, title) for title in titles]


def test_the_title_of_a_model_without_a_name_is_its_total(
    browser: Browser,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The title of the static page for the same sizes."""
    sizes = {"hidden_dim": 64, "num_heads": 4, "vocab_size": 99}
    titles = []
    for layers, options in ((3, ()), (2, ("--interactive",))):
        config = json.dumps({**sizes, "num_layers": layers})
        monkeypatch.setattr("sys.stdin", io.StringIO(config))
        assert main(["show", "-", "--show", "table", *options, "--format", "html"]) == 0
        page = capsys.readouterr().out
        titles.append(re.search("<title>(.*)</title>", page)[1])
    (tmp_path / "index.html").write_text(page, "utf-8")
    with served(tmp_path) as address, visit(browser, address, LOOKS[0]) as seen:
        for values, title in (({}, titles[1]), ({"L": 3}, titles[0]), ({}, titles[1])):
            seen.page.evaluate(TEXTS, [values])
            assert seen.page.title() == title


def test_a_note_on_sizes_that_stayed_is_read_out_once(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(TEXTS, [{}])
    hidden = seen.page.get_by_role("spinbutton", name="hidden dimension")
    spoken = seen.page.get_by_role("status")
    hidden.fill("5120")
    note = "Unchanged, although they usually change with the hidden dimension: attention heads (32)"
    spoken.filter(has_text=f"parameters. {note}").wait_for()
    hidden.fill("6144")
    spoken.filter(has_not_text="Unchanged").wait_for()
    assert note in seen.page.inner_text(".llmsize-stayed")
    seen.page.get_by_role("button", name="Reset").click()
    assert seen.page.inner_text(".llmsize-stayed") == ""


def test_the_printed_page_shows_what_is_set(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    _explorer, seen = opened("llama-7b")
    seen.page.evaluate(TEXTS, [{"L": 40}])
    seen.page.emulate_media(media="print")
    layers = seen.page.get_by_role("spinbutton", name="layers")
    assert layers.is_visible()
    assert layers.input_value() == "40"
    layers.focus()
    assert layers.evaluate("field => getComputedStyle(field).outlineStyle") == "none"
    assert not seen.page.get_by_role("slider", name="layers").is_visible()
    seen.page.emulate_media(media="screen")


def test_the_panel_has_all_sizes_in_place_of_the_lists(
    opened: Callable[[str], tuple[Explorer, Visit]],
) -> None:
    """Those without a control follow the others; in print and without script, lists have all."""
    _explorer, seen = opened("llama-7b")
    sizes = seen.page.locator(".llmsize-facts").first.locator("li")
    others = seen.page.locator(".llmsize-others")

    def listed() -> list[str]:
        return [each.inner_text().split()[0] for each in sizes.all() if each.is_visible()]

    every_size = ["D", "V", "L", "H", "dh", "F"]
    assert (listed(), others.inner_text()) == ([], "dh\xa0=\xa0128 head dimension")
    seen.page.evaluate(TEXTS, [{"D": 8192}])
    assert others.inner_text() == "dh\xa0=\xa0256 head dimension"
    seen.page.evaluate(TEXTS, [{}])
    seen.page.emulate_media(media="print")
    assert listed() == every_size
    assert not others.is_visible()
    seen.page.emulate_media(media="screen")
    panel = ".llmsize-panel"
    toggle = "(panel) => document.querySelector(panel).classList.toggle(panel.slice(1))"
    seen.page.evaluate(toggle, panel)
    assert listed() == every_size
    seen.page.reload()


@pytest.mark.parametrize(
    ("name", "width", "is_beside"),
    [("llama-7b", 1280, True), ("llama-7b", 320, False), ("deepseek-v3", 1280, False)],
)
def test_few_sizes_without_a_control_are_beside_the_buttons(
    opened: Callable[[str], tuple[Explorer, Visit]], name: str, width: int, *, is_beside: bool
) -> None:
    """Many, or those on a phone, are above the buttons, each on its own line or in columns."""
    _explorer, seen = opened(name)
    seen.page.set_viewport_size({"width": width, "height": 900})
    panel, buttons, *others = seen.page.evaluate(
        """() => [".llmsize-controls", ".llmsize-buttons", ".llmsize-others > li"]
          .flatMap((each) => [...document.querySelectorAll(each)])
          .map((each) => each.getBoundingClientRect().toJSON())"""
    )
    assert len(others) == (1 if name == "llama-7b" else 7)
    assert others[0]["left"] == panel["left"]
    assert buttons["right"] == pytest.approx(panel["right"], abs=1)
    assert (others[-1]["bottom"] > buttons["top"]) is is_beside
    assert max(other["right"] for other in others) <= panel["right"]
    seen.page.set_viewport_size({"width": 1280, "height": 900})
