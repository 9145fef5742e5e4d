"""Notebooks: warnings have the cell and the line in it."""

from __future__ import annotations

import json

import pytest
from project import Build

from sphinx_llmsize.hosts.sphinx.notebook_lines import notebook_lines, readable_location

CELLS = (
    "# Title",
    "words\n\n```{llm-size} gpt2\n:class: a\n:shw: table\n```",
    "{llm-size}`gtp2`\nand {llm-size}`gpt2:x`",
    "```{llm-size} m\n\nhiden_dim: 64\n```",
    "words\n\n{llm-size}`gtp2:\ntotal`",  # not found in the source, so at its paragraph
)


def notebook(*cells: str) -> str:
    sources = ([f"{line}\n" for line in cell.split("\n")] for cell in cells)
    made = [{"cell_type": "markdown", "metadata": {}, "source": source} for source in sources]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})


def test_lines_of_cells() -> None:
    lines = notebook_lines(notebook(*CELLS))
    assert len(lines) == 60_000
    assert lines[10_000] == "# Title"
    assert lines[20_003:20_006] == [":class: a", ":shw: table", "```"]
    assert lines[0] == lines[10_001] == lines[59_999] == ""
    with pytest.raises(IndexError):
        lines[60_000]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [1]}', '{"cells": 5}', "[" * 100_000])
def test_a_file_that_is_no_notebook(text: str) -> None:
    assert notebook_lines(text) == ()


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("/a/b.ipynb:30002", "/a/b.ipynb:cell 3, line 2"),
        ("/a/b.ipynb:7", "/a/b.ipynb:7"),
        ("/a/b.ipynb", "/a/b.ipynb"),
        ("/a/b.md:30002", "/a/b.md:30002"),
    ],
)
def test_a_place_in_words(place: str, shown: str) -> None:
    assert readable_location(place) == shown


def test_warnings_have_the_cell(build: Build) -> None:
    pytest.importorskip("myst_nb")
    project = build(
        {"index.ipynb": notebook(*CELLS)},
        extensions=["myst_nb", "sphinx_llmsize"],
        nb_execution_mode="off",
        # MyST-NB adds its suffixes to the value of this setting, which other projects would share
        source_suffix={".rst": "restructuredtext", ".ipynb": "myst-nb"},
    )
    places = [
        line.partition(": WARNING")[0].rpartition("ipynb:")[2] for line in project.log.splitlines()
    ]
    assert sorted(places) == [
        "cell 2, line 5",
        "cell 3, line 1",
        "cell 3, line 2",
        "cell 4, line 3",
        "cell 5, line 3",
    ]
