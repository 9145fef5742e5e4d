"""The role: its numbers, its grammar, and the lines of its errors."""

from __future__ import annotations

import pytest
from project import Build

from sphinx_llmsize import ConfigError, Model, load
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.sources.number_text import NumberText
from sphinx_llmsize.views.numbers.role_text import role_text

OWN = """
.. llm-size:: {name}
   :show: formula

   hidden_dim: 64
   num_layers: {layers}
   num_heads: 4
   vocab_size: 100
"""


def role_output(text: str) -> str:
    """Output of the role for a released model."""
    return role_text(text, model_of)


def model_of(wanted: NumberText) -> Model:
    model = load(wanted.model)
    return apply_changes(model, wanted.changes) if wanted.changes else model


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("llama-7b", "6.74B"),
        ("llama-7b:total", "6.74B"),
        ("llama-7b:total:exact", "6,738,415,616"),
        ("llama-7b:total:words", "6.7 billion"),
        ("llama-7b:mlp:share", "64.2%"),
        ("llama-7b:mlp_down", "1.44B"),
        ("llama-7b:attention:exact", "2,147,483,648"),
        ("llama-7b:non_embedding:words", "6.5 billion"),
        ("mixtral-8x7b:active", "12.9B"),
        ("mixtral-8x7b:experts:share", "96.6%"),
        ("llama-7b:hidden_dim", "4,096"),
        ("llama-7b:hidden_size", "4,096"),
        ("llama-7b:tie_embeddings", "false"),
        ("llama-7b:weights:bf16", "13.5 GB"),
        ("llama-7b:weights:bf16:GiB", "12.6 GiB"),
        ("llama-7b:weights:bf16:bytes", "13,476,831,232 bytes"),
        ("llama-7b:kv_cache:kB", "524 kB"),
        ("llama-7b:kv_cache:KiB", "512 KiB"),
        ("llama-7b:weights:4.5", "3.79 GB"),
        ("meta-llama/Llama-3.1-8B", "8.03B"),
        ("llama-3-70b / llama-3-8b", "8.79×"),
        ("llama-3-70b:hidden_dim / llama-3-8b:hidden_dim", "2×"),
        ("llama-3-70b / llama-3-8b:times", "8.79×"),
        ("llama-3-70b / llama-3-8b:plain", "8.79"),
        ("llama-7b:mlp / llama-7b:total:percent", "64.2%"),
        ("llama-7b:mlp / llama-7b:percent", "64.2%"),
        ("llama-7b:weights:bf16 / gpt2:weights:bf16:plain", "54.2"),
        ("llama-7b?hidden_dim*2 / llama-7b", "3.92×"),
        ("llama-2-7b / llama-3-8b:kv_cache", "4×"),
        ("deepseek-v3:moe.num_layers / deepseek-v3:num_layers:percent", "95.1%"),
        ("llama-7b?hidden_dim/2:hidden_dim", "2,048"),
        ("llama-7b:rule.c - gpt2:num_layers:exact", "1/16"),
        ("gpt2:flops.num_layers:5:exact", "12"),
    ],
)
def test_a_number_is_shown(text: str, number: str) -> None:
    assert role_output(text) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot read ''"),
        ("llama-7b:", "cannot read 'llama-7b:'"),
        ("llama-7b?hidden_dim", "write key=value"),
        ("a / b / c", "a ratio has two numbers"),
        ("llama-7b:totl", "did you mean 'total'?"),
        ("llama-7b:hiden_dim", "did you mean 'hidden_dim'?"),
        ("llama-7b:9**9**9", "has no '9**9**9'"),
        ("llama-7b:total:exakt", "did you mean 'exact'?"),
        ("gpt2:total:short:exact", "more than one format: 'exact' (one of exact"),
        ("llama-7b:total:exact:short", "more than one format: 'short' (one of exact"),
        ("llama-7b:hidden_dim:share", "this number has no format 'share'"),
        ("llama-7b:weights", "weights need a data type"),
        ("llama-7b:weights:bf61", "did you mean 'bf16'?"),
        ("llama-7b:weights:1e9", "unknown data type '1e9'"),
        ("llama-7b:weights:bf16:GBi", "unknown unit 'GBi'"),
        ("llama-7b:kv_cache:KB", "did you mean 'kB'?"),
        ("llama-7b:total:exact / gpt2", "a ratio takes no format 'exact'"),
        ("llama-7b / gpt2:exact", "a ratio ends with one of times, plain, percent, or nothing"),
        ("llama-7b:plain / gpt2", "'plain'"),
        ("llama-7b / gpt2:tims", "unknown format 'tims' (did you mean 'times'?)"),
        ("llama-7b / gpt2:pct", "unknown format 'pct' (did you mean 'percent'?)"),
        ("llama-7b / gpt2:mlp:x", "a ratio takes no format 'x' (did you mean 'times'?)"),
        ("llama-7b / gpt2:totl", "has no 'totl' (did you mean 'total'?)"),
        ("gpt2 / gpt2:lm_head", "has none of it, so there is no ratio"),
        ("gpt2:total / gpt2:kv_cache", "'total' and 'kv_cache' have different units"),
        ("gpt2:hidden_dim / gpt2", "different units: a plain number and parameters"),
        ("x" * 501, "at most 500 characters"),
    ],
)
def test_invalid_numbers(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        role_output(text)
    assert caught.value.problem is Problem.NUMBER
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("page", "role"), [("index.rst", ":llm-size:"), ("index.md", "{llm-size}")]
)
def test_the_same_doctree_as_the_words_typed(page: str, role: str, build: Build) -> None:
    title = {"index.rst": "T\n=\n\n", "index.md": "# T\n\n"}[page]
    own = "*As* {} and {}, \"{}\"; it's {}'s.\n"
    texts = ("gpt2", "gpt2:total:exact", "llama-7b:mlp:share", "gpt2")
    pages = (
        own.format(*(f"{role}`{text}`" for text in texts)),
        own.format("124M", "124,439,808", "64.2%", "124M"),
    )
    live, typed = (
        build({page: title + text}, "dummy").app.env.get_doctree("index") for text in pages
    )
    assert [child.pformat() for child in live] == [child.pformat() for child in typed]


