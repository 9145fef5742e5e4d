"""Mistakes on an author's first pages: words, places and markup that are nearly right."""

from __future__ import annotations

from mistakes.case import HERE, SIZES, Case, body, directive, sentence
from mistakes.others import with_directive

ROLES = {
    "closed": ("gpt-4", "model", "the size of 'gpt-4' is not published"),
    "closed_maker": ("anthropic/Claude 3 Opus", "model", "is not published"),
    "transposed": ("gtp2", "model", "did you mean 'gpt2'?"),
    "label": ("gpt2:Parameters", "number", "did you mean 'total'?"),
    "other_word": ("gpt2:context", "number", "did you mean 'max_positions'?"),
    "percent": ("gpt2:mlp:%", "number", "did you mean 'share'?"),
    "format_first": ("gpt2:exact:total", "number", "write a format last: total:exact"),
    "unit_alone": ("gpt2:weights:GB", "number", "did you mean 'weights:bf16:GB'?"),
    "no_blanks": ("bloom-560m/gpt2", "model", "did you mean 'bloom-560m / gpt2'?"),
    "dot": ("gpt2.hidden_dim", "model", "did you mean 'gpt2:hidden_dim'?"),
    "angles": ("124M <gpt2>", "model", "did you mean 'gpt2'?"),
    "commas": ("gpt2?n_layer=4, n_embd=64", "number", "write & between several keys"),
}
BODIES = {
    "symbol": (f"D: 64{HERE}", "key", "did you mean 'hidden_dim'?"),
    "grouped": (f"hidden_dim: 4,096{HERE}", "value", "write 4096"),
    "list": (f"- hidden_dim: 64{HERE}\n- num_layers: 2", "syntax", "without hyphens"),
    "json": (f'{{"num_layers": 2\n "num_heads": 4}}{HERE}', "syntax", "put a comma"),
    "deeper": (f"num_layers: 2\n  num_heads: 4{HERE}", "syntax", "in the same column"),
    "option": (f"show: table{HERE}", "option", "write ':show: table' right below"),
    "late_option": (f"num_layers: 2\n:show: table{HERE}", "option", "right below the first line"),
}
OPTIONS = {
    "of_compare": ("sort: total", "it is an option of llm-compare"),
    "missing_file": ("config: confg.yaml", "a path is relative to the page"),
    "digits": ("context: 4k", "in digits, such as 4096"),
}
COMPARED = {
    "several": ("gpt2 vs bloom-560m", "model", "with commas: gpt2, bloom-560m"),
    "option": ("columns: total", "option", "write ':columns: total' right below"),
    "open_brace": ("GPT-4: {total: 5", "syntax", "close the brace"),
    "no_brace": ("GPT-4: undisclosed", "syntax", "GPT-4: {total: undisclosed}"),
    "special": ("GPT-4: {total: *}", "syntax", '{total: "*"}'),
    "word": ("GPT-4: {Parameters: 5}", "number", "did you mean 'total'?"),
}
TEMPLATES = {
    "filter": ("{{ 768*768 | exact }}", "a filter takes only the value before it"),
    "left": ("{{ 768 | exact * 768 }}", "write (…) | exact"),
    "bare_name": ("{{ llama-7b.total }}", 'write model("llama-7b")'),
    "bare_word": ("{{ gpt2.total }}", 'write model("gpt2")'),
    "bare_number": ("{{ total }}", 'model("llama-7b").total'),
    "quote": ("{{ model('gpt2).total }}", "a quote is not closed"),
    "brace": ("{{ 1 }", "close the expression with }}"),
}
MARKUP = {
    # reStructuredText, Markdown
    "role_without_quotes": ("It has :llm-size:gpt2.", "It has {llm-size}gpt2."),
    "role_with_blank": ("It has :llm-size: `gpt2`.", "It has {llm-size} `gpt2`."),
    "other_role": ("It has {llm-size}`gpt2`.", "It has :llm-size:`gpt2`."),
    "no_directive": ("..llm-size:: gpt2", "```llm-size gpt2\n```"),
    "half_directive": (".. llm-compare: gpt2", "```{llm-compare gpt2}\n```"),
    "other_directive": ("```{llm-size} gpt2\n```", ".. llm-size:: gpt2"),
}


def unread(name: str, rst: str, markdown: str) -> Case:
    """A page with markup that the parser takes for something else."""
    pages = {}
    for suffix, title, text in (("rst", "Title\n=====", rst), ("md", "# Title", markdown)):
        first, *others = text.split("\n")
        pages[suffix] = "\n".join((f"{title}\n\ntext\n", f"{first}{HERE}", *others, ""))
    return Case(f"markup_{name}", pages, "syntax", "is not read as markup here")


def named_in_body(name: str, options: str, text: str) -> Case:
    """A page with a directive whose body has the name of a model."""
    return directive(name, "", options, text, "syntax", message="write it after the directive: ")


CASES = (
    *(sentence(f"first_role_{name}", *case) for name, case in ROLES.items()),
    *(body(f"first_body_{name}", *case) for name, case in BODIES.items()),
    *(
        directive(f"first_option_{name}", "gpt2", f":{text}{HERE}", "", problem, message=message)
        for name, (text, message) in OPTIONS.items()
        for problem in ["file" if name == "missing_file" else "option"]
    ),
    *(
        with_directive(f"first_compare_{name}", "llm-compare", f"gpt2\n{text}", problem, message)
        for name, (text, problem, message) in COMPARED.items()
    ),
    *(
        with_directive(f"first_template_{name}", "llm-template", text, "expression", message)
        for name, (text, message) in TEMPLATES.items()
    ),
    *(unread(name, *texts) for name, texts in MARKUP.items()),
    named_in_body("name_in_body", "", f"gpt2{HERE}"),
    named_in_body("name_below_options", ":show: table", f"gpt2{HERE}"),
    named_in_body("name_above_options", "", f"gpt2{HERE}\n:show: table"),
    directive(
        "name_and_option",
        f"gpt2 show=table{HERE}",
        "",
        "",
        "option",
        message="write ':show: table' right below the first line of the directive",
    ),
    directive(
        "name_and_options_of_own",
        f'Mine show="table, rule" detail=full{HERE}',
        "",
        SIZES,
        "option",
        message="write ':show: table, rule' right below",
    ),
    with_directive(
        "name_and_option_of_compare",
        "llm-compare",
        f"gpt2\ngpt2-xl sort=total{HERE}",
        "option",
        "write ':sort: total' right below",
    ),
    with_directive("dashes", "llm-compare", "gpt2\n- bloom-560m\n* gtp2", "model", "'gpt2'"),
)
