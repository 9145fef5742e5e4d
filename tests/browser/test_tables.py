"""Tables in a browser: on a phone and in narrow containers the important columns are there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import pytest

from . import sample
from .conftest import EVERY_LOOK, LOOKS, need_theme
from .visit import Look, Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
WIDE, PHONE = LOOKS[0], LOOKS[-1]
MODELS = ("llama-7b", "gpt2", "deepseek-v3", "jamba-v0.1", "t5-small", "mamba-130m")
FIVE = ("gpt2", "llama-7b", "mixtral-8x7b", "deepseek-v3", "jamba-v0.1")
LONG_NAMES = ("llama-4-maverick-17b-128e", "nemotron-h-56b", "deepseek-v3")
MANY_COLUMNS = 8
"""Number of columns above which they stand closer together."""
MEASURE = """() => [...document.querySelectorAll("table.llmsize-table")].map((table) => {
  const region = table.closest(".llmsize-scroll");
  const size = (element) => element && parseFloat(getComputedStyle(element).fontSize);
  const left = (cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell.querySelector("p") ?? cell);
    return Math.round(text.getBoundingClientRect().left);
  };
  const box = (cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    const mark = cell.querySelector("span.llmsize-muted"); // of a note: it hangs between columns
    if (mark) text.setEndBefore(mark);
    return text.getBoundingClientRect();
  };
  const gaps = (table) => [...table.rows].flatMap((row) => {
    const boxes = [...row.cells].slice(1).map(box).filter((each) => each.width);
    return boxes.slice(1).map((each, n) => each.left - boxes[n].right);
  });
  const bar = (line) => {
    const style = getComputedStyle(line, "::after");
    return [parseFloat(line.style.getPropertyValue("--llmsize-share")), style.backgroundSize];
  };
  const [head, ...rows] = table.rows;
  const outer = rows.find((row) => !row.matches(".llmsize-grouped .llmsize-member"));
  return {
    label: region.ariaLabel,
    width: region.clientWidth,
    hidden: region.scrollWidth - region.clientWidth,
    columns: [...head.cells].filter((cell) => cell.offsetWidth).map((cell) => cell.innerText),
    folded: rows.flatMap((row) => [...row.querySelectorAll(".llmsize-folded")])
      .filter((line) => line.offsetWidth).map((line) => line.innerText),
    first: size(rows[0].cells[0].querySelector("p")),
    second: size(table.querySelector("td p.llmsize-muted, th p.llmsize-muted")),
    gaps: gaps(table),
    bars: [...table.querySelectorAll(".llmsize-share")].map((line) => bar(line)),
    lefts: [left(head.cells[0]), left(outer.cells[0])],
    turned: getComputedStyle(table).display === "grid",
  };
})"""


def page() -> str:
    """A page with tables at top level and in an admonition."""
    tables = "".join(f".. llm-size:: {name}\n   :show: table\n\n" for name in MODELS)
    formula = ".. llm-size:: llama-7b\n   :show: formula\n\n"
    compared = f".. llm-compare:: {', '.join(MODELS)}\n\n"
    memory = ".. llm-size:: llama-7b\n   :show: memory\n\n"
    scaling = ".. llm-size:: llama-7b\n   :show: scaling\n\n"
    few = f".. llm-compare:: {', '.join(MODELS[:4])}\n\n"
    long = f".. llm-compare:: {', '.join(LONG_NAMES)}\n\n"
    five = f".. llm-compare:: {', '.join(FIVE)}\n\n"
    others = f"{compared}{few}{five}{long}{memory}{scaling}{formula}"
    rule = ".. llm-size:: smollm-135m\n   :show: rule\n\n"
    changed = ".. llm-diff:: llama-2-7b, llama-3-8b\n   :show: table\n\n"
    return f"T\n=\n\n{tables}{others}{rule}{changed}.. note::\n\n{indent(tables, '   ')}"


@pytest.fixture(scope="module", params=sample.THEMES if EVERY_LOOK else sample.THEMES[:1])
def opened(
    browser: Browser,
    packages: Path,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Visit]:
    """A visit to the page with tables."""
    theme = need_theme(request.param)
    pages = sample.build(tmp_path_factory.mktemp(theme), theme, packages, page())
    with served(pages) as address, visit(browser, address, WIDE) as opened:
        yield opened


def measured(opened: Visit, look: Look) -> list[dict[str, Any]]:
    """Measurements of every table."""
    found: list[dict[str, Any]] = opened.at(look).page.evaluate(MEASURE)
    return found


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_no_table_scrolls(opened: Visit, look: Look) -> None:
    scrolled = {
        each["label"]: each["width"] for each in measured(opened, look) if each["hidden"] > 1
    }
    assert scrolled == {}


def test_no_formula_within_a_line_has_a_scroll_bar(opened: Visit) -> None:
    """Pydata's theme makes boxes of such formulas, which MathJax 3 fills and more."""
    found = opened.at(WIDE).page.evaluate(
        """() => [...document.querySelectorAll(".llmsize span.math")]
          .map((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)"""
    )
    assert found
    assert not any(found)


