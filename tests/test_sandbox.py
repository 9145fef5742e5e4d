"""Expressions in page text: their values, access to Python that is refused, and limits."""

from __future__ import annotations

import re
from time import process_time

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.sandbox import limits, render
from sphinx_llmsize.sandbox.template_functions import FILTERS
from sphinx_llmsize.views.numbers.model_numbers import models_built
from sphinx_llmsize.views.shared.data_size import UNITS

SEVEN = load("llama-7b")


def output(text: str) -> str:
    return "\n".join(render(text, load_preset).lines)


def refused(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        render(text, load_preset)
    return caught.value


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("m.total", str(SEVEN.total)),
        ("m.total | exact", "6,738,415,616"),
        ("m.total | tex", "6{,}738{,}415{,}616"),
        ("m.total | short", "6.74B"),
        ("m.total | words", "6.7 billion"),
        ("(m.total * 2) | GB", "13.5 GB"),
        ("(m.total * 2) | GiB", "12.6 GiB"),
        ("(m.hidden_dim * 2) | kB", "8.19 kB"),
        ("(m.hidden_dim * 2) | KiB", "8.00 KiB"),
        ("(m.total * 2) | bytes", "13,476,831,232 bytes"),
        ("(m.mlp / m.total) | percent", "64.2%"),
        ("(m.mlp / m.total) | percent | tex", r"64.2\%"),
        ('(model("llama-3-70b").total / model("llama-3-8b").total) | significant', "8.79"),
        ('m.number("mlp:share")', "64.2%"),
        ('m.number("weights:bf16:GiB")', "12.6 GiB"),
        ("m.number()", "6.74B"),
        ("m.name | mermaid", "LLaMA#32;7B"),
        ("m.hidden_dim", "4096"),
        ('m["n_embd"]', "4096"),
        ("m.tie_embeddings", "false"),
        ("m.components.mlp_up == m.mlp_up", "true"),
        ('m.components["mlp_up"] == m.mlp_up', "true"),
        ("m.components | length", str(len(SEVEN.components))),
        ('"mlp_up" in m.components', "true"),
        ('model("llama-7b", num_layers=16).num_layers', "16"),
        ('model("llama-7b?num_layers=16").num_layers', "16"),
        ('model("meta-llama/Llama-3.1-8B").total | short', "8.03B"),
        ("12 * m.hidden_dim ** 2", "201326592"),
        ("m.ffn_dim / m.hidden_dim", "2.6875"),
        ("m.hidden_dim / m.num_heads", "128"),
        ("1 / 3 + 1 / 3 + 1 / 3", "1"),
        ("0.1 + 0.2 == 0.3", "true"),
        ("(10 / 3) | round(2)", "3.33"),
        ("7 // 2 ~ ' and ' ~ 7 % 2", "3 and 1"),
        ("2 ** -1", "0.5"),
        ("16 ** 0.5", "4"),
        ("[3, 1, 2] | max", "3"),
        ("range(4) | sum", "6"),
        ("[1, 2] | join(' + ')", "1 + 2"),
        ("'large' if m.total > 10 ** 9 else 'small'", "large"),
        ("none or 5", "5"),
        ("(m.total / 20) | short", "337M"),
        ("(m.total / 7) | words", "963 million"),
        ("(1 / 3) | short", "0.33"),
        ("(-m.total) | short", "-6.74B"),
        ("1 | bytes", "1 byte"),
        ("(1 / 3) | bytes", "0.333 bytes"),
        ("1234567.5 | bytes", "1,234,567.5 bytes"),
        ("(-5) | GB", "-<0.000001 GB"),
        ("(-5 * 10 ** 9) | GB", "-5.00 GB"),
        ("(10 ** 300) | significant", f"{10**300:,}"),
        ("(10 ** 300 / 3) | percent", f"{'3' * 302}.3%"),
        ("1 < 2 < 3 and not 3 < 2", "true"),
        ("1 < 2 > 2", "false"),
        ("4.5 is number and 'a' is string and none is none and 3 is odd", "true"),
    ],
)
def test_value_of_an_expression(expression: str, text: str) -> None:
    assert output(f'{{% set m = model("llama-7b") %}}{{{{ {expression} }}}}') == text


def test_a_loop_over_components_leaves_no_blank_lines() -> None:
    page = (
        "a\n{% for name, n in model('gpt2').components.items() if n %}\n"
        "{{ loop.index }} {{ name }} {{ n }}\n{% else %}\nnone\n{% endfor %}\nb"
    )
    counts = [(name, n) for name, n in load("gpt2").components.items() if n]
    lines = [f"{i} {name} {n}" for i, (name, n) in enumerate(counts, start=1)]
    assert output(page) == "\n".join(("a", *lines, "b"))


