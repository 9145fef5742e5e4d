"""Checks of the Sphinx host that no other test needs: one error for each."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path, PurePath, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import pytest
from project import Build, Project, write_conf
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize import ConfigError
from sphinx_llmsize.cli import main
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.hosts.sphinx import config_files, directive_options, project_models

HOUSE = '{"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2}'
OUTSIDE = "it is outside the allowed folders"
LONG = "x" * 300


def environment(folder: PurePath, models: object = "models") -> Any:
    """Substitute for Sphinx's environment, for functions on files."""
    config = SimpleNamespace(llmsize_config_roots=[], llmsize_models=models)
    domain = SimpleNamespace(confdir=folder)
    return SimpleNamespace(srcdir=folder, config=config, get_domain=lambda name: domain)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://example.org/config.json", "it is a URL"),
        ("a\0.json", "it contains a null character"),
        ("../config.json", OUTSIDE),
        ("/../config.json", OUTSIDE),
    ],
)
def test_refused_paths(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=reason) as caught:
        config_files.allowed_path(environment(tmp_path), text, relative_to=str(tmp_path))
    assert caught.value.problem is Problem.FILE


MODEL_NEEDED = {"index.rst": "T\n=\n\n:llm-size:`house`\n", "other.rst": "No model.\n"}


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        *(("llmsize_models", setting) for setting in (5, None, ["models"])),
        *(("llmsize_config_roots", setting) for setting in (5, None, [1], {"a": 1}, ["a\0b"])),
        *(("llmsize_diagram", setting) for setting in ("png", None, 5, ["svg"])),
        *(("llmsize_math", setting) for setting in ("mathjax", None, 5, ["mathml"])),
        *(("llmsize_number_format", setting) for setting in ("", None, 5, ["1.234,5"])),
    ],
)
def test_settings_of_the_wrong_kind(name: str, setting: object, build: Build) -> None:
    project = build({"index.rst": "T\n=\n\n.. llm-size:: gpt2\n"}, **{name: setting})
    (warned,) = project.warned
    assert (warned.file, warned.line, warned.type) == ("conf.py", 3, "llmsize.option")
    assert name in warned.message
    assert project.log.count("WARNING") == 1
    assert "124,439,808" in project.output("index.html")


@pytest.mark.parametrize("command", ["a 'b", "", None, 5, []])
def test_mermaid_command_of_the_wrong_kind(command: object, build: Build) -> None:
    settings = {"mermaid_cmd": command, "mermaid_cmd_shell": ["x"], "mermaid_output_format": "svg"}
    project = build({"index.rst": "T\n=\n\n.. llm-size:: gpt2\n"}, **settings)
    assert [each.type for each in project.warned if each.type] == ["llmsize.option"]
    assert "<svg" in project.output("index.html")


UNUSABLE = """
class Broken:
    def __repr__(self):
        raise ValueError
    __str__ = __fspath__ = __repr__
class Unreadable(dict):
    def items(self):
        raise ValueError
deep = {}
for _ in range(5000):
    deep = {"a": deep}
"""


@pytest.mark.parametrize(
    ("models", "kinds"),
    [
        ('{"house": {"num_layers": 10**5000}}', ["value"]),
        ('{"house": {"num_layers": Broken()}}', ["value"]),
        ('{"house": Broken()}', ["model"]),
        ('{"house": deep}', ["syntax"]),
        ('{"house": {deep.get: 1}}', ["key"]),
        ('{Broken(): "house.json"}', ["model", "option"]),
        ("Broken()", ["model", "option"]),
        ("deep", ["model"]),
        ("Unreadable()", ["model", "option"]),
    ],
)
def test_unusable_models(models: str, kinds: list[str], tmp_path: Path) -> None:
    write_conf(tmp_path)
    with (tmp_path / "conf.py").open("a") as conf:
        conf.write(f"{UNUSABLE}\nllmsize_models = {models}\n")
    for name, text in MODEL_NEEDED.items():
        (tmp_path / name).write_text(text)
    app = SphinxTestApp(srcdir=tmp_path)
    try:
        app.build()
    finally:
        app.cleanup()
    warned = Project(app).warned
    assert sorted(each.type for each in warned) == [f"llmsize.{kind}" for kind in kinds]
    assert {each.file for each in warned} <= {"conf.py", "index.rst"}