def test_a_phone_shows_names_parameters_and_shares(opened: Visit) -> None:
    tables = [each for each in measured(opened, PHONE) if "Share" in each["columns"]]
    assert len(tables) == 2 * len(MODELS)
    for each in tables:
        assert each["columns"] == ["Component", "Parameters", "Share"]
        assert each["folded"]


def test_a_phone_shows_both_exponents(opened: Visit) -> None:
    (exponents,) = (each for each in measured(opened, PHONE) if "Quantity" in each["columns"])
    columns = [each.replace("\N{NO-BREAK SPACE}", " ") for each in exponents["columns"]]
    assert columns == ["Quantity", "Exponent of D", "Effective exponent"]
    assert exponents["folded"]


LINES_OF_NUMBERS = """() => [...document.querySelectorAll("table.llmsize-table p")]
  .filter((line) => line.checkVisibility()).flatMap((line) => {
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const text = texts.currentNode;
      for (const { 0: number, index } of text.data.matchAll(/\\d[\\d,]{4,}/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + number.length);
        const tops = [...range.getClientRects()].map((each) => Math.round(each.top));
        found.push([number, new Set(tops).size]);
      }
    }
    return found;
  })"""
"""The numbers in tables that are shown, each with the number of lines that it is on."""


def test_no_number_breaks_on_a_phone(opened: Visit) -> None:
    numbers = opened.at(PHONE).page.evaluate(LINES_OF_NUMBERS)
    assert "1,610,612,736" in [number for number, _lines in numbers]  # below a name
    assert [number for number, lines in numbers if lines != 1] == []


def test_models_that_are_compared_are_columns_on_a_phone(opened: Visit) -> None:
    """Each number of a model stands below the name, and beside that of the next model."""
    places = opened.at(PHONE).page.evaluate(
        """() => [...document.querySelector("table.llmsize-turned").rows].map((row) =>
          [...row.cells].map((cell) => {
            const box = cell.getBoundingClientRect();
            const before = parseFloat(getComputedStyle(cell).paddingLeft);
            const text = document.createRange();
            const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
            let longest = 0;
            while (texts.nextNode()) {
              text.selectNodeContents(texts.currentNode);
              longest = Math.max(longest, text.getBoundingClientRect().width);
            }
            const free = box.width - before - longest;
            return [Math.round(box.right), Math.round(box.top), Math.round(free)];
          }))"""
    )
    headings, *models = places
    assert len(models) == 4
    rights = [{right for right, _top, _free in cells} for cells in places]
    assert all(len(each) == 1 for each in rights)
    assert len(set.union(*rights)) == 5
    edges = sorted(right for (right,) in rights)[-len(models) :]
    widths = [later - edge for edge, later in pairwise(edges)]
    free = [min(cell[2] for cell in cells) for cells in models[1:]]
    # equally wide, but for the columns whose longest number fills them
    roomy = [width for width, room in zip(widths, free, strict=True) if room > 1]
    assert max(roomy, default=0) <= min(widths) + 1
    for cells in models:
        assert [top for _right, top, _free in cells] == [top for _right, top, _free in headings]


