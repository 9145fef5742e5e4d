"""Guards of the Sphinx host that other tests do not need: one mistake for each."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path, PurePath, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import pytest
from project import Build

from sphinx_llmsize import ConfigError
from sphinx_llmsize.cli import main
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.hosts.sphinx import config_files, directive_options, project_models

HOUSE = '{"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2}'
OUTSIDE = "it is outside the source directory"
LONG = "x" * 300


def environment(folder: PurePath, models: object = "models") -> Any:
    """What is asked of Sphinx's environment about files."""
    config = SimpleNamespace(llmsize_config_roots=[], llmsize_models=models)
    return SimpleNamespace(srcdir=folder, config=config, llmsize_confdir=folder)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://example.org/config.json", "it is a URL"),
        ("a\0.json", "it is no path"),
        ("../config.json", OUTSIDE),
        ("/../config.json", OUTSIDE),
    ],
)
def test_paths_that_are_none(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=reason) as caught:
        config_files.inside(environment(tmp_path), text, relative_to=str(tmp_path))
    assert caught.value.problem is Problem.FILE


@pytest.mark.parametrize("setting", [5, None, ["models"]])
def test_models_that_are_neither_a_folder_nor_a_dict(setting: object, tmp_path: Path) -> None:
    assert "llmsize_models is" in project_models.entry(environment(tmp_path, setting), "house")
    assert "llmsize_models is" in project_models.all_names(environment(tmp_path, setting), "")


def test_a_page_tells_so(build: Build) -> None:
    pages = {"index.rst": "T\n=\n\n.. llm-size:: gpt2\n", "other.rst": "No model.\n"}
    (warned,) = build(pages, llmsize_models=5).warned
    assert (warned.file, warned.line, warned.type) == ("index.rst", 4, "llmsize.option")


def test_another_drive_is_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_files, "os", SimpleNamespace(path=ntpath, PathLike=os.PathLike))
    env = environment(PureWindowsPath("C:\\source"))
    with pytest.raises(ConfigError, match=OUTSIDE):
        config_files.inside(env, "D:/config.json", relative_to="C:\\source")


def test_a_way_around_is_outside_wherever_it_leads(tmp_path: Path, build: Build) -> None:
    (tmp_path / "source0").mkdir()
    (tmp_path / "around").symlink_to("source0")
    page = "T\n=\n\n.. llm-size:: Filed\n   :config: ../around/house.json\n"
    (warned,) = build({"index.rst": page, "house.json": HOUSE}, "text").warned
    assert OUTSIDE in warned.message


def test_what_has_moved_outside_between_builds_is_an_answer(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("house.json", "models"):
        (source / name).symlink_to(tmp_path)
    env = environment(source)
    assert OUTSIDE in config_files.content(env, str(source / "house.json"))
    assert OUTSIDE in project_models.entry(env, "house")
    assert OUTSIDE in project_models.all_names(env, "")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("expect", "true", "'true' is not a whole number"),
        ("expect", "6.7", "'6.7' is not a whole number"),
        ("dtype", "bf61", "unknown type of numbers"),
        ("class", "!", "cannot make"),
    ],
)
def test_options_that_cannot_be(option: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        directive_options.read({option: text}, directive_options.SizeOptions)
    assert (caught.value.problem, caught.value.option) == (Problem.OPTION, option)


def test_the_command_tells_of_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(("show", "gpt2", "--tokens", "many"))
    assert ended.value.code == 2
    assert "'many' is not a number of tokens" in capsys.readouterr().err


@pytest.mark.parametrize("links", [f"{LONG}: index", f"lm_head: {LONG}"], ids=["box", "target"])
def test_a_long_link_is_told_by_its_beginning(links: str, build: Build) -> None:
    page = f"T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n   :links: {links}\n"
    (warned,) = build({"index.rst": page}).warned
    assert "x" * 20 in warned.message
    assert len(warned.message) < 300


def test_what_cannot_be_printed_in_a_name_is_marked(build: Build) -> None:
    body = "{hidden_dim: 8, num_layers: 1, num_heads: 1, vocab_size: 9}"
    page = f"T\n=\n\n.. llm-size:: ho\x7fuse\n   :show: table\n\n   {body}\n"
    assert "ho\ufffduse: 9" in build({"index.rst": page}, "text").output("index.txt")


def test_a_long_name_is_told_by_its_beginning(build: Build) -> None:
    page = f"T\n=\n\n:llm-size:`{LONG}`\n"
    (warned,) = build({"index.rst": page}, "text", llmsize_models={LONG: 7}).warned
    assert "is neither described nor a path" in warned.message
    assert len(warned.message) < 300
