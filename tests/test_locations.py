"""Errors are reported at their own line, at any depth of nesting."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from project import Build, Project, write_conf
from sphinx.testing.util import SphinxTestApp

RST = ".. llm-size:: m\n   :show: table\n\n   num_layers: 2\n   hiden_dim: 64\n"
MYST = "```{llm-size} m\n:show: table\n\nnum_layers: 2\nhiden_dim: 64\n```\n"
TICKS = "````"


def list_table(cell: str) -> str:
    return f".. list-table::\n\n   * - a\n     - b\n   * - c\n     - d\n\n{indent(cell, ' ' * 7)}"


def csv_table(cell: str, quote: str = '"') -> str:
    quoted = indent(cell.replace(quote, 2 * quote).strip(), "     ").strip()
    return f".. csv-table::\n   :quote: {quote}\n\n   a, b\n   c, {quote}{quoted}{quote}\n"


NESTINGS = {
    "on its own.rst": f"text\n\n{RST}",
    "list.rst": f"#. item\n\n{indent(RST, '   ')}",
    "definition.rst": f"term\n   words\n\n{indent(RST, '   ')}",
    "field.rst": f"text\n\n:field:\n{indent(RST, '   ')}",
    "quote.rst": f"text\n\n{indent(RST, '   ')}",
    "note in note.rst": f".. note::\n\n   .. tip::\n\n{indent(RST, ' ' * 6)}",
    "table.rst": list_table(RST),
    "cell of values.rst": csv_table(RST),
    "quoted cell of values.rst": csv_table(RST.replace("   num_layers", '   "num_layers"')),
    "cell in other quotes.rst": csv_table(RST.replace("   num_layers", "   'num_layers'"), "'"),
    "second one.rst": f".. llm-size:: gpt2\n   :show: table\n\n{RST}",
    "after a comment.rst": f".. comment\n   of two lines\n\n{RST}",
    "python.rst": "text\n\n.. llm-size::\n\n   config = {\n       'hiden_dim': 64,  # D\n   }\n",
    "json.rst": 'text\n\n.. llm-size::\n\n   {"num_layers": 2,\n    "hiden_dim": 64}\n',
    "on its own.md": f"text\n\n{MYST}",
    "list.md": f"- item\n\n{indent(MYST, '  ')}",
    "quote.md": indent(f"text\n\n{MYST}", "> ", lambda line: True),
    "note.md": f"{TICKS}{{note}}\ntext\n\n{MYST}{TICKS}\n",
    "note with options.md": f"{TICKS}{{note}}\n:class: a\n\ntext\n\n{MYST}{TICKS}\n",
    "front matter.md": f"---\nkey: 1\n---\n# Title\n\n{MYST}",
    "eval-rst.md": f"text\n\n{TICKS}{{eval-rst}}\ntext\n\n{RST}{TICKS}\n",
    "colons.md": f"text\n\n{MYST}".replace("```", ":::"),
    "yaml options.md": MYST.replace(":show: table\n", "---\nshow: table\n---\n"),
    "python.md": "```{llm-size}\n\nconfig = {\n    'hiden_dim': 64,  # D\n}\n```\n",
    "colons in colons.md": f":::::{{tip}}\n::::{{note}}\n{MYST}::::\n:::::\n".replace("```", ":::"),
    "no options.md": "text\n\n```{llm-size} m\nnum_layers: 2\nhiden_dim: 64\n```\n",
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", NESTINGS)
def test_nested(name: str, line_end: str, build: Build) -> None:
    suffix = name.rpartition(".")[2]
    page = NESTINGS[name]
    if not page.startswith("---"):
        page = ("Title\n=====\n\n" if suffix == "rst" else "# Title\n\n") + page
    line = 1 + page[: page.index("hiden_dim")].count("\n")
    project = build(
        {f"index.{suffix}": page.replace("\n", line_end)},
        "dummy",
        myst_enable_extensions=["colon_fence"],
    )
    (warned,) = project.warned
    assert (warned.file, warned.line) == (f"index.{suffix}", line)


@pytest.mark.parametrize(
    ("suffix", "include"),
    [("rst", ".. include:: part.txt\n"), ("md", "```{include} part.txt\n```\n")],
)
def test_included(suffix: str, include: str, build: Build) -> None:
    part = f"words\n\n{RST if suffix == 'rst' else MYST}"
    project = build({f"index.{suffix}": f"text\n\n{include}", "part.txt": part}, "dummy")
    (warned,) = project.warned
    assert (warned.file, warned.line) == ("part.txt", 7)


def test_text_replaced_by_an_extension(tmp_path: Path) -> None:
    """The replaced text is not in the file, but its line is right."""
    write_conf(tmp_path)
    page = f"{RST.replace('num_layers: 2', '@')}\n::\n\n{indent(RST, '   ')}"
    (tmp_path / "index.rst").write_text(f"Title\n=====\n\n{page}", "utf-8")
    app = SphinxTestApp("dummy", srcdir=tmp_path)

    def replace(app: object, name: str, source: list[str]) -> None:
        source[0] = source[0].replace("@", "num_layers: 2")

    app.connect("source-read", replace)
    try:
        app.build()
        (warned,) = Project(app).warned
    finally:
        app.cleanup()
    assert warned.line == 8


def test_cells_with_similar_names(build: Build) -> None:
    cells = "\n\n".join(csv_table(f".. llm-size:: {name}\n") for name in ("llama-7b", "llama-7"))
    (warned,) = build({"index.rst": f"Title\n=====\n\n{cells}"}, "dummy").warned
    assert warned.line == 15


def test_a_template_that_fails_in_a_cell(build: Build) -> None:
    use = csv_table(".. llm-size:: gpt2\n   :show: diagram\n")
    files = {"index.rst": f"Title\n=====\n\n{use}", "own/llmsize/diagram.svg.jinja": "{{ a.b }}"}
    (warned,) = build(files, llmsize_diagram="svg", templates_path=["own"]).warned
    assert warned.line == 8


@pytest.mark.parametrize(
    "option", [":start-line: 3", ":start-after: here\n   :end-before: there", ":end-line: 30"]
)
def test_partly_included(option: str, build: Build) -> None:
    part = f"words\n\nmore\n\nhere\n\n{indent(RST, '	')}\nthere\n"
    page = f"text\n\n.. include:: part.txt\n   {option}\n"
    (warned,) = build({"index.rst": page, "part.txt": part}, "dummy").warned
    assert (warned.file, warned.line) == ("part.txt", 11)


@pytest.mark.parametrize(
    ("page", "suffix", "line"),
    [
        (
            "Title\n=====\n\n* item\n\n  .. llm-size:: m\n     :show: table\n     :shw: x\n",
            "rst",
            8,
        ),
        ("# Title\n\n- item\n\n  ```{llm-size} m\n  :show: table\n  :shw: x\n  ```\n", "md", 7),
        ("# T\n\n````{note}\n```{llm-size} m\n:show: table\n:shw: x\n```\n````\n", "md", 6),
    ],
)
def test_options_of_nested_directives(page: str, suffix: str, line: int, build: Build) -> None:
    (warned,) = build({f"index.{suffix}": page}, "dummy").warned
    assert (warned.line, warned.type) == (line, "llmsize.option")


RIGHT = "\n```{llm-size} gpt2\n:show: table\n:expect: 124439808\n```\n"


@pytest.mark.parametrize(
    "page",
    [
        "> ```{llm-size} gpt2\n> :show: tabel\n> ```\n",
        "> ```{llm-size} gpt2\n> ---\n> show: tabel\n> ---\n> ```\n",
        "- > ```{llm-size} gpt2\n  > :show: tabel\n  > ```\n",
        ":::::{tip}\n:::{llm-size} gpt2\n:show: tabel\n:::\n:::::\n",
        '```{llm-size} gpt2\n---\n"show": tabel\n---\n```\n',
        "```{llm-size} gpt2\n---\nshow : tabel\n---\n```\n",
        "```{llm-size} gpt2\n:show : tabel\n```\n",
        "```{llm-size} gpt2\n:class: a\n:show: tabel\n```\n",
        "```{llm-size} gpt2\n:caption: |\n:  show: x\n:show: tabel\n```\n",
        "```{llm-size} gpt2\n:show: tabel\n\n:show: table\n```\n",
    ],
)
def test_options_before_those_of_another_directive(page: str, build: Build) -> None:
    line = 1 + page[: page.index("tabel")].count("\n")
    warned, *_ = build(
        {"index.md": f"{page}{RIGHT}"}, "dummy", myst_enable_extensions=["colon_fence"]
    ).warned
    assert (warned.line, warned.type) == (line, "llmsize.option")


@pytest.mark.parametrize(
    "page",
    [
        "```{llm-size} gpt2\n:show: table\n:show: formula\n```\n",
        "```{llm-size} gpt2\n---\nshow: table\n'show': table\n---\n```\n",
        "> ```{llm-compare} gpt2\n> :sort: total\n> :sort: total\n> ```\n",
    ],
)
def test_an_option_given_twice(page: str, build: Build) -> None:
    """MyST accepts it and uses the last value; docutils refuses it in reStructuredText."""
    (warned,) = build({"index.md": f"{page}{RIGHT}"}, "dummy").warned
    assert "is given twice" in warned.message
    assert warned.line == page.rstrip("`> \n").count("\n") + 1 - ("---" in page)


@pytest.mark.parametrize(
    ("page", "suffix", "line"),
    [
        ("Title\n=====\n\ntext\n\n.. llm-size:: lama-7b\n", "rst", 6),
        ("Title\n=====\n\ntext\n\n.. llm-size::\n", "rst", 6),
        ("# Title\n\ntext\n\n```{llm-size} lama-7b\n```\n", "md", 5),
        ("# Title\n\ntext\n\n```{llm-size}\n```\n", "md", 5),
    ],
)
def test_names_are_reported_at_the_first_line(
    page: str, suffix: str, line: int, build: Build
) -> None:
    (warned,) = build({f"index.{suffix}": page}, "dummy").warned
    assert (warned.line, warned.type) == (line, "llmsize.model")


@pytest.mark.parametrize(
    ("suffix", "page"),
    [
        ("rst", ".. llm-size:: gpt2\n   :show: table\n   :a(b: 1\n"),
        ("md", "```{llm-size} gpt2\n:show: table\n:a(b: 1\n```\n"),
    ],
)
def test_an_option_with_special_characters(suffix: str, page: str, build: Build) -> None:
    (warned,) = build({f"index.{suffix}": page}, "dummy").warned
    assert (warned.line, warned.type) == (3, "llmsize.option")


def test_a_page_deleted_while_it_is_read(tmp_path: Path) -> None:
    """Lines that are normally searched in the file are those of docutils."""
    page = tmp_path / "index.md"
    page.write_text("# T\n\n{llm-size}`gpt2:totl`\n\n```{llm-size} gpt2\n:shw: table\n```\n")
    write_conf(tmp_path)
    app = SphinxTestApp("dummy", srcdir=tmp_path)
    app.connect("source-read", lambda *_: page.unlink())
    try:
        app.build()
    finally:
        app.cleanup()
    assert [(warned.file, warned.line) for warned in Project(app).warned] == [
        ("index.md", 3),
        ("index.md", 5),
    ]