def test_numbers_of_neighbouring_models_are_apart_on_a_phone(opened: Visit) -> None:
    gaps = opened.at(PHONE).page.evaluate(
        """() => [...document.querySelectorAll("table.llmsize-turned")]
          .filter((table) => /^Comparison/.test(table.caption.textContent))
          .map((table) => {
            const box = (cell) => {
              const text = document.createRange();
              text.selectNodeContents(cell);
              const mark = cell.querySelector("span.llmsize-muted"); // hangs between columns
              if (mark) text.setEndBefore(mark);
              return text.getBoundingClientRect();
            };
            const columns = [...table.rows].map((row) => [...row.cells].map(box));
            const gaps = columns.slice(1).flatMap((column, n) =>
              column.map((each, line) => each.left - columns[n][line].right));
            return [columns.length - 1, Math.round(Math.min(...gaps))];
          })"""
    )
    assert [models for models, _gap in gaps] == [4, len(FIVE), len(LONG_NAMES)]
    assert all(gap >= (10 if models < len(FIVE) else 7) for models, gap in gaps), gaps


def test_on_a_phone_the_numbers_of_a_change_stand_below_its_name(opened: Visit) -> None:
    """None folds; each column of numbers ends at the same edge in every row."""
    rows = opened.at(PHONE).page.evaluate(
        """() => [...document.querySelector("table.llmsize-stacked").rows].map((row) => {
          const [name, ...numbers] = [...row.cells].map((cell) => cell.getBoundingClientRect());
          const page = row.closest(".llmsize-scroll").getBoundingClientRect();
          return {
            isBelow: numbers.every((number) => number.top >= name.bottom - 1),
            rights: numbers.map((number) => Math.round(number.right - page.left)),
            room: Math.round(page.right - numbers.at(-1).right),
          };
        })"""
    )
    assert len(rows) == 7
    assert all(row["isBelow"] and abs(row["room"]) <= 1 for row in rows), rows
    assert len({tuple(row["rights"]) for row in rows}) == 1
    assert len(rows[0]["rights"]) == 3


def test_the_corner_of_columns_of_models_is_empty(opened: Visit) -> None:
    corner = "table.llmsize-turned thead th:first-child p"
    clipped = [
        opened.at(look).page.eval_on_selector(corner, "each => getComputedStyle(each).clipPath")
        for look in (WIDE, PHONE)
    ]
    assert clipped == ["none", "inset(50%)"]


@pytest.mark.parametrize(("font", "columns"), [("Arial", 6), ("monospace", 3)])
def test_columns_fold_before_the_names_are_squeezed(opened: Visit, font: str, columns: int) -> None:
    """A column of the page that is wide enough for six columns in one font isn't in a wider one."""
    shown = opened.at(WIDE).page.evaluate(
        """(font) => {
          const region = document.querySelector(".llmsize");
          region.style = `font: 16px ${font}; width: 624px`;
          const cells = [...region.querySelector("thead tr").cells];
          const shown = cells.filter((cell) => cell.offsetWidth).length;
          region.style = "";
          return shown;
        }""",
        font,
    )
    assert shown == columns


def test_on_a_phone_the_costs_of_larger_models_keep_their_ratios(opened: Visit) -> None:
    """The table is turned and fits: names of the costs on the left, a column for each model."""
    opened.at(PHONE)
    found = opened.page.evaluate(
        """() => [...document.querySelectorAll("table.llmsize-turned")]
          .filter((table) => table.caption.textContent.includes("Costs of"))
          .map((table) => {
            const cells = [...table.querySelectorAll("tbody td, tbody th")];
            const lines = [...table.querySelectorAll("tbody p")];
            const region = table.closest(".llmsize-scroll");
            const right = region.getBoundingClientRect().right + 1;
            return {
              seen: cells.every((cell) => cell.checkVisibility()),
              fits: lines.every((line) => line.getBoundingClientRect().right <= right),
              scrolls: region.scrollWidth > region.clientWidth,
              ratios: lines.filter((line) => line.textContent.endsWith("×")).length,
              heads: [...table.querySelectorAll("tbody th p:last-child")].map((p) => p.innerText),
            };
          })"""
    )
    assert found
    for table in found:
        assert (table["seen"], table["fits"], table["scrolls"]) == (True, True, False)
        assert table["heads"] == ["1×", "2×", "4×", "8×"]
        assert table["ratios"] == 4 + 3 * 5  # heads, and costs of three larger models


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_only_tables_are_closed_by_a_line_of_the_colour_of_text(opened: Visit, look: Look) -> None:
    """Also sums, whose layers have a body of their own, without such a line below it."""
    lines = opened.at(look).page.evaluate(
        """() => [...document.querySelectorAll(".llmsize table tbody tr:last-child")].map((row) => {
          const edges = [row, ...row.cells].map((each) => getComputedStyle(each));
          const drawn = edges.find((each) => each.borderBottomWidth === "1px");
          const isClosed = drawn?.borderBottomColor === edges[0].color;
          return { isClosed, isLast: row.parentElement.matches(":last-child") };
        })"""
    )
    assert len([line for line in lines if line["isLast"]]) > len(MODELS)
    assert [line for line in lines if line["isClosed"] != line["isLast"]] == []


