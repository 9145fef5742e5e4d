"""The directive ``llm-template``: numbers in math, Mermaid and code, in both languages."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from docutils import nodes
from project import Build, Project
from sphinxcontrib.mermaid import mermaid

from sphinx_llmsize.hosts.sphinx.llm_template import MAX_DEPTH

MATH_IN_MYST = {"myst_enable_extensions": ["dollarmath"]}


def rst(body: str) -> str:
    return f".. llm-template::\n\n{indent(body, '   ')}\n"


def myst(body: str) -> str:
    return f"`````{{llm-template}}\n{body}\n`````\n"


PAGES = {"index.rst": "T\n=\n\n{}\nafter\n", "index.md": "# T\n\n{}\nafter\n"}


def built(build: Build, page: str, body: str, builder: str = "dummy") -> Project:
    directive = rst(body) if page.endswith("rst") else myst(body)
    return build({page: PAGES[page].format(directive)}, builder, **MATH_IN_MYST)


def doctree(project: Project) -> nodes.document:
    return project.app.env.get_doctree("index")


@pytest.mark.parametrize(
    ("page", "body"),
    [
        ("index.rst", ".. math::\n\n   12 \\cdot {{ d | tex }}^2"),
        ("index.md", "$$\n12 \\cdot {{ d | tex }}^2\n$$"),
        ("index.md", "```{math}\n12 \\cdot {{ d | tex }}^2\n```"),
    ],
)
def test_in_math(page: str, body: str, build: Build) -> None:
    project = built(build, page, "{% set d = model('llama-7b').hidden_dim %}\n" + body)
    (math,) = doctree(project).findall(nodes.math_block)
    assert math.astext().strip() == r"12 \cdot 4{,}096^2"
    assert project.log == ""


@pytest.mark.parametrize(
    ("page", "body"),
    [
        ("index.rst", '.. mermaid::\n\n   flowchart\n     A{{ "{{" }}"{{ n | exact }}"}}'),
        ("index.md", '```{mermaid}\nflowchart\n  A{{ "{{" }}"{{ n | exact }}"}}\n```'),
    ],
)
def test_in_mermaid(page: str, body: str, build: Build) -> None:
    project = built(build, page, "{% set n = model('llama-7b').total %}\n" + body)
    (drawn,) = doctree(project).findall(mermaid)
    assert drawn["code"].splitlines()[1].strip() == 'A{{"6,738,415,616"}}'
    assert project.log == ""


@pytest.mark.parametrize(
    ("page", "body"),
    [
        ("index.rst", ".. code-block:: python\n\n   dim = {{ d }}"),
        ("index.md", "```python\ndim = {{ d }}\n```"),
    ],
)
def test_in_code(page: str, body: str, build: Build) -> None:
    project = built(build, page, "{% set d = model('llama-7b').hidden_dim %}\n" + body)
    (code,) = doctree(project).findall(nodes.literal_block)
    assert (code.astext().strip(), code["language"]) == ("dim = 4096", "python")


@pytest.mark.parametrize(
    ("page", "role", "size"),
    [
        ("index.rst", ":llm-size:`{}:mlp:share`", ".. llm-size:: {}\n   :show: formula"),
        ("index.md", "{{llm-size}}`{}:mlp:share`", "```{{llm-size}} {}\n:show: formula\n```"),
    ],
)
def test_roles_and_directives_in_it(page: str, role: str, size: str, build: Build) -> None:
    name = "{{ 'llama-' ~ 7 ~ 'b' }}"
    project = built(build, page, f"{role.format(name)}\n\n{size.format(name)}", "text")
    assert project.log == ""
    text = project.output("index.txt")
    assert "64.2%" in text
    assert "6,738,415,616" in text.replace("{,}", ",")


@pytest.mark.parametrize(
    ("page", "body"),
    [
        ("index.rst", "before\n\n{{ n }}\n---------\n\ninside\n\n{{ n }} 2\n---------\n"),
        ("index.md", "before\n\n## {{ n }}\n\ninside\n\n## {{ n }} 2\n"),
        ("index.md", "before\n\n# {{ n }}\n\ninside\n\n# {{ n }} 2\n"),
    ],
)
def test_headings_begin_subsections(page: str, body: str, build: Build) -> None:
    project = built(build, page, f"{{% set n = model('gpt2').total | short %}}\n{body}")
    (section,) = doctree(project).children
    assert isinstance(section, nodes.section)
    assert [child.astext() for child in section.children] == [
        "T",
        "before",
        "124M\n\ninside",
        "124M 2",
        "after",
    ]


def test_models_of_the_page_and_of_the_project(build: Build) -> None:
    own = "hidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 100\n"
    page = f"T\n=\n\n.. llm-size:: mine\n   :show: formula\n\n{indent(own, '   ')}\n" + rst(
        "{{ model('mine').num_layers }} of {{ model('house').num_layers }}"
    )
    files = {"index.rst": page, "configs/house.yaml": own.replace("2", "3")}
    project = build(files, "text", llmsize_models="configs")
    assert project.log == ""
    assert "2 of 3" in project.output("index.txt")
    names = {Path(file).name for file in project.app.env.dependencies["index"]}
    assert "house.yaml" in names


@pytest.mark.parametrize(
    ("described", "place"),
    [
        ("{}", ("index.rst", 8)),
        ('{"num_layers": 2}', ("house.json", 1)),
        ('{\n "hiden_dim": 64}', ("house.json", 2)),
    ],
)
def test_the_line_of_a_mistake_in_a_model_of_the_project(
    described: str, place: tuple[str, int], build: Build
) -> None:
    page = PAGES["index.rst"].format(rst("text\n\n{{ model('house').total }}"))
    files = {"index.rst": page, "house.json": described}
    (warned,) = build(files, "dummy", llmsize_models={"house": "house.json"}).warned
    assert (warned.file, warned.line) == place


@pytest.mark.parametrize("page", PAGES)
def test_an_error_is_shown_and_the_rest_of_the_page_is_built(page: str, build: Build) -> None:
    project = built(build, page, "fine\n{{ model('gpt2').totl }}", "text")
    first = PAGES[page][: PAGES[page].index("{")].count("\n") + 1
    (warned,) = project.warned
    assert (warned.file, warned.type) == (page, "llmsize.number")
    assert warned.line == first + (3 if page.endswith("rst") else 2)
    text = project.output("index.txt")
    assert "did you mean 'total'?" in text
    assert "after" in text
    assert "fine" not in text


@pytest.mark.parametrize("page", PAGES)
def test_a_quotient_with_the_filter_short(page: str, build: Build) -> None:
    project = built(build, page, '{{ (model("llama-3-8b").total / 20) | short }}', "text")
    assert project.log == ""
    assert "402M" in project.output("index.txt")


@pytest.mark.parametrize("page", PAGES)
def test_an_exception_is_a_warning_at_its_line(
    page: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("sphinx_llmsize.hosts.sphinx.page_models.SphinxPage.find_model", fail)
    project = built(build, page, "fine\n{{ 1 + model('gpt2').total }}", "text")
    (warned,) = project.warned
    line = PAGES[page][: PAGES[page].index("{")].count("\n") + (4 if page.endswith("rst") else 3)
    assert (warned.file, warned.line, warned.type) == (page, line, "llmsize.expression")
    assert "after" in project.output("index.txt")


BODY = "fine\n\n{{ model('gpt2').totl }}"
RST_IN_PLACES = {
    "note": f".. note::\n\n{indent(rst(BODY), '   ')}",
    "list": f"#. item\n\n{indent(rst(BODY), '   ')}",
    "table": f".. list-table::\n\n   * - a\n     -\n{indent(rst(BODY), ' ' * 7)}",
}
MYST_IN_PLACES = {
    "note": "``````{note}\n" + myst(BODY) + "``````\n",
    "list": f"- item\n\n{indent(myst(BODY), '  ')}",
    "quote": indent(f"text\n\n{myst(BODY)}", "> ", lambda line: True),
    "eval-rst": "``````{eval-rst}\ntext\n\n" + rst(BODY) + "``````\n",
}
PLACES = [
    *(("index.rst", f"T\n=\n\n{text}") for text in RST_IN_PLACES.values()),
    *(("index.md", f"# T\n\n{text}") for text in MYST_IN_PLACES.values()),
]


@pytest.mark.parametrize(("file", "page"), PLACES)
def test_the_line_of_a_mistake(file: str, page: str, build: Build) -> None:
    (warned,) = build({file: page}, "dummy").warned
    line = 1 + page[: page.index("totl")].count("\n")
    assert (warned.file, warned.line) == (file, line)


@pytest.mark.parametrize(
    ("suffix", "part", "include"),
    [
        ("rst", rst(BODY), ".. include:: part.txt\n"),
        ("md", myst(BODY), "```{include} part.txt\n```\n"),
    ],
)
def test_the_line_of_a_mistake_in_an_included_file(
    suffix: str, part: str, include: str, build: Build
) -> None:
    part = f"words\n\n{part}"
    project = build({f"index.{suffix}": f"text\n\n{include}", "part.txt": part}, "dummy")
    (warned,) = project.warned
    line = 1 + part[: part.index("totl")].count("\n")
    assert (warned.file, warned.line) == ("part.txt", line)


@pytest.mark.parametrize(
    ("page", "directive"),
    [("index.rst", ".. llm-size:: lama-7b"), ("index.md", "```{llm-size} lama-7b\n```")],
)
def test_errors_in_the_generated_markup_have_the_line_of_the_template(
    page: str, directive: str, build: Build
) -> None:
    body = f"{{% for i in range(9) %}}\nx\n{{% endfor %}}\n\n{directive}"
    (warned,) = (project := built(build, page, body)).warned
    written = (project.app.srcdir / page).read_text("utf-8")
    assert warned.line == 1 + written[: written.index("lama-7b")].count("\n")


@pytest.mark.parametrize(
    ("page", "inner"),
    [("index.rst", rst("x")), ("index.md", "````{llm-template}\nx\n````")],
)
def test_templates_cannot_be_nested(page: str, inner: str, build: Build) -> None:
    project = built(build, page, f"{inner}\n\nrest", "text")
    assert [warned.type for warned in project.warned] == ["llmsize.expression"]
    assert "rest" in project.output("index.txt")


def test_generated_markup_nested_too_deeply(build: Build) -> None:
    quotes = (
        f"{{% for i in range({MAX_DEPTH}) %}}\n"
        "{% for j in range(i) %}{{ ' ' }}{% endfor %}x\n\n{% endfor %}"
    )
    (warned,) = (project := built(build, "index.rst", quotes, "text")).warned
    assert (warned.line, warned.type) == (4, "llmsize.expression")
    assert "after" in project.output("index.txt")


def test_generated_markup_nested_beyond_the_recursion_limit(build: Build) -> None:
    project = built(build, "index.rst", "* " * 500 + "x", "text")
    assert [warned.type for warned in project.warned] == ["llmsize.expression"]
    assert "after" in project.output("index.txt")


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_body(page: str, build: Build) -> None:
    assert built(build, page, "").log == ""
