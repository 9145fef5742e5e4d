"""Pages with every view, every directive and the role, at top level and nested."""

from __future__ import annotations

from textwrap import indent

from sphinx_llmsize.views import VIEWS

SETTINGS = {
    "project": "Project",
    "author": "Me",
    "version": "1",
    "copyright": "Me",
    "numfig": True,
    "mermaid_cmd": "there-is-no-mmdc",
    "llmsize_models": {"house": {"model_type": "llama", "num_hidden_layers": 2}},
}
NUMBERS = (
    *("gpt2", "gpt2:total:exact", "gpt2:total:words", "mixtral-8x7b:active", "gpt2:mlp:share"),
    *("gpt2:hidden_dim", "gpt2:weights:bf16", "gpt2:weights:4.5:GiB", "gpt2:kv_cache:1024:GiB"),
    *("deepseek-v3:kv_cache:bytes", "gpt2:flops:5", "gpt2:flops_per_token:1024", "house"),
    *("gpt2-xl / gpt2", "gpt2?hidden_dim=1536 / gpt2"),
)
"""Texts of the role."""
ALL = ", ".join(VIEWS)
NESTED = "table, formula, diagram, composition"
"""A view of each kind; :func:`in_cell` nests all of them."""
TEMPLATE = """\
{% set m = model("gpt2") %}
{% for name in ["gpt2", "gpt2-xl"] %}
- {{ model(name).name }}: {{ model(name).total | short }}
{% endfor %}

A layer is {{ m.number("mlp:share") }} MLP."""


def rst(directive: str, argument: str = "", body: str = "", **options: str) -> str:
    """A directive in reStructuredText."""
    lines = [f".. {directive}:: {argument}".rstrip()]
    lines += [f"   :{name}: {value}" for name, value in options.items()]
    return "\n".join([*lines, "", indent(body, "   "), ""])


def myst(directive: str, argument: str = "", body: str = "", **options: str) -> str:
    """A directive in MyST Markdown, its fence longer than those in it."""
    fence = "```" + "`" * (3 * body.count("\n```") + 3 * body.startswith("```"))
    lines = [f"{fence}{{{directive}}} {argument}".rstrip()]
    lines += [f":{name}: {value}" for name, value in options.items()]
    return "\n".join([*lines, "", body, fence, ""])


def pages() -> dict[str, str]:
    """A project's pages."""
    in_rst = [f"Rst\n===\n\n{'  '.join(f':llm-size:`{text}`' for text in NUMBERS)}\n"]
    in_md = [f"# Markdown\n\n{'  '.join(f'{{llm-size}}`{text}`' for text in NUMBERS)}\n"]
    for parts, make in ((in_rst, rst), (in_md, myst)):
        name = make.__name__
        parts += [make("llm-size", "gpt2", show=view, name=f"{name}-{view}") for view in VIEWS]
        parts += [
            make("llm-size", "deepseek-v3", show="table, diagram", detail="tensor", caption="Mine"),
            make("llm-size", "gpt2", show="diagram", direction="LR", links="qkv: index"),
            make("llm-size", "t5-base", show="diagram, shapes", align="right"),
            make("llm-compare", "", "gpt2\nhouse\nGPT-4: {total: undisclosed}"),
            make("llm-compare", "gpt2, gpt2-xl", show="table, composition", scale="percent"),
            make("llm-diff", "gpt2, deepseek-v3", caption="Mine"),
            make("llm-template", "", TEMPLATE),
            make("llm-catalogue", "gpt2, house, t5-v1.1-*"),
            make("llm-catalogue", "t5-*", show="lineage"),
            make("llm-catalogue", "gpt2, deepseek-v3", show="pipelines"),
            make("note", "", make("llm-size", "gpt2", show=NESTED)),
            make("admonition", "Title", make("tip", "", make("llm-compare", "gpt2, house"))),
            "- item\n\n" + indent(make("llm-size", "gpt2", show=NESTED), "  "),
        ]
    in_rst.append("See :ref:`rst-table`, :numref:`myst-diagram`, :numref:`rst-composition`.\n")
    in_md.append("| a | b |\n|---|---|\n| {llm-size}`gpt2` | {llm-size}`gpt2:mlp:share` |\n")
    toctree = "Title\n=====\n\n.. toctree::\n\n   of_rst\n   of_md\n"
    return {"index.rst": toctree, "of_rst.rst": "\n".join(in_rst), "of_md.md": "\n".join(in_md)}


def in_cell(page: str = "index.rst") -> dict[str, str]:
    """A project with every view in a cell of a table."""
    shown = rst("llm-size", "gpt2", show=ALL, name="sizes") + rst("llm-compare", "gpt2, house")
    cells = "* - one\n  -\n" + indent(shown, "    ")
    return {page: "Title\n=====\n\n" + rst("list-table", "", cells) + "See :ref:`sizes`.\n"}