MARKED = """() => {
  const table = document.querySelector("table.llmsize-turned");
  const cells = [...table.querySelectorAll("tbody td.llmsize-number")];
  const marked = cells.filter((cell) => cell.matches("tr > :last-child")).slice(1);
  const edges = () => cells.map((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell.querySelector("p") ?? cell);
    const mark = cell.querySelector("span.llmsize-muted");
    if (mark) text.setEndBefore(mark);
    return [text.getBoundingClientRect().right, cell.cellIndex];
  });
  const marks = marked.map((cell) => {
    const mark = document.createElement("span");
    mark.className = "llmsize-muted";
    mark.textContent = "†";
    (cell.querySelector("p") ?? cell).append(mark);
    return mark;
  });
  const region = table.closest(".llmsize-scroll");
  const found = { edges: edges(), hidden: region.scrollWidth - region.clientWidth };
  marks.forEach((mark) => mark.remove());
  return found;
}"""
"""Right edges of the numbers in a comparison, some of whose last cells have marks of notes."""


def test_numbers_with_marks_are_in_line_with_others(opened: Visit) -> None:
    found = opened.at(WIDE).page.evaluate(MARKED)
    columns = {column for _right, column in found["edges"]}
    assert len(columns) > 2
    for each in columns:
        rights = [right for right, column in found["edges"] if column == each]
        assert max(rights) - min(rights) <= 1
    assert found["hidden"] == 0


MARKS = """() => [...document.querySelectorAll("table.llmsize-turned")]
  .filter((table) => table.querySelector("td span.llmsize-muted")).map((table) => {
    const isTurned = getComputedStyle(table).display === "grid";
    const box = (cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell.querySelector("p"));
      const mark = cell.querySelector("span.llmsize-muted");
      if (mark) text.setEndBefore(mark);
      return text.getBoundingClientRect();
    };
    const marks = [...table.querySelectorAll("td span.llmsize-muted")];
    const edge = table.closest(".llmsize-scroll").getBoundingClientRect().right;
    return marks.filter((mark) => mark.checkVisibility()).map((mark) => {
      const cell = mark.closest("td");
      const row = cell.parentElement;
      const next = isTurned ? row.nextElementSibling?.cells[cell.cellIndex]
        : cell.nextElementSibling;
      const column = isTurned ? [...row.cells].slice(1)
        : [...row.parentElement.rows].map((each) => each.cells[cell.cellIndex]);
      const number = box(cell);
      const hung = mark.getBoundingClientRect();
      return {
        isLast: !next,
        beside: Math.round(hung.left - number.right),
        free: (next ? box(next).left : edge) - hung.right,
        out: Math.max(...column.map((each) => Math.abs(box(each).right - number.right))),
        raised: Math.round(2 * (number.top - hung.top)),
      };
    });
  })"""
"""Marks of notes in comparisons: places beside their numbers and those of the next column."""


@pytest.mark.parametrize("look", [WIDE, PHONE], ids=str)
def test_marks_hang_between_the_columns(opened: Visit, look: Look) -> None:
    tables = opened.at(look).page.evaluate(MARKS)
    marks = [mark for table in tables for mark in table]
    assert {mark["isLast"] for mark in marks} == ({False} if look == WIDE else {False, True})
    assert max(map(len, tables)) > 2
    for table in tables:
        assert len({mark["raised"] for mark in table}) == 1
    for mark in marks:
        assert mark["out"] < 1
        assert mark["beside"] == 0
        assert mark["raised"] > 0
        assert mark["free"] > (0 if mark["isLast"] else 2)


