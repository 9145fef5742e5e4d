"""Pages with errors and hostile names, like those of :mod:`test_faults`: see :mod:`mistakes`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from mistakes import CASES
from mistakes.case import HERE, Case
from mistakes.names import PLAIN
from project import small_theme, write_conf
from sphinx.testing.util import SphinxTestApp
from test_faults import Report
from test_names import Structure

PAGES = [
    pytest.param(case, suffix, id=f"{case.name}.{suffix}")
    for case in CASES
    for suffix in case.pages
]
WITH_ERROR = [page for page in PAGES if page.values[0].problem]
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]"
)
NAMES = [page for page in PAGES if page.values[0].shown]


def write_project(source: Path) -> None:
    for case in (*CASES, PLAIN):
        texts = {f"{suffix}/{case.name}.{suffix}": text for suffix, text in case.pages.items()}
        contents = {name: text.encode() for name, text in texts.items()} | dict(case.files)
        for name, content in contents.items():
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


@pytest.mark.parametrize(("case", "suffix"), WITH_ERROR)
def test_one_warning_at_the_line(case: Case, suffix: str, built: tuple[Report, Path]) -> None:
    report, output = built
    ((kind, place, message),) = report.by_page[f"{suffix}/{case.name}"]
    assert (kind, place) == (f"llmsize.{case.problem}", marked_location(case, suffix))
    assert case.message in message
    html = (output / suffix / f"{case.name}.html").read_text("utf-8")
    assert html.count("llmsize-error") == 1


@pytest.mark.parametrize(("case", "suffix"), [page for page in PAGES if page not in WITH_ERROR])
def test_no_warning_on_correct_pages(case: Case, suffix: str, built: tuple[Report, Path]) -> None:
    report, output = built
    assert report.by_page[f"{suffix}/{case.name}"] == []
    assert "llmsize-table" in (output / suffix / f"{case.name}.html").read_text("utf-8")


@cache
def structure(page: Path) -> Structure:
    return Structure(page.read_text("utf-8"))


def without_texts(page: Structure) -> list[tuple[str, ...]]:
    """Elements of a page, except the lines of text in its pictures."""
    return [element for element in page.elements if element[0] != "text"]


@pytest.mark.parametrize(("case", "suffix"), NAMES)
def test_a_name_adds_no_elements(case: Case, suffix: str, built: tuple[Report, Path]) -> None:
    _, output = built
    found = structure(output / suffix / f"{case.name}.html")
    plain = structure(output / suffix / f"{PLAIN.name}.html")
    assert f"{case.shown}: " in found.text
    assert not INVISIBLE.search(found.text)
    assert set(found.elements) == set(plain.elements)
    # a long name leaves less room for a chart's numbers
    assert without_texts(found) == without_texts(plain)
