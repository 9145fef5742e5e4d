"""Dependencies of a page besides its text: if one changes, the page is read again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project import make_fifo, write_conf
from sphinx.testing.util import SphinxTestApp
from test_file_rules import FILED, HOUSE, roles, write

from sphinx_llmsize.hosts.sphinx import version
from sphinx_llmsize.templating import version_of

Read = Callable[..., set[str]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """A function that builds the folder again and returns the pages read."""

    def run(jobs: int = 1, **settings: Any) -> set[str]:
        write_conf(tmp_path, **settings)
        app = SphinxTestApp("dummy", srcdir=tmp_path, parallel=jobs)
        pages: set[str] = set()
        app.connect("env-before-read-docs", lambda app, env, names: pages.update(names))
        try:
            app.build()
        finally:
            app.cleanup()
        return pages

    return run


def test_a_hint_that_names_a_file(read: Read, tmp_path: Path) -> None:
    write(tmp_path, {"index.rst": FILED["index.rst"].format("hose.json")})
    assert read() == {"index"}
    assert read() == set()
    write(tmp_path, {"house.json": HOUSE})
    assert read() == {"index"}
    write(tmp_path, {"unlike.json": HOUSE})
    assert read() == set()
    (tmp_path / "house.json").unlink()
    assert read() == {"index"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_of_models(jobs: int, read: Read, tmp_path: Path) -> None:
    pages = roles(index="gpt2", one="house", two="House:total:exact", other="cabin", own="mine")
    # "mine" is described later on its page, so the page does not depend on the folder
    own = "\n.. llm-size:: mine\n\n   {hidden_dim: 8, num_layers: 1, num_heads: 1, vocab_size: 9}\n"
    more = {f"more{i}.rst": "More\n====\n" for i in range(4)}
    write(tmp_path, {**pages, **more, "own.rst": pages["own.rst"] + own})

    def rebuilt() -> set[str]:
        return read(jobs, llmsize_models="configs")

    assert len(rebuilt()) == len(pages) + len(more)
    assert rebuilt() == set()
    write(tmp_path, {"configs/house.json": HOUSE})
    assert rebuilt() == {"one", "two", "other"}
    assert rebuilt() == set()
    (tmp_path / "configs" / "house.json").rename(tmp_path / "configs" / "cabin.json")
    assert rebuilt() == {"one", "two", "other"}
    write(tmp_path, {"configs/gpt2.yaml": HOUSE})
    assert rebuilt() == {"index", "one", "two"}
    (tmp_path / "configs" / "gpt2.yaml").unlink()
    assert rebuilt() == {"index", "one", "two"}


def test_models_in_the_configuration(read: Read, tmp_path: Path) -> None:
    write(tmp_path, roles(index="gpt2", one="house", two="cabin"))
    model = {"hidden_dim": 8, "num_layers": 1, "num_heads": 1, "vocab_size": 9}
    read(llmsize_models={"house": model, "cabin": model})
    assert read(llmsize_models={"cabin": model, "house": {**model, "num_layers": 2}}) == {"one"}
    # 2 == 2.0 in Python, but 2.0 is not a valid size
    assert read(llmsize_models={"cabin": model, "house": {**model, "num_layers": 2.0}}) == {"one"}
    assert read(llmsize_models={"cabin": model}) == {"one"}


def test_a_restored_file_with_an_old_time(read: Read, tmp_path: Path) -> None:
    files = {"index.rst": FILED["index.rst"].format("house.json"), "other.rst": "Other\n=====\n"}
    write(tmp_path, {**files, "house.json": HOUSE, "old.json": HOUSE.replace("64", "32")})
    os.utime(tmp_path / "old.json", (1e9, 1e9))
    assert read() == {"index", "other"}
    (tmp_path / "old.json").replace(tmp_path / "house.json")
    assert read() == {"index"}
    (tmp_path / "house.json").unlink()
    assert read() == {"index"}
    assert read() == set()
    write(tmp_path, {"house.json": HOUSE})
    assert read() == {"index"}


@pytest.mark.parametrize("kind", ["folder", "fifo", "link"])
def test_special_files_do_not_make_every_build_reread_the_page(
    kind: str, read: Read, tmp_path: Path
) -> None:
    write(tmp_path, {"index.rst": FILED["index.rst"].format("house.json")})
    path = tmp_path / "house.json"
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        make_fifo(path)
    else:
        path.symlink_to(path.name)
    assert read() == {"index"}
    assert read() == set()


def test_refused_files_are_not_read(
    read: Read, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere, {"house.json": HOUSE})
    write(tmp_path, {"index.rst": FILED["index.rst"].format("link.json")})
    (tmp_path / "link.json").symlink_to(elsewhere / "house.json")
    read()
    write(elsewhere, {"house.json": "{}"})
    assert read() == set()


def test_templates_added_changed_and_removed(read: Read, tmp_path: Path) -> None:
    shown = "T\n=\n\n.. llm-size:: gpt2\n   :show: {}\n"
    pages = {"diagram": "diagram", "chart": "composition", "index": "table"}
    write(tmp_path, {f"{page}.rst": shown.format(view) for page, view in pages.items()})

    def rebuilt() -> set[str]:
        return read(templates_path=["_templates"])

    assert rebuilt() == set(pages)
    write(tmp_path, {"_templates/llmsize/diagram.mmd.jinja": "{% include 'part.jinja' %}"})
    assert rebuilt() == {"diagram"}
    write(tmp_path, {"_templates/part.jinja": "flowchart"})
    assert rebuilt() == {"diagram"}
    write(tmp_path, {"_templates/llmsize/chart.svg.jinja": "<svg/>"})
    assert rebuilt() == {"chart"}
    (tmp_path / "_templates/part.jinja").unlink()
    assert rebuilt() == {"diagram"}
    assert rebuilt() == set()


@pytest.mark.parametrize(
    "text", ["{% import 'a' as a %}", "{% extends 'a' %}", "{% set n = 'a' %}{% include n %}"]
)
def test_a_template_depends_on_those_it_includes(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "llmsize"
    write(folder, {"top": text.replace("'a'", "'llmsize/a'"), "a": "1"})
    before = version_of("llmsize/top", (str(tmp_path),))
    write(folder, {"a": "2"})
    assert version_of("llmsize/top", (str(tmp_path),)) != before


def test_a_template_that_is_not_text_counts_as_missing(tmp_path: Path) -> None:
    absent = version_of("llmsize/top", (str(tmp_path),))
    (tmp_path / "llmsize").mkdir()
    (tmp_path / "llmsize" / "top").write_bytes(b"\xff")
    assert version_of("llmsize/top", (str(tmp_path),)) == absent


def test_a_new_version_rereads_everything(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, roles(index="gpt2", one="gpt2"))
    read()
    monkeypatch.setattr("sphinx_llmsize.__version__", "99")
    version.env_version.cache_clear()
    try:
        assert read() == {"index", "one"}
    finally:
        version.env_version.cache_clear()
