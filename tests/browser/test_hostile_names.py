"""Models with hostile names: no view turns a name into an element or runs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import every_view, sample
from .visit import Look, Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def seen(
    browser: Browser, packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visit]:
    """A visit to the page with all names."""
    folder, page = tmp_path_factory.mktemp("names"), every_view.every_name()
    pages = sample.build(folder, "alabaster", packages, page, llmsize_diagram="svg")
    with served(pages) as address, visit(browser, address, Look("light", 390)) as seen:
        yield seen


def test_every_name_is_shown(seen: Visit) -> None:
    captions = "\n".join(seen.found["captions"])
    assert [name for name in every_view.names() if name not in captions] == []


def test_a_name_adds_neither_elements_nor_attributes(seen: Visit) -> None:
    plain, *hostile, plain_rows, hostile_rows = map(Counter, seen.found["structures"])
    assert len(hostile) == len(every_view.names()) > 10
    # each line of a long label is a text element
    lines = {kind for kind in plain if kind.startswith("text ")}
    for found in hostile:
        assert found.keys() == plain.keys()
        assert {kind for kind in plain if found[kind] != plain[kind]} <= lines
    # short names need no lines for columns that are folded on a phone
    folded = "p class hidden "
    assert {**hostile_rows, folded: 0} == {**plain_rows, folded: 0}


def test_nothing_is_wider_than_the_page(seen: Visit) -> None:
    assert seen.found["contentWidth"] <= seen.found["pageWidth"]


def test_no_script_runs(seen: Visit) -> None:
    assert seen.found["injected"] == []
    assert seen.problems == []
