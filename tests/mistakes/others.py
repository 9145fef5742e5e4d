"""Roles, comparisons, templates and options with errors."""

from __future__ import annotations

from textwrap import indent

from mistakes.case import HERE, Case, directive, sentence

ROLES = {
    "no_value": ("gpt2?hidden_dim=", "number"),
    "no_pair": ("gpt2?hidden_dim", "number"),
    "of_three": ("gpt2 / gpt2 / gpt2", "number"),
    "of_nothing": ("gpt2 / gpt2:lm_head", "number"),
    "no_format": ("gpt2:total:percent", "number"),
    "no_bytes": ("gpt2:weights:bf61", "number"),
    "no_tokens": ("gpt2:kv_cache:0", "number"),
    "code": ("__import__('os')", "model"),
    "braces": ("{{ 7 * 7 }}", "model"),
    "markup": ("<b>gpt2</b>", "model"),
    "path": ("../../etc/passwd", "model"),
    "long": ("x" * 600, "number"),
    "other_type": ("gpt2?model_type=llama", "value"),
    "heads": ("gpt2?n_head=7", "shape"),
    "exponent": ("gpt2?n_head=e9", "value"),
    "unknown_key": ("gpt2?n_haed=12", "key"),
    "factor": ("gpt2?n_embd*x", "value"),
    "no_factor": ("gpt2?n_embd*", "value"),
    "factor_of_nothing": ("gpt2?*2", "number"),
    "negative_factor": ("gpt2?n_embd*-2", "value"),
    "huge_factor": ("gpt2?n_embd*9e99", "value"),
    "not_whole": ("gpt2?n_embd*0.3", "value"),
    "factor_of_a_flag": ("gpt2?tie_embeddings*2", "key"),
    "factor_of_an_unknown_key": ("gpt2?n_haed*2", "key"),
    "factor_of_heads": ("gpt2?n_head*5", "shape"),
    "format_of_a_ratio": ("gpt2 / gpt2:exact", "number"),
}
OPTIONS = {
    "unknown": ("shw: table", "option"),
    "view": ("show: tabel", "option"),
    "detail": ("detail: tensors", "option"),
    "align": ("align: middle", "option"),
    "expect": ("expect: 6.7B", "option"),
    "expected": ("expect: 1", "expect"),
    "tokens": ("tokens: 0", "option"),
    "context": ("context: e9", "option"),
    "direction": ("direction: up", "option"),
    "legend": ("legend: never", "option"),
    "flag": ("interactive: maybe", "option"),
    "links": ("links: nowhere", "link"),
    "no_box": ("links: nowhere: index", "link"),
    "class": ("class: !!!", "option"),
    "config": ("config:", "option"),
    "of_the_body": ("hidden_dim: 64", "option"),
    "columns": ("columns: paramters", "option"),
    "column_format": ("columns: parameters:exakt", "number"),
    "heading": ('columns: share "', "option"),
    "labels": ("labels: qkv", "option"),
    "label": ("labels: qvk: my words", "option"),
    "labels_twice": ("labels: qkv: a, qkv: b", "option"),
    "no_commas": ("show: table formula", "option"),
}
VIEWED = {
    "factors": (":show: scaling\n:factors: 1/0", "option"),
    "many_factors": (":show: scaling\n:factors: 1,2,3,4,5,6,7,8,9,10,11,12,13", "option"),
    "dtype": (":show: memory\n:dtype: 1e9", "option"),
    "vary": (":show: scaling\n:vary: nothing", "option"),
    "follow": (":show: scaling\n:follow: nothing", "option"),
}
TEMPLATES = {
    "attribute": '{{ "".__class__ }}',
    "call": "{{ range.__init__() }}",
    "macro": "{% macro f() %}{% endmacro %}",
    "include": "{% include '/etc/passwd' %}",
    "import": "{% import 'os' as os %}",
    "power": "{{ 9 ** 9 ** 9 ** 9 }}",
    "loop": "{% for a in range(9999999) %}{% endfor %}",
    "text": '{{ "a" * 99999999 }}',
    "nested": f"{{{{ {'(' * 80}1{')' * 80} }}}}",
    "unknown": "{{ modle }}",
    "open": "{{ 1 + }}",
    "escape": '{{ "\\u0007" }}',
    "zero": "{{ 1 / 0 }}",
    "range": "{{ range(1, 9, 0) }}",
}
COMPARISONS = {
    "unknown": ("gpt2\nlama-7b", "model"),
    "words": ("gpt2\ngpt2:total", "syntax"),
    "key": ("gpt2\ngpt2?n_haed=1", "key"),
    "stated": ("gpt2\nGPT: {total: [1]}", "value"),
    "yaml": ("gpt2\nGPT: {total: *x}", "syntax"),
    "column": ("gpt2\nGPT: {hiden_dim: 5}", "number"),
}


def with_directive(
    name: str, directive_name: str, text: str, problem: str, message: str = ""
) -> Case:
    """A page with a directive that has an error in its last line."""
    pages = {
        "rst": f"Title\n=====\n\ntext\n\n.. {directive_name}::\n\n{indent(text, '   ')}{HERE}\n",
        "md": f"# Title\n\ntext\n\n```{{{directive_name}}}\n\n{text}{HERE}\n```\n",
    }
    return Case(name, pages, problem, message)


CONTINUED = f"""# Title

```{{llm-size}} gpt2
:show: table
:columns: component "Part",
  parameters{HERE}
```
"""
"""An option that goes on in the next line, which is part of the body in Markdown."""
CASES = (
    Case("option_goes_on", {"md": CONTINUED}, "option", "write all of ':columns:' on one line"),
    *(sentence(f"role_{name}", text, problem) for name, (text, problem) in ROLES.items()),
    *(
        directive(f"option_{name}", "gpt2", f":{text}{HERE}", "", problem)
        for name, (text, problem) in OPTIONS.items()
    ),
    *(
        directive(f"view_{name}", "gpt2", f"{text}{HERE}", "", problem)
        for name, (text, problem) in VIEWED.items()
    ),
    *(
        with_directive(f"template_{name}", "llm-template", f"text\n{text}", "expression")
        for name, text in TEMPLATES.items()
    ),
    *(
        with_directive(f"comparison_{name}", "llm-compare", text, problem)
        for name, (text, problem) in COMPARISONS.items()
    ),
)
