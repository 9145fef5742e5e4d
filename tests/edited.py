"""A project that is changed by random edits, and the dependencies of each of its pages."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path

from project import small_theme, write_conf

State = dict[str, str]
"""Text of every file, or ``-> target`` of a link, by path."""

OUTSIDE = "-> ../outside.json"
"""Link to a file outside the project, which is not read."""
INSIDE = "-> shared/b.yaml"
"""Link to another configuration of the project."""
RELEASED = ("gpt2",)
"""Presets that pages show, unless the folder of models has a file of that name."""
DIAGRAM, CHART = "diagram.mmd.jinja", "chart.svg.jinja"
CONFIGURATIONS = (
    '{"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4}',
    '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 3}',
    '{"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}',
    '{\n"model_type": "gpt2",\n"n_layer": "two"}',
    "{",
)
USABLE = CONFIGURATIONS[:3]
TEMPLATES = (
    "flowchart TB\n",
    'flowchart LR\n{% include "llmsize/part.jinja" %}\n',
    '{% set part = "llmsize/part.jinja" %}{% include part %}\n',
    "{{ nothing.at.all }}\n",
    "{% if %}\n",
)
CONFIGS = (
    *("config.json", "shared/b.yaml", "configs/house.json", "configs/House.yaml"),
    *("configs/other.json", "configs/gpt2.yml", "configs/unused.json"),
)
OVERRIDES = tuple(
    f"{folder}/llmsize/{name}"
    for folder in ("_templates", "_more")
    for name in (DIAGRAM, CHART, "part.jinja")
)
PAGES: State = {
    "index.rst": "T\n=\n\n:ref:`there <label>`\n\n.. toctree::\n\n   file\n   both\n   role\n"
    "   compare\n   template\n   plain\n",
    "file.rst": "File\n====\n\n.. llm-size:: Filed\n   :config: config.json\n"
    "   :show: table, diagram\n   :name: filed\n   :links: qkv: label\n\n:numref:`filed`\n",
    "both.md": "(label)=\n# Both\n\n```{llm-size}\n:config: /shared/b.yaml\n:show: table\n```\n\n"
    "```{llm-size} gpt2\n:show: diagram\nnum_layers: 3\n```\n",
    "role.rst": "Role\n====\n\n:llm-size:`house` :llm-size:`other:total:exact` :llm-size:`own`\n\n"
    ".. llm-size:: own\n   :show: table\n\n   {hidden_dim: 8, num_layers: 1, num_heads: 1,"
    " vocab_size: 9}\n",
    "compare.md": "# Compare\n\n```{llm-compare} gpt2, house\n:show: table, composition\n```\n",
    "template.rst": "Template\n========\n\n.. llm-template::\n\n   {{ model('other').total }}\n",
    "plain.md": "# Plain\n",
}
START: State = {
    **PAGES,
    "config.json": CONFIGURATIONS[0],
    "shared/b.yaml": CONFIGURATIONS[2],
    "configs/house.json": CONFIGURATIONS[1],
}


def _file(state: State, path: str) -> str | None:
    """Text of a file, or of the file that a link leads to; None if there is none."""
    text = state.get(path)
    return state.get("shared/b.yaml") if text == INSIDE else text


def _template(state: State, name: str) -> Hashable:
    """Text of the project's template of this name, with that of the part it may include."""
    paths = (f"{folder}/llmsize/{name}" for folder in ("_templates", "_more"))
    text = next((state[path] for path in paths if path in state), "")
    return (text, _template(state, "part.jinja")) if "part" in text else text


def _path(state: State, name: str) -> str | None:
    """Path of the file in the folder of models with this name, in any letter case."""
    return {stem.casefold(): path for stem, path in reversed(_models(state).items())}.get(name)


def _models(state: State) -> dict[str, str]:
    """Paths of the files in the folder of models, by name."""
    paths = (path for path in sorted(state) if path.startswith("configs/"))
    return {os.path.splitext(os.path.basename(path))[0]: path for path in paths}


def _model(state: State, name: str) -> Hashable:
    """Everything that a reference to a model by name depends on."""
    path = _path(state, name)
    if path is None:
        # the hint of the error depends on the names of all models
        return None if name in RELEASED else tuple(sorted(_models(state)))
    return path, _file(state, path)


def _is_usable(state: State, name: str) -> bool:
    """True if there is a model of this name, without errors."""
    path = _path(state, name)
    return name in RELEASED if path is None else _file(state, path) in USABLE


