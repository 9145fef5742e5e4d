"""mystmd: nodes of every view, answers to the plugin's requests, and the plugin's text.

Builds by mystmd itself are in ``tests/sites``.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.cli import main
from sphinx_llmsize.directives.registry import DIRECTIVES
from sphinx_llmsize.hosts.mystmd.answers import answer
from sphinx_llmsize.hosts.mystmd.block_nodes import nodes_of
from sphinx_llmsize.hosts.mystmd.inline_nodes import Node
from sphinx_llmsize.hosts.mystmd.plugin import PLACEHOLDER, declarations, plugin_source
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.option_declarations import options_of
from sphinx_llmsize.views.view_options import ViewOptions

PARENTS = {
    *("admonition", "admonitionTitle", "caption", "container", "emphasis", "list", "listItem"),
    *("paragraph", "strong", "subscript", "superscript", "table", "tableCell", "tableRow"),
}
LEAVES = {"image", "inlineCode", "inlineMath", "math", "mermaid", "text"}
SMALL = "hidden_dim: 512\nnum_layers: 4\nnum_heads: 8\nvocab_size: 32000"
HOSTILE = "<script>alert(1)</script> \x1b[31m\u202e [a](javascript:b) $x$ {{ 1 }} {eval}`1`"
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def all_nodes(top: list[Node]) -> Iterator[Node]:
    for node in top:
        yield node
        yield from all_nodes(node.get("children", []))


def shown(top: list[Node]) -> str:
    return "".join(node.get("value", "") for node in all_nodes(top))


def call(directive: str = "llm-size", argument: str = "", body: str = "", **options: str) -> Any:
    return {"directive": directive, "argument": argument, "options": options, "body": body}


def ask(call: Any = None, *earlier: Any, role: str | None = None, folder: Path | str = ".") -> Any:
    """The answer to a request of the plugin."""
    request = {"folder": str(folder), "earlier": earlier, "call": call, "isWithin": False}
    return answer(request if role is None else {**request, "role": role})


def mistake(answered: Any) -> tuple[str, str, int | None]:
    """Message without its hint, option and line of a mistake, whose notice is shown."""
    found = answered["mistake"]
    if answered["nodes"][0]["type"] == "admonition":
        assert shown(answered["nodes"]).removeprefix("Error") in found["message"]
    return re.sub(r" \(.*\)", "", found["message"]), found["option"], found["line"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view(view: str) -> None:
    made = nodes_of(document(load("mixtral-8x7b"), (view,), ViewOptions()))
    assert made
    for node in all_nodes(made):
        assert ("children" in node) == (node["type"] in PARENTS)
        assert node["type"] in PARENTS | LEAVES
    assert not re.search(r"\bobject at 0x|\bNone\b", shown(made))


def test_a_table() -> None:
    (*_facts, table) = nodes_of(document(load("gpt2"), ("table",), ViewOptions()))
    caption, rows = table["children"]
    assert table["kind"] == "table"
    assert shown([caption]) == "Parameters by component"
    head, *body = rows["children"]
    assert {len(row["children"]) for row in rows["children"]} == {len(head["children"])}
    assert all(cell["header"] for cell in head["children"])
    assert "124,439,808" in shown(body)


def test_what_is_wide_fits_a_column() -> None:
    """Lines break between matrices, not in shapes, and diagrams shrink."""
    made = nodes_of(document(load("llama-3-8b"), ("compute", "diagram"), ViewOptions()))
    assert "2\xa0×\xa0[4096,\xa04096] ×\xa0[4096,\xa01024]" in shown(made)
    (diagram,) = (node for node in made if node["type"] == "mermaid")
    assert '"useMaxWidth": true' in diagram["value"]


def test_hostile_names_are_text() -> None:
    model = load(HOSTILE, {"hidden_dim": 8, "num_layers": 1, "num_heads": 1, "vocab_size": 9})
    for node in all_nodes(nodes_of(document(model, tuple(VIEWS), ViewOptions()))):
        assert not UNSAFE.search(node.get("value", "").replace("\n", ""))
        assert not UNSAFE.search(node.get("alt", ""))
        if node["type"] == "text":
            assert "$" not in node["value"]  # mystmd's export of Markdown doesn't escape it
        elif node["type"] in LEAVES - {"image"}:
            assert "script>" not in node["value"]


def test_numbers() -> None:
    assert ask(role="llama-7b:total") == {"nodes": [{"type": "text", "value": "6.74B"}]}
    assert shown(ask(role="gpt2:\nhidden_dim")["nodes"]) == "768"
    wrong = ask(role="gpt2:mpl")
    label, _space, code = wrong["nodes"]
    assert label == {"type": "strong", "children": [{"type": "text", "value": "Error"}]}
    assert code == {"type": "inlineCode", "value": "gpt2:mpl"}
    assert mistake(wrong) == ("GPT-2 small has no 'mpl'", "", None)
    assert wrong["mistake"]["rule"] == "llmsize.number"


def test_models_of_the_page() -> None:
    mine = call(argument="mine", body=SMALL)
    assert shown(ask(None, mine, role="mine:total:exact")["nodes"]) == "45,350,912"
    compared = ask(call("llm-compare", "gpt2, mine"), call(argument="wrong", body="x"), mine)
    assert "45.4M" in shown(compared["nodes"])
    other = call(argument="mine", body=SMALL.replace("4", "5"))
    assert "defined twice" in ask(other, mine)["mistake"]["message"]
    assert "unknown model 'mine'" in ask(role="mine")["mistake"]["message"]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (call(argument="lama-7b"), ("unknown model 'lama-7b'", "", None)),
        (call(argument="gpt2", shwo="table"), ("unknown option 'shwo'", "shwo", None)),
        (call(argument="gpt2", show="tabel"), ("unknown view 'tabel'", "show", None)),
        (call(body=SMALL + "\nlayers_dim: 1"), ("unknown key 'layers_dim'", "", 4)),
        (call("llm-compare", body="gpt2\n\nlama"), ("unknown model 'lama'", "", 2)),
        (call("llm-template", body="a\n{{ 1 / 0 }}"), ("division by zero", "", 1)),
        (call(argument="x", config="no.json"), None),
    ],
)
def test_mistakes(wrong: Any, expected: tuple[str, str, int | None] | None) -> None:
    message, option, line = mistake(ask(wrong))
    if expected:
        assert (message, option, line) == expected
    else:
        assert "no.json" in message
        assert option == "config"


def test_numbers_in_captions() -> None:
    (*_facts, table) = ask(call(argument="gpt2", show="table", caption="{llm-size}`gpt2`!"))[
        "nodes"
    ]
    assert shown(table["children"][:1]) == "124M!"
    wrong = call(argument="gpt2", caption="{llm-size}`x`")
    assert mistake(ask(wrong)) == ("unknown model 'x'", "caption", None)


def test_mistake_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "llama",\n "num_hidden_layers": "x"}')
    wrong = call(argument="x", config="config.json")
    message, option, line = mistake(ask(wrong, folder=tmp_path))
    assert "config.json:2: num_hidden_layers" in message
    assert (option, line) == ("config", None)


def test_templates() -> None:
    body = "{% for n in [1, 2] %}\n$N = {{ model('gpt2').total * n }}$\n{% endfor %}"
    rendered = ask(call("llm-template", body=body))
    assert "$N = 248879616$" in rendered["lines"]
    assert len(rendered["origins"]) == len(rendered["lines"])
    request = {"folder": ".", "earlier": [], "isWithin": True}
    inner = answer({**request, "call": call("llm-template", body=body)})
    assert mistake(inner)[0] == "llm-template inside llm-template"


def test_the_plugin_declares_every_directive_and_option() -> None:
    declared = {each["name"]: each["options"] for each in declarations()["directives"]}
    assert declared.pop("llm-template") == {}
    assert declared.keys() == DIRECTIVES.keys()
    for name, directive in DIRECTIVES.items():
        assert declared[name].keys() == options_of(directive.options).keys()
    text = plugin_source("1.2.3")
    assert '"version": "1.2.3"' in text
    assert PLACEHOLDER not in text
    assert set(re.findall(r'from "(\w+):', text)) == {"node"}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "llmsize.mjs"
    assert main(["mystmd-plugin", str(file)]) == 0
    assert "project.plugins of myst.yml" in capsys.readouterr().out
    assert file.read_text("utf-8").startswith("// Plugin of sphinx-llmsize")
    assert main(["mystmd-plugin", str(file.with_suffix(".js"))]) == 2
    assert "doesn't end with .mjs" in capsys.readouterr().err
    assert main(["mystmd-plugin", str(tmp_path / "no" / "x.mjs")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_answers_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = (
        {"folder": ".", "earlier": [], "role": "gpt2"},
        {"folder": ".", "earlier": [], "call": call(argument="gpt2 ×"), "isWithin": False},
    )
    lines = "".join(f"{json.dumps(each)}\n" for each in requests)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert main(["mystmd-plugin", "--answer"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert shown(first["nodes"]) == "124M"
    assert "unknown model 'gpt2 ×'" in second["mistake"]["message"]
