"""Sites of MkDocs, Material, Zensical, Pelican and Nikola, from the files in the docs' start."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from starts import DOCS, files_of, write

from sphinx_llmsize import load
from sphinx_llmsize.html.stylesheet import style_element

FILES = {
    name: text
    for page in ("mkdocs", "zensical", "pelican")
    for name, text in files_of(f"hosts/{page}.md").items()
}
START = (DOCS / "snippets" / "python-markdown.md").read_text("utf-8")
CONFIG = '{"model_type": "llama", "num_hidden_layers": 2}'
FRONT = "---\ntitle: Page\n---\n\n"
WITH_FILE = f"{FRONT}# Page\n\n```llm-size mine\n:config: models/config.json\n:show: table\n```\n"
SNIPPET = (
    f'{FRONT}# Page\n\n```llm-size mine\n:show: table\n--8<-- "docs/models/config.json"\n```\n'
)
WRONG = f"{FRONT}# Page\n\n- x\n\n    ```llm-size lama-7b\n    ```\n\n{{llm-size}}`gpt2:mpl`\n"
MISTAKES = (
    "docs/index.md:9: unknown model 'lama-7b' (did you mean 'llama-7b'?) [llmsize.model]",
    "docs/index.md:12: GPT-2 small has no 'mpl' (did you mean 'mlp'?) [llmsize.number]",
)


def run(folder: Path, *command: str, code: int = 0) -> str:
    """Run a command of this environment; return what it prints."""
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run(
        [program, *command[1:]],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert bool(done.returncode) == bool(code), done.stdout
    return done.stdout


def shown_total(layers: int) -> str:
    return f"{load({'model_type': 'llama', 'num_hidden_layers': layers}).total:,}"


def check_start(page: str, stylesheet: str = "") -> None:
    """Check the page of the docs' start, whose stylesheet is inside unless it has an address."""
    assert "Llama has 6.74B parameters" in page
    assert "64.2% of them" in page
    assert page.count('<div class="llmsize">') == 3
    assert "45,350,912" in page
    assert page.count(style_element()) == (not stylesheet)
    assert page.count(f'<link rel="stylesheet" href="{stylesheet}">') == bool(stylesheet)
    assert "```" not in page
    found = re.findall(r'\bid="(llmsize[^"]*)"', page)
    assert len(found) == len(set(found)) > 0


@pytest.mark.parametrize("theme", ["material", "mkdocs", "readthedocs"])
def test_mkdocs(theme: str, tmp_path: Path) -> None:
    config = FILES["mkdocs.yml"].replace("name: material", f"name: {theme}")
    write(tmp_path, {"mkdocs.yml": config, "docs/index.md": START})
    run(tmp_path, "mkdocs", "build", "--strict")
    check_start((tmp_path / "site" / "index.html").read_text("utf-8"))


def test_mistakes_in_mkdocs(tmp_path: Path) -> None:
    write(tmp_path, {"mkdocs.yml": FILES["mkdocs.yml"], "docs/index.md": WRONG})
    printed = run(tmp_path, "mkdocs", "build", "--strict", code=1)
    assert [line for line in printed.splitlines() if "llmsize" in line] == [
        f"WARNING -  {mistake}" for mistake in MISTAKES
    ]
    assert "Aborted with 2 warnings in strict mode" in printed
    run(tmp_path, "mkdocs", "build")
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert page.count("llmsize-error admonition danger") == 1
    assert page.count("llmsize-error problematic") == 1


def test_wrong_setting_in_mkdocs(tmp_path: Path) -> None:
    config = f"{FILES['mkdocs.yml'].rstrip()}:\n      digram: svg\n"
    write(tmp_path, {"mkdocs.yml": config, "docs/index.md": START})
    assert "unknown option 'digram' (did you mean 'diagram'?)" in run(
        tmp_path, "mkdocs", "build", code=1
    )


