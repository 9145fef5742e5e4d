"""One expression for each guard of the sandbox, which nothing else would refuse or say so."""

from __future__ import annotations

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.model import Model, released
from sphinx_llmsize.sandbox import limits, render

MISTAKES = {
    "-'a'": "- needs a number, and this is a text",
    "+'a'": "+ needs a number, and this is a text",
    "'a' - 1": "- needs a number, and this is a text",
    "1 - 'a'": "- needs a number, and this is a text",
    "'a' + 'b'": "put texts together with ~",
    "'%d' % 1": "use a filter",
    "1 / 0": "a division by zero",
    "10.5 ** 1000.5": "a number of more than 1,000 bits",
    "2 ** 1000": "a number of more than 1,000 bits",
    "none + 1": "+ needs a number, and this is none",
    "true + 1": "+ needs a number, and this is true",
    "(-8) ** 0.5": "an even root",
    f"{'9' * 400} * 0": "a number of more than 1,000 bits",
    "1e999": "a number of more than 1,000 bits",
    "'a' < 'b'": "texts have no order",
    "[1] < 1": "a comparison needs a number, and this is a list",
    "1 < [1]": "a comparison needs a number, and this is a list",
    "[1] == 1": "a list cannot be compared",
    "1 == [1]": "a list cannot be compared",
    "1 in 'a'": "what is looked for in a text needs a text",
    "1 in 2": "a number is no list",
    "'a'[0]": "a text is no list",
    "[1]['a']": "what is in brackets needs a number",
    "[1][0.5]": "what is in brackets needs a whole number, and this is 0.5",
    "[1][1]": "the list has 1 items",
    "[1][-2]": "the list has 1 items",
    "model('gpt2')[1]": "what is in brackets needs a text",
    "(1)(2)": "a number cannot be called",
    "1 | abs(x=1)": "the filter abs takes no names",
    "1 | abs(2)": "the filter abs does not take so many values",
    "1 is even(2)": "the test even takes nothing in brackets",
    "1 is even(x=2)": "the test even takes nothing in brackets",
    "'a' is even": "even needs a number",
    "'a' | short": "a number's format needs a number",
    "'a' | exact": "exact needs a number",
    "'a' | significant": "significant needs a number",
    "'a' | GB": "GB needs a number",
    "'a' | abs": "abs needs a number",
    "'a' | int": "int needs a number",
    "'a' | round": "round needs a number",
    "1 | round(-1)": "round knows 0 to 30 decimal places",
    "1 | round(31)": "round knows 0 to 30 decimal places",
    "[1] | tex": "a list is no text",
    "[1] | mermaid": "a list is no text",
    "1 | upper": "upper needs a text",
    "1 | lower": "lower needs a text",
    "1 | length": "a number is no list",
    "1 | first": "a number is no list",
    "[] | first": "the list is empty",
    "1 | join": "a number is no list",
    "[1] | join([2])": "a list is no text",
    "[[1]] | join": "a list is no text",
    "[1] | max(2)": "the filter max takes nothing in brackets",
    "['a'] | max": "max needs a number",
    "[] | max": "there is no max of an empty list",
    "range()": "range does not take so few values",
    "range(1, 2, 3, 4)": "range does not take so many values",
    "range(stop=1)": "range takes no names",
    "range('a')": "range needs a number",
    "range(1.5)": "range needs a whole number",
    "range(1, 2, 0)": "a range has no step of 0",
    "range(-40000, 40000)": "a range that goes beyond",
    "range(1, 2, 10 ** 9)": "a range that goes beyond",
    "range(*[1])": "arguments are written one by one",
    "model(1)": "model needs a text",
    "model('gpt2 / gpt2')": "more than a model's name",
    "model('gpt2:total')": "more than a model's name",
    "model('gpt2', num_layers=[1])": "num_layers cannot be a list",
    "model('gpt2').figure(1)": "figure needs a text",
    "model('gpt2').components | upper": "upper needs a text, and this is components",
    "range": "a function is no text",
}
TEXT = f"{{% set x = '{'a' * 4000}' %}}"
LONG = f"{{% set x = '{'a' * 20000}' %}}{{% set y = '{'a' * 20000}' %}}"
CHARGED = {
    "expressions": "{% for i in range(9999) %}{% set x = i + i + i %}{% endfor %}",
    "statements and items": "{% for i in range(30000) %}a{% endfor %}",
    "models": "{% for i in range(1, 260) %}{% set x = model('gpt2', n_layer=i) %}{% endfor %}",
    "figures": "{% set m = model('llama-7b') %}{% for i in range(1, 1800) %}"
    "{% set x = m.figure('flops:' ~ i) %}{% endfor %}",
    "lists": "{% for i in range(10) %}{% set x = range(9999) | sum %}{% endfor %}",
    "lists searched": f"{{% set x = {list(range(600))} %}}"
    "{% for i in range(99) %}{% set y = 'a' in x %}{% endfor %}",
    "joined lists": "{% for i in range(99) %}{% set x = range(400) | join('______') %}{% endfor %}",
    "joined texts": TEXT + "{% for i in range(99) %}{% set y = i ~ x %}{% endfor %}",
    "filtered texts": TEXT + "{% for i in range(99) %}{% set y = x | upper %}{% endfor %}",
    "texts compared": LONG + "{% for i in range(200) %}{% set z = x == y %}{% endfor %}",
    "texts searched": LONG + "{% for i in range(99) %}{% set z = x in y %}{% endfor %}",
    "output": f"{{% for i in range(99) %}}{'a' * 4000}{{% endfor %}}",
}
"""Beyond the bounds by what they are about, and by nothing else."""


