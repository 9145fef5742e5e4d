"""Pages with errors and hostile names, like those of :mod:`test_faults`: see :mod:`mistakes`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from families import EVERY_PRESET
from mistakes import CASES
from mistakes.case import HERE, Case
from mistakes.names import PLAIN
from project import small_theme, write_conf
from sphinx.testing.util import SphinxTestApp
from test_faults import Report
from test_names import Structure

PAGES = [
    (case, suffix)
    for position, case in enumerate(CASES)
    for suffix in ([*case.pages] if EVERY_PRESET else [[*case.pages][position % len(case.pages)]])
]
"""The cases with their markup: alternately one of the two, unless all tests run."""
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]"
)

Warnings = list[tuple[str, str, str]]
"""Kind, place and message of each warning."""


def write_project(source: Path) -> None:
    for case, suffix in (*PAGES, *((PLAIN, suffix) for suffix in PLAIN.pages)):
        page = {f"{suffix}/{case.name}.{suffix}": case.pages[suffix].encode()}
        for name, content in (page | dict(case.files)).items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.replace(HERE.encode(), b""))
    (source / "index.rst").write_text("Mistakes\n========\n")
    (source / "rst" / "x.png").touch()
    (source.parent / "outside.json").write_text('{"model_type": "gpt2"}')
    suppressed = ["toc.not_included", "ref.footnote"]
    write_conf(source, suppress_warnings=suppressed, **small_theme(source))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Report, Path]]:
    source = tmp_path_factory.mktemp("mistakes") / "source"
    write_project(source)
    app = SphinxTestApp(srcdir=source)
    report = Report(source)
    logging.getLogger("sphinx").addHandler(report)
    app.connect("source-read", report.start)
    app.connect("env-updated", report.stop)
    try:
        app.build()
        yield report, Path(app.outdir)
    finally:
        logging.getLogger("sphinx").removeHandler(report)
        app.cleanup()


def marked_location(case: Case, suffix: str) -> str:
    """File and line with the mark :data:`HERE`."""
    texts = {f"{suffix}/{case.name}.{suffix}": case.pages[suffix].encode(), **case.files}
    marked = ((name, data.partition(HERE.encode())) for name, data in texts.items())
    ((name, before),) = [(name, before) for name, (before, here, _) in marked if here]
    line = before.count(b"\n") + 1
    return f"{name}:{line}"


def is_as_expected(case: Case, suffix: str, warnings: Warnings, html: str) -> bool:
    """True for one warning at the mark and one marked text, or for a table without a warning."""
    if not case.problem:
        return warnings == [] and "llmsize-table" in html
    if len(warnings) != 1 or html.count("llmsize-error") != 1:
        return False
    ((kind, place, message),) = warnings
    expected = (f"llmsize.{case.problem}", marked_location(case, suffix))
    return (kind, place) == expected and case.message in message


@pytest.mark.presets
def test_one_warning_at_the_line_of_each_mistake(built: tuple[Report, Path]) -> None:
    report, output = built
    wrong: dict[str, Warnings] = {}
    for case, suffix in PAGES:
        page = f"{suffix}/{case.name}"
        html = (output / f"{page}.html").read_text("utf-8")
        if not is_as_expected(case, suffix, report.by_page[page], html):
            wrong[page] = report.by_page[page]
    assert wrong == {}


@cache
def structure(page: Path) -> Structure:
    return Structure(page.read_text("utf-8"))


def without_texts(page: Structure) -> list[tuple[str, ...]]:
    """Elements of a page, except the lines of text in its pictures."""
    return [element for element in page.elements if element[0] != "text"]


@pytest.mark.presets
def test_a_name_adds_no_elements(built: tuple[Report, Path]) -> None:
    _, output = built
    for case, suffix in PAGES:
        if not case.shown:
            continue
        found = structure(output / suffix / f"{case.name}.html")
        plain = structure(output / suffix / f"{PLAIN.name}.html")
        page = f"{suffix}/{case.name}"
        assert f"{case.shown}: " in found.text, page
        assert not INVISIBLE.search(found.text), page
        assert set(found.elements) == set(plain.elements), page
        # a long name leaves less room for a chart's numbers
        assert without_texts(found) == without_texts(plain), page
