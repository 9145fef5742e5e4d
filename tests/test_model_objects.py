"""Domain ``llm``: models as objects that pages, other projects, the index and the search know."""

from __future__ import annotations

import zlib

import pytest
from project import Build, Project
from sphinx.testing.util import SphinxTestApp

SHOWN = "Models\n======\n\n.. llm-size:: llama-7b\n   :show: table\n"
AGAIN = f"{SHOWN}\n.. llm-size:: llama-7b\n   :show: rule\n"
KEYS = "num_layers: 2, num_heads: 2, vocab_size: 99"
OWN = f"Mine\n====\n\n.. llm-size:: mine\n\n   {{{{hidden_dim: {{}}, {KEYS}}}}}\n"
REFERENCES = """
:llm:model:`llama-7b`, :llm:model:`huggyllama/llama-7b`,
:llm:model:`this <LLaMA-7B>`
"""


def test_references_by_any_name(build: Build) -> None:
    project = build({"index.rst": REFERENCES, "models.rst": SHOWN}, builder="html")
    assert project.log == ""
    page = project.output("index.html")
    link = '<a class="reference internal" href="models.html#llm-model-llama-7b" title="LLaMA 7B">'
    assert page.count(link) == 3
    assert page.count(">LLaMA 7B</span></a>") == 2
    assert ">this</span></a>" in page


def test_other_projects_find_the_model(build: Build) -> None:
    settings = {"html_theme": "alabaster", "html_use_index": True}
    project = build({"index.rst": "", "models.rst": SHOWN}, builder="html", **settings)
    _header, entries = (project.app.outdir / "objects.inv").read_bytes().rsplit(b"zlib.\n", 1)
    assert b"llama-7b llm:model 1 models.html#llm-model-$ LLaMA 7B" in zlib.decompress(entries)
    assert "LLaMA 7B" in project.output("genindex.html")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("llama-13b", "show it on a page with llm-size"),
        ("lama-7b", "did you mean 'llama-7b'?"),
        ("GPT-2 small", "did you mean 'gpt2'?"),
    ],
)
def test_models_that_no_page_shows(build: Build, name: str, hint: str) -> None:
    project = build({"index.rst": f"See :llm:model:`{name}`.\n\n{SHOWN}"}, builder="html")
    warning = f"index.rst:1: WARNING: no page shows the model {name!r} ({hint}) [ref.model]"
    assert warning in project.log


def test_labels_may_have_the_name_of_a_model(build: Build) -> None:
    page = f"{SHOWN}   :name: llama-7b\n\nSee :any:`llama-7b`.\n"
    assert build({"index.rst": page}, builder="html").log == ""


def test_a_model_on_several_pages_is_one_object(build: Build) -> None:
    pages = {"index.rst": ":llm:model:`llama-7b`", "b.rst": SHOWN, "a.rst": AGAIN}
    project = build(pages, builder="html")
    assert project.log == ""
    assert 'href="a.html#llm-model-llama-7b"' in project.output("index.html")


def test_different_models_of_one_name(build: Build) -> None:
    pages = {
        "index.rst": "",
        "a.rst": OWN.format(8),
        "b.rst": OWN.format(16),
        "c.rst": OWN.format(8),
    }
    project = build(pages, builder="html")
    (warned,) = project.warned
    assert (warned.file, warned.line, warned.type) == ("b.rst", 4, "llmsize.duplicate")
    assert warned.message == "a shows another model called 'mine' (give one of them another name)"


def test_different_models_of_one_name_in_a_later_build(build: Build) -> None:
    pages = {"index.rst": "", "a.rst": OWN.format(8), "b.rst": OWN.format(8)}
    project = build(pages, builder="html")
    assert project.log == ""
    (project.app.srcdir / "a.rst").write_text(OWN.format(16), "utf-8")
    again = SphinxTestApp("html", srcdir=project.app.srcdir)
    again.build()
    (warned,) = Project(again).warned
    assert (warned.file, warned.line) == ("b.rst", 4)
    again.cleanup()


def test_changed_models_and_models_without_a_name_are_no_objects(build: Build) -> None:
    page = f"{SHOWN}\n   num_layers: 2\n\n{OWN.format(8)}".replace("size:: mine", "size::")
    project = build({"index.rst": page}, builder="html")
    assert project.log == ""
    assert "llm-model" not in project.output("index.html")