def test_variables_set_in_a_loop_are_local() -> None:
    assert output("{% set x = 1 %}{% for i in [2, 3] %}{% set x = i %}{% endfor %}{{ x }}") == "1"


def test_every_line_has_its_source_position() -> None:
    page = "a\n{% set x = 1 %}\n{% for i in [1, 2] %}\n{{ i }}\n\n{% endfor %}\nb {{ x\n+ 1 }}\nc"
    rendered = render(page, load_preset)
    assert rendered.lines == ("a", "1", "", "2", "", "b 2", "c")
    assert rendered.origins == (0, 3, 4, 3, 4, 6, 8)


@pytest.mark.parametrize(
    ("text", "line", "problem", "message"),
    [
        ("a\n{{ model('gpt2').totl }}", 1, Problem.NUMBER, "did you mean 'total'?"),
        ("{{ model('gpt2').hiden_dim }}", 0, Problem.NUMBER, "did you mean 'hidden_dim'?"),
        ("{{ model('lama-7b') }}", 0, Problem.MODEL, "did you mean 'llama-7b'?"),
        ("{{ model('gpt2', hiden_dim=1) }}", 0, Problem.KEY, "did you mean 'hidden_dim'?"),
        ("{{ (1\n+ model('gpt2').mlp_upp) }}", 1, Problem.NUMBER, "did you mean 'mlp_up'?"),
        ("{{ model('gpt2').components.mlp_upp }}", 0, Problem.EXPRESSION, "'mlp_up'?"),
        ("{{ modl('gpt2') }}", 0, Problem.EXPRESSION, "did you mean 'model'?"),
        ("{{ 1 | shrt }}", 0, Problem.EXPRESSION, "did you mean 'short'?"),
        ("{{ model('gpt2') }}", 0, Problem.EXPRESSION, "its name: .total"),
        ("{{ model('gpt2:mlp').total }}", 0, Problem.EXPRESSION, "number("),
        ("{{ 1.5 | exact }}", 0, Problem.EXPRESSION, "a whole number"),
        ("a\n\\frac{{a}}{b}", 1, Problem.EXPRESSION, "literal double braces"),
        ("a\n{{ 1", 1, Problem.EXPRESSION, "cannot read this"),
        ("a\n{% if 1 %}", 1, Problem.EXPRESSION, "endif"),
    ],
)
def test_errors(text: str, line: int, problem: Problem, message: str) -> None:
    error = refused(text)
    assert (error.line, error.problem) == (line, problem)
    assert message in str(error)


NUMBERS = (
    *(
        "0",
        "1",
        "-1",
        "20",
        "999",
        "999.5",
        "1000",
        "10 ** 6",
        "10 ** 12",
        "10 ** 300",
        "-10 ** 300",
    ),
    *(
        "1 / 3",
        "-1 / 3",
        "2 / 3",
        "999.4999",
        "0.5",
        "-0.5",
        "1.5",
        "10 ** 300 / 7",
        "1 / 10 ** 300",
    ),
    *("model('llama-3-8b').total", "model('llama-3-8b').total / 20", "2 ** 0.5", "0.1 + 0.2"),
)


MAX_SECONDS = 10
"""Ten times the time of any refused template on a slow computer."""
WRITTEN = ("exact", "short", "words", "significant", "percent", *UNITS)


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter_accepts_every_number_or_gives_a_reason(name: str) -> None:
    for number in NUMBERS:
        expression = f"{{{{ ({number}) | {name} }}}}"
        try:
            text = output(expression)
        except ConfigError:
            error = refused(expression)
            assert (error.problem, error.line) == (Problem.EXPRESSION, 0), number
            assert "' needs " in error.message, number
            continue
        assert text, number
        if name in WRITTEN:
            assert not re.search(r"e[+-]|nan|inf|^-0(\.0*)?( |%|$)", text), number


@pytest.mark.parametrize("name", ["short", "words", "significant", "bytes", "GB", "GiB"])
def test_a_negative_number_is_written_as_its_absolute_value_with_a_sign(name: str) -> None:
    for number in NUMBERS:
        positive, negative = (
            output(f"{{{{ ({sign} (({number}) | abs)) | {name} }}}}").split()[0] for sign in "+-"
        )
        assert negative == (f"-{positive}" if positive != "0" else "0"), number


