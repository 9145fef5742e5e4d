"""Options: declared once, the same in directives, on the command line and in the documentation."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import pytest
from project import Build

from sphinx_llmsize import load
from sphinx_llmsize.commands.inputs import add_options
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.directive_options import CompareOptions, SizeOptions, read
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.comparison.side_by_side import ComparisonOptions
from sphinx_llmsize.views.option_declarations import Option, option, options_of
from sphinx_llmsize.views.view_options import ViewOptions

EXAMPLES = {
    name: declared.example or declared.choices[-1]
    for kind in (SizeOptions, CompareOptions)
    for name, declared in options_of(kind).items()
    if declared.example or declared.choices
}


@dataclass(frozen=True)
class More(ViewOptions):
    """Options of the views, and an additional one."""

    heads: int = option(0, int, "number", "Heads to show.", example="3")


@pytest.mark.parametrize("kind", [ViewOptions, ComparisonOptions, More])
def test_directive_and_command_line_read_the_same(kind: type) -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, kind)
    for name, declared in options_of(kind).items():
        text = declared.example or declared.choices[-1]
        given = vars(parser.parse_args([f"--{name}={text}"]))
        assert kind(**given) == read({name: text}, kind)
    assert kind(**vars(parser.parse_args([]))) == read({}, kind) == kind()


@pytest.mark.parametrize("kind", [SizeOptions, CompareOptions])
def test_every_option_is_documented(kind: type) -> None:
    for name, declared in options_of(kind).items():
        assert declared.help.endswith(".")
        assert declared.metavar
        assert name in EXAMPLES or declared.read is str or name == "class"


def test_a_help_text_states_the_default() -> None:
    declared = options_of(SizeOptions)
    assert (
        declared["detail"].help_text
        == "Level of detail. Rows of the parameter table: groups, components with one row for all "
        "norms, every component, or single tensors. Boxes of the diagram: one for each block, "
        "one for each step, or the same with every tensor and shape. Default: component."
    )
    assert declared["show"].help_text.endswith("Default: table, formula, rule, diagram.")
    assert "Default" not in declared["tokens"].help_text
    assert Option(str, "text", "Help.", default="x").help_text == "Help. Default: x."


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("vary", "__class__", "GPT-2 small has no size '__class__'"),
        ("vary", "tie_embeddings", "true or false, which cannot be scaled"),
        ("follow", "num_layers, nothing", "GPT-2 small has no size 'nothing'"),
        ("follow", "num_layers, H", "GPT-2 small has no size 'H'"),
        ("tokens", "100000", "more than GPT-2 small has positions for"),
        ("context", "100000", "more than GPT-2 small has positions for"),
    ],
)
@pytest.mark.parametrize("view", VIEWS)
def test_values_are_checked_in_every_view(view: str, name: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        document(load("gpt2"), (view,), read({name: text}, ViewOptions))
    assert caught.value.option == name


def test_an_empty_follow_has_no_keys() -> None:
    assert document(load("gpt2"), ("table",), read({"follow": "none"}, ViewOptions))


def test_a_value_for_a_view_that_is_not_shown_is_a_warning_at_its_line(build: Build) -> None:
    page = ".. llm-size:: gpt2\n   :show: table\n   :vary: __class__\n"
    (warned,) = build({"index.rst": page}, "dummy").warned
    assert (warned.line, warned.type) == (3, "llmsize.option")
