"""Random pages raise no error; our warnings have a type and a line of the page.

``LLMSIZE_EXAMPLES`` is the number of pages; ``nox -s fuzz`` draws more.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from docutils.statemachine import string2lines
from fuzz.pages import page
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from project import write_conf
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize.errors import Problem

EXAMPLES = int(os.environ.get("LLMSIZE_EXAMPLES", "20"))
PAGE = "page"


class PageBuilder(logging.Handler):
    """A project with one page that is replaced and built again, and the warnings about it."""

    def __init__(self, app: SphinxTestApp, suffix: str) -> None:
        super().__init__(logging.WARNING)
        self.app = app
        self.file = Path(app.srcdir) / f"{PAGE}.{suffix}"
        self.warnings: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.warnings.append(record)

    def build(self, text: str) -> str:
        """Build the project with this text as its page; return the HTML."""
        self.warnings.clear()
        self.file.write_text(text, "utf-8", errors="replace", newline="")
        env, builder = self.app.env, self.app.builder
        env.clear_doc(PAGE)
        builder.read_doc(PAGE)
        doctree = env.get_and_resolve_doctree(PAGE, builder)
        builder.write_doc(PAGE, doctree)
        return (Path(self.app.outdir) / f"{PAGE}.html").read_text("utf-8")


@pytest.fixture(scope="module", params=["rst", "md"])
def page_builder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PageBuilder]:
    source = tmp_path_factory.mktemp("pages")
    (source / f"{PAGE}.{request.param}").write_text("Title\n=====\n")
    write_conf(source, root_doc=PAGE)
    app = SphinxTestApp(srcdir=source)
    app.build()
    builder = PageBuilder(app, request.param)
    logging.getLogger("sphinx").addHandler(builder)
    yield builder
    logging.getLogger("sphinx").removeHandler(builder)
    app.cleanup()


@settings(
    max_examples=EXAMPLES,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(random=st.randoms(use_true_random=False))
def test_random_pages(random: Random, page_builder: PageBuilder) -> None:
    text = page(random, page_builder.file.suffix[1:])
    check(text, page_builder.build(text), page_builder)


def check(text: str, html: str, builder: PageBuilder) -> None:
    """Assert that no warning is an exception, and that ours have a type and a line."""
    ours = [w for w in builder.warnings if getattr(w, "type", "") == "llmsize"]
    for warning in builder.warnings:
        assert warning.exc_info is None, warning.getMessage()
        assert warning in ours or "llmsize" not in warning.name
    for warning in ours:
        assert warning.subtype in {problem.value for problem in Problem}
        file, _, line = str(warning.location).rpartition(":")
        assert file == str(builder.file), warning.getMessage()
        assert 1 <= int(line) <= number_of_lines(text), warning.getMessage()
    assert ours or "llmsize-error" not in html


def number_of_lines(text: str) -> int:
    """Number of lines, with an empty one after a final newline, as docutils counts them.

    More characters end a line for docutils than for an editor: U+2028 and U+0085, for example. They
    do for MyST-Parser too, within directives.
    """
    return len(string2lines(f"{text}.", convert_whitespace=True))
