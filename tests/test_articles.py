"""The rebuilt articles of the gallery have no typed numbers: each one is computed, or in a note."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ARTICLES = Path(__file__).parents[1] / "docs/gallery/articles"
PAGES = sorted(path.name for path in ARTICLES.glob("*.[mr][ds]*") if path.stem != "index")

# directives without prose; a note quotes the article
SKIPPED = "note|literalinclude|llm-size|llm-compare"
RST_BLOCK = re.compile(rf"^( *)\.\. (?:{SKIPPED})::.*\n(?:\1 +.*\n|\s*\n)*", re.MULTILINE)
MYST_BLOCK = re.compile(
    rf"^(?P<fence>`{{3,}}|:{{3,}})\{{(?:{SKIPPED})\}}.*?^(?P=fence)$", re.MULTILINE | re.DOTALL
)
LIVE = re.compile(
    r"https?://\S+"
    r"|:llm-size:`[^`]*`|\{llm-size\}`[^`]*`"  # role
    r"|\{\{.*?\}\}|\{%.*?%\}"  # template; a tag may set sizes such as the number of tokens
    r"|(?:LLaMA|Llama|GPT)[- ][\d.]+B?(?: \d+B)?",  # name of a model
    re.DOTALL,
)
CAPTION = re.compile(r":caption: (.*)")
EXPRESSION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
NAMES = re.compile(r"\"[^\"]*\"")
NUMBER = re.compile(r"\d[\d.,]*\d")


def typed_numbers(source: str) -> list[str]:
    """Numbers of more than one digit that nothing computes, outside notes and configurations."""
    prose = MYST_BLOCK.sub("", RST_BLOCK.sub("", source))
    texts = [prose, *CAPTION.findall(source)]
    written = [number for text in texts for number in NUMBER.findall(LIVE.sub("", text))]
    inside = EXPRESSION.findall(prose)
    return written + [number for text in inside for number in NUMBER.findall(NAMES.sub("", text))]


@pytest.mark.parametrize("page", PAGES)
def test_every_number_of_an_article_is_computed(page: str) -> None:
    assert typed_numbers((ARTICLES / page).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("LLaMA 7B has 6.74B parameters.", ["6.74"]),
        ("{llm-size}`llama-7b` of {{ 2 * 4096 }}", ["4096"]),
        ('{{ model("gpt2")["flops:1024"] }} in Llama 3 70B', []),
        (".. note::\n\n   The article says 205B.\n\nIt is 12.\n", ["12"]),
        (":::{note}\n205B\n:::\n", []),
        ("```{llm-compare}\n:caption: All 32 layers\n\nllama-7b\n```\n", ["32"]),
        ("```{llm-size} Own\nhidden_dim: 4096\n```\nBoth 64 wide.", ["64"]),
    ],
)
def test_typed_numbers_are_found(source: str, expected: list[str]) -> None:
    assert typed_numbers(source) == expected


def test_there_are_four_articles() -> None:
    assert len(PAGES) == 4
