"""Expressions that only one check of the sandbox refuses, for each check."""

from __future__ import annotations

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox import limits, render
from sphinx_llmsize.sandbox.template_functions import FindModel

MISTAKES = {
    "-'a'": "'-' needs a number, not text",
    "+'a'": "'+' needs a number, not text",
    "'a' - 1": "'-' needs a number, not text",
    "1 - 'a'": "'-' needs a number, not text",
    "'a' + 'b'": "'+' needs a number, not text (put texts together with ~)",
    "'%d' % 1": "'%' needs a number, not text (use a filter, such as round(2))",
    "1 / 0": "division by zero",
    "10.5 ** 1000.5": "a number of more than 1,000 bits",
    "2 ** 1000": "a number of more than 1,000 bits",
    "none + 1": "'+' needs a number, not none",
    "true + 1": "'+' needs a number, not true or false",
    "(-8) ** 0.5": "a negative number has no such root",
    "1e999": "a number of more than 1,000 bits",
    "'a' < 'b'": "'<' needs a number, not text",
    "[1] < 1": "'<' needs a number, not a list",
    "1 < [1]": "'<' needs a number, not a list",
    "[1] == 1": "a list cannot be compared",
    "1 == [1]": "a list cannot be compared",
    "model('gpt2').components in model('gpt2').components": "components cannot be compared",
    "model('gpt2') == model('gpt2')": "a model cannot be compared",
    "[1] | join(1, 2)": "wrong number of arguments for 'join'",
    "1 | round(1, 2)": "wrong number of arguments for 'round'",
    "1 | short(2)": "wrong number of arguments for 'short'",
    "model('gpt2', n_layer=1, n_layer=2)": "an argument is given twice (keep one of them)",
    "model('gpt2', n_layer=model('gpt2'))": "n_layer cannot be of type Model",
    "model()": "wrong number of arguments for 'model' (write model(\"llama-7b\")",
    "1 in 'a'": "'in' needs text, not a whole number",
    "1 in 2": "'in' needs a list, not a whole number",
    "'a'[0]": "'[]' needs a list, not text",
    "[1]['a']": "'[]' needs a whole number, not text",
    "[1][0.5]": "'[]' needs a whole number, not a fraction",
    "[1][1]": "the list is empty or has no such item",
    "[1][-2]": "the list is empty or has no such item",
    "model('gpt2')[1]": "'[]' needs text, not a whole number",
    "(1)(2)": "a whole number cannot be called",
    "1 | abs(x=1)": "'abs' takes no named arguments",
    "1 | abs(2)": "wrong number of arguments for 'abs'",
    "2 * 2 | exact": "not text (a filter takes only the value before it: write (…) | exact)",
    "1 | exact + 2": "(put texts together with ~; a filter takes only the value before it",
    "1 is evn": "there is no test 'evn' (did you mean 'even'?)",
    "1 is even(2)": "wrong number of arguments for 'even'",
    "1 is even(x=2)": "'even' takes no named arguments",
    "'a' is even": "'even' needs a whole number, not text",
    "'a' | short": "'short' needs a number, not text",
    "'a' | exact": "'exact' needs a whole number, not text",
    "'a' | significant": "'significant' needs a number, not text",
    "'a' | GB": "'GB' needs a number, not text",
    "'a' | abs": "'abs' needs a number, not text",
    "'a' | int": "'int' needs a number, not text",
    "'a' | round": "'round' needs a number, not text",
    "1 | round(-1)": "round takes 0 to 30 decimal places",
    "1 | round(31)": "round takes 0 to 30 decimal places",
    "[1] | tex": "a list cannot be written as text",
    "[1] | mermaid": "a list cannot be written as text",
    "1 | upper": "'upper' needs text, not a whole number",
    "1 | lower": "'lower' needs text, not a whole number",
    "1 | length": "'length' needs a list or text, not a whole number",
    "1 | first": "'first' needs a list, not a whole number",
    "[] | first": "the list is empty or has no such item",
    "1 | join": "'join' needs a list, not a whole number",
    "[1] | join([2])": "a list cannot be written as text",
    "[[1]] | join": "a list cannot be written as text",
    "[1] | max(2)": "wrong number of arguments for 'max'",
    "['a'] | max": "'max' needs a number, not text",
    "[] | max": "the list is empty or has no such item",
    "range()": "wrong number of arguments for 'range'",
    "range(1, 2, 3, 4)": "wrong number of arguments for 'range'",
    "range(stop=1)": "'range' takes no named arguments",
    "range('a')": "'range' needs a whole number, not text",
    "range(1.5)": "'range' needs a whole number, not a fraction",
    "range(1, 2, 0)": "the step of a range cannot be 0",
    "range(-40000, 40000)": "a range goes beyond 50,000",
    "range(1, 2, 10 ** 9)": "a range goes beyond 50,000",
    "[2 ** 999, 2 ** 999, -2 ** 999, -2 ** 999] | sum": "a number of more than 1,000 bits",
    "model('gpt2', **'a')": "write each argument by itself, without *",
    "range(*[1])": "write each argument by itself, without *",
    "model(1)": "'model' needs text, not a whole number",
    "model('gpt2 / gpt2')": "'gpt2 / gpt2' is more than a model's name",
    "model('gpt2:total')": "'gpt2:total' is more than a model's name",
    "model('gpt2', num_layers=[1])": "num_layers must be a whole number ≥ 1, not a list",
    "model('gpt2').number(1)": "'number' needs text, not a whole number",
    "model('gpt2').components | upper": "'upper' needs text, not components",
    "range": "a function cannot be written as text",
    f"{'9' * 400} * 0": "a number of more than 1,000 bits",
    "9" * 5000: "this number is too long",
}
TEXT = f"{{% set x = '{'a' * 4000}' %}}"
LONG = f"{{% set x = '{'a' * 20000}' %}}{{% set y = '{'a' * 20000}' %}}"
CHARGED = {
    "expressions": "{% for i in range(9999) %}{% set x = i + i + i %}{% endfor %}",
    "statements and items": "{% for i in range(30000) %}a{% endfor %}",
    "models": "{% for i in range(1, 260) %}{% set x = model('gpt2', n_layer=i) %}{% endfor %}",
    "numbers": "{% set m = model('llama-7b') %}{% for i in range(1, 1800) %}"
    "{% set x = m.number('flops:' ~ i) %}{% endfor %}",
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
"""Templates that exceed one limit each, by the work that is charged for it."""


def refused(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        render(text, load_preset)
    return caught.value


@pytest.mark.parametrize("expression", MISTAKES)
def test_unsupported_expressions(expression: str) -> None:
    error = refused(f"a\n{{{{ {expression} }}}}")
    assert error.line == 1
    assert MISTAKES[expression] in str(error)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("{% for a in 1 %}{% endfor %}", "'for' needs a list, not a whole number"),
        ("{% for a in [1] recursive %}{% endfor %}", "loops cannot be recursive"),
        ("{% set a, b = 1 %}", "'set' needs a list, not a whole number"),
        ("{% set a, b = 'xy' %}", "'set' needs a list, not text"),
        ("{% set a, b = [1] %}", "2 names for 1 values"),
        ("{% for a, b in [[1]] %}{% endfor %}", "2 names for 1 values"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "more than 50 levels of nesting"),
    ],
)
def test_unsupported_statements(statement: str, message: str) -> None:
    error = refused(f"a\n{statement}")
    assert (error.line, error.problem) == (1, Problem.EXPRESSION)
    assert message in error.message


