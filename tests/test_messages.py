"""Messages stay short for overlong words, and quote others as they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.page import MarkdownPage
from sphinx_llmsize.directives.registry import DIRECTIVES
from sphinx_llmsize.errors import nearest
from sphinx_llmsize.hosts.sphinx import directive_options
from sphinx_llmsize.make_model import make_model
from sphinx_llmsize.model_errors import defined_twice
from sphinx_llmsize.sandbox import render
from sphinx_llmsize.sources.comparison_text import comparison_lines
from sphinx_llmsize.sources.files import unreadable
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.sources.number_text import parse_numbers
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.views import document, view_names
from sphinx_llmsize.views.author_labels import read_columns
from sphinx_llmsize.views.comparison.compared_columns import usable_columns
from sphinx_llmsize.views.comparison.compared_rows import model_row
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.numbers.role_text import ratio_text
from sphinx_llmsize.views.option_values import read_factors, read_tokens
from sphinx_llmsize.views.shared.data_size import bits_of
from sphinx_llmsize.views.view_options import ViewOptions

LONG = "x" * 2000
MAX_LENGTH = 300
"""Length below which messages are, even with two shortened words."""
BEGINNINGS = ("x" * 20, "!" * 20, "1, 1, 1")
"""Beginnings of the long texts, one of which must be in the message."""
GPT2 = load("gpt2")


def evaluate(expression: str) -> object:
    return render(f"{{{{ {expression} }}}}", load)


def body(text: str) -> object:
    return make_model("m", read_text(text))


def refuse(error: ConfigError) -> None:
    raise error


MISTAKES: dict[str, Callable[[], object]] = {
    "model": lambda: load(LONG),
    "file": lambda: refuse(unreadable(LONG, "absent")),
    "defined twice": lambda: refuse(defined_twice(LONG)),
    "model_type": lambda: load({"model_type": LONG}),
    "class": lambda: load({"model_type": "bert", "architectures": [LONG]}),
    "kind of layer": lambda: load({"model_type": "gpt_oss", "layer_types": [LONG] * 36}),
    "axes": lambda: load(
        {"model_type": "reformer", "axial_pos_embds_dim": [1] * 900, "axial_pos_shape": [1] * 900}
    ),
    "unknown key": lambda: load({LONG: 1}),
    "key of another": lambda: body(f"model_type: gpt2\nffn_config.{LONG[:900]}: 1"),
    "key twice": lambda: body(f"{{'{LONG}': 1, '{LONG}': 2}}"),
    "anchor": lambda: body(f"a: &{LONG} 1"),
    "alias": lambda: body(f"a: *{LONG}"),
    "tag": lambda: body(f"a: !{LONG} 1"),
    "tag of nobody": lambda: body(f"a: !{LONG}!b 1"),
    "statement": lambda: render(f"{{% {LONG} %}}", load),
    "change": lambda: evaluate(f"model('gpt2', {LONG}=[1])"),
    "box twice": lambda: directive_options.read(
        {"links": f"{LONG}: a, {LONG}: b"}, directive_options.SizeOptions
    ),
    "class of an option": lambda: directive_options.read(
        {"class": "!" * 2000}, directive_options.SizeOptions
    ),
    "type of a value": lambda: section_of({LONG: b"1"}),
    "value": lambda: load({"num_layers": LONG}),
    "name in a dict": lambda: body(f"{{'num_layers': {LONG}}}"),
    "line of a comparison": comparison_lines(f"{LONG[:400]}:mlp")[0].parse,
    "column of a comparison": comparison_lines(f"m: {{{LONG[:900]}: [1]}}")[0].parse,
    "role": lambda: parse_numbers(LONG),
    "option": lambda: directive_options.read({LONG: ""}, directive_options.SizeOptions),
    "choice": lambda: directive_options.read({"detail": LONG}, directive_options.SizeOptions),
    "count": lambda: directive_options.read({"expect": LONG}, directive_options.SizeOptions),
    "links": lambda: directive_options.read({"links": LONG}, directive_options.SizeOptions),
    "view": lambda: view_names(LONG),
    "tokens": lambda: read_tokens(LONG),
    "factor": lambda: read_factors(LONG),
    "dtype": lambda: bits_of(LONG),
    "scaled key": lambda: document(GPT2, ("scaling",), ViewOptions(vary=LONG)),
    "column": lambda: refuse(usable_columns([model_row(GPT2)], read_columns(LONG))[1][0]),
    "number": lambda: number_text(GPT2, (LONG,)),
    "form": lambda: number_text(GPT2, ("total", LONG)),
    "form of a ratio": lambda: ratio_text(GPT2, ("total", LONG), GPT2, ()),
    "form of FLOPs": lambda: number_text(GPT2, ("flops", "1", LONG)),
    "unit": lambda: number_text(GPT2, ("weights", "bf16", LONG)),
    "KV cache": lambda: number_text(GPT2, ("kv_cache", LONG)),
    "name": lambda: evaluate(LONG),
    "attribute of none": lambda: evaluate(f"none.{LONG}"),
    "component": lambda: evaluate(f"model('gpt2').components.{LONG}"),
    "of a loop": lambda: render(f"{{% for i in [1] %}}{{{{ loop.{LONG} }}}}{{% endfor %}}", load),
    "filter": lambda: evaluate(f"1 | {LONG}"),
    "test": lambda: evaluate(f"1 is {LONG}"),
    "model in an expression": lambda: evaluate(f"model('gpt2:{LONG[:400]}')"),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_message_is_short(mistake: Callable[[], object]) -> None:
    with pytest.raises(ConfigError) as caught:
        mistake()
    assert any(word in caught.value.message for word in BEGINNINGS)
    assert len(caught.value.message) < MAX_LENGTH


def test_only_the_beginning_of_a_word_is_compared() -> None:
    beginning = "x" * 100
    assert nearest(beginning * 20, [beginning], cutoff=1.0) == beginning


@pytest.mark.parametrize("name", ["<!-- c -->", "*b* _i_ | pipe", "a - b", "+ - * c", "- d", "~e~"])
def test_names_are_quoted_as_written(name: str) -> None:
    """Signs between words are part of a name, not the marks of a list."""
    page = MarkdownPage(Path())
    body = name if name[1] != " " else f"- {name}"
    for call in (Call("llm-size", name, {}, ""), Call("llm-compare", "", {}, body)):
        with pytest.raises(ConfigError) as caught:
            DIRECTIVES[call.directive].run(page, call)
        assert caught.value.message == f"unknown model {name!r}"