ESCAPES = [
    "''.__class__",
    "''.__class__.__mro__[1].__subclasses__()",
    "''['__class__']",
    "''|attr('__class__')",
    "[1]|map(attribute='__class__')|first",
    "model.__globals__",
    "model.run",
    "range.__self__",
    "model('gpt2').__class__",
    "model('gpt2')['__class__']",
    "model('gpt2')._model",
    "model('gpt2').attribute",
    "model('gpt2').number.__func__",
    "model('gpt2').components.__class__",
    "model('gpt2').components.counts",
    "model('gpt2').components.items.run",
    "self.__init__",
    "lipsum(5)",
    "cycler('a')",
    "joiner()",
    "namespace(a=1)",
    "dict(a=1)",
    "config",
    "[].append(1)",
    "'{0.__class__}'.format(1)",
    "'{0.__class__}'.format_map([])",
    "'{:1000000000}'.format(1)",
    "'%s'|format(1)",
    "'%1000000000d' % 1",
    "'a'|safe",
    "'a'.ljust(10**9)",
    "range(*[1])",
    "model(**{})",
    "'\\ud800'",
    "'\\x00'",
    "loop.__init__",
    "self",
    "self._TemplateReference__context",
    "super()",
    "caller()",
    "varargs",
    "url_for.__globals__",
    "request",
    "context",
    "environment",
    "resolve('model')",
    "undefined",
    "model.run.__globals__",
    "model['run']",
    "model.kinds",
    "range.hint",
    "(1).numerator",
    "(1).to_bytes(10 ** 9)",
    "(1 / 3).denominator",
    "0.5.as_integer_ratio()",
    "'a'.upper()",
    "'a'.encode()",
    "'a'.join([1])",
    "'a' is callable",
    "model is callable",
    "1 is sameas(1)",
    "1 is in([1])",
    "[1]|list",
    "[1]|map('abs')|list",
    "[1]|select('even')|list",
    "[[1]]|groupby(0)",
    "'a'|pprint",
    "'a'|xmlattr",
    "'%s'|format(model)",
    "'a'|string",
    "'a'|wordwrap(10 ** 9)",
    "'a'|filesizeformat",
    "[1]|sort(attribute='__class__')",
    "[1]|sum(attribute='__class__')",
    "[1]|join(attribute='__class__')",
    "[1]|max(attribute='__class__')",
    "{'a': 1}",
    "[1][0:1]",
    "'a'[0:10 ** 9]",
    "model('gpt2').config",
    "model('gpt2').architecture",
    "model('gpt2')['architecture']",
    "model('gpt2').number.run",
    "model('gpt2').components.items.run.__globals__",
    "model('gpt2').components.get('mlp_up')",
    "model('gpt2').components.pop('mlp_up')",
    "model('../../etc/passwd').total",
    "model('/etc/passwd').total",
    "model(model('gpt2')).total",
    "model('gpt2', __class__=1).total",
    "model('gpt2', **{'n_layer': 1}).total",
]
STATEMENTS = [
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}",
    "{% from 'os' import path %}",
    "{% extends 'a' %}",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "{% call f() %}{% endcall %}",
    "{% block a %}{% endblock %}",
    "{% filter upper %}a{% endfilter %}",
    "{% with a = 1 %}{% endwith %}",
    "{% autoescape true %}{% endautoescape %}",
    "{% set a %}b{% endset %}",
    "{% set a.b = 1 %}",
    "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% do 1 %}",
    "{% debug %}",
    "{% trans %}a{% endtrans %}",
    "{% break %}",
    "{% macro f(a=model.run) %}{% endmacro %}",
    "{% set a | upper %}b{% endset %}",
    "{% set ns = namespace() %}{% set ns.a = 1 %}",
    "{% for loop in [1] %}{{ loop.cycle(1) }}{% endfor %}",
    "{% for a in [1] %}{{ loop.__init__ }}{% endfor %}",
    "{% for a in [1] %}{{ loop.cycle('x') }}{% endfor %}",
    "{% for a in [1] %}{{ loop.changed(a) }}{% endfor %}",
    "{% for a in [1] %}{{ loop([1]) }}{% endfor %}",
    "{% for a in [1] %}{{ loop._iterator }}{% endfor %}",
    "{% for a in [1] %}{{ loop }}{% endfor %}",
    "{% for a in 'abc' %}{{ a }}{% endfor %}",
    "{% for a in model %}{{ a }}{% endfor %}",
    "{% for a in model('gpt2') %}{{ a }}{% endfor %}",
]


