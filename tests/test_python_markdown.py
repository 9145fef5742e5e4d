"""The extension of Python-Markdown: directives, the role, settings and mistakes."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import html5lib
import pytest
from markdown import Markdown, markdown

from sphinx_llmsize.directives.registry import DIRECTIVES
from sphinx_llmsize.hosts.python_markdown import makeExtension
from sphinx_llmsize.hosts.python_markdown.extension_settings import Settings
from sphinx_llmsize.views import VIEWS
from sphinx_llmsize.views.option_declarations import options_of

EXTENSION = "sphinx_llmsize.hosts.python_markdown"
SMALL = "hidden_dim: 512\nnum_layers: 4\nnum_heads: 8\nvocab_size: 32000"
OTHERS = ["admonition", "fenced_code", "tables", "toc"]
HOSTILE = "<b onclick=x>&amp; \"'`*_[a](javascript:b)$x$ {{1}}"


def html(text: str, **settings: object) -> str:
    """HTML of a page, without the stylesheet unless a setting asks for it."""
    settings.setdefault("stylesheet", "none")
    text = dedent(text) if text.startswith("\n") else text
    return markdown(text, extensions=[*OTHERS, makeExtension(**settings)])


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


@pytest.fixture(autouse=True)
def no_warnings(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail on warnings that the test doesn't clear."""
    yield
    assert not warnings(caplog)