def test_the_error_of_a_number_that_is_too_long_has_its_line() -> None:
    # Python's int() reads numbers of up to 4,300 digits; text outside of expressions is no number
    error = refused(f"{'9' * 5000}\n{{{{ {'9' * 2000} }}}}\n{{{{ 1\n+ {'9' * 5000} }}}}")
    assert (error.line, error.message) == (3, "this number is too long")


@pytest.mark.parametrize("opening", ["(", "["])
def test_the_error_of_nesting_that_is_too_deep_for_the_parser_has_its_line(opening: str) -> None:
    # the expression ends later with a syntax error, which the parser doesn't reach
    error = refused(f"{{{{ 1 }}}}\n{{{{ 1\n+ {opening * 2000}\n{opening * 4000} }}}}")
    assert (error.line, error.message) == (2, "more than 50 levels of nesting")


@pytest.mark.parametrize("text", CHARGED.values(), ids=CHARGED)
def test_all_work_counts_against_a_limit(text: str) -> None:
    assert len(text) < limits.MAX_SOURCE
    assert refused(text).message.startswith(("this takes more than", "this makes more than"))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2.5 | round", "3"),
        ("4.0 | exact", "4"),
        ("1 == 2", "false"),
        ("1 == true", "false"),
        ("3 in range(3)", "false"),
        ("2 in range(3)", "true"),
        ("true in range(3)", "false"),
        ("true in [1, 2]", "false"),
        ("'mlp' in model('gpt2').components", "false"),
    ],
)
def test_equality(expression: str, text: str) -> None:
    assert render(f"{{{{ {expression} }}}}", load_preset).lines == (text,)


def test_sections_are_refused() -> None:
    per_layer = {"model_type": "gemma4_text", "per_layer_config": {}}
    with pytest.raises(ConfigError, match="per_layer_config is a section"):
        render("{{ model('m').per_layer_config }}", lambda _: load(per_layer))


@pytest.mark.parametrize(
    "expression",
    [
        "{}",
        "1 | {}",
        "1 is {}",
        "1.{}",
        "model('gpt2').{}",
        "model('gpt2').components.{}",
        "model('{}')",
        "model('gpt2', {}=1)",
        "model('gpt2:{}')",
        "range({}=1)",
    ],
)
def test_a_long_word_makes_no_long_message(expression: str) -> None:
    assert len(refused(f"{{{{ {expression.format('x' * 450)} }}}}").message) < 200


def test_a_long_statement_makes_no_long_message() -> None:
    assert len(refused(f"{{% {'x' * 4000} %}}").message) < 300


def endless(name: str) -> Model:
    return endless(name)


def broken(name: str) -> Model:
    raise KeyError(name)


@pytest.mark.parametrize(
    ("find_model", "message"),
    [(endless, "more than 50 levels of nesting"), (broken, "this cannot be evaluated: KeyError")],
)
def test_other_exceptions_are_typed_errors_at_their_line(
    find_model: FindModel, message: str
) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        render("a\n{{ 1 + model('m').total }}", find_model)
    assert (caught.value.line, caught.value.problem) == (1, Problem.EXPRESSION)


@pytest.mark.parametrize("target", ["parse", "functions"])
def test_no_exception_escapes(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AttributeError

    monkeypatch.setattr(f"sphinx_llmsize.sandbox.interpreter.{target}", fail)
    with pytest.raises(ConfigError, match="this cannot be evaluated: AttributeError"):
        render("a", load_preset)