def refused(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        render(text, released)
    return caught.value


@pytest.mark.parametrize("expression", MISTAKES)
def test_what_means_nothing(expression: str) -> None:
    error = refused(f"a\n{{{{ {expression} }}}}")
    assert error.line == 1
    assert MISTAKES[expression] in str(error)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("{% for a in 1 %}{% endfor %}", "a number is no list"),
        ("{% for a in [1] recursive %}{% endfor %}", "loops are not recursive"),
        ("{% set a, b = 1 %}", "a number is no list"),
        ("{% set a, b = [1] %}", "2 names for 1 values"),
        ("{% for a, b in [[1]] %}{% endfor %}", "2 names for 1 values"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "nests more than 50 deep"),
    ],
)
def test_statements_that_mean_nothing(statement: str, message: str) -> None:
    error = refused(f"a\n{statement}")
    assert (error.line, error.problem) == (1, Problem.EXPRESSION)
    assert message in error.message


@pytest.mark.parametrize("text", CHARGED.values(), ids=CHARGED)
def test_everything_is_charged(text: str) -> None:
    assert len(text) < limits.MAX_SOURCE
    assert refused(text).message.startswith(("this takes more than", "this makes more than"))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2.5 | round", "2"),
        ("4.0 | exact", "4"),
        ("1 == 2", "false"),
        ("1 == true", "false"),
        ("3 in range(3)", "false"),
        ("2 in range(3)", "true"),
        ("true in range(3)", "false"),
        ("true in [1, 2]", "false"),
        ("'mlp' in model('gpt2').components", "false"),
        ("model('gpt2').components in model('gpt2').components", "false"),
    ],
)
def test_what_is_equal(expression: str, text: str) -> None:
    assert render(f"{{{{ {expression} }}}}", released).lines == (text,)


def test_a_section_is_no_value() -> None:
    per_layer = {"model_type": "gemma4_text", "per_layer_config": {}}
    with pytest.raises(ConfigError, match="per_layer_config is a section"):
        render("{{ model('m').per_layer_config }}", lambda _: load(per_layer))


def test_what_finds_models_may_nest_too_deep() -> None:
    def endless(name: str) -> Model:
        return endless(name)

    with pytest.raises(ConfigError, match="nests too deep"):
        render("{{ model('m') }}", endless)
