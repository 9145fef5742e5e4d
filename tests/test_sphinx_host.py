"""The directive in Sphinx: captions, numbers, options, links."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from docutils import nodes
from project import Build, Project

RST = "Title\n=====\n\n.. llm-size:: gpt2\n"
MYST = "# Title\n\n```{llm-size} gpt2\n"


def rst(*options: str, after: str = "") -> dict[str, str]:
    """A project of one page that shows GPT-2 with these options."""
    lines = "".join(f"   {option}\n" for option in options)
    return {"index.rst": f"{RST}{lines}\n{after}\n"}


def myst(*options: str, after: str = "") -> dict[str, str]:
    return {"index.md": MYST + "".join(f"{option}\n" for option in options) + f"```\n\n{after}\n"}


Page = Callable[..., dict[str, str]]
LINE_AFTER_ONE: dict[Page, int] = {rst: 6, myst: 5}
"""The line of a page's second option."""


def text(page: str) -> str:
    """A page without its tags."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def mermaid(project: Project, page: str = "index.html") -> str:
    """Mermaid source of the diagram on a page, with HTML entities decoded."""
    (source,) = re.findall(r'<pre[^>]*class="mermaid"[^>]*>(.*?)</pre>', project.output(page), re.S)
    return html.unescape(source)


@pytest.mark.parametrize(
    ("show", "number"), [("table", "Table 1"), ("diagram", "Fig. 1"), ("diagram, table", "Fig. 1")]
)
@pytest.mark.parametrize(
    ("page", "reference"), [(rst, ":numref:`sizes`"), (myst, "{numref}`sizes`")]
)
def test_numbered_references(
    page: Page, reference: str, show: str, number: str, build: Build
) -> None:
    files = page(":name: sizes", f":show: {show}", after=f"See {reference}.")
    project = build(files, numfig=True)
    assert project.log == ""
    assert f"See {number}." in text(project.output("index.html"))


def test_a_reference_by_name_shows_the_caption(build: Build) -> None:
    files = rst(":name: sizes", ":caption: How large it is", after="See :ref:`sizes`.")
    assert "See How large it is." in text(build(files).output("index.html"))


@pytest.mark.parametrize("page", [rst, myst])
@pytest.mark.parametrize("show", ["table", "diagram"])
def test_captions_have_inline_markup(page: Page, show: str, build: Build) -> None:
    project = build(page(":caption: My *own* ``words``", f":show: {show}"), "xml")
    assert project.log == ""
    assert "My <emphasis>own</emphasis> <literal>words</literal>" in project.output("index.xml")


def test_a_table_without_caption_gets_one(build: Build) -> None:
    doctree = build(rst(), "dummy").app.env.get_doctree("index")
    (title,) = (table.next_node(nodes.title) for table in doctree.findall(nodes.table))
    assert title is not None
    assert title.astext() == "Parameters by component"


@pytest.mark.parametrize("page", [rst, myst])
def test_cells_are_created_when_the_page_is_written(page: Page, build: Build) -> None:
    app = build(page(":show: table"), "dummy").app
    read = app.env.get_doctree("index")
    written = app.env.get_and_resolve_doctree("index", app.builder)
    assert not list(read.findall(nodes.entry))
    assert "124,439,808" in [entry.astext() for entry in written.findall(nodes.entry)]


def test_class_and_align(build: Build) -> None:
    doctree = build(rst(":class: mine wide", ":align: center"), "dummy").app.env.get_doctree(
        "index"
    )
    (container,) = (n for n in doctree.findall(nodes.container) if "mine" in n["classes"])
    assert container["classes"] == ["llmsize", "mine", "wide"]
    aligned = [n["align"] for n in doctree.findall(nodes.Element) if "align" in n]
    assert aligned == ["center", "center"]


@pytest.mark.parametrize("total", ["124439808", "124,439,808", "124_439_808"])
def test_correct_expected_totals(total: str, build: Build) -> None:
    assert build(rst(f":expect: {total}"), "dummy").log == ""


@pytest.mark.parametrize("page", [rst, myst])
def test_wrong_expected_totals(page: Page, build: Build) -> None:
    project = build(page(":show: table", ":expect: 124,439,807"), "xml")
    (warned,) = project.warned
    assert (warned.line, warned.type) == (LINE_AFTER_ONE[page], "llmsize.expect")
    assert warned.message.startswith("GPT-2 small has 124,439,808 parameters, not 124,439,807")
    assert "llmsize-table" in project.output("index.xml")


@pytest.mark.parametrize(
    ("option", "kind", "message"),
    [
        (":shw: table", "option", "unknown option 'shw' (did you mean 'show'?)"),
        (":zoom:", "option", "unknown option 'zoom' (one of detail,"),
        (":show: tabel", "option", "unknown view 'tabel' (did you mean 'table'?)"),
        (":show: table, picture", "option", "unknown view 'picture'"),
        (
            ":detail: layer",
            "option",
            "unknown value 'layer' (one of brief, component, full, tensor)",
        ),
        (":direction: RL", "option", "unknown value 'RL' (one of LR, TB)"),
        (":align: middle", "option", "unknown value 'middle' (one of left, center, right)"),
        (":expect: 124M", "option", "'124M' is not a whole number"),
        (":expect:", "option", "'' is not a whole number"),
        (":links: ffn_upp: index", "link", "no box 'ffn_upp' to link (did you mean 'ffn_up'?)"),
        (":links: qkv", "link", "cannot read 'qkv'"),
        (":links: qkv: index, qkv: index", "link", "box 'qkv' is linked twice"),
        (":links: qkv: https://[x/y", "link", "cannot read 'https://[x/y'"),
        (":config: absent.json", "file", "cannot read configuration file 'absent.json'"),
    ],
)
@pytest.mark.parametrize("page", [rst, myst])
def test_unusable_options(page: Page, option: str, kind: str, message: str, build: Build) -> None:
    project = build(page(":name: here", option), "dummy")
    (warned,) = project.warned
    assert (warned.line, warned.type) == (LINE_AFTER_ONE[page], f"llmsize.{kind}")
    assert message in warned.message


def test_line_of_an_option_in_yaml(build: Build) -> None:
    files = {"index.md": f"{MYST}---\nname: here\nshw: table\n---\n```\n"}
    assert [(w.line, w.type) for w in build(files, "dummy").warned] == [(6, "llmsize.option")]


def test_a_caption_needs_a_table_or_figure(build: Build) -> None:
    (warned,) = build(rst(":show: formula", ":caption: Mine"), "dummy").warned
    assert (warned.line, warned.type) == (6, "llmsize.option")
    assert "nothing here takes a caption" in warned.message


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ('https://example.org/"onclick="x', "https://example.org/%22onclick=%22x"),
        ("other", "other.html"),
        ("deep/page", "deep/page.html"),
        ("some-label", "other.html#some-label"),
        ("here", "#here"),
    ],
)
def test_links_are_resolved(target: str, address: str, build: Build) -> None:
    files = {
        "index.rst": f".. _here:\n\n{RST}   :links: qkv: {target}\n",
        "other.rst": ":orphan:\n\nOther\n=====\n\ntext\n\n.. _some-label:\n\nSection\n-------\n",
        "deep/page.rst": ":orphan:\n\nPage\n====\n",
    }
    project = build(files)
    assert project.log == ""
    assert re.findall(r"^click .*$", mermaid(project), re.M) == [f'click qkv href "{address}"']


def test_links_are_relative_to_their_page(build: Build) -> None:
    files = {
        "index.rst": "Index\n=====\n",
        "deep/page.rst": f":orphan:\n\n{RST}   :links: qkv: /index,\n      lm_head: ../index\n",
    }
    clicks = re.findall(r"^click .*$", mermaid(build(files), "deep/page.html"), re.M)
    assert clicks == ['click qkv href "../index.html"', 'click lm_head href "../index.html"']


@pytest.mark.parametrize(
    "target",
    ["nowhere", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//evil.example"],
)
@pytest.mark.parametrize("page", [rst, myst])
def test_missing_link_targets(page: Page, target: str, build: Build) -> None:
    project = build(page(":show: diagram", f":links: qkv: {target}"), "dummy")
    (warned,) = project.warned
    assert (warned.line, warned.type) == (LINE_AFTER_ONE[page], "llmsize.link")
    assert f"link target not found: {target!r}" in warned.message
    assert project.log.count("WARNING") == 1


@pytest.mark.parametrize(
    ("target", "meant"),
    [("othr", "other"), ("/other.md", "/other"), ("my_label", "my-label"), ("zzz", None)],
)
def test_hint_for_a_missing_target(target: str, meant: str | None, build: Build) -> None:
    files = {
        "index.rst": f"Index\n=====\n\n{RST}   :links: qkv: {target}\n",
        "other.rst": ":orphan:\n\n.. _my-label:\n\nOther\n=====\n",
    }
    (warned,) = build(files, "dummy").warned
    assert (f"did you mean '{meant}'?" if meant else "a URL, a document") in warned.message


@pytest.mark.parametrize(
    ("target", "meant"), [("othr", "other"), ("index", "../index"), ("/sub/othr", "/sub/other")]
)
def test_hints_are_relative_to_their_page(target: str, meant: str, build: Build) -> None:
    files = {
        "index.rst": "Index\n=====\n",
        "sub/other.rst": ":orphan:\n\nOther\n=====\n",
        "sub/page.rst": f":orphan:\n\n{RST}   :links: qkv: {target}\n",
    }
    (warned,) = build(files, "dummy").warned
    assert f"did you mean '{meant}'?" in warned.message


def test_unresolved_links_are_not_written(build: Build) -> None:
    links = ":links: qkv: javascript:alert(1), scores: index, lm_head: data:text/html,x"
    project = build(rst(":show: diagram", links))
    assert re.findall(r"^click .*$", mermaid(project), re.M) == ['click scores href "#"']
    assert "javascript:alert" not in project.output("index.html")


def test_links_in_the_description(build: Build) -> None:
    doctree = build(rst(":links: qkv: https://example.org"), "pseudoxml")
    assert '<reference internal="False" refuri="https://example.org">' in re.sub(
        r'internal="\w+"', 'internal="False"', doctree.output("index.pseudoxml")
    )


@pytest.mark.parametrize("host", ["rst", "md"])
def test_a_page_recovers_when_its_file_appears(host: str, build: Build) -> None:
    files = rst(":config: late.json") if host == "rst" else myst(":config: late.json")
    files[f"index.{host}"] = files[f"index.{host}"].replace("gpt2", "mine")
    project = build(files)
    assert "llmsize-error" in project.output("index.html")
    late = Path(project.app.srcdir) / "late.json"
    late.write_text('{"model_type": "gpt2"}', "utf-8")
    project.app.build()
    assert "mine: 124,439,808\N{NO-BREAK SPACE}parameters" in project.output("index.html")
    assert "llmsize-error" not in project.output("index.html")


def test_an_unchanged_page_is_not_reread(build: Build) -> None:
    files = {**rst(), "mine.rst": ":orphan:\n\n.. llm-size:: mine\n   :config: c.json\n"}
    project = build({**files, "c.json": '{"model_type": "gpt2"}'}, templates_path=["templates"])
    read: list[str] = []
    project.app.connect("source-read", lambda app, name, source: read.append(name))
    project.app.build()
    assert read == []


@pytest.mark.parametrize("what", ["llm-size:: llama-7", "llm-compare:: llama-7"])
@pytest.mark.parametrize("in_markdown", [False, True])
def test_references_to_a_notice(what: str, in_markdown: bool, build: Build) -> None:
    name, _, argument = what.partition(":: ")
    if in_markdown:
        text = f"# Title\n\n```{{{name}}} {argument}\n:name: sizes\n```\n\n"
        files = {"index.md": text + "See {ref}`sizes`, {numref}`sizes`, [there](#sizes).\n"}
    else:
        text = f"Title\n=====\n\n.. {what}\n   :name: sizes\n\n"
        files = {"index.rst": text + "See :ref:`sizes`, :numref:`sizes`, sizes_.\n"}
    project = build(files, numfig=True)
    assert [warned.type for warned in project.warned] == ["llmsize.model"]
    assert project.log.count("WARNING") == 1
    page = project.output("index.html")
    assert '<div class="llmsize llmsize-error admonition error" id="sizes">' in page
    assert page.count('href="#sizes"') == 3


def test_a_configuration_without_blank_line(build: Build) -> None:
    page = "T\n=\n\n.. llm-size:: my model\n   hidden_dim: 4096\n   num_layers: 32\n"
    (warned,) = build({"index.rst": page}).warned
    assert (warned.line, warned.type) == (5, "llmsize.syntax")
    assert "leave a blank line before a configuration" in warned.message


@pytest.mark.parametrize("builder", ["html", "epub", "latex", "text", "xml"])
def test_the_same_model_twice(builder: str, build: Build) -> None:
    # HTML of the first one is reused for the second, but not in a list, where it is more compact
    use = ".. llm-size:: gpt2\n{indent}   :show: table\n"
    inner = use.format(indent="  ")
    page = f"T\n=\n\n{use.format(indent='')}\n{use.format(indent='')}\n- {inner}\n- x\n"
    project = build({"index.rst": page}, builder, epub_copyright="x", version="1")
    suffixes = {"html": "html", "epub": "xhtml", "latex": "tex", "text": "txt", "xml": "xml"}
    written = "".join(
        path.read_text("utf-8")
        for path in Path(project.app.outdir).glob(f"*.{suffixes[builder]}")
        if path.stem == "index" or builder == "latex"
    )
    assert written.count("38,597,376") == 3


@pytest.mark.parametrize("show", ["formula", "diagram", "table", "formula, diagram"])
def test_every_view_names_changed_keys(show: str, build: Build) -> None:
    page = f"T\n=\n\n.. llm-size:: llama-7b\n   :show: {show}\n\n   num_layers: 3\n"
    text = build({"index.rst": page}, "text").output("index.txt")
    assert text.count("LLaMA 7B with 3 layers") == 1


@pytest.mark.parametrize("page", [rst, myst])
def test_the_name_is_not_repeated_below_a_title_that_is_it(page: Page, build: Build) -> None:
    (name, source), *_others = page().items()
    other = text(build({name: source}).output("index.html"))
    assert "GPT-2 small: 124,439,808\N{NO-BREAK SPACE}parameters" in other
    titled = source.replace("Title", "GPT-2 small").replace("=====", "===========")
    page_of_model = text(build({name: titled}).output("index.html"))
    assert "124,439,808\N{NO-BREAK SPACE}parameters" in page_of_model
    assert "GPT-2 small ·" not in page_of_model