def taken(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings up to now, without their hints."""
    found = [re.sub(r" \(.*\)", "", text) for text in warnings(caplog)]
    caplog.clear()
    return found


def test_names() -> None:
    """Zensical needs the dotted name, Markdown finds the short one by an entry point."""
    assert "124M" in markdown("{llm-size}`gpt2`", extensions=[EXTENSION])
    found = [each for each in entry_points(group="markdown.extensions") if EXTENSION in each.value]
    assert all(each.name == "sphinx_llmsize" and each.load() is makeExtension for each in found)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("settings", [{}, {"math": "tex", "diagram": "mermaid"}])
def test_every_view(view: str, settings: dict[str, str]) -> None:
    shown = html(f"```llm-size gpt2\n:show: {view}\n```", **settings)
    assert shown.startswith('<div class="llmsize">')
    html5lib.HTMLParser(strict=True).parseFragment(shown.replace(' xmlns="', ' data-ns="'))


@pytest.mark.parametrize(
    "opening", ["```llm-size gpt2", "``` {llm-size} gpt2", "~~~~llm-size gpt2"]
)
@pytest.mark.parametrize(
    "options", [":show: table", "---\nshow: table\n---", '---\nshow: "table"\n---']
)
def test_spellings(opening: str, options: str) -> None:
    mark = re.match(r"[`~]+", opening)
    assert mark
    shown = html(f"{opening}\n{options}\n{mark[0]}")
    assert shown == html("```llm-size gpt2\n:show: table\n```").replace(
        ids(html("```llm-size gpt2\n:show: table\n```")), ids(shown)
    )


@pytest.mark.parametrize(
    "value",
    [
        "[table, memory]",
        "['table',\"memory\" ]",
        "\n  - table\n  - 'memory'",
        "\n- table\n- memory",
    ],
)
def test_lists_of_yaml(value: str) -> None:
    plain = html("```llm-size gpt2\n:show: table, memory\n```")
    shown = html(f"```llm-size gpt2\n---\nshow: {value}\n---\n```")
    assert shown.replace(ids(shown), ids(plain)) == plain


def ids(shown: str) -> str:
    """Prefix of the ids; empty if there are none."""
    found = re.search(r'id="(llmsize-\w+-)', shown)
    return found[1] if found else ""


@pytest.mark.parametrize(
    "around",
    [
        *("{}", "text\n{}\ntext", "- item\n\n{4}\n\n- other", "- item\n{4}\n  text"),
        *("!!! note\n\n{4}", "> quote\n>\n{>}\n", "> {>}", "- a\n\n    - b\n\n{8}", "1. {first}"),
    ],
)
def test_places(around: str) -> None:
    fence = "```llm-size own\n:show: table\n" + SMALL + "\n```"
    places = {
        "{}": fence,
        "{4}": indent(fence, "    "),
        "{8}": indent(fence, "        "),
        "{>}": indent(fence, "> "),
        "{first}": indent(fence, "   ").lstrip(),
    }
    for mark, text in places.items():
        around = around.replace(mark, text.removeprefix("> ") if around == "> {>}" else text)
    shown = html(around)
    assert shown.count('<div class="llmsize">') == 1
    assert "45,350,912" in shown
    assert not re.search(r"<p>\s*<div", shown)
    assert "```" not in shown
    assert "\x02" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "````\n```llm-size nonsense\n```\n````",
        "~~~markdown\n```llm-size nonsense\n```\n{llm-size}`x`\n~~~",
        "``{llm-size}`x` ``",
        "    ```llm-size nonsense\n    ```",
        "text\n\n    ```llm-size nonsense\n    :show: x\n    ```\n\ntext",
        "    a\n\n    ```llm-size gpt2\n    ```\n\n    b\n    ```llm-size gpt2\n    ```\n    c",
        "    - ```llm-size gpt2\n      <a> & &amp;\n      ```\n    1. ```llm-diff\n       ```\n",
        "text\n\n    > a\n    > ```llm-size gpt2\n    > ```\n    > b\n",
        ">     ```llm-size gpt2\n>     ```\n>\n>     b",
        "    ```llm-size gpt2\n    ```\ntext",
        r"\{llm-size}`x`",
        "{llama}`x` {: .llm-sise}`x`",
        "`a` ``b {llm-size}`x` c``",
        "```python\nllm-size\n```",
        "llm-size gpt2 and llm-template",
    ],
)
def test_code_is_text(text: str) -> None:
    assert html(text) == markdown(text, extensions=OTHERS).replace("\\", "")


def test_comments() -> None:
    """What is commented out is neither made nor reported."""
    shown = html("a\n\n<!-- x\n```llm-size nonsense\n```\n{llm-size}`x`\n-->\n\n{llm-size}`gpt2`")
    assert "124M" in shown
    assert "llmsize" not in shown


def test_numbers() -> None:
    shown = html(
        """
        # {llm-size}`gpt2` parameters

        **{llm-size}`gpt2:total:exact`**, {llm-size}`gpt2-xl /
        gpt2`

        | a |
        |---|
        | {llm-size}`gpt2:mlp:share` |
        """
    )
    assert '<h1 id="124m-parameters">124M parameters</h1>' in shown
    assert "<strong>124,439,808</strong>, 12.5×" in shown
    assert "<td>45.5%</td>" in shown
    assert html("{llm-size}``gpt2``") == "<p>124M</p>"


@pytest.mark.parametrize(
    "call", ["llm-size gpt2\n:show: table", "llm-compare gpt2", "llm-diff gpt2, gpt2-xl"]
)
def test_numbers_in_captions(call: str) -> None:
    caption = "**Size** {llm-size}`gpt2` and {llm-size}``gpt2:total:exact``, `code`"
    shown = html(f"```{call}\n:caption: {caption}\n```")
    assert '<span class="caption-text">**Size** 124M and 124,439,808, `code`</span>' in shown


def test_models_of_the_page() -> None:
    """A model can be named before the fence that configures it, and pages don't share models."""
    extension = makeExtension(stylesheet="none")
    md = Markdown(extensions=[extension])
    text = f"{{llm-size}}`own`\n\n```llm-compare\nown\ngpt2\n```\n\n```llm-size own\n{SMALL}\n```"
    assert "<p>45.4M</p>" in md.convert(text)
    md.reset()
    assert "<p>31.7M</p>" in md.convert(
        text.replace("512", "384").replace("num_heads: 8", "num_heads: 6")
    )


def test_files(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(SMALL)
    shown = html("```llm-size own\n:config: own.yaml\n```\n{llm-size}`own`", base_path=tmp_path)
    assert "<p>45.4M</p>" in shown


def test_template() -> None:
    shown = html(
        f"""
        ````llm-template
        {{% for name in ["gpt2", "own"] %}}
        - {{{{ model(name).hidden_dim }}}}
        {{% endfor %}}

        ```python
        D = {{{{ model("gpt2").hidden_dim }}}}
        ```

        ```llm-size gpt2
        :show: formula
        ```
        {{llm-size}}`gpt2`
        ````

        ```llm-size own
{indent(SMALL, " " * 8)}
        ```
        """
    )
    assert "<li>512</li>" in shown
    assert "D = 768" in shown
    assert shown.count('<div class="llmsize">') == 2
    assert "<p>124M</p>" in shown


def test_ids_are_unique() -> None:
    fences = "```llm-size gpt2\n```\n\n```llm-size gpt2\n:show: composition, diagram\n```\n\n"
    shown = html(fences) + html(f"{fences}another page")
    found = re.findall(r'\bid="([^"]*)"', shown)
    assert len(found) == len(set(found)) > 8
    referred = re.findall(r'url\(#([^)]*)\)|labelledby="([^"]*)"', shown)
    assert {name for names in referred for each in names for name in each.split()} <= {*found}


def test_hostile_names_are_inert(caplog: pytest.LogCaptureFixture) -> None:
    for settings in ({}, {"math": "tex", "diagram": "mermaid"}):
        show = ", ".join(VIEWS)
        shown = html(f"~~~llm-size {HOSTILE}\n:show: {show}\n{SMALL}\n~~~", **settings)
        document = html5lib.parse(shown, namespaceHTMLElements=False)
        assert not document.findall(".//b[@onclick]")
        links = [link.get("href") for link in document.findall(".//a")]
        assert all(link.startswith("https://arxiv.org/abs/") for link in links)
        assert "<b onclick" not in shown
        assert HOSTILE in "".join(document.itertext())
    wrong = html(f"~~~llm-size {HOSTILE}\n~~~\n\n{{llm-size}}`<i onclick=x>:y`")
    assert "<b onclick" not in wrong
    assert "<i onclick" not in wrong
    assert len(taken(caplog)) == 2


def test_stylesheet() -> None:
    page = "# Title\n\n```llm-size gpt2\n```\n\n```llm-size gpt2\n```"
    assert html(page, stylesheet="inline").count("<style>") == 1
    assert "<style" not in html("only {llm-size}`gpt2`", stylesheet="inline")
    linked = html(page, stylesheet="/a&b.css")
    assert linked.count('<link rel="stylesheet" href="/a&amp;b.css">\n<div class="llmsize">') == 1
    assert html(page, stylesheet="inline").startswith('<h1 id="title">Title</h1>\n<style>')


@pytest.mark.parametrize("stylesheet", ["none", "inline", "/a.css"])
def test_script_of_interactive_output_does_not_depend_on_the_stylesheet(stylesheet: str) -> None:
    page = "```llm-size gpt2\n:show: table\n:interactive:\n```"
    assert html(page, stylesheet=stylesheet).count("<script>") == 1


@pytest.mark.parametrize(
    ("script", "elements"),
    [("inline", ["<script>"]), ("none", []), ("/a.js", ['<script src="/a.js" defer="defer">'])],
)
def test_script(script: str, elements: list[str]) -> None:
    page = html("```llm-size gpt2\n:show: table\n:interactive:\n```", script=script)
    assert [each for each in re.findall("<script[^>]*>", page) if "json" not in each] == elements
    assert "<script" not in html("```llm-size gpt2\n:show: table\n```", script=script)


def test_tex_and_mermaid() -> None:
    shown = html("```llm-size gpt2\n```", math="tex", diagram="mermaid")
    assert '<span class="arithmatex">\\(' in shown
    assert '<pre class="mermaid"><code>---\nconfig:' in shown
    assert "span" not in shown.partition("mermaid")[2].partition("</pre>")[0]  # Material's are dark
    assert "<math" not in shown
    assert "<svg" not in shown


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"digram": "svg"}, "sphinx_llmsize: unknown option 'digram' (did you mean 'diagram'?)"),
        (
            {"diagram": "svgg"},
            "sphinx_llmsize: diagram: unknown value 'svgg' (did you mean 'svg'?)",
        ),
        ({"strict": 3}, "sphinx_llmsize: strict: '3' is neither true nor false"),
        ({"base_path": ""}, "sphinx_llmsize: base_path: the path is missing"),
        ({"stylesheet": None}, "sphinx_llmsize: stylesheet: the address is missing"),
    ],
)
def test_wrong_settings(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        makeExtension(**settings)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("```llm-size lama-7b\n```", 1, "unknown model 'lama-7b'"),
        ("\n- a\n\n    ```llm-size own\n    :show: tabel\n    ```", 5, "unknown view 'tabel'"),
        (
            f"```llm-size x\n---\n# c\nshow: table\n---\n{SMALL}\nhiden_dim: 3\n```",
            10,
            "unknown key",
        ),
        (f"```llm-size x\n\n{SMALL}\n\nhiden_dim: 3\n```", 8, "unknown key 'hiden_dim'"),
        ("```llm-compare\n# c\ngpt2\nnonsense\n```", 4, "unknown model 'nonsense'"),
        ("```llm-compare\n```", 1, "no models to compare"),
        ("```llm-diff\ngpt2\ngpt2-xl\nshow: table\n```", 4, "'show' is an option"),
        ("```llm-size gpt2\n:expect: 3\n```", 2, "GPT-2 small has 124,439,808 parameters, not 3"),
        ("```llm-size gpt2\n:show: table\n:show: table\n```", 3, "option show is given twice"),
        ("```llm-size gpt2 { .a #b }\n```", 1, "'{ .a #b }' are attributes of HTML (remove them"),
        ("```llm-size gpt2\n:-\n```", 2, "'-' is not an option"),
        ("```llm-size gpt2\n---\nshow: table\n```", 2, "the options begin with ---"),
        ("```llm-size gpt2\n:config: none.json\n```", 2, "cannot read configuration file"),
        ("text\n\n```llm-size gpt2\ntext", 3, "the fence of llm-size isn't closed"),
        ("```llm-sise gpt2\n```", 1, "unknown directive 'llm-sise'"),
        ("```llm_size gpt2\n```", 1, "unknown directive 'llm_size' (did you mean 'llm-size'?)"),
        ("```LLM-Size gpt2\n```", 1, "unknown directive 'LLM-Size' (did you mean 'llm-size'?)"),
        ("```{.llm-size a=b}\n```", 1, "unknown directive '{.llm-size' (did you mean 'llm-size"),
        ("```{ .llm-diff }\n```", 1, "unknown directive '{.llm-diff' (did you mean 'llm-diff'?)"),
        ("```llm-template\na\n{{ model('gpt2').x }}\n```", 3, "GPT-2 small has no 'x'"),
        ("````llm-template\n\n```llm-size x\n```\n````", 3, "unknown model 'x'"),
        ("````llm-template\n```llm-template\n```\n````", 2, "llm-template inside llm-template"),
        ("a\nb {llm-size}`gpt2:mpl`", 2, "GPT-2 small has no 'mpl'"),
        ("```\n{llm-size}`x`\n```\na {llm-size}`x`", 4, "unknown model 'x'"),
        ("# {llm-size}`x`", 1, "unknown model 'x'"),
        ("a\nb {llm-sise}`gpt2`", 2, "unknown role 'llm-sise' (did you mean 'llm-size'?)"),
        ("a\n:llm-size:`gpt2`", 2, "':llm-size:' is not read as markup here"),
        ("{llm-size} `gpt2`", 1, "'{llm-size}' is not read as markup here"),
        ("{LLM-size}`gpt2`", 1, "unknown role 'LLM-size' (did you mean 'llm-size'?)"),
        ("{llmsize}``gpt2``", 1, "unknown role 'llmsize' (did you mean 'llm-size'?)"),
        ("a\nb {llm-size}``", 2, "cannot read '' as a number of a model"),
        ("{llm-size}`` `x` ``", 1, "unknown model '`x`'"),
        ("```llm-size gpt2\n:show: table\n:caption: {llm-size}`x`\n```", 3, "unknown model 'x'"),
        ("```llm-size gpt2\n:caption: {llm-sise}`gpt2`\n```", 2, "unknown role 'llm-sise'"),
    ],
)
def test_mistakes(text: str, place: int, message: str, caplog: pytest.LogCaptureFixture) -> None:
    shown = html(text, stylesheet="inline")
    (warning,) = warnings(caplog)
    assert taken(caplog)
    assert warning.startswith(f"{place}: {message}")
    assert re.search(r" \[llmsize\.\w+\]$", warning)
    assert "llmsize-error" in shown
    assert shown.count("<style>") == 1