def test_in_prose_headings_and_tables(build: Build) -> None:
    project = build(
        {
            "index.rst": "Of :llm-size:`llama-7b`\n=======================\n\n"
            "It has :llm-size:`llama-7b:total:exact` parameters.\n\n"
            "== ===========================\n"
            "a  :llm-size:`llama-7b:mlp:share`\n"
            "== ===========================\n",
            "page.md": "# Of {llm-size}`gpt2`\n\n| a | {llm-size}`gpt2:lm_head` |\n|---|---|\n",
        },
        "text",
    )
    assert project.log == ""
    for text in ("Of 6.74B\n", "It has 6,738,415,616 parameters.", "64.2%"):
        assert text in project.output("index.txt")
    assert "Of 124M\n" in project.output("page.txt")


def test_models_of_the_page_before_and_after_their_description(build: Build) -> None:
    page = "T\n=\n\nBefore: :llm-size:`own`.\n" + OWN.format(name="own", layers=2)
    project = build({"index.rst": f"{page}\nAfter: :llm-size:`own:num_layers`.\n"}, "text")
    assert project.log == ""
    assert "Before: 111K." in project.output("index.txt")
    assert "After: 2." in project.output("index.txt")


def test_models_of_another_page_are_unknown(build: Build) -> None:
    files = {
        "index.rst": "T\n=\n\n:llm-size:`own`\n",
        "other.rst": "T\n=\n" + OWN.format(name="own", layers=2),
    }
    (warned,) = build(files, "text").warned
    assert (warned.file, warned.line, warned.type) == ("index.rst", 4, "llmsize.model")


def test_with_keys_changed(build: Build) -> None:
    page = "T\n=\n\n:llm-size:`gpt2?n_layer=24:num_layers` :llm-size:`gpt2?n_layer=24 / gpt2`\n"
    assert "24 1.68×" in build({"index.rst": page}, "text").output("index.txt")


@pytest.mark.parametrize("models", ["configs", {"house": "configs/house.json"}])
def test_models_of_the_project(models: object, build: Build) -> None:
    files = {
        "index.rst": "T\n=\n\n:llm-size:`house`\n\n.. llm-size:: House\n   :show: table\n",
        "configs/house.json": '{"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2}',
    }
    project = build(files, "text", llmsize_models=models)
    assert project.log == ""
    assert "**house: 3,382,080 parameters**" in project.output("index.txt")


