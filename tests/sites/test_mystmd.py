"""Sites and exports of mystmd, from the files in the docs' start.

Themes are not on npm, so a site is looked at as the data that mystmd writes for its theme, and as
the HTML that themes make of it, by the package myst-to-react.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from starts import files_of, write

from sphinx_llmsize import load
from sphinx_llmsize.hosts.mystmd.plugin import plugin_source

MYST = os.environ.get("LLMSIZE_MYST") or shutil.which("myst")
FILES = files_of("hosts/mystmd.md")
START = FILES["index.md"]
THEME = "title: none\nmyst: v1\nkind: site\n"
EXPORT = "project:\n  exports: [{format: md, article: index.md, output: _build/out.md}]\n"
RENDER = Path(__file__).with_name("render.mjs")
PROGRAM = Path(sys.executable).with_name("llmsize")
SMALL = "hidden_dim: 8\nnum_layers: 1\nnum_heads: 1\nvocab_size: 9\n"
WRONG = """---
date: 2026-01-01
---

# Title {llm-size}`gpt2:mpl` of the page

- item

  - inner

    ```{llm-size} lama-7b
    ```

```{llm-size} gpt2
:show: table
:shwo: formula
```

```{llm-size} gpt2
---
show: tabel
---
num_layers: 13
```

```{llm-size}
:show: table

hidden_dim: 512
num_layers: 4
num_heads: 7
vocab_size: 32000
```

::::{tab-set}
:::{tab-item} One
```{llm-compare}
gpt2

nonsense-1
```
:::
::::

````{llm-template}
{% for n in ["gpt2", "lama-7b"] %}
Text.

```{llm-size} {{ n }}
:show: rule
```
{% endfor %}
````
"""
MISTAKES = [
    "index.md:5:9 GPT-2 small has no 'mpl' (did you mean 'mlp'?)",
    "index.md:11 unknown model 'lama-7b' (did you mean 'llama-7b'?)",
    "index.md:16 unknown option 'shwo' (did you mean 'show'?)",
    "index.md:21 unknown view 'tabel' (did you mean 'table'?)",
    "index.md:31 7 heads do not divide hidden_dim 512",
    "index.md:40 unknown model 'nonsense-1'",
    "index.md:49 unknown model 'lama-7b' (did you mean 'llama-7b'?)",
]
ROLES = """---
description: Sizes
---

# Title

A long paragraph
over several lines
with a HERE, {llm-size}`gpt2` and
HERE

| a | b |
| - | - |
| {llm-size}`gpt2` | HERE |
| HERE and HERE | {llm-size}`gpt2` |

:::{note} HERE
Text
and HERE

```python
CODE
```
and HERE
:::

```{csv-table}
:header: a, b
{llm-size}`gpt2`, HERE
{llm-size}`gpt2`, HERE
```

```{list-table}
* - {llm-size}`gpt2`
  - HERE
* - ````{llm-template}
    text
    and HERE
    ````
```

````{llm-template}
word
and HERE
{% for n in [1, 2] %}

and HERE
{% endfor %}
````

% CODE
<!-- CODE -->
- item `CODE` ``CODE`` and
  HERE

Term HERE
: Definition
  and HERE

::::{tab-set}
:::{tab-item} One
1. a
   - b
     HERE

## Heading HERE