@pytest.mark.parametrize("text", [*(f"{{{{ {e} }}}}" for e in ESCAPES), *STATEMENTS])
def test_access_to_python_is_refused(text: str) -> None:
    assert refused(text).line == 0


def loops(count: int, body: str, items: str = "range(9999)") -> str:
    starts = "".join(f"{{% for i{n} in {items} %}}" for n in range(count))
    return starts + body + "{% endfor %}" * count


NESTED = "{% set x = [1] %}{% set y = [1] %}" + "{% set x = [x, x] %}{% set y = [y, y] %}" * 60
LONG = f"{{% set x = '{'a' * 20000}' %}}{{% set y = '{'a' * 20000}' %}}"
BIG = f"{{% set x = '{'a' * 9999}' %}}{{% set y = '{'a' * 9998}b' %}}"
BOMBS = {
    "power": "{{ 9 ** (9 ** 9) }}",
    "power to the left": "{{ 9 ** 9 ** 9 ** 9 }}",
    "negative power": "{{ 2 ** -(10 ** 30) }}",
    "power of a fraction": "{{ (1 / 3) ** (10 ** 9) }}",
    "root that overflows": "{{ 10.5 ** 1e300 }}",
    "complex root": "{{ (-8) ** (1 / 3) }}",
    "squares": "{% set x = 10 %}" + "{% set x = x * x %}" * 60,
    "fractions": "{{ [" + ",".join(f"1/{n}" for n in range(2, 2000)) + "] | sum }}",
    "shift": "{{ 1 << 10 ** 9 }}",
    "long number": f"{{{{ {'9' * 5000} }}}}",
    "infinite": "{{ 1e999 }}",
    "by zero": "{{ 1 / 0 }}",
    "modulo zero": "{{ 1 % 0 }}",
    "text times": "{{ 'a' * 10 ** 9 }}",
    "list times": "{{ [1] * 10 ** 9 }}",
    "doubled text": "{% set x = 'aaaa' %}" + "{% set x = x ~ x %}" * 60,
    "doubled list": NESTED + "{{ x }}",
    "compared lists": NESTED + "{{ x == y }}",
    "list in lists": NESTED + "{{ y in [x] }}",
    "joined lists": NESTED + "{{ x | join }}",
    "center": "{{ 'a' | center(10 ** 9) }}",
    "indent": "{{ 'a' | indent(10 ** 9) }}",
    "replace": "{{ 'a' | replace('a', 'aa') }}",
    "decimal places": "{{ 1 | round(10 ** 9) }}",
    "long range": "{% for i in range(10 ** 30) %}{% endfor %}",
    "range as a number": "{{ range(10 ** 9) | sum }}",
    "loops without output": loops(2, "{% if i0 == i1 %}{% endif %}"),
    "loop of nothing": loops(1, loops(1, "", "range(9999) if false")),
    "loops of output": loops(2, "x"),
    "long lines": loops(1, "y" * 1000),
    "upper": LONG + loops(1, "{% set z = x | upper %}"),
    "unseen": f"{{% set x = '{chr(0x202E) * 20000}' %}}" + loops(1, "{{ x | mermaid }}"),
    "texts in texts": LONG + loops(1, "{% if x in y %}{% endif %}"),
    "long texts compared": LONG + loops(1, "{% if x == y %}{% endif %}"),
    "separator": f"{{{{ range(9999) | join('{'a' * 9000}') }}}}",
    "models": loops(1, "{{ model('gpt2', vocab_size=i0 + 1).total }}"),
    "layers": "{{ model('gpt2', num_layers=10 ** 40).total }}",
    "number": f"{{{{ model('gpt2').number('{'x' * 40000}') }}}}",
    "model": f"{{{{ model('{'x' * 40000}').total }}}}",
    "brackets": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "lists": "{{ " + "[" * 5000 + "]" * 5000 + " }}",
    "nots": "{{ " + "not " * 5000 + "1 }}",
    "sum": "{{ 1" + "+1" * 5000 + " }}",
    "filters": "{{ 1" + "|abs" * 5000 + " }}",
    "attributes": "{{ a" + ".a" * 5000 + " }}",
    "branches": "{% if 1 %}" * 1000 + "{% endif %}" * 1000,
    "deep loops": loops(200, "x", "[1]"),
    "long body": "a" * (limits.MAX_SOURCE + 1),
    "constant power": "{{ 2 ** (10 ** 9) }}",
    "constant text": "{{ 'a' * 10 ** 9 }}",
    "folded power": "{{ (2 ** 999) ** (2 ** 999) }}",
    "negative base": "{{ (-2) ** (10 ** 9) }}",
    "small fraction": "{{ (1 / 2 ** 900) ** 2 }}",
    "sum of fractions": "{{ [" + ",".join(f"1/{n}" for n in range(9000, 9999)) + "] | sum }}",
    "modulo of fractions": "{{ (1 / (2 ** 900 + 1)) % (1 / (2 ** 900 + 3)) }}",
    "underflow": "{{ 0.5 ** 1e300 }}{{ 1 / 0 }}",
    "texts found": BIG + loops(1, "{% if y in x %}{% endif %}"),
    "texts in a list": BIG
    + f"{{% set l = [{'x,' * 2000}] %}}"
    + loops(1, "{% if y in l %}{% endif %}"),
    "comparison chain": BIG + loops(1, "{% if x == x == x == y %}{% endif %}"),
    "fractions in loops": "{% set a = 1 / (2 ** 490 + 1) %}{% set b = 1 / (2 ** 480 + 7) %}"
    + loops(1, "{% set x = a + b + a + b %}"),
    "roots": loops(1, "{% set y = (2 ** 999) ** 0.5 %}"),
    "rounding": "{% set x = 2 ** 900 / 3 %}" + loops(1, "{% set y = x | round(30) %}"),
    "long formats": "{% set x = 2 ** 999 / 3 %}" + loops(1, "{% set y = x | words %}"),
    "numbers": "{% set m = model('deepseek-v3') %}"
    + loops(1, "{% set x = m.number('flops:' ~ (i0 + 1)) %}"),
    "changed models": loops(1, "{% set x = model('deepseek-v3', vocab_size=i0 + 1) %}"),
    "components": "{% set m = model('deepseek-v3') %}" + loops(1, "{% set x = m.components %}"),
    "calls": loops(1, "{% set x = range(9) %}"),
    "escaped text": "{% set x = '%' %}" + "{% set x = (x ~ x) | tex %}" * 40,
    "escaped braces": f"{{% set x = '{'%' * 20000}' %}}" + "{% set x = x | mermaid %}" * 9,
    "upper of sharp s": f"{{% set x = '{'ß' * 20000}' %}}" + "{% set x = (x ~ x) | upper %}" * 9,
    "blank lines": loops(2, "\n" * 9),
    "filtered loop": loops(1, loops(1, "", "range(9999) if i0 in range(9999)")),
    "loops over lists": loops(1, loops(1, "", f"[{'1,' * 2000}]")),
    "calls in calls": "{{ " + "range(" * 300 + "1" + ")" * 300 + " }}",
    "conditions": "{{ " + "1 if 1 else " * 2000 + "1 }}",
    "branches side by side": loops(1, "{% if 0 %}" + "{% elif 0 %}" * 900 + "{% endif %}"),
    "chain of comparisons": loops(1, "{{ 1" + " < 2" * 2000 + " }}"),
    "long concatenation": LONG + "{{ x" + " ~ y" * 3000 + " }}",
    "long name": "{{ " + "q" * 40000 + " }}",
    "long attribute": "{{ model('gpt2')." + "q" * 40000 + " }}",
    "long filter": "{{ 1 | " + "q" * 40000 + " }}",
}