def test_lines_of_equal_mistakes(caplog: pytest.LogCaptureFixture) -> None:
    html("{llm-size}`x`\n{llm-size}`x`\n\n```llm-size y\n```\n\n- {llm-size}`x`")
    assert [text.split(":")[0] for text in taken(caplog)] == ["1", "2", "4", "7"]


def test_strict_builds(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RuntimeError, match="2 mistakes on this page"):
        html("# {llm-size}`x`\n\n{llm-size}`y`", strict=True)
    assert len(taken(caplog)) == 2


class ZensicalContext:
    """What Zensical registers before it converts a page."""

    def __init__(self, config: dict[str, object]) -> None:
        self.config = {"docs_dir": "docs", **config}
        self.page = type("Page", (), {"path": "a.md"})()

    def run(self, lines: list[str]) -> list[str]:
        """Leave the page as it is."""
        return lines


@pytest.mark.parametrize(
    ("arguments", "config", "stops"),
    [
        (["zensical", "build", "--strict"], {}, True),
        (["zensical", "build", "-s"], {}, True),
        (["zensical", "build"], {"strict": True}, True),
        (["zensical", "build"], {}, False),
        (["zensical", "serve", "-s"], {}, False),
    ],
)
def test_strict_builds_of_zensical(
    arguments: list[str],
    config: dict[str, object],
    stops: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sys, "argv", arguments)
    md = Markdown(extensions=[makeExtension(stylesheet="none")])
    md.preprocessors.register(ZensicalContext(config), "zensical", 1)  # type: ignore[arg-type]
    if stops:
        with pytest.raises(RuntimeError, match="1 mistake on this page"):
            md.convert("{llm-size}`x`")
    else:
        md.convert("{llm-size}`x`")
    assert taken(caplog) == ["docs/a.md:1: unknown model 'x' [llmsize.model]"]