[link HERE](https://example.org) **bold
HERE**
:::
::::

> quoted {llm-size}`
> WRONG:total`

HERE [^1] and
{llm-size}`  gpt2?num_layers=12
:nonsense`

[^1]: HERE

```{code-block} markdown
CODE
```
Last HERE.
"""
"""HERE is a role with a mistake, CODE the same in code."""

pytestmark = pytest.mark.skipif(not MYST, reason="needs mystmd from npm, as LLMSIZE_MYST or myst")


def site(folder: Path, **pages: str) -> None:
    """Write a site with a theme that needs no download."""
    config = FILES["myst.yml"].replace("book-theme", "./theme").replace("project:\n", EXPORT)
    write(
        folder, {"myst.yml": config, "theme/template.yml": THEME, "llmsize.mjs": plugin_source("1")}
    )
    write(folder, {f"{name}.md": text for name, text in pages.items()})


def build(folder: Path, *options: str, program: Path = PROGRAM, code: int = 0) -> str:
    """Build a site; return what mystmd prints."""
    assert MYST
    done = subprocess.run(
        [MYST, "build", *options],
        cwd=folder,
        env={**os.environ, "LLMSIZE_COMMAND": str(program), "NO_COLOR": "1"},
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == code, done.stdout
    return done.stdout


def errors(printed: str) -> list[str]:
    """Errors as printed, up to the summary."""
    lines = (line for line in printed.splitlines() if line.startswith("⛔️ "))
    return [line.removeprefix("⛔️ ") for line in lines]


def data(folder: Path, page: str = "index") -> Any:
    return json.loads((folder / "_build" / "site" / "content" / f"{page}.json").read_text("utf-8"))


def all_nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node.get("children", []):
        yield from all_nodes(child)


def html(folder: Path, page: str = "index") -> str:
    """HTML of a page of a built site."""
    assert MYST
    (folder / "node_modules").symlink_to(Path(MYST).absolute().parent.parent)
    shutil.copy(RENDER, folder)
    content = folder / "_build" / "site" / "content" / f"{page}.json"
    command = ["node", RENDER.name, content]
    return subprocess.run(
        command, cwd=folder, text=True, encoding="utf-8", stdout=subprocess.PIPE, check=True
    ).stdout


def text_of(node: Any) -> str:
    return "".join(each.get("value", "") for each in all_nodes(node))


def test_the_start(tmp_path: Path) -> None:
    """All output of a site and an export is made by one process."""
    site(tmp_path, index=START)
    counting = tmp_path / "counting"
    counting.write_text(f'#!/bin/sh\necho started >> starts\nexec "{PROGRAM}" "$@"\n')
    counting.chmod(counting.stat().st_mode | stat.S_IXUSR)
    printed = build(tmp_path, "--site", "--md", "--strict", program=counting)
    assert "⚠️" not in printed
    assert "⛔" not in printed
    assert (tmp_path / "starts").read_text().split() == ["started"]

    page = data(tmp_path)
    assert page["frontmatter"]["title"] == "Llama has 6.74B parameters"
    assert "64.2% of them are in feed-forward layers" in text_of(page["mdast"])
    nodes = list(all_nodes(page["mdast"]))
    captions = [text_of(node) for node in nodes if node["type"] == "caption"]
    compared = "Comparison of GPT-2 small, my model and Llama 3 8B"
    assert captions == ["Parameters by component", "Parameters by component", compared]
    math = [node for node in nodes if node["type"] in {"math", "inlineMath"}]
    assert all("html" in node and "error" not in node for node in math)
    assert r"2 \times 45350912" in [node["value"] for node in math]
    assert len([node for node in nodes if node["type"] == "mermaid"]) == 2

    exported = (tmp_path / "_build" / "out.md").read_text("utf-8")
    assert "64.2% of them are in feed-forward layers" in exported
    assert ":::{list-table} Parameters by component\n" in exported
    assert "```{mermaid}\n" in exported
    site(tmp_path / "again", index=exported)
    assert "option" not in build(tmp_path / "again", "--site")  # diagrams have no front matter
    diagrams = [
        node for node in all_nodes(data(tmp_path / "again")["mdast"]) if node["type"] == "mermaid"
    ]
    assert all(node["value"].startswith("%%{init: ") for node in diagrams)


@pytest.mark.skipif("LLMSIZE_MYST" not in os.environ, reason="needs myst-to-react beside mystmd")
def test_the_html_of_a_theme(tmp_path: Path) -> None:
    """Tables with captions and aligned numbers, formulas, pictures and notices; names are text."""
    name = "<script>alert(1)</script> x"
    mine = f":::{{llm-size}} {name}\n:show: table, composition\n{SMALL}:::\n"
    wrong = "```{llm-size} lama-7b\n```\n"
    site(tmp_path, index=f"{START}\n{mine}\n{wrong}")
    build(tmp_path, "--site")
    page = html(tmp_path).replace("\xa0", " ")
    assert "64.2% of them are in feed-forward layers" in page
    assert "<p>Parameters by component</p></figcaption>" in page
    assert '<td class="text-right"><strong>6,738,415,616</strong></td>' in page
    assert '<td class="text-left"><p><em>V</em> × <em>D</em></p><p>32,000' in page
    assert 'class="katex-mathml"' in page
    assert re.search(r'<img [^>]*src="[^"]+\.svg" alt="[^"]*912 parameters', page)
    assert "myst-admonition-danger" in page
    assert "unknown model &#x27;lama-7b&#x27; (did you mean" in page
    assert f"{escape(name)}: 912 parameters" in page
    assert "<script" not in page


@pytest.mark.parametrize("target", ["--site", "--md"])
def test_mistakes(target: str, tmp_path: Path) -> None:
    site(tmp_path, index=WRONG)
    printed = errors(build(tmp_path, target, "--strict", code=1))
    found = [line for line in printed if line.startswith("index.md")]
    pairs = zip(found, MISTAKES, strict=True)
    assert [line[: len(mistake)] for line, mistake in pairs] == MISTAKES
    build(tmp_path, target)
    if target == "--site":
        notices = [
            node for node in all_nodes(data(tmp_path)["mdast"]) if node.get("kind") == "danger"
        ]
        assert len(notices) == len(MISTAKES) - 1  # one is in the title


@pytest.mark.parametrize(
    ("name", "line_end"), [("wrong", "\n"), ("wrong", "\r\n"), ("wrong-{line}", "\n")]
)
@pytest.mark.parametrize("target", ["--site", "--md"])
def test_lines_and_columns_of_roles(name: str, line_end: str, target: str, tmp_path: Path) -> None:
    """Every mistake has its own line, also among equal ones, in tables and in templates."""
    lines, expected = [], []
    for number, line in enumerate(ROLES.split("\n"), 1):
        model = name.format(line=number)
        role = f"{{llm-size}}`{model}`"
        if "HERE" in line:
            expected.append((number, f"unknown model '{model}'"))  # once if it is there twice
        if "WRONG" in line:
            expected.append((number - 1, f"unknown model '{model}'"))
        if ":nonsense" in line:
            expected.append((number - 1, "GPT-2 small has no 'nonsense'"))
        code = role if "`CODE`" not in line else f"x {role} x"
        made = line.replace("`CODE` ``CODE``", f"`` x {role} x ``").replace("CODE", code)
        lines.append(made.replace("HERE", role).replace("WRONG", model))
    site(tmp_path, index=line_end.join(lines))
    found = []
    for printed in errors(build(tmp_path, target)):
        if printed.startswith("_build"):  # mystmd can't export everything
            continue
        match = re.match(r"index\.md:(\d+)(?::(\d+))? ([^(]*[^( ])", printed)
        assert match, printed
        line, column, message = match.groups()
        found.append((int(line), message))
        assert column is None or lines[int(line) - 1][int(column) - 1 :].startswith("{llm-size}`")
    assert found == expected


YAML_OPTIONS = """# Title

- item

  ```{llm-size} gpt2
  ---
  caption: |
    show: this
  show: tabel
  ---
  ```

> ```{llm-size} gpt2
> ---
> "show": tabel
> ---
> ```

```{llm-size} gpt2
---
caption: >-
  Has {llm-size}`gpt2:mpl`
  show: tabel
---
```
"""


def test_lines_of_options_in_yaml(tmp_path: Path) -> None:
    """A line of the text below ``caption: |`` isn't the option of that name."""
    site(tmp_path, index=YAML_OPTIONS)
    found = [error.partition(" ")[0] for error in errors(build(tmp_path, "--site"))]
    assert found == ["index.md:9", "index.md:15", "index.md:21"]


def test_mistakes_in_included_files(tmp_path: Path) -> None:
    """Each is reported once, with its own file, even if the page has the same mistake."""
    site(tmp_path, index="a\n\n{llm-size}`x`\n\n```{include} parts/one.txt\n```\n")
    part = "b\nc {llm-size}`x`\n\n```{llm-size} lama\n```\n\n```{include} two.txt\n```\n"
    write(tmp_path, {"parts/one.txt": part, "parts/two.txt": "| a |\n|-|\n| {llm-size}`x` |\n"})
    found = [error.partition(" (")[0] for error in errors(build(tmp_path, "--site"))]
    assert found == [
        "index.md:3 unknown model 'x'",
        "index.md parts/one.txt:2: unknown model 'x'",
        "index.md parts/one.txt:4: unknown model 'lama'",
        "index.md parts/two.txt:3: unknown model 'x'",
    ]


def test_roles_in_another_form(tmp_path: Path) -> None:
    page = "# Title\n\nA :llm-size:`gpt2`.\n\n- {llm-size} `gpt2`\n- `:llm-size:` `a`\n"
    site(tmp_path, index=page)
    assert errors(build(tmp_path, "--site", "--strict", code=1)) == [
        "index.md:3 ':llm-size:' is not read as markup here (write {llm-size}`gpt2:total`)",
        "index.md:5 '{llm-size}' is not read as markup here (write {llm-size}`gpt2:total`)",
    ]


def test_lines_in_cells_of_a_notebook(tmp_path: Path) -> None:
    cells = ["# Page", "a\nb\nand {llm-size}`x`", "a\n\nb\nc\nand {llm-size}`y`"]
    made = [{"cell_type": "markdown", "metadata": {}, "source": cell} for cell in cells]
    notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    site(tmp_path, index="# Start")
    write(tmp_path, {"page.ipynb": json.dumps(notebook)})
    found = [error.partition(" (")[0] for error in errors(build(tmp_path, "--site"))]
    assert found == ["page.ipynb:3:5 unknown model 'x'", "page.ipynb:5:5 unknown model 'y'"]


def test_a_mistake_in_a_title_of_a_page_that_includes_another(tmp_path: Path) -> None:
    included = "```{include} part.txt\n```\n"
    site(tmp_path, index=f"# Title {{llm-size}}`gpt2:mpl`\n\n{included}")
    write(tmp_path, {"part.txt": "{llm-size}`gpt2`\n"})
    (error,) = errors(build(tmp_path, "--site", "--strict", code=1))
    assert error.startswith("index.md:1:9 GPT-2 small has no 'mpl'")


def test_no_program(tmp_path: Path) -> None:
    site(tmp_path, index=START)
    (first, *_others) = errors(
        build(tmp_path, "--site", "--strict", program=tmp_path / "no", code=1)
    )
    assert "no cannot run" in first
    assert "activate the environment" in first


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo no module >&2; exit 1", "program has ended: no module"),
        ("exit 0", "program has ended: it printed no reason"),
        ("echo hello; cat", "program printed no answer but: hello"),
        ("cat", 'program printed no answer but: {"folder":'),
    ],
)
def test_a_program_that_does_not_answer(tmp_path: Path, script: str, message: str) -> None:
    """The build ends, with an error for each use."""
    site(tmp_path, index=START)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    (first, *_others) = errors(build(tmp_path, "--site", "--strict", program=program, code=1))
    assert message in first


