"""Pages with errors and hostile text: one warning at its line, or none, and the page is written.

``data/corpus`` is a Sphinx project in both markup languages; its ``index.json`` has the expected
outcome of each page.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from project import NOT_IN_TOCTREE, small_theme, write_conf
from sphinx.application import Sphinx
from sphinx.testing.util import SphinxTestApp

CORPUS = Path(__file__).parent / "data" / "corpus"
CASES = json.loads((CORPUS / "index.json").read_text("utf-8"))
WITH_ERROR = [case for case in CASES if case["outcome"] == "warning-with-location"]
WITHOUT_ERROR = [case for case in CASES if case["outcome"] != "warning-with-location"]
SECRET = "4242"
"""A size in a file outside the project, which no page may show."""


class Report(logging.Handler):
    """Warnings by the page that was being read."""

    def __init__(self, root: Path) -> None:
        super().__init__(logging.WARNING)
        self.root = root
        self.page = ""
        self.seen: list[logging.LogRecord] = []
        self.by_page: dict[str, list[tuple[str, str, str]]] = defaultdict(list)

    def emit(self, record: logging.LogRecord) -> None:
        if record in self.seen:  # Sphinx buffers warnings and logs them again
            return
        self.seen.append(record)
        kind = f"{getattr(record, 'type', '')}.{getattr(record, 'subtype', '')}"
        place = str(getattr(record, "location", "")).removeprefix(f"{self.root}/")
        self.by_page[self.page].append((kind, place, record.getMessage()))

    def start(self, app: Sphinx, docname: str, source: list[str]) -> None:
        self.page = docname

    def stop(self, app: Sphinx, env: Any) -> None:
        self.page = "after reading"


def write_project(folder: Path) -> Path:
    """Write the corpus, with files that cannot be in a repository: links, a FIFO, a huge file."""
    source = folder / "source"
    shutil.copytree(CORPUS, source)
    (folder / "outside.json").write_text(f'{{"model_type": "gpt2", "n_embd": {SECRET}}}')
    (source / "cfg" / "link_out.json").symlink_to(folder / "outside.json")
    (source / "cfg" / "loop.json").symlink_to("loop.json")
    if hasattr(os, "mkfifo"):  # on other systems, the missing file has the same warning
        os.mkfifo(source / "cfg" / "fifo.json")
    with (source / "cfg" / "big.json").open("wb") as file:
        file.truncate(64 * 2**20)
    (source / "index.rst").write_text("Corpus\n======\n")
    write_conf(
        source,
        myst_enable_extensions=["colon_fence"],
        exclude_patterns=["location/inc_*"],
        suppress_warnings=["toc.not_included"],
        **small_theme(source),
    )
    return source


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Report, Path]]:
    """Warnings of one build of all pages, and its output folder."""
    source = write_project(tmp_path_factory.mktemp("corpus"))
    app = SphinxTestApp(srcdir=source)
    handler = Report(source)
    logger = logging.getLogger("sphinx")
    logger.addHandler(handler)
    app.connect("source-read", handler.start)
    app.connect("env-updated", handler.stop)
    try:
        app.build()
        yield handler, Path(app.outdir)
    finally:
        logger.removeHandler(handler)
        app.cleanup()


def page_of(case: dict[str, Any]) -> str:
    return str(case["page"]).rpartition(".")[0]


@pytest.mark.parametrize("case", WITH_ERROR, ids=lambda case: case["page"])
def test_one_warning_at_the_line(case: dict[str, Any], report: tuple[Report, Path]) -> None:
    warnings, output = report
    ours = [
        warning for warning in warnings.by_page[page_of(case)] if warning[0].startswith("llmsize.")
    ]
    ((_, place, message),) = ours
    file, line = case["at"]
    found_file, _, found_line = place.rpartition(":")
    assert found_file == file
    assert case.get("any_line") or int(found_line) == line
    assert case.get("message", "") in message
    html = (output / f"{page_of(case)}.html").read_text("utf-8")
    assert html.count("llmsize-error") == 1


@pytest.mark.parametrize("case", WITHOUT_ERROR, ids=lambda case: case["page"])
def test_no_warning_on_correct_pages(case: dict[str, Any], report: tuple[Report, Path]) -> None:
    warnings, output = report
    assert warnings.by_page[page_of(case)] == []
    html = (output / f"{page_of(case)}.html").read_text("utf-8")
    assert "llmsize-error" not in html
    assert "llmsize-table" in html


def test_no_warnings_after_reading(report: tuple[Report, Path]) -> None:
    warnings, _ = report
    # pages of the corpus use the same few names
    found = warnings.by_page["after reading"]
    messages = [message for kind, _, message in found if kind != "llmsize.duplicate"]
    assert [text for text in messages if not NOT_IN_TOCTREE.match(f"{text}\n")] == []


def test_nothing_outside_of_the_project_is_read(report: tuple[Report, Path]) -> None:
    _, output = report
    pages = list(output.rglob("*.html"))
    assert len(pages) > len(CASES)
    assert [page for page in pages if SECRET in page.read_text("utf-8")] == []


def test_the_corpus_is_complete() -> None:
    pages = {
        p.relative_to(CORPUS).as_posix() for p in CORPUS.rglob("*") if p.suffix in {".rst", ".md"}
    }
    included = {page for page in pages if "/inc_" in page}
    assert pages - included == {case["page"] for case in CASES}