SIGNS_IN_ORDER = """() => [...document.querySelectorAll(".llmsize")]
  .filter((output) => output.querySelector("table.llmsize-turned td span.llmsize-muted"))
  .map((output) => {
    const sign = (mark) => {
      const { content } = getComputedStyle(mark, "::after");
      return content === "none" ? mark.textContent : JSON.parse(content);
    };
    const place = (mark) => mark.closest("td, p").getBoundingClientRect();
    const read = (selector) => [...output.querySelectorAll(selector)]
      .map((mark) => [place(mark).top, place(mark).left, sign(mark)])
      .sort((one, other) => one[0] - other[0] || one[1] - other[1])
      .map(([_top, _left, sign]) => sign);
    return [read("td span.llmsize-muted"), read(".llmsize-note > span.llmsize-muted:first-child")];
  })"""
"""Signs of notes in each comparison as they are shown, from top to bottom and left to right:
those in cells, and those of the notes below."""


@pytest.mark.parametrize("look", [WIDE, PHONE], ids=str)
def test_notes_have_the_order_in_which_readers_come_to_their_marks(
    opened: Visit, look: Look
) -> None:
    comparisons = opened.at(look).page.evaluate(SIGNS_IN_ORDER)
    assert max(len(notes) for _cells, notes in comparisons) > 2
    for cells, notes in comparisons:
        assert list(dict.fromkeys(cells)) == notes == list("†‡§¶"[: len(notes)])


def test_the_shape_is_directly_below_a_name_on_a_phone(opened: Visit) -> None:
    lines = opened.at(PHONE).page.evaluate(
        """() => [...document.querySelectorAll("table.llmsize-wide tbody th")]
          .filter((head) => head.querySelector(".llmsize-folded .llmsize-symbol"))
          .map((head) => [...head.querySelectorAll("th > p, p.llmsize-folded > span")]
            .filter((line) => !line.matches(".llmsize-folded"))
            .map((line) => [line.getBoundingClientRect().top, line.innerText])
            .sort(([one], [other]) => one - other)
            .map(([_top, text]) => text.replaceAll("\\xa0", " ")))"""
    )
    below = {name: others for name, *others in lines}
    assert below["LM head"][0].startswith("D")
    assert below["Norms"][0].endswith("× D")
    with_notes = [others for _name, *others in lines if "tied to the token embedding" in others]
    assert with_notes
    assert all(others.index("tied to the token embedding") > 0 for others in with_notes)


def test_a_wide_window_shows_every_column_and_nothing_twice(opened: Visit) -> None:
    first = measured(opened, WIDE)[0]
    assert len(first["columns"]) == 6
    assert first["folded"] == []


def test_columns_are_apart(opened: Visit) -> None:
    for each in measured(opened, WIDE):
        gap = min(each["gaps"], default=100)
        has_room = each["width"] >= 720 and len(each["columns"]) <= MANY_COLUMNS
        assert gap >= (16 if has_room else 9), each["label"]


IN_A_CARD = """(width) => {
  const outputs = [...document.querySelectorAll(".llmsize:has(table.llmsize-wide .llmsize-share)")];
  for (const output of outputs) output.style.width = `${width}px`;
  const found = outputs.map((output) => {
    const region = output.querySelector(".llmsize-scroll");
    const numbers = [...output.querySelectorAll("table.llmsize-wide tbody td.llmsize-number")];
    const shown = numbers.filter((cell) => cell.offsetWidth);
    const rights = shown.map((cell) => cell.getBoundingClientRect().right);
    const hidden = region.scrollWidth - region.clientWidth;
    const excess = Math.max(...rights) - region.getBoundingClientRect().right;
    return {shown: shown.length, hidden, excess};
  });
  for (const output of outputs) output.style.width = "";
  return found;
}"""
"""Numbers of tables that are as narrow as a card of this width: how many are shown, and fit."""


@pytest.mark.parametrize("width", [300, 260, 240, 187, 121])
def test_numbers_and_shares_are_shown_in_a_narrow_card(opened: Visit, width: int) -> None:
    found = opened.at(WIDE).page.evaluate(IN_A_CARD, width)
    assert found
    assert [each for each in found if each["hidden"] > 0 or each["excess"] > 1] == []
    assert all(each["shown"] > 10 for each in found)


def test_tables_with_many_columns_fit_a_wide_window(opened: Visit) -> None:
    many = [each for each in measured(opened, WIDE) if len(each["columns"]) > MANY_COLUMNS]
    assert many
    assert [each["hidden"] for each in many] == [0] * len(many)


