"""``llmsize update``: the flavour of Markdown of a site, found from its configuration."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from sphinx_llmsize.cli import main
from sphinx_llmsize.markdown_flavours import FLAVOURS
from sphinx_llmsize.update import sites
from sphinx_llmsize.update.update_settings import Settings, settings_of

UNSAFE = "[markup.goldmark.renderer]\nunsafe = true\n"
PASSTHROUGH = "[markup.goldmark.extensions.passthrough]\nenable = true\n"
DELIMITERS = "[markup.goldmark.extensions.passthrough.delimiters]\nblock = {}\n"
REGION = "<!-- llm-size: llama-7b show=table,rule,diagram -->\n<!-- /llm-size -->\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    sites._site_in.cache_clear()
    settings_of.cache_clear()


@pytest.mark.parametrize(
    ("files", "page", "flavour"),
    [
        ({}, "README.md", "github"),
        ({"hugo.toml": ""}, "content/posts/a.md", "hugo"),
        ({"hugo.yaml": "contentDir: pages"}, "pages/a.md", "hugo"),
        ({"config/_default/hugo.json": "{}"}, "content/a.md", "hugo"),
        ({"config.toml": "", "content/b.md": "", "archetypes/c.md": ""}, "content/a.md", "hugo"),
        ({"config.toml": ""}, "a.md", "github"),
        ({"hugo.toml": ""}, "notes/a.md", "github"),
        ({"_config.yml": ""}, "_posts/2026-01-01-a.md", "jekyll"),
        ({"_config.yaml": ""}, "_posts/a.md", "jekyll"),
        ({"_config.toml": ""}, "_posts/a.md", "jekyll"),
        ({"_config.yml": ""}, "README.md", "github"),
        ({"_config.yml": "", "_toc.yml": ""}, "intro.md", "github"),
        ({"_quarto.yml": ""}, "posts/a.qmd", "quarto"),
        ({"mkdocs.yml": "a: !!python/name:b.c"}, "docs/a.md", "mkdocs"),
        ({"mkdocs.yml": "docs_dir: 'pages'  # ours"}, "pages/deep/a.md", "mkdocs"),
        ({"mkdocs.yml": ""}, "README.md", "github"),
        (
            {"mkdocs.yml": "INHERIT: '../base.yml'", "../base.yml": "docs_dir: a"},
            "a/b.md",
            "mkdocs",
        ),
        ({"mkdocs.yml": "INHERIT: b.yml\ndocs_dir: c", "b.yml": "docs_dir: a"}, "a/b.md", "github"),
        ({"mkdocs.yml": "INHERIT: mkdocs.yml"}, "docs/a.md", "mkdocs"),
        ({"zensical.toml": '[project]\ndocs_dir = "pages"'}, "pages/a.md", "mkdocs"),
        ({"mkdocs.yml": "", "docs/blog/_config.yml": ""}, "docs/blog/a.md", "jekyll"),
    ],
)
def test_the_nearest_configuration(
    files: dict[str, str], page: str, flavour: str, tmp_path: Path
) -> None:
    site = tmp_path / "site"  # a file in the folder above is still inside tmp_path
    site.mkdir()
    write(site, files)
    assert sites.site_of(site / page).flavour.name == flavour


@pytest.mark.parametrize(
    ("settings", "html", "math"),
    [
        ("", False, None),
        (UNSAFE, True, None),
        (PASSTHROUGH, False, "$$"),
        (UNSAFE + PASSTHROUGH + DELIMITERS.format(r"[['\[', '\]'], ['$$', '$$']]"), True, "$$"),
        (PASSTHROUGH + DELIMITERS.format(r"[['\[', '\]']]"), False, r"\["),
        (PASSTHROUGH + DELIMITERS.format("[['@@', '@@']]"), False, None),
    ],
)
def test_hugo_with_its_settings(
    settings: str, html: bool, math: str | None, tmp_path: Path
) -> None:
    """Raw HTML and math only if the site lets them through."""
    write(tmp_path, {"hugo.toml": settings})
    flavour = sites.site_of(tmp_path / "content" / "a.md").flavour
    assert (flavour.html, flavour.math and flavour.math[0]) == (html, math)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hugo.toml", b"a = 1\nnot = [toml", "hugo.toml:2: it is not TOML: "),
        ("hugo.yaml", b"a: 1\nb: [c\nd: 2\n", "hugo.yaml:3: it is not YAML: "),
        (
            "config/_default/hugo.json",
            b'{\n"a": }',
            "config/_default/hugo.json:2: it is not JSON: ",
        ),
        ("hugo.toml", b'a = "\xff"', "hugo.toml: cannot read the file: it is not UTF-8 text"),
        ("mkdocs.yml", b"docs_dir: \xff", "mkdocs.yml: cannot read the file: it is not UTF-8 text"),
        ("mkdocs.yml", b"INHERIT: b.yml", "b.yml: cannot read the file: no such file or directory"),
    ],
)
def test_configurations_that_cannot_be_read(  # noqa: PLR0917
    name: str,
    text: bytes,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The pages stay as they are, since their flavour isn't known."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"content/a.md": REGION, "content/b.md": REGION, name: ""})
    Path(name).write_bytes(text)
    assert main(("update", "content")) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"llmsize: {message}")
    assert errors.count("\n") == 1
    assert Path("content/a.md").read_text("utf-8") == REGION


def test_settings_of_markup_in_a_file_of_their_own(tmp_path: Path) -> None:
    write(tmp_path, {"config/_default/markup.toml": "[goldmark.renderer]\nunsafe = true\n"})
    assert sites.site_of(tmp_path / "content" / "a.md").flavour.html


EXPECTED = {
    "github": ("```math\n\\begin", "```mermaid\n", "*d*<sub>*h*</sub>", "*D*<br>"),
    "hugo": ("\n$$\n\\begin", "```mermaid\n", "*d*\\_*h*", "*D*; "),
    "jekyll": ("\n$$\n\\begin", "```mermaid\n", "*d*<sub>*h*</sub>", "*D*<br>"),
    "quarto": ("\n$$\n\\begin", "```{mermaid}\n", "*d*~*h*~", "*D*; "),
    "mkdocs": ("\n$$\n\\begin", "```mermaid\n", "*d*<sub>*h*</sub>", "*D*<br>"),
    "plain": (
        "```text\nN_all layers ≈ L c D²",
        "Pipeline of LLaMA 7B: Token ids, then",
        "*d*\\_*h*",
        "*D*; ",
    ),
}


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_flavours(flavour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.md": REGION})
    assert main(("update", "a.md", "--flavor", flavour)) == 0
    text = Path("a.md").read_text("utf-8")
    for expected in EXPECTED[flavour]:
        assert expected in text
    html = MarkdownIt("commonmark").render(text)
    assert ("<sub>" in html) == FLAVOURS[flavour].html
    assert all(line.count("|") == 7 for line in text.split("\n") if line.startswith("|"))


@pytest.mark.parametrize(
    ("config", "page", "assets", "address"),
    [
        ("", "docs/a.md", "docs/img", "img/llama-7b-diagram.svg"),
        ("", "docs/a.md", "my pictures", "../my%20pictures/llama-7b-diagram.svg"),
        ("hugo.toml", "content/a.md", "static/img", "/img/llama-7b-diagram.svg"),
        ("hugo.toml", "content/a/index.md", "content/a", "llama-7b-diagram.svg"),
        (
            "_config.yml",
            "_posts/a.md",
            "assets",
            '{{ "/assets/llama-7b-diagram.svg" | relative_url }}',
        ),
        ("mkdocs.yml", "docs/b/a.md", "docs/img", "../img/llama-7b-diagram.svg"),
    ],
)
def test_drawn_diagrams(  # noqa: PLR0917
    config: str,
    page: str,
    assets: str,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {page: REGION, **({config: ""} if config else {})})
    drawn = ("--diagram", "svg", "--assets", assets)
    assert main(("update", page, *drawn)) == 0
    text = Path(page).read_text("utf-8")
    picture = Path(assets, "llama-7b-diagram.svg")
    assert f"]({address})" in text
    assert "![Pipeline of LLaMA 7B: Token ids, then Token embedding" in text
    assert "mermaid" not in text
    assert picture.read_text("utf-8").startswith("<svg ")
    assert main(("update", page, "--check", *drawn)) == 0
    picture.write_text("old", "utf-8")
    capsys.readouterr()
    assert main(("update", page, "--check", *drawn)) == 1
    assert capsys.readouterr().out == f"{picture.as_posix()}: not up to date\n"
    assert main(("update", page, *drawn)) == 0
    assert capsys.readouterr().out == f"{picture.as_posix()}: written\n"
    assert main(("update", page, "--check", *drawn)) == 0


def test_pictures_of_different_regions_have_different_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name depends on the region alone, not on other regions or on the numbers."""
    monkeypatch.chdir(tmp_path)
    start = "<!-- llm-size: llama-7b show=diagram"
    end = "<!-- /llm-size -->\n"
    texts = [
        f"{start} -->\n{end}",
        f"{start} detail=full -->\n{end}",
        f"{start}\nnum_layers: 2\n-->\n{end}",
    ]
    write(tmp_path, {"a.md": "".join(texts), "b.md": texts[1]})
    assert main(("update", ".", "--diagram", "svg", "--assets", ".")) == 0
    names = {path.name for path in tmp_path.glob("*.svg")}
    assert len(names) == 4  # that of b.md, too: its region could name a model of its page
    assert "llama-7b-diagram.svg" in names