class LinkResolver:
    """What MkDocs registers before it converts a page."""

    def __init__(self, path: Path) -> None:
        self.file = type("File", (), {"abs_src_path": str(path)})()

    def run(self, root: Any) -> None:
        """Leave the page as it is."""


@pytest.mark.parametrize("front", ["---\ntitle: x\n---\n", "\ufeff---\na: 1\nb: 2\n---\n\n\n", ""])
@pytest.mark.parametrize("change", [lambda text: text, lambda text: f"new\n\n{text}\nmore"])
def test_lines_in_files(
    front: str, change: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Front matter is cut off by the host; a plugin may change the text."""
    body = "# Title\n\n```llm-size x\n```\n\n{llm-size}`y`\n"
    path = tmp_path / "page.md"
    path.write_text(front + body, "utf-8")
    (tmp_path / "own.yaml").write_text(SMALL)
    md = Markdown(extensions=[makeExtension(stylesheet="none")])
    md.treeprocessors.register(LinkResolver(path), "relpath", 0)  # type: ignore[arg-type]
    assert "45.4M" in md.convert("```llm-size own\n:config: own.yaml\n```\n\n{llm-size}`own`")
    md.convert(change(body))
    first = front.count("\n") + 3
    names = [record.name for record in caplog.records]
    assert taken(caplog) == [
        f"{path}:{first}: unknown model 'x' [llmsize.model]",
        f"{path}:{first + 3}: unknown model 'y' [llmsize.model]",
    ]
    assert names == ["mkdocs.sphinx_llmsize"] * 2


def test_mistakes_in_included_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(f"{SMALL}\nhiden_dim: 3")
    html("```llm-size own\n:config: own.yaml\n```", base_path=tmp_path)
    assert taken(caplog) == [f"{path}:5: unknown key 'hiden_dim' [llmsize.key]"]


def test_every_directive_is_a_fence(caplog: pytest.LogCaptureFixture) -> None:
    for name in DIRECTIVES:
        html(f"```{name} gpt2, gpt2-xl\n```" if name != "llm-size" else f"```{name} gpt2\n```")
    assert not taken(caplog)


def test_settings_are_documented() -> None:
    page = Path(__file__).parents[1] / "docs" / "reference" / "python_markdown.md"
    text = page.read_text("utf-8")
    assert all(f"`{name}`" in text for name in options_of(Settings))


def test_logger_level() -> None:
    """Warnings are shown where no host configures logging."""
    assert logging.getLogger("sphinx_llmsize").isEnabledFor(logging.WARNING)
