"""Models with hostile names: the name is shown as text, never as markup, script or command."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from project import Project, small_theme, write_conf
from sphinx.testing.util import SphinxTestApp
from sphinx.util.texescape import escape

CORPUS = Path(__file__).parent / "data" / "corpus"
PAGES = sorted(path for host in ("rst", "md") for path in (CORPUS / host).glob("n_*"))
RST = [page for page in PAGES if page.suffix == ".rst"]
PLAIN = "# Plain\n\n~~~~{llm-size} plain\n" + "".join(
    f"{key}: {value}\n"
    for key, value in {
        "num_hidden_layers": 2,
        "hidden_size": 64,
        "num_attention_heads": 4,
        "intermediate_size": 128,
        "vocab_size": 100,
    }.items()
)

every_name = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def name_in(page: Path) -> str:
    """The model's name on a page of the corpus."""
    line: str
    (line,) = re.findall(r"llm-size(?:::|\}) (.*)", page.read_text("utf-8"))
    return line


class Structure(HTMLParser):
    """Elements of a page, with names of attributes and addresses of links, and its text.

    Spans around words with hyphens, of which names have some and some not, are left out.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, ...]] = []
        self.text = ""
        self.feed(html[html.index('<div class="llmsize') :])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if ("class", "llmsize-unbroken") in attrs:
            return
        addresses = (value or "" for name, value in attrs if name in {"href", "src"})
        self.elements.append((tag, *sorted(name for name, _ in attrs), *addresses))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Project]:
    """All pages by every builder that writes text."""
    source = tmp_path_factory.mktemp("names")
    for page in PAGES:
        target = source / page.relative_to(CORPUS)
        target.parent.mkdir(exist_ok=True)
        target.write_text(page.read_text("utf-8"), "utf-8")
    (source / "index.md").write_text(PLAIN, "utf-8")
    documents = [
        (f"{page.parent.name}/{page.stem}", f"{page.name}.tex", "Title", "Author", "howto")
        for page in RST
    ]
    settings = {"suppress_warnings": ["toc.not_included"], "latex_documents": documents}
    write_conf(source, **settings, **small_theme(source))
    projects = {}
    for builder in ("html", "text", "latex"):
        app = SphinxTestApp(builder, srcdir=source)
        app.build()
        app.cleanup()
        projects[builder] = Project(app)
    return projects


@pytest.fixture(scope="module")
def plain(built: dict[str, Project]) -> Structure:
    """The page of a model with a harmless name."""
    return Structure(built["html"].output("index.html"))


@every_name
def test_html_shows_the_name_and_has_no_other_change(
    page: Path, built: dict[str, Project], plain: Structure
) -> None:
    document = page.relative_to(CORPUS).with_suffix(".html").as_posix()
    found = Structure(built["html"].output(document))
    assert f"{name_in(page)}: " in found.text
    assert found.elements == plain.elements


@every_name
def test_text_has_the_name(page: Path, built: dict[str, Project]) -> None:
    document = page.relative_to(CORPUS).with_suffix(".txt").as_posix()
    text = re.sub(r"\s", "", built["text"].output(document))  # the line may break within the name
    assert re.sub(r"\s", "", f"{name_in(page)}: ") in text


@pytest.mark.parametrize("page", RST, ids=lambda page: page.name)
def test_latex_has_the_name_as_text(page: Path, built: dict[str, Project]) -> None:
    latex = built["latex"].output(f"{page.name}.tex")
    name = name_in(page)
    if (escaped := escape(name)) != name:
        assert name not in latex
    assert escaped in latex


def test_no_name_is_warned_about(built: dict[str, Project]) -> None:
    assert [project.log for project in built.values()] == ["", "", ""]