def test_models_with_the_same_name_on_two_pages_have_pictures_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    end = "<!-- /llm-size -->\n"
    mine = "<!-- llm-size: mine show=table\n{{model_type: gpt2, num_layers: {}}}\n-->\n" + end
    again = f"<!-- llm-size: mine show=diagram -->\n{end}"
    doubled = f"<!-- llm-size: gpt2?hidden_dim{{}} show=diagram -->\n{end}"
    write(
        tmp_path,
        {
            "a.md": mine.format(2) + again + doubled.format("*2"),
            "b.md": mine.format(3) + again + doubled.format("=1536"),
        },
    )
    drawn = ("--diagram", "svg", "--assets", ".")
    assert main(("update", ".", *drawn)) == 0
    assert main(("update", ".", *drawn, "--check")) == 0
    assert len(list(tmp_path.glob("*.svg"))) == 4


def test_the_picture_of_a_preset_is_never_that_of_an_own_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    end = "<!-- /llm-size -->\n"
    own = f'<!-- llm-size: gpt2 config="mine.json" show=table -->\n{end}'
    diagram = f"<!-- llm-size: GPT2 show=diagram -->\n{end}"
    config = '{"model_type": "gpt2", "num_layers": 2}'
    write(tmp_path, {"a.md": own + diagram, "b.md": diagram, "mine.json": config})
    drawn = ("--diagram", "svg", "--assets", ".")
    assert main(("update", ".", *drawn)) == 0
    assert main(("update", ".", *drawn, "--check")) == 0