def test_a_project_describes_its_models_in_its_configuration(build: Build) -> None:
    own = {"own": {"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}}
    files = {"index.rst": "T\n=\n\n:llm-size:`own` and :llm-size:`owm`\n"}
    project = build(files, "text", llmsize_models=own)
    assert "111K and >>owm<<" in project.output("index.txt")
    (warned,) = project.warned
    assert "did you mean 'own'?" in warned.message


@pytest.mark.parametrize("layers", [2, 3])
def test_one_name_for_two_models_of_a_page(layers: int, build: Build) -> None:
    page = "T\n=\n" + OWN.format(name="own", layers=2) + OWN.format(name="own", layers=layers)
    project = build({"index.rst": page}, "text")
    assert [warned.line for warned in project.warned] == ([] if layers == 2 else [12])


def test_the_line_of_a_mistake_within_a_paragraph(build: Build) -> None:
    files = {
        "index.rst": "T\n=\n\nFirst\nand :llm-size:`gpt2:totl`\n\n  quoted\n  :llm-size:`gpt-2`\n",
        "page.md": "# T\n\nFirst\nand {llm-size}`gpt2:totl`\n\n> quoted\n> {llm-size}`gpt-2`\n",
    }
    found = {(warned.file, warned.line, warned.type) for warned in build(files, "text").warned}
    assert found == {
        ("index.rst", 5, "llmsize.number"),
        ("index.rst", 8, "llmsize.model"),
        ("page.md", 4, "llmsize.number"),
        ("page.md", 7, "llmsize.model"),
    }


def test_the_line_of_a_mistake_below_restructuredtext_in_markdown(build: Build) -> None:
    page = "# T\n\n```{eval-rst}\ntext\n```\n\ntext\n{llm-size}`gpt2:totl`\n"
    (warned,) = build({"index.md": page}, "dummy").warned
    assert (warned.file, warned.line, warned.type) == ("index.md", 8, "llmsize.number")


def test_the_line_of_empty_roles(build: Build) -> None:
    page = "T\n=\n\nFirst :llm-size:` `.\n\n::\n\n   :llm-size:` `\n\n- one\n- :llm-size:` `\n"
    found = [(warned.line, warned.type) for warned in build({"index.rst": page}, "text").warned]
    assert found == [(line, "llmsize.syntax") for line in (4, 11)]


def test_invalid_role_shows_its_text(build: Build) -> None:
    page = "T\n=\n\n:llm-size:`<b>gpt</b>`\n"
    html = build({"index.rst": page}).output("index.html")
    assert "&lt;b&gt;gpt&lt;/b&gt;" in html
    assert "<b>" not in html


def test_control_characters_are_removed(build: Build) -> None:
    page = "T\n=\n\nIt has :llm-size:`a\x1bb\ufffe` of them.\n\n.. llm-size:: a\x1bb\uffff\n"
    html = build({"index.rst": page}).output("index.html")
    assert "ab" in html
    assert not {"\x1b", "\ufffe", "\uffff"} & set(html)


@pytest.mark.parametrize(
    ("builder", "file", "shown"),
    [
        ("html", "index.html", 'class="llmsize-error problematic" title="unknown model'),
        ("text", "index.txt", "A >>lama-7b<<."),
        (
            "latex",
            "projectnamenotset.tex",
            "{\\color[rgb]{0.7,0,0}\\bfseries{}lama\\sphinxhyphen{}7b}.",
        ),
        ("man", "projectnamenotset.1", "A \\fBlama\\-7b\\fP."),
        ("xml", "index.xml", ">lama-7b</strong>"),
    ],
)
def test_a_wrong_text_is_marked(builder: str, file: str, shown: str, build: Build) -> None:
    page = {"index.rst": "T\n=\n\nA :llm-size:`lama-7b`.\n"}
    output = build(page, builder, project="Project name not set").output(file)
    assert shown in output.replace("\\&", "")


def test_a_page_with_only_a_wrong_text_has_the_stylesheet(build: Build) -> None:
    page = build({"index.rst": "T\n=\n\nA :llm-size:`a$x$`.\n"}).output("index.html")
    assert "llmsize.css" in page


@pytest.mark.parametrize("text", ["..llm-{}:: gpt2", ".. llm-{}: gpt2"])
@pytest.mark.parametrize("directive", ["size", "compare", "diff", "template", "catalogue"])
def test_directives_that_are_read_as_text(text: str, directive: str, build: Build) -> None:
    (warned,) = build({"index.rst": f"T\n=\n\n{text.format(directive)}\n"}, "dummy").warned
    assert (warned.line, warned.type) == (4, "llmsize.syntax")


@pytest.mark.parametrize(
    "text",
    [
        "The role ``:llm-size:`gpt2``` and :code:`{llm-size}` and llm-size: words.",
        ".. .. llm-size:: gpt2",
        "::\n\n   ..llm-size:: gpt2",
        "The role :llm-size: in words.",
        ".. rst:directive:: .. llm-size:: name",
    ],
)
def test_examples_of_markup_are_no_mistakes(text: str, build: Build) -> None:
    assert build({"index.rst": f"T\n=\n\n{text}\n"}).warned == []
