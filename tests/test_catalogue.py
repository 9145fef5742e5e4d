"""Catalogues: pages from the setting ``llmsize_catalogue``, lists by ``llm-catalogue``."""

from __future__ import annotations

import json
import os
import re
import zlib
from pathlib import Path

import pytest
from project import Build, Project, write_conf
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize import load
from sphinx_llmsize.hosts.sphinx.catalogue.page_files import MARK
from sphinx_llmsize.hosts.sphinx.catalogue.pipeline_gallery import brief_diagram
from sphinx_llmsize.lineage.predecessors import predecessor
from sphinx_llmsize.sources.makers import ORGANISATIONS, OTHER_ORGANISATIONS, maker_of
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views.pipeline.gallery_legend import gallery_legend

INDEX = """\
Models
======

.. llm-catalogue::

.. llm-catalogue::
   :show: lineage

.. llm-catalogue:: llama-2-*, mistral-7b-v0.1
   :show: pipelines
"""
HOUSE = {"model_type": "llama", "num_hidden_layers": 2}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A catalogue of two presets and a model of the project, built once."""
    source = tmp_path_factory.mktemp("catalogue")
    (source / "index.rst").write_text(INDEX)
    write_conf(
        source,
        extensions=["sphinx_llmsize"],
        nitpicky=True,
        llmsize_models={"house": HOUSE},
        llmsize_catalogue={"models": ["llama-2-7b, llama-3-8b", "ho*"]},
        llmsize_diagram="svg",
        llmsize_math="mathml",
    )
    app = SphinxTestApp("html", srcdir=source)
    app.build()
    app.cleanup()
    return Project(app)


def text_of(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def test_there_are_no_warnings(site: Project) -> None:
    assert site.log == ""


def test_pages_have_their_sections(site: Project) -> None:
    page = site.output("models/llama-3-8b.html")
    assert re.findall("<h2>(.*?)<a", page) == [
        "Special features",
        "Pipeline",
        "Memory",
        "Advertised size",
        "Compared with Llama 2 7B",
        "Source of the numbers",
    ]
    text = text_of(page)
    assert "Meta · preceded by Llama 2 7B" in text
    assert "32 query heads share 8 key/value heads" in text
    assert "8B is 8,030,261,248 (all parameters), rounded down by 30,261,248." in text
    assert "Llama 3 8B has 1,291,845,632 more parameters than Llama 2 7B" in text
    assert "8,030,261,248 parameters, which is the published number." in text
    assert 'href="https://huggingface.co/meta-llama/Meta-Llama-3-8B"' in page
    assert "followed by Llama 3 8B" in text_of(site.output("models/llama-2-7b.html"))


def test_own_models_have_a_page_without_what_only_released_ones_have(site: Project) -> None:
    page = site.output("models/house.html")
    assert re.findall("<h2>(.*?)<a", page) == ["Special features", "Pipeline", "Memory"]


def test_the_table_has_a_row_for_each_model(site: Project) -> None:
    index = site.output("index.html")
    index = re.sub('<p class="llmsize-folded.*?</p>', "", index)  # for narrow screens
    (table,) = re.findall('<div class="llmsize-filtered.*?</table>', index, re.S)
    _head, *rows = (text_of(row) for row in re.findall("<tr.*?</tr>", table, re.S))
    assert rows == [
        "house 667M 667M 32.8 kB –",
        "Llama 2 7B Meta 6.74B 6.74B 524 kB 4,096",
        "Llama 3 8B Meta 8.03B 8.03B 131 kB 8,192 grouped-query attention",
    ]
    assert '<span title="8,030,261,248">8.03B</span>' in table
    assert 'data-shown="{n} of {total}"' in table


def test_lists_link_to_pages_where_there_are_some(site: Project) -> None:
    page = site.output("index.html")
    assert page.count('href="models/llama-3-8b.html#llm-model-llama-3-8b"') == 2
    assert 'href="models/llama-3-8b.html#llm-diff-llama-3-8b"' in page
    assert "1.19 × Llama 2 7B" in text_of(page)
    assert "Each series begins with its earliest version." in text_of(page)
    (gallery,) = re.findall("llmsize-catalogue-pipelines.*", page, re.S)
    assert "Mistral 7B v0.1" in gallery
    assert "mistral-7b-v0.1.html" not in gallery
    assert gallery.count("<svg") == 2
    # the family has a line of its own only if the name doesn't begin with it
    cards = re.findall(r'llmsize-card docutils container">(.*?)<figure', gallery, re.S)
    assert [text_of(card) for card in cards] == ["Llama 2 7B", "Mistral 7B v0.1"]
    (legend,) = re.findall(r'llmsize-cards-legend docutils container">(.*?)</div>', gallery, re.S)
    assert " ".join(re.sub(r"<[^>]+>", "", legend).split()) == (
        "Double frame: weights grow with D². Single frame: weights grow with D. "
        "The frame of a box shows how the largest part of its weights grows. "
        "Norms and residual connections are not drawn. Percentages are shares of all parameters. "
        "Symbols: D (hidden dimension), V (vocabulary size), H (attention heads), Hkv (key/value "
        "heads), dh (head dimension), F (FFN dimension) and T (tokens). H, Hkv and F are assumed "
        "to scale with D."
    )


def test_the_legend_of_a_gallery_names_each_symbol_once() -> None:
    models = [load(name) for name in ("llama-7b", "xlstm-7b", "t5-small", "falcon-7b")]
    legend = "".join(map(str, gallery_legend([(model, brief_diagram(model)) for model in models])))
    symbols = re.findall(r"(\w+) \(", legend.partition("Symbols: ")[2])
    assert {"D", "F", "T"} <= {*symbols}
    assert len(symbols) == len({*symbols})


def test_other_projects_find_the_models(site: Project) -> None:
    _header, entries = (site.app.outdir / "objects.inv").read_bytes().rsplit(b"zlib.\n", 1)
    inventory = zlib.decompress(entries)
    assert b"llama-3-8b llm:model 1 models/llama-3-8b.html#llm-model-$ Llama 3 8B" in inventory
    assert b"house llm:model 1 models/house.html#llm-model-$ -" in inventory


def test_pages_of_an_author_are_kept_and_old_ones_removed(build: Build) -> None:
    files = {
        "index.rst": "",
        "models/gpt2.rst": ":orphan:\n\nMine\n====\n",
        "models/about.rst": f":orphan:\n\nAbout\n=====\n\nThey say: {MARK}.\n",
        "models/gpt2-xl.rst": f":orphan:\n\n.. {MARK}\n\nOld\n===\n",
        "models/llama-7b.rst": f":orphan:\n\n.. {MARK}\n\nOld\n===\n",
    }
    project = build(files, "dummy", llmsize_catalogue={"models": "gpt2, llama-7b"})
    assert project.log == ""
    folder = Path(project.app.srcdir, "models")
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["about.rst", "gpt2.rst", "llama-7b.rst"]
    assert "Mine" in (folder / "gpt2.rst").read_text()
    written = folder / "llama-7b.rst"
    assert "LLaMA 7B" in written.read_text()
    before = written.stat().st_mtime_ns
    project.app.emit("builder-inited")
    assert written.stat().st_mtime_ns == before


def pages_below(project: Project) -> list[str]:
    """Paths of all pages in folders of the source directory."""
    folder = Path(project.app.srcdir)
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*.rst"))


def rebuilt(project: Project, conf: str, *, anew: bool) -> Project:
    """The project, built again with another ``conf.py``."""
    project.app.cleanup()
    Path(project.app.srcdir, "conf.py").write_text(conf)
    app = SphinxTestApp("dummy", srcdir=project.app.srcdir, freshenv=anew)
    app.build()
    app.cleanup()
    return Project(app)


@pytest.mark.parametrize("anew", [False, True], ids=["incremental", "anew"])
@pytest.mark.parametrize("setting", ["", "llmsize_catalogue = {'other': 'gpt2'}"])
def test_pages_of_a_dropped_folder_are_removed(build: Build, setting: str, anew: bool) -> None:
    files = {"index.rst": "", "models/mine.rst": ":orphan:\n\nMine\n====\n"}
    project = build(files, "dummy", llmsize_catalogue={"models": "gpt2", "a/b": "llama-7b"})
    assert pages_below(project) == ["models/gpt2.rst", "models/mine.rst"]
    project = rebuilt(project, f"extensions = ['sphinx_llmsize']\n{setting}", anew=anew)
    assert project.log == ""
    assert pages_below(project) == ["models/mine.rst", *(["other/gpt2.rst"] if setting else [])]
    assert not Path(project.app.srcdir, "a", "b").exists()


@pytest.mark.skipif(os.name == "nt", reason="links need privileges")
def test_pages_of_other_projects_are_left_alone(build: Build, tmp_path: Path) -> None:
    """Links in the source directory lead to them."""
    page = f":orphan:\n\n.. {MARK}\n\nTheirs\n======\n"
    project = build({"index.rst": ""}, "dummy", llmsize_catalogue={"models": "gpt2, gpt2-xl"})
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name in ("old.rst", "gpt2.rst"):
        (theirs / name).write_text(page)
    source = Path(project.app.srcdir)
    (source / "linked").symlink_to(theirs)
    (source / "models" / "gpt2.rst").unlink()
    (source / "models" / "gpt2.rst").symlink_to(theirs / "gpt2.rst")
    (source / "models" / "gpt2-xl.rst").unlink()
    (source / "models" / "gpt2-xl.rst").symlink_to(theirs / "absent.rst")
    (source / "models" / "old.rst").symlink_to(theirs / "old.rst")
    conf = "extensions = ['sphinx_llmsize']\nllmsize_catalogue = {'models': 'gpt2, gpt2-xl'}\n"
    rebuilt(project, conf, anew=True)
    assert sorted(each.name for each in theirs.iterdir()) == ["gpt2.rst", "old.rst"]
    assert {each.read_text() for each in theirs.iterdir()} == {page}
    names = sorted(each.name for each in (source / "models").iterdir())
    assert names == ["gpt2-xl.rst", "gpt2.rst", "old.rst"]


def test_pages_of_a_project_within_are_left_alone(build: Build) -> None:
    page = f":orphan:\n\n.. {MARK}\n\nTheirs\n======\n"
    files = {"index.rst": "", "theirs/conf.py": "", "theirs/models/a.rst": page, "b/c.rst": page}
    project = build(files, "dummy")
    assert Path(project.app.srcdir, "theirs", "models", "a.rst").exists()
    assert not Path(project.app.srcdir, "b").exists()


def test_a_changed_configuration_concerns_its_page_and_the_lists_only(build: Build) -> None:
    configurations = {f"own/house-{n}.json": json.dumps({**HOUSE, "head_dim": n}) for n in (8, 16)}
    files = {"index.rst": ".. llm-catalogue::", "other.rst": ":llm:model:`house-8`"}
    settings = {"llmsize_models": "own", "llmsize_catalogue": {"m": "house-*, gpt2"}}
    project = build(files | configurations, "dummy", **settings)
    Path(project.app.srcdir, "own", "house-8.json").write_text(json.dumps(HOUSE))
    read: list[str] = []
    project.app.connect("env-before-read-docs", lambda _app, _env, names: read.extend(names))
    project.app.build()
    assert sorted(read) == ["index", "m/house-8"]
    assert project.log == ""


@pytest.mark.parametrize("builder", ["text", "xml"])
def test_other_builders_get_a_plain_table(build: Build, builder: str) -> None:
    project = build({"index.rst": "T\n=\n\n.. llm-catalogue:: gpt2"}, builder)
    output = project.output({"text": "index.txt", "xml": "index.xml"}[builder])
    assert "GPT-2" in output
    assert "<filtered" not in output


def test_models_whose_pages_would_be_one_file(build: Build) -> None:
    own = dict.fromkeys(("a b", "a-b", "A/b", "x" * 300), HOUSE)
    project = build({"index.rst": ""}, "dummy", llmsize_models=own, llmsize_catalogue={"m": [*own]})
    assert pages_below(project) == ["m/a-b.rst", f"m/{'x' * 200}.rst"]
    found = [(warned.line, warned.message.partition(" (")[0]) for warned in project.warned]
    message = "the models 'a b' and {!r} would have the same page"
    assert found == [(4, message.format(name)) for name in ("a-b", "A/b")]


def test_a_model_has_one_page(build: Build) -> None:
    catalogue = {"llama": "llama-2-7b", "./llama/": "llama-3-8b", "all": "llama-3-8b, gpt2"}
    project = build({"index.rst": ""}, "dummy", llmsize_catalogue=catalogue)
    assert project.log == ""
    assert pages_below(project) == ["all/gpt2.rst", "llama/llama-2-7b.rst", "llama/llama-3-8b.rst"]


def test_a_model_of_the_project_hides_a_released_one(build: Build) -> None:
    settings = {"llmsize_models": {"LLaMA-7B": HOUSE}, "llmsize_catalogue": {"m": "llama-7b*"}}
    project = build({"index.rst": ":llm:model:`llama-7b`"}, "text", **settings)
    assert project.log == ""
    assert pages_below(project) == ["m/LLaMA-7B.rst"]
    assert "published" not in project.output("m/LLaMA-7B.txt")


def test_projects_without_restructuredtext(build: Build) -> None:
    settings = {"source_suffix": ".md", "llmsize_catalogue": {"models": "gpt2"}}
    (warned,) = build({"index.md": "# Models"}, "dummy", **settings).warned
    assert (warned.file, warned.line) == ("conf.py", 4)
    assert "source_suffix leaves out" in warned.message


def test_a_template_without_the_mark(build: Build) -> None:
    files = {"index.rst": "", "_templates/llmsize/catalogue.rst.jinja": "Model\n====="}
    settings = {"templates_path": ["_templates"], "llmsize_catalogue": {"models": "gpt2"}}
    project = build(files, "dummy", **settings)
    assert "lack the mark" in project.log
    assert pages_below(project) == []


def test_a_template_of_the_project(build: Build) -> None:
    template = "{{ page.title | rst }}\n======\n\n.. {{ mark }}\n\n:llm-size:`{{ page.name }}`\n"
    files = {"index.rst": "", "_templates/llmsize/catalogue.rst.jinja": template}
    settings = {"templates_path": ["_templates"], "llmsize_catalogue": {"models": "gpt2"}}
    project = build(files, "text", **settings)
    assert "124M" in project.output("models/gpt2.txt")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"models": ["lama-7b"]}, "no model is called 'lama-7b' (did you mean 'llama-7b'?)"),
        ({"models": ["zzz*"]}, "no model is called 'zzz*'"),
        ({"../models": ["gpt2"]}, "llmsize_catalogue cannot have '../models'"),
        ({"/tmp": ["gpt2"]}, "llmsize_catalogue cannot have '/tmp'"),
        ({"..\\models": ["gpt2"]}, "llmsize_catalogue cannot have '..\\\\models'"),
        ({"two\nlines": ["gpt2"]}, r"llmsize_catalogue cannot have 'two\nlines'"),
        ({"models": [1]}, "llmsize_catalogue cannot have 'models'"),
        ([], "llmsize_catalogue cannot be of type list"),
    ],
)
def test_settings_that_cannot_be_used(build: Build, value: object, message: str) -> None:
    project = build({"index.rst": ""}, "dummy", llmsize_catalogue=value)
    (warned,) = project.warned
    assert (warned.file, warned.line) == ("conf.py", 3)
    assert warned.message.startswith(message)


@pytest.mark.parametrize(
    ("directive", "line", "message"),
    [
        (".. llm-catalogue::", 1, "the catalogue has no models"),
        (".. llm-catalogue:: lama-7b", 1, "no model is called 'lama-7b'"),
        (".. llm-catalogue::\n\n   gpt2\n   lama-7b", 4, "no model is called 'lama-7b'"),
        (".. llm-catalogue:: gpt2\n   :show: tree", 2, "unknown value 'tree'"),
        (".. llm-catalogue:: gpt2\n   :tokens: 5", 2, "unknown option 'tokens'"),
        (".. llm-catalogue::\n\n   gpt2\n   :show: lineage", 4, "the option ':show: lineage' is"),
    ],
)
def test_directives_that_cannot_be_used(
    build: Build, directive: str, line: int, message: str
) -> None:
    (warned,) = build({"index.rst": directive}, "dummy").warned
    assert (warned.file, warned.line) == ("index.rst", line)
    assert warned.message.startswith(message)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("llama-7b", "multi-head attention mha"),
        ("llama-3-8b", "grouped-query attention gqa"),
        ("falcon-7b", "multi-query attention mqa"),
        ("minicpm3-4b", "multi-head latent attention mla"),
        ("deepseek-v3", "multi-head latent attention mla moe"),
        ("mixtral-8x7b", "grouped-query attention gqa moe"),
        ("mamba-130m", "mamba ssm"),
        (
            "jamba-v0.1",
            "mamba in 28 layers and grouped-query attention in 4 layers gqa ssm moe",
        ),
        ("rwkv-4-169m-pile", "rwkv time mixing"),
    ],
)
def test_the_filter_finds_kinds_of_attention(build: Build, name: str, words: str) -> None:
    page = build({"index.rst": f".. llm-catalogue:: {name}"}).output("index.html")
    (found,) = re.findall('data-words="(.*?)"', page)
    assert found.endswith(words)


@pytest.mark.parametrize(("name", "is_found"), [("qwen2-vl-7b", True), ("qwen2-7b", False)])
def test_the_filter_finds_models_with_a_vision_tower(
    build: Build, name: str, is_found: bool
) -> None:
    page = build({"index.rst": f".. llm-catalogue:: {name}"}).output("index.html")
    (found,) = re.findall('data-words="(.*?)"', page)
    assert ("vision" in found.split()) is is_found


def test_a_lineage_without_predecessors_says_so(build: Build) -> None:
    page = build({"index.rst": ".. llm-catalogue:: gpt2\n   :show: lineage\n"}).output("index.html")
    assert "None of these models has a predecessor in this list." in page
    assert "earliest version" not in page
    assert "one model was trained from the other" not in page


@pytest.mark.parametrize("has_catalogue", [True, False])
def test_the_documentation_links_only_to_a_catalogue_beside_it(
    has_catalogue: bool, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "docs" / "_ext"))
    page = ":catalogue:`the family tree <lineage>`\n\n.. llm-catalogue:: gpt2\n"
    project = build(
        {"index.rst": "", "a/b.rst": f":orphan:\n\n{page}"},
        extensions=["sphinx_llmsize", "llmsize_catalogue"],
        has_catalogue=has_catalogue,
        nitpicky=True,
    )
    assert project.warned == []
    html = project.output("a/b.html")
    assert "the family tree" in html
    linked = set(re.findall(r'href="\.\./(catalogue/[^"]*)"', html))
    expected = {"catalogue/lineage.html", "catalogue/models/gpt2.html"}
    assert linked == (expected if has_catalogue else set())


def test_makers_have_one_name_each() -> None:
    makers = ORGANISATIONS | OTHER_ORGANISATIONS
    organisations = [each for of_maker in makers.values() for each in of_maker]
    assert len(organisations) == len(set(organisations))
    assert ORGANISATIONS.keys().isdisjoint(OTHER_ORGANISATIONS)
    found = {maker_of(preset) for preset in presets().values()}
    assert makers.keys() <= found  # an organisation without an entry is its own maker
    assert "" not in found


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("llama-3-8b", "llama-2-7b"),
        ("llama-3.3-70b", "llama-3.1-70b"),  # 3.2 has no model of its size
        ("llama-3.2-1b", None),
        ("deepseek-v3", "deepseek-v2"),
        ("qwen2.5-coder-7b", "qwen2.5-7b"),  # no earlier variant
        ("qwen3-coder-30b-a3b", "qwen2.5-coder-14b"),
        ("mistral-small-3.1-24b", "mistral-small-2501"),
        ("t5-v1.1-base", "t5-base"),
        ("nemotron-4-340b", None),  # Nemotron 3 is newer
        ("all-minilm-l12-v2", None),  # L12 isn't a version
    ],
)
def test_predecessors(name: str, before: str | None) -> None:
    found = predecessor(load(name))
    assert (found.preset.name if found and found.preset else None) == before


def test_a_broken_configuration_is_reported_once_a_page(build: Build) -> None:
    page = "Title\n=====\n" + 3 * "\n.. llm-size:: house\n   :show: table\n"
    files = {"index.rst": page, "other.rst": page, "house.json": '{"hidden_size": "big"}'}
    project = build(files, "dummy", llmsize_models={"house": "house.json"})
    assert [warned.file for warned in project.warned] == ["house.json", "house.json"]
