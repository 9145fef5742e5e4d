"""Fixtures that several tests share."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from docutils.frontend import OptionParser
from jinja2 import Environment
from project import Build, Project, small_theme, write_conf
from sphinx import theming
from sphinx.search.en import SearchEnglish
from sphinx.testing.util import SphinxTestApp
from sphinx.util.logging import SphinxLoggerAdapter

# no test is timed: a busy machine would fail it
untimed = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("untimed", **untimed)
hypothesis.settings.load_profile("untimed")

# Sphinx logs each node, event and extension: a twelfth of the time of a small build
logging.disable(logging.DEBUG)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options for the number of slow tests; ``nox -s incremental`` runs all."""
    parser.addoption("--scripts", default="2", help="number of random scripts, or a range: 100-200")
    parser.addoption("--ways", type=int, default=1, help="ways to build the same project")


def pytest_collection_finish() -> None:
    """Collect garbage rarely: with all models in caches it took a seventh of the time."""
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)


def pytest_sessionfinish() -> None:
    """Leave what is in caches to the end of the process: pytest would search it five times."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    """Compile each template of a theme once; a small build takes half as long."""
    compile = Environment.compile
    compiled: dict[tuple[Any, ...], Any] = {}

    def compile_once(environment: Environment, source: Any, *arguments: Any, **options: Any) -> Any:
        depends_on = (*environment.extensions, *environment.filters, *environment.tests)
        key = (source, arguments, *options.items(), depends_on)
        if key not in compiled:
            compiled[key] = compile(environment, source, *arguments, **options)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "compile", compile_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def repeated_work() -> Iterator[None]:
    """Do once what every build repeats with the same result, a fifth of the time of a small one.

    It is finding the installed themes, making docutils' parser of settings for each page, and
    stemming the words of the search index. Messages for debugging, which are not shown, are not
    even made.
    """
    make_parser, stem = OptionParser.__init__, SearchEnglish.stem
    parsers: dict[tuple[Any, ...], dict[str, Any]] = {}
    stems: dict[str, str] = {}

    def make_parser_once(parser: OptionParser, components: Any = (), **options: Any) -> None:
        classes = [each if isinstance(each, type) else type(each) for each in components]
        key = (*classes, repr(options), os.environ.get("DOCUTILSCONFIG"))
        if key not in parsers:
            make_parser(parser, components, **options)
            parsers[key] = vars(parser).copy()
        vars(parser).update(parsers[key], defaults=parsers[key]["defaults"].copy())

    def stem_once(language: SearchEnglish, word: str) -> str:
        if word not in stems:
            stems[word] = stem(language, word)
        return stems[word]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theming, "entry_points", cache(theming.entry_points))
        patch.setattr(OptionParser, "__init__", make_parser_once)
        patch.setattr(SearchEnglish, "stem", stem_once)
        patch.setattr(SphinxLoggerAdapter, "debug", lambda *_message, **_options: None)
        yield


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """A function that writes a project's files and builds them, in HTML with the small theme."""
    apps: list[SphinxTestApp] = []

    def run(files: dict[str, str], builder: str = "html", **settings: Any) -> Project:
        source = tmp_path / f"source{len(apps)}"
        for name, text in files.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        write_conf(source, **{**settings, **small_theme(source), **settings})
        if apps:
            apps[-1].cleanup()
        apps.append(SphinxTestApp(builder, srcdir=source))
        apps[-1].build()
        return Project(apps[-1])

    yield run
    if apps:
        apps[-1].cleanup()