def test_calls_on_a_page_share_equal_pictures_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    region = "<!-- llm-size: llama-7b show={} -->\n<!-- /llm-size -->\n"
    views = ("diagram", "table,diagram", "composition,scaling")
    write(tmp_path, {"a.md": "".join(map(region.format, views))})
    drawn = ("--diagram", "svg", "--assets", ".")
    assert main(("update", ".", *drawn)) == 0
    assert main(("update", ".", *drawn, "--check")) == 0
    names = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert [re.sub("-[0-9a-f]{8}", "-HASH", name) for name in names] == [
        "llama-7b-chart-HASH-2.svg",
        "llama-7b-chart-HASH.svg",
        "llama-7b-diagram.svg",
    ]
    assert (tmp_path / "a.md").read_text("utf-8").count("](llama-7b-diagram.svg)") == 2


def test_charts_of_a_preset_on_two_pages_are_pictures_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    region = "<!-- llm-size: llama-7b show={} -->\n<!-- /llm-size -->\n"
    write(tmp_path, {"a.md": region.format("composition"), "b.md": region.format("scaling")})
    drawn = ("--diagram", "svg", "--assets", ".")
    assert main(("update", ".", *drawn)) == 0
    assert main(("update", ".", *drawn, "--check")) == 0
    charts = {path.read_text("utf-8") for path in tmp_path.glob("*-chart-*.svg")}
    assert len(charts) == 2