@pytest.mark.parametrize("name", BOMBS)
def test_excessive_work_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = limits.Budget()
    monkeypatch.setattr("sphinx_llmsize.sandbox.interpreter.Budget", lambda: budget)
    started = process_time()
    refused(BOMBS[name])
    assert process_time() - started < MAX_SECONDS
    # steps are charged before the work, characters soon after it
    assert budget.steps >= -limits.MAX_STEPS
    assert budget.characters >= -10_000_000


@pytest.mark.parametrize(
    "text",
    [
        "{% raw %}{{ 9 ** (9 ** 9) }}{% endraw %}",
        "{{ 1 ** (10 ** 300) }}",
        "{{ (2 ** 900) | tex }}",
    ],
)
def test_harmless(text: str) -> None:
    assert output(text)


def test_a_model_is_looked_up_once() -> None:
    requested: list[str] = []

    def named(name: str) -> object:
        requested.append(name)
        return load_preset(name)

    render("{% for i in range(9) %}{{ model('gpt2').total }}{% endfor %}", named)  # type: ignore[arg-type]
    assert requested == ["gpt2"]


@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("total", 0),
        ("flops.mlp:2048", 1),
        ("growth.total:hidden_dim*2", 5),
        ("growth:hidden_dim*2", 5),
        ("exponent:hidden_dim", 5),
    ],
)
def test_a_number_costs_as_much_as_building_models(name: str, models: int) -> None:
    assert models_built(name) == models
