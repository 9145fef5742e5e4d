"""The examples of the documentation: one doctree for both markup languages.

The directive ``llmsize-example`` writes their reStructuredText from their MyST Markdown.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp
from test_snippets import CONF, SNIPPETS, comparable, filled

DOCS = SNIPPETS.parent
PAGES = (DOCS / "cookbook.md", DOCS / "reference" / "views" / "diagram.md")
RECIPES = 20
EXAMPLE = re.compile(r"^(`{4,})\{llmsize-example\}\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)


def examples() -> list[str]:
    """The MyST Markdown of every example."""
    texts = (page.read_text("utf-8") for page in PAGES)
    return [found[2] for text in texts for found in EXAMPLE.finditer(text)]


def test_the_cookbook_has_an_example_for_each_recipe() -> None:
    text = PAGES[0].read_text("utf-8")
    recipes = text.split("\n### ")[1:]
    assert len(recipes) == RECIPES
    assert all(len(EXAMPLE.findall(recipe)) == 1 for recipe in recipes)


def test_both_languages_give_the_same_doctree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    from llmsize_examples import in_rst

    (tmp_path / "conf.py").write_text(CONF)
    (tmp_path / "index.rst").write_text("Index\n=====\n")
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "config.json").write_bytes((SNIPPETS / "config.json").read_bytes())
    for number, example in enumerate(examples()):
        for language, text in (("md", example), ("rst", in_rst(example))):
            folder = tmp_path / language
            folder.mkdir(exist_ok=True)
            (folder / f"{number}.{language}").write_text(text, "utf-8")
    app = SphinxTestApp("dummy", srcdir=tmp_path)

    def doctree(language: str, number: int) -> str:
        text = comparable(filled(app.env.get_doctree(f"{language}/{number}")))
        return text.replace(f'docname="{language}/', 'docname="')

    try:
        app.builder.read()
        assert app.warning.getvalue() == ""
        for number in range(len(examples())):
            assert doctree("md", number) == doctree("rst", number)
    finally:
        app.cleanup()