def test_bars_grow_with_their_share_and_can_be_seen(opened: Visit) -> None:
    (table, *_others) = measured(opened, WIDE)
    assert {percent for percent, _size in table["bars"]} > {100}
    assert all("min(2px, " in size for _percent, size in table["bars"])


def test_bars_are_on_the_line_of_their_share_in_a_wide_window(opened: Visit) -> None:
    """Also beside 100.0%, the widest share."""
    heights = opened.at(WIDE).page.evaluate(
        """() => [...document.querySelectorAll("table.llmsize-table")].map((table) =>
          [...table.querySelectorAll(".llmsize-share")]
            .filter((share) => getComputedStyle(share, "::after").display === "inline-block")
            .map((share) => share.offsetHeight))"""
    )
    with_bars = [each for each in heights if each]
    assert len(with_bars) >= len(MODELS)
    assert [max(each) - min(each) for each in with_bars] == [0] * len(with_bars)


@pytest.mark.parametrize(("look", "columns"), [(WIDE, 2), (PHONE, 1)], ids=str)
def test_meanings_of_sizes_are_in_columns(opened: Visit, look: Look, columns: int) -> None:
    lefts = opened.at(look).page.evaluate(
        """() => [...document.querySelectorAll(".llmsize-facts")].map((list) =>
          [...list.querySelectorAll(".llmsize-muted")].map((each) => each.offsetLeft))"""
    )
    first, *others = (len(set(each)) for each in lefts)
    assert first == columns
    assert max(others) <= columns  # those in cards have less room


def test_sizes_fill_the_first_column_first(opened: Visit) -> None:
    columns = opened.at(WIDE).page.evaluate(
        """() => [...document.querySelectorAll(".llmsize-facts")].map((list) => {
          const sizes = [...list.querySelectorAll(".llmsize-size")];
          return sizes.map((each) => Math.round(each.getBoundingClientRect().left));
        })"""
    )
    for lefts in columns:
        first = lefts.count(lefts[0])
        assert lefts == sorted(lefts)
        assert first == len(lefts) or len(lefts) - first in {first, first - 1}


def test_bars_are_beside_their_numbers_where_only_columns_fold(opened: Visit) -> None:
    """A table that is too narrow for all columns has room for bars beside those that stay."""
    shown = opened.at(WIDE).page.evaluate(
        """() => [560, 350].map((width) => {
          const region = document.querySelector(".llmsize");
          region.style.width = `${width}px`;
          const cells = [...region.querySelector("thead tr").cells];
          const share = region.querySelector(".llmsize-share");
          const found = [
            cells.filter((cell) => cell.offsetWidth).length,
            getComputedStyle(share, "::after").display,
          ];
          region.style = "";
          return found;
        })"""
    )
    assert shown == [[3, "inline-block"], [3, "block"]]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_formulas_have_room_for_fractions(opened: Visit, look: Look) -> None:
    """Themes cut off what reaches beyond a formula."""
    rooms = opened.at(look).page.evaluate(
        """() => [...document.querySelectorAll(".llmsize-display > p svg")].map((math) => {
          const formula = math.closest(".llmsize-formula").getBoundingClientRect();
          const box = math.getBoundingClientRect();
          return Math.min(box.top - formula.top, formula.bottom - box.bottom);
        })"""
    )
    assert len(rooms) > 5
    assert min(rooms) >= 2


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_second_lines_are_smaller_and_headings_stand_over_their_column(
    opened: Visit, look: Look
) -> None:
    for each in measured(opened, look):
        assert each["second"] is None or 11 <= each["second"] < each["first"]
        heading, name = each["lefts"]
        assert heading == name or each["turned"]


@pytest.mark.parametrize(("overflow", "fade"), [(0, "0px"), (2, "2px"), (600, "36px")])
def test_no_more_than_what_is_cut_off_fades(opened: Visit, overflow: int, fade: str) -> None:
    found = opened.at(WIDE).page.evaluate(
        """async (overflow) => {
          const region = document.querySelector(".llmsize-scroll").cloneNode();
          const content = document.createElement("div");
          region.style.width = "300px";
          content.style = `height: 1px; width: ${300 + overflow}px`;
          region.append(content);
          document.querySelector(".llmsize").append(region);
          for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
          const fade = getComputedStyle(region).getPropertyValue("--llmsize-fade");
          region.remove();
          return fade;
        }""",
        overflow,
    )
    assert found == fade
