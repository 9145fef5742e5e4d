"""Incremental and parallel builds write the output of a clean build, and read only outdated pages.

``nox -s incremental`` runs hundreds of scripts of random edits and builds in every way; the plain
test command runs a few.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from edited import DEPENDENCIES, Edited
from project import small_theme, write_conf
from sphinx.testing.util import SphinxTestApp

EDITS = 3
"""Number of edits in each script."""
ORDERED_BY_READING = {"searchindex.js"}
"""Files whose contents depend on the order in which Sphinx reads pages."""
WAYS = [
    (language, builder, jobs, seed)
    for language in ("rst", "myst")
    for builder in ("html", "latex")
    for jobs, seed in ((2, 1), (4, 2), (1, 3), (2, 0))
]
"""Language of the pages, builder, number of processes, and hash seed of Python."""
SNIPPETS = Path(__file__).parent.parent / "docs" / "snippets"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Built:
    """Pages read, warnings and files of a build."""

    read: set[str]
    warned: set[str]
    files: dict[str, bytes]
    doctrees: dict[str, str]


def built(source: Path, folder: Path, builder: str = "html") -> Built:
    app = SphinxTestApp(builder, srcdir=source, builddir=folder)
    read: set[str] = set()
    app.connect("source-read", lambda app, page, text: read.add(page))
    try:
        app.build()
        files = dict(written(Path(app.outdir)))
        doctrees = {page: app.env.get_doctree(page).pformat() for page in app.env.found_docs}
        return Built(read, warnings(app), files, doctrees)
    finally:
        app.cleanup()


def written(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file() and path.name not in ORDERED_BY_READING:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def warnings(app: SphinxTestApp) -> set[str]:
    return set(_COLOUR.sub("", app.warning.getvalue()).splitlines())


def differing(one: Built, other: Built) -> list[str]:
    """Names of the files and pages that differ between two builds."""
    doctrees = {page for page in one.doctrees if one.doctrees[page] != other.doctrees.get(page)}
    return [*differing_files(one.files, other.files), *sorted(doctrees)]


def differing_files(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "script" in metafunc.fixturenames:
        scripts = metafunc.config.getoption("--scripts")
        first, _, last = str(scripts).rpartition("-")
        metafunc.parametrize("script", range(int(first or 0), int(last)))
    if "way" in metafunc.fixturenames:
        metafunc.parametrize("way", WAYS[: metafunc.config.getoption("--ways")], ids=str)


def test_an_incremental_build_equals_a_clean_one(script: int, tmp_path: Path) -> None:
    project = Edited(tmp_path / "source", random.Random(script))
    incremental, clean = tmp_path / "incremental", tmp_path / "clean"
    built(project.folder, incremental)
    for _ in range(EDITS):
        before = {page: find(project.state) for page, find in DEPENDENCIES.items()}
        edit = project.edit()
        after = {page: find(project.state) for page, find in DEPENDENCIES.items()}
        outdated = {page for page in before if before[page] != after[page]}
        shutil.rmtree(clean, ignore_errors=True)
        one, other = built(project.folder, incremental), built(project.folder, clean)
        assert (edit, one.read) == (edit, outdated)
        assert (edit, differing(one, other)) == (edit, [])
        assert (edit, one.warned - other.warned) == (edit, set())
    # another builder reuses the doctrees of the first one
    one, other = (built(project.folder, folder, "latex") for folder in (incremental, clean))
    assert (one.read, differing(one, other)) == (set(), [])


def write_snippets(folder: Path, language: str, step: int) -> None:
    """Write a project with the documentation's snippets in a markup language, or some of them."""
    settings = {"numfig": True, "exclude_patterns": ["built"], "today": "today"}
    write_conf(folder, **settings, **small_theme(folder))
    pages = {"how/derivation.rst": "Derivation\n==========\n"}
    for snippet in sorted((SNIPPETS / language).iterdir())[::step]:
        title = "# Page\n\n" if snippet.suffix == ".md" else "Page\n====\n\n"
        pages[snippet.name] = title + snippet.read_text("utf-8")
    names = "".join(f"   {name.rpartition('.')[0]}\n" for name in sorted(pages))
    pages["index.rst"] = f"Index\n=====\n\n.. toctree::\n\n{names}"
    pages["snippets/config.json"] = (SNIPPETS / "config.json").read_text("utf-8")
    for name, text in pages.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def built_by(folder: Path, builder: str, jobs: int, seed: int) -> dict[str, bytes]:
    """Files written by ``sphinx-build`` in another process."""
    output = folder / "built" / f"{jobs}-{seed}"
    command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, "-j", str(jobs)]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    subprocess.run(
        [*command, "-d", f"{output}.doctrees", folder, output], check=True, env=environment
    )
    return dict(written(output))


def test_processes_and_hash_seeds_do_not_change_the_output(
    way: tuple[str, str, int, int], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    language, builder, jobs, seed = way
    write_snippets(tmp_path, language, step=1 if pytestconfig.getoption("--ways") > 1 else 8)
    # the seed of this process is random
    one = built(tmp_path, tmp_path / "built" / "here", builder).files
    assert any(b"6,738,415,616" in text for text in one.values())
    assert differing_files(one, built_by(tmp_path, builder, jobs, seed)) == []