def test_a_notebook(tmp_path: Path) -> None:
    """Models of one cell are known in the next."""
    cells = [
        f"# Page\n\n```{{llm-size}} mine\n{SMALL}```",
        "It has {llm-size}`mine:total:exact`.",
    ]
    made = [{"cell_type": "markdown", "metadata": {}, "source": cell} for cell in cells]
    notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    site(tmp_path, index="# Start")
    write(tmp_path, {"page.ipynb": json.dumps(notebook)})
    build(tmp_path, "--site", "--strict")
    assert "It has 912." in text_of(data(tmp_path, "page")["mdast"])


def test_the_output_of_a_cell_in_an_export(tmp_path: Path) -> None:
    """The plain text for notebooks that are not trusted isn't exported beside the table."""
    shown = load("gpt2").show("table")._repr_mimebundle_()
    output = {"output_type": "execute_result", "data": shown, "metadata": {}, "execution_count": 1}
    cell = {"cell_type": "code", "source": "show()", "outputs": [output], "execution_count": 1}
    cells = [{**cell, "metadata": {}}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    export = "{format: tex, article: page.ipynb, output: out.tex, template: null}"
    config = f"version: 1\nproject:\n  exports: [{export}]\n"
    write(tmp_path, {"myst.yml": config, "page.ipynb": json.dumps(notebook)})
    build(tmp_path, "--tex", "--strict")
    exported = (tmp_path / "out.tex").read_text("utf-8").replace("~", " ")
    assert exported.count("124,439,808 parameters") == 1
    assert exported.count(r"\begin{tabular}") == 1
    assert exported.count(r"\begin{verbatim}") == 1  # the code


def test_hostile_names(tmp_path: Path) -> None:
    """Names are text in the site's data, and text when mystmd reads its own export."""
    name = "<script>alert(1)</script> [a](javascript:b) $x$ {eval}`1` {{ 1 }}"
    site(tmp_path, index=f":::{{llm-size}} {name}\n:show: table, memory, scaling\n{SMALL}:::\n")
    build(tmp_path, "--md", "--strict")
    site(tmp_path / "again", index=(tmp_path / "_build" / "out.md").read_text("utf-8"))
    for folder in (tmp_path, tmp_path / "again"):
        build(folder, "--site")
        types = {node["type"] for node in all_nodes(data(folder)["mdast"])}
        assert types.isdisjoint({"html", "link", "mystRole", "inlineExpression"})
        assert "alert(1)" in text_of(data(folder)["mdast"])