def test_changed_file_in_mkdocs(tmp_path: Path) -> None:
    write(tmp_path, {"mkdocs.yml": FILES["mkdocs.yml"], "docs/index.md": WITH_FILE})
    for layers in (2, 3):
        write(tmp_path, {"docs/models/config.json": CONFIG.replace("2", str(layers))})
        run(tmp_path, "mkdocs", "build", "--strict")
        assert shown_total(layers) in (tmp_path / "site" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("name", ["sphinx_llmsize", '"sphinx_llmsize.hosts.python_markdown"'])
def test_zensical(name: str, tmp_path: Path) -> None:
    config = FILES["zensical.toml"].replace("sphinx_llmsize", name)
    write(tmp_path, {"zensical.toml": config, "docs/index.md": START})
    run(tmp_path, "zensical", "build")
    check_start((tmp_path / "site" / "index.html").read_text("utf-8"))


@pytest.mark.parametrize("setting", ["", "strict = true\n", "[project]\nstrict = true\n"])
def test_mistakes_in_zensical(setting: str, tmp_path: Path) -> None:
    config = f"{FILES['zensical.toml']}{setting}"
    if "[project]" in setting:
        config = FILES["zensical.toml"].replace("[project]\n", setting)
    write(tmp_path, {"zensical.toml": config, "docs/index.md": WRONG})
    printed = run(tmp_path, "zensical", "build", code=1 if setting else 0)
    assert all(mistake in printed for mistake in MISTAKES)


def test_strict_build_of_zensical(tmp_path: Path) -> None:
    write(tmp_path, {"zensical.toml": FILES["zensical.toml"], "docs/index.md": WRONG})
    run(tmp_path, "zensical", "build", "--clean")
    assert MISTAKES[0] in run(tmp_path, "zensical", "build", "--clean", "--strict", code=1)
    write(tmp_path, {"docs/index.md": START})
    run(tmp_path, "zensical", "build", "--clean", "--strict")


@pytest.mark.parametrize("page", [WITH_FILE, SNIPPET])
def test_changed_file_in_zensical(page: str, tmp_path: Path) -> None:
    """A folder to watch, or an included file, builds the page again."""
    watch = 'watch = ["docs/models"]\n'
    assert watch in FILES["zensical.toml"]
    config = FILES["zensical.toml"].replace(watch, watch if page == WITH_FILE else "")
    config += "[project.markdown_extensions.pymdownx.snippets]\n"
    write(tmp_path, {"zensical.toml": config, "docs/index.md": page})
    for layers in (2, 3):
        write(tmp_path, {"docs/models/config.json": CONFIG.replace("2", str(layers))})
        run(tmp_path, "zensical", "build")
        assert shown_total(layers) in (tmp_path / "site" / "index.html").read_text("utf-8")
        time.sleep(1.1)  # it compares whole seconds


def test_pelican(tmp_path: Path) -> None:
    """Summaries on the index page have the beginning of articles, not of a stylesheet."""
    page = f"Title: Page\nDate: 2026-01-01\n\n{START}"
    older = FILES["content/llama.md"].replace("2026", "2025")
    files = {"pelicanconf.py": FILES["pelicanconf.py"], "content/page.md": page}
    write(tmp_path, {**files, "content/older.md": older})
    run(tmp_path, "llmsize", "assets", "content/llmsize")
    run(tmp_path, "pelican", "content", "--fatal", "errors")
    output = tmp_path / "output"
    check_start((output / "page.html").read_text("utf-8"), "/llmsize/llmsize.css")
    assert (output / "llmsize" / "llmsize.css").is_file()
    index = (output / "index.html").read_text("utf-8")
    assert "LLaMA 7B has 6.74B parameters, 64.2% of them" in index
    assert "hidden dimension" in index.partition("LLaMA 7B has 6.74B")[2]
    assert "<style" not in index
    write(tmp_path, {"content/page.md": page.replace("llm-size llama-7b", "llm-size lama-7b")})
    assert "9: unknown model 'lama-7b'" in " ".join(run(tmp_path, "pelican").split())


def test_nikola(tmp_path: Path) -> None:
    """A post, an older `config.json` and a strict build."""
    run(tmp_path, "nikola", "init", "--quiet", "site")
    site = tmp_path / "site"
    config = f"{(site / 'conf.py').read_text('utf-8')}\n{FILES['conf.py']}"
    post = FILES["posts/llama.md"]
    header = post.partition("\n\n")[0].replace("slug: llama", "slug: own")
    with_file = WITH_FILE.removeprefix(FRONT)
    write(site, {"conf.py": config, "posts/llama.md": post})
    write(site, {"posts/own.md": f"{header}\n\n{with_file}"})
    for layers in (2, 3):
        write(site, {"models/config.json": CONFIG.replace("2", str(layers))})
        run(site, "nikola", "build", "-a")
        own = (site / "output" / "posts" / "own" / "index.html").read_text("utf-8")
        assert shown_total(layers) in own
    page = (site / "output" / "posts" / "llama" / "index.html").read_text("utf-8")
    assert "LLaMA 7B has 6.74B parameters, 64.2% of them" in page
    assert page.count('<div class="llmsize">') == 1
    assert page.count(style_element()) == 1
    strict = 'MARKDOWN_EXTENSION_CONFIGS = {DEFAULT_LANG: {"sphinx_llmsize": {"strict": True}}}\n'
    assert strict in (DOCS / "hosts" / "pelican.md").read_text("utf-8")
    write(site, {"posts/llama.md": post.replace("llm-size llama-7b", "llm-size lama-7b")})
    assert "unknown model 'lama-7b'" in run(site, "nikola", "build")
    write(site, {"conf.py": config + strict})
    run(site, "nikola", "build", "-a", code=1)