@pytest.mark.parametrize(
    ("assets", "message"),
    [
        ("file", "llmsize: file: the folder for SVG files is a file"),
        ("file/img", "llmsize: file/img/llama-7b-diagram.svg: cannot write the file: "),
        (300 * "a", f"llmsize: {300 * 'a'}/llama-7b-diagram.svg: cannot write the file: "),
        ("", "llmsize: the path of --assets is empty"),
    ],
)
def test_folders_of_pictures_that_cannot_be_used(
    assets: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.md": REGION, "file": ""})
    assert main(("update", "a.md", "--diagram", "svg", "--assets", assets)) == 2
    assert capsys.readouterr().err.startswith(message)
    assert Path("a.md").read_text("utf-8") == REGION


@pytest.mark.parametrize("settings", ["", 'assets = "img"'])
def test_a_folder_of_pictures_draws_none_by_itself(
    settings: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.md": REGION, ".llmsize.toml": settings})
    folder = () if settings else ("--assets", "img")
    assert main(("update", "a.md", *folder)) == 2
    assert "a folder for SVG files needs diagram svg (add --diagram" in capsys.readouterr().err
    assert main(("update", "a.md", *folder, "--diagram", "mermaid")) == 0
    assert not Path("img").exists()
    assert main(("update", "a.md", *folder, "--diagram", "svg")) == 0
    assert Path("img/llama-7b-diagram.svg").exists()


SETTINGS = 'diagram = "svg"\nassets = "img"\n'


def test_settings_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They take the place of arguments, also for --check, in each folder below."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {".llmsize.toml": SETTINGS, "docs/a.md": REGION})
    plain = 'flavor = "plain"\ndiagram = "mermaid"\n'
    write(tmp_path, {"plain/.llmsize.toml": plain, "plain/a.md": REGION})
    assert main(("update", ".")) == 0
    assert main(("update", ".", "--check")) == 0
    assert "](../img/llama-7b-diagram.svg)" in Path("docs/a.md").read_text("utf-8")
    assert "Pipeline of LLaMA 7B: Token ids" in Path("plain/a.md").read_text("utf-8")
    # arguments come first
    assert main(("update", "docs", "--check", "--assets", "img")) == 0
    assert main(("update", "docs", "--check", "--diagram", "mermaid")) == 1
    assert "+```mermaid" in capsys.readouterr().out


def test_folders_that_cannot_be_searched_have_no_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be above the working directory, whose own files can be read."""
    usual = os.stat

    def stat(path: object, **options: Any) -> os.stat_result:
        if str(path).startswith(str(tmp_path)):
            raise PermissionError(13, "Permission denied")
        return usual(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", stat)
    assert settings_of(tmp_path) == Settings()


def test_nearer_settings_are_added_to_those_of_parent_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The repository is the last of them: a checkout elsewhere has the same settings."""
    root = tmp_path / "repository"
    write(tmp_path, {".llmsize.toml": 'flavor = "plain"\n', "a.md": REGION})
    write(root, {".git/config": "", ".llmsize.toml": SETTINGS, "README.md": REGION})
    cards = {"cards/.llmsize.toml": 'flavor = "mkdocs"\n', "cards/old/a.md": REGION}
    write(root, {**cards, "cards/old/.llmsize.toml": 'assets = "img"\n'})
    monkeypatch.chdir(root)
    folder = root / "cards" / "old"
    assert settings_of(tmp_path) == Settings("plain")
    assert settings_of(root) == Settings("", "svg", root / "img")
    assert settings_of(root / "cards") == Settings("mkdocs", "svg", root / "img")
    assert settings_of(folder) == Settings("mkdocs", "svg", folder / "img")
    assert main(("update", ".")) == 0
    assert "](img/llama-7b-diagram.svg)" in (root / "README.md").read_text("utf-8")
    card = (folder / "a.md").read_text("utf-8")
    assert "](img/llama-7b-diagram.svg)" in card
    assert "$$\n" in card


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("", "there is no folder for SVG files (add --assets DIR, or assets in .llmsize.toml)"),
        ("\nasets = 'img'", ".llmsize.toml:2: unknown setting 'asets' (did you mean 'assets'?)"),
        ("flavor = 'hugos'", ".llmsize.toml:1: unknown flavor 'hugos' (did you mean 'hugo'?)"),
        ('assets = "\\u0000"', ".llmsize.toml:1: assets is outside the file's folder"),
        ("assets = '../a'", ".llmsize.toml:1: assets is outside the file's folder (write a path"),
        ("\n\nassets = 3", ".llmsize.toml:3: assets must be text, in quotes"),
        ("\nassets = img", ".llmsize.toml:2: it is not TOML: "),
    ],
)
def test_settings_that_cannot_be_used(
    settings: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = {"wrong/a.md": REGION, "wrong/below/b.md": REGION, "other/c.md": REGION}
    write(tmp_path, {"wrong/.llmsize.toml": settings, "other/.llmsize.toml": SETTINGS, **pages})
    assert main(("update", ".", "--diagram", "svg")) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1
    assert Path("wrong/a.md").read_text("utf-8") == REGION
    assert Path("other/c.md").read_text("utf-8") != REGION


def test_a_link_in_place_of_a_picture_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {".llmsize.toml": SETTINGS, "docs/a.md": REGION, "elsewhere.txt": "mine"})
    Path("img").mkdir()
    Path("img/llama-7b-diagram.svg").symlink_to(tmp_path / "elsewhere.txt")
    assert main(("update", "docs")) == 0
    assert Path("elsewhere.txt").read_text("utf-8") == "mine"
    assert Path("img/llama-7b-diagram.svg").read_text("utf-8").startswith("<svg")


ROOT = Path(__file__).parent.parent


def test_hooks_of_pre_commit() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["entry"] for hook in hooks] == ["llmsize update", "llmsize update --check"]


def test_our_own_readme_is_up_to_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(("update", "--check", "README.md")) == 0, capsys.readouterr().out
    assert "<!-- llm-size: " in (ROOT / "README.md").read_text("utf-8")