def _index(state: State) -> Hashable:
    return state["index.rst"]


def _plain(state: State) -> Hashable:
    return state["plain.md"]


def _of_file(state: State) -> Hashable:
    config = _file(state, "config.json")
    # a configuration with errors is shown without a template
    template = config in USABLE and _template(state, DIAGRAM)
    return state["file.rst"], config, template


def _both(state: State) -> Hashable:
    template = _is_usable(state, "gpt2") and _template(state, DIAGRAM)
    return state["both.md"], _file(state, "shared/b.yaml"), _model(state, "gpt2"), template


def _role(state: State) -> Hashable:
    return state["role.rst"], _model(state, "house"), _model(state, "other")


def _compare(state: State) -> Hashable:
    gpt2, house = _model(state, "gpt2"), _model(state, "house")
    # only the first mistake is reported
    if not _is_usable(state, "gpt2"):
        return state["compare.md"], gpt2
    template = _is_usable(state, "house") and _template(state, CHART)
    return state["compare.md"], gpt2, house, template


def _of_template(state: State) -> Hashable:
    return state["template.rst"], _model(state, "other")


DEPENDENCIES: dict[str, Callable[[State], Hashable]] = {
    "index": _index,
    "file": _of_file,
    "both": _both,
    "role": _role,
    "compare": _compare,
    "template": _of_template,
    "plain": _plain,
}
"""Functions of the state that return everything a page depends on, by page."""


@dataclass
class Edited:
    """The project in a folder.

    Attributes:
        folder: the project's folder, which is created.
        chance: source of random edits.
        state: the current files.
        page_edits: number of edits of pages so far.
    """

    folder: Path
    chance: random.Random
    state: State = field(default_factory=dict)
    page_edits: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder.parent / "outside.json").write_text(CONFIGURATIONS[0])
        write_conf(
            self.folder,
            llmsize_models="configs",
            templates_path=["_templates", "_more"],
            numfig=True,
            today="today",
            **small_theme(self.folder),
        )
        for path, text in START.items():
            self._write(path, text)

    def edit(self) -> str:
        """Make a random edit; return a description of it."""
        name = self.chance.choice(("page", "config", "config", "override", "delete", "rename"))
        return str(getattr(self, f"_{name}")())

    def _page(self) -> str:
        path = self.chance.choice(sorted(PAGES))
        self.page_edits += 1
        self._write(path, f"{PAGES[path]}\nEdit {self.page_edits}.\n")
        return f"edit {path}"

    def _config(self) -> str:
        path = self.chance.choice(CONFIGS)
        link = () if path == "shared/b.yaml" else (OUTSIDE, INSIDE)
        return self._replace(path, (*CONFIGURATIONS, *link))

    def _override(self) -> str:
        path = self.chance.choice(OVERRIDES)
        return self._replace(path, TEMPLATES[:1] if "part" in path else TEMPLATES)

    def _replace(self, path: str, texts: tuple[str, ...]) -> str:
        others = [text for text in texts if text != self.state.get(path)]
        if not others:
            return self._delete(path)
        text = self.chance.choice(others)
        self._write(path, text)
        if is_old := self.chance.random() < 0.5:
            # like a file that is restored from an archive
            os.utime(self.folder / path, (1e9, 1e9), follow_symlinks=False)
        return f"{'restore' if is_old else 'write'} {path}: {text!r}"

    def _delete(self, path: str = "") -> str:
        path = path or self.chance.choice(sorted(self.state.keys() - PAGES) or [""])
        if not path:
            return self._config()
        (self.folder / path).unlink()
        del self.state[path]
        return f"delete {path}"

    def _rename(self) -> str:
        kind = self.chance.choice((CONFIGS, OVERRIDES))
        existing = [path for path in kind if path in self.state]
        if not existing:
            return self._config()
        old, new = self.chance.choice(existing), self.chance.choice(kind)
        if old == new or self.state[old].startswith("->"):
            return self._delete(old)
        (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / old).replace(self.folder / new)
        self.state[new] = self.state.pop(old)
        return f"rename {old} to {new}"

    def _write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if text.startswith("-> "):
            target = self.folder / text.removeprefix("-> ")
            file.symlink_to(os.path.relpath(target, file.parent))
        else:
            file.write_text(text, "utf-8")
        self.state[path] = text
