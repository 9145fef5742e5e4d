"""Files that a page and its project may read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from project import Build

HOUSE = '{"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2}'
SIZE = "3,382,080"
"""Total of that model."""
FILED = {
    "index.rst": "T\n=\n\n.. llm-size:: Filed\n   :show: table\n   :config: {}\n",
    "index.md": "# T\n\n```{{llm-size}} Filed\n:show: table\n:config: {}\n```\n",
}
LINE = {"index.rst": 6, "index.md": 5}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def roles(**models: str) -> dict[str, str]:
    """Pages with the role, by page and name of the model."""
    return {f"{page}.rst": f"{page}\n====\n\n:llm-size:`{m}`\n" for page, m in models.items()}


@pytest.fixture
def no_insertion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forbid file insertion, as a ``docutils.conf`` beside ``conf.py`` does."""
    write(tmp_path, {"docutils.conf": "[general]\nfile_insertion_enabled: no\n"})
    monkeypatch.setenv("DOCUTILSCONFIG", str(tmp_path / "docutils.conf"))


@pytest.mark.usefixtures("no_insertion")
@pytest.mark.parametrize("page", FILED)
def test_no_files_if_docutils_forbids_file_insertion(page: str, build: Build) -> None:
    files = {page: FILED[page].format("house.json"), "house.json": HOUSE}
    (warned,) = build(files, "text").warned
    assert (warned.file, warned.line, warned.type) == (page, LINE[page], "llmsize.file")
    assert "file_insertion_enabled is off" in warned.message


@pytest.mark.usefixtures("no_insertion")
def test_models_of_the_project_are_no_insertion(build: Build) -> None:
    page = "T\n=\n\n.. llm-size:: house\n   :show: table\n"
    files = {"index.rst": page, "house.json": HOUSE}
    project = build(files, "text", llmsize_models={"house": "house.json"})
    assert project.warned == []
    assert SIZE in project.output("index.txt")


@pytest.mark.parametrize("roots", [["../models"], "../models", ["{absolute}"]])
@pytest.mark.parametrize("path", ["../models/house.json", "/../models/house.json", "link.json"])
def test_additional_folders(roots: Any, path: str, tmp_path: Path, build: Build) -> None:
    write(tmp_path, {"models/house.json": HOUSE})
    (tmp_path / "source0").mkdir()
    (tmp_path / "source0" / "link.json").symlink_to(tmp_path / "models" / "house.json")
    if isinstance(roots, list):
        roots = [root.format(absolute=tmp_path / "models") for root in roots]
    files = {"index.rst": FILED["index.rst"].format(path)}
    project = build(files, "text", llmsize_config_roots=roots)
    assert project.warned == []
    assert SIZE in project.output("index.txt")


@pytest.mark.parametrize(
    ("path", "roots"),
    [
        ("../outside.json", []),
        ("../outside.json", ["../models"]),
        ("../outside.json", "../models"),
        ("../models/../outside.json", ["../models"]),
        ("../modelsandmore/house.json", ["../models"]),
        ("link.json", []),
        ("folder/house.json", ["../models"]),
        ("../models/link.json", ["../models"]),
    ],
)
def test_files_outside_are_refused(path: str, roots: Any, tmp_path: Path, build: Build) -> None:
    outside = ("outside.json", "models/house.json", "modelsandmore/house.json")
    write(tmp_path, dict.fromkeys(outside, HOUSE))
    (tmp_path / "source0").mkdir()
    (tmp_path / "source0" / "link.json").symlink_to("../outside.json")
    (tmp_path / "models" / "link.json").symlink_to("../outside.json")
    (tmp_path / "source0" / "folder").symlink_to("../modelsandmore")
    files = {"index.rst": FILED["index.rst"].format(path)}
    project = build(files, "text", llmsize_config_roots=roots)
    (warned,) = project.warned
    assert "it is outside the allowed folders" in warned.message
    assert SIZE not in project.output("index.txt")


@pytest.mark.parametrize("page", FILED)
def test_paths_with_null_characters(page: str, build: Build) -> None:
    (warned,) = build({page: FILED[page].format("a\0.json")}, "text").warned
    assert (warned.line, warned.type) == (LINE[page], "llmsize.file")


@pytest.mark.parametrize("setting", ["../models", "link", {"house": "../models/house.json"}])
def test_models_outside_the_project_are_refused(setting: Any, tmp_path: Path, build: Build) -> None:
    write(tmp_path, {"models/house.json": HOUSE})
    (tmp_path / "source0").mkdir()
    (tmp_path / "source0" / "link").symlink_to(tmp_path / "models")
    (warned,) = build(roles(index="house"), "text", llmsize_models=setting).warned
    assert (warned.line, warned.type) == (4, "llmsize.file")


def test_names_of_files_outside_the_project_are_not_shown(tmp_path: Path, build: Build) -> None:
    write(tmp_path, {"models/house.json": HOUSE})
    (tmp_path / "source0").mkdir()
    (tmp_path / "source0" / "link").symlink_to(tmp_path / "models")
    assert "house'" not in build(roles(index="hause"), "text", llmsize_models="link").log


def test_a_model_of_the_wrong_type(build: Build) -> None:
    (warned,) = build(roles(index="house"), "text", llmsize_models={"house": 7}).warned
    assert "is neither described nor a path" in warned.message


def test_a_missing_folder_of_models(build: Build) -> None:
    pages = roles(index="house", other="gpt2")
    (warned,) = build(pages, "text", llmsize_models="modls").warned
    assert warned.type == "llmsize.model"
    assert "unknown model 'house' (" in warned.message
    assert "llmsize_models: no folder 'modls')" in warned.message
    (warned,) = build({**pages, "models/cabin.json": HOUSE}, "text", llmsize_models="models").warned
    assert "no folder" not in warned.message


@pytest.mark.parametrize("other", ["house.yaml", "House.yml"])
def test_two_files_of_one_model(other: str, build: Build) -> None:
    files = {"models/house.json": HOUSE, f"models/{other}": HOUSE, "models/hut.json": HOUSE}
    pages = {**roles(index="house", other="hut"), **files}
    (warned,) = build(pages, "text", llmsize_models="models").warned
    assert (warned.file, warned.line, warned.type) == ("index.rst", 4, "llmsize.model")
    first, second = sorted(["house.json", other])
    assert f"{first!r} and {second!r} have the same name (give one of them" in warned.message