def test_usable_roots_beside_an_unusable_one(build: Build, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "house.json").write_text(HOUSE)
    page = "T\n=\n\n.. llm-size:: Filed\n   :config: ../models/house.json\n"
    project = build({"index.rst": page}, "text", llmsize_config_roots=["../models", 5])
    assert [warned.type for warned in project.warned] == ["llmsize.option"]
    assert "Filed:" in project.output("index.txt")


def test_another_drive_is_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_files, "os", SimpleNamespace(path=ntpath, PathLike=os.PathLike))
    env = environment(PureWindowsPath("C:\\source"))
    with pytest.raises(ConfigError, match=OUTSIDE):
        config_files.allowed_path(env, "D:/config.json", relative_to="C:\\source")


def test_a_path_that_leaves_and_returns_by_a_link_is_outside(tmp_path: Path, build: Build) -> None:
    (tmp_path / "source0").mkdir()
    (tmp_path / "around").symlink_to("source0")
    page = "T\n=\n\n.. llm-size:: Filed\n   :config: ../around/house.json\n"
    (warned,) = build({"index.rst": page, "house.json": HOUSE}, "text").warned
    assert OUTSIDE in warned.message


def test_fingerprints_of_files_outside(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("house.json", "models"):
        (source / name).symlink_to(tmp_path)
    env = environment(source)
    assert OUTSIDE in config_files.content_fingerprint(env, str(source / "house.json"))
    assert OUTSIDE in project_models.entry_fingerprint(env, "house")
    assert OUTSIDE in project_models.names_fingerprint(env, "")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("expect", "true", "'true' is not a whole number"),
        ("expect", "6.7", "'6.7' is not a whole number"),
        ("dtype", "bf61", "unknown data type"),
        ("class", "!", "cannot make"),
    ],
)
def test_unusable_option_values(option: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        directive_options.read({option: text}, directive_options.SizeOptions)
    assert (caught.value.problem, caught.value.option) == (Problem.OPTION, option)


def test_errors_of_command_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(("show", "gpt2", "--tokens", "many"))
    assert ended.value.code == 2
    assert "'many' is not a number of tokens" in capsys.readouterr().err


@pytest.mark.parametrize("links", [f"{LONG}: index", f"lm_head: {LONG}"], ids=["box", "target"])
def test_messages_shorten_long_links(links: str, build: Build) -> None:
    page = f"T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n   :links: {links}\n"
    (warned,) = build({"index.rst": page}).warned
    assert "x" * 20 in warned.message
    assert len(warned.message) < 300


def test_control_characters_in_a_name_are_removed(build: Build) -> None:
    body = "{hidden_dim: 8, num_layers: 1, num_heads: 1, vocab_size: 9}"
    page = f"T\n=\n\n.. llm-size:: ho\x7fuse\n   :show: table\n\n   {body}\n"
    assert "house: 9" in build({"index.rst": page}, "text").output("index.txt")


def test_messages_shorten_long_names(build: Build) -> None:
    page = f"T\n=\n\n:llm-size:`{LONG}`\n"
    (warned,) = build({"index.rst": page}, "text", llmsize_models={LONG: 7}).warned
    assert "is neither described nor a path" in warned.message
    assert len(warned.message) < 300


ESCAPE, OVERRIDE = "\x1b", "\u202e"


@pytest.mark.parametrize("role", ["house", f"{OVERRIDE}house"])
def test_names_of_project_models_without_invisible_characters(role: str, build: Build) -> None:
    page = f"T\n=\n\n:llm-size:`{role}:total`\n\n.. llm-size:: house\n"
    models = {f"{OVERRIDE}house": {"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2}}
    project = build({"index.rst": page}, llmsize_models=models)
    assert project.warned == []
    assert OVERRIDE not in project.output("index.html")


@pytest.mark.parametrize("text", [".. llm-size:: gpt\n", ":llm-size:`gpt`\n"])
def test_file_names_in_locations_of_warnings(text: str, build: Build) -> None:
    name = f"{ESCAPE}[31m{OVERRIDE}page"
    project = build({"index.rst": "T\n=\n", f"{name}.rst": f"T\n=\n\n{text}"})
    (warned,) = [line for line in project.log.split("\n") if "[llmsize." in line]
    assert r"\x1b[31m\u202epage.rst:4: " in warned
    assert ESCAPE not in warned
    assert OVERRIDE not in warned
