"""One error in many places: the warning has its line at any depth of nesting."""

from __future__ import annotations

from textwrap import indent

from mistakes.case import HERE, Case

RST = f".. llm-size:: m\n   :show: table\n\n   num_layers: 2\n   hiden_dim: 64{HERE}\n"
MD = f"```{{llm-size}} m\n:show: table\n\nnum_layers: 2\nhiden_dim: 64{HERE}\n```\n"
DEEP = "    "


def quoted(text: str) -> str:
    """The text as a block quote of Markdown."""
    return indent(text, "> ", lambda line: True)


IN_RST = {
    "numbered": f"1. a\n2. b\n\n{indent(RST, '   ')}",
    "definition_of_two": f"term\n   {indent(RST, '   ').lstrip()}\nother\n   words\n",
    "footnote": f"text [#]_\n\n.. [#] words\n\n{indent(RST, '   ')}",
    "sidebar": f".. sidebar:: words\n\n{indent(RST, '   ')}",
    "only_html": f".. only:: html\n\n{indent(RST, '   ')}",
    "container_of_container": f".. container:: a\n\n   .. container:: b\n\n{indent(RST, '      ')}",
    "table_in_a_list": f"* .. list-table::\n\n     * - a\n       - b\n\n{indent(RST, ' ' * 9)}",
    "section": f"words\n\nUnder\n-----\n\n{RST}",
    "after_literals": f"::\n\n   literal\n   lines\n\n{RST}",
    "after_substitution": f".. |a| replace:: b\n\n|a| |a|\n\n{RST}",
    "quote_in_quote": f"text\n\n   quote\n\n{indent(RST, '      ')}",
    "figure_legend": f".. figure:: x.png\n\n   caption\n\n{indent(RST, '   ')}",
}
IN_MD = {
    "numbered": f"1. a\n2. b\n\n{indent(MD, '   ')}",
    "list_in_list": f"- a\n  - b\n\n{indent(MD, DEEP)}",
    "quote_in_list": f"- a\n\n{indent(quoted(MD), '  ')}",
    "quote_in_quote": quoted(quoted(f"text\n\n{MD}")),
    "admonition": f"````{{admonition}} Words\n:class: tip\n\ntext\n\n{MD}````\n",
    "only_html": f"````{{only}} html\n{MD}````\n",
    "note_in_note": f"`````{{note}}\n````{{tip}}\n{MD}````\n`````\n",
    "rst_in_a_note": f"`````{{note}}\nwords\n\n````{{eval-rst}}\nwords\n\n{RST}````\n`````\n",
    "after_rst": f"````{{eval-rst}}\nwords\n\nmore\n````\n\n{MD}",
    "after_html": f"<details>\n\n{MD}\n</details>\n",
    "table": f"````{{list-table}}\n* - a\n  - b\n* - c\n  - d\n\n{indent(MD, DEEP)}````\n",
    "after_a_comment": f"% comment\n\n+++ block\n\n{MD}",
    "section": f"words\n\n## Under\n\n{MD}",
}
CASES = (
    *(
        Case(f"in_{name}", {"rst": f"Title\n=====\n\n{text}"}, "key", "did you mean 'hidden_dim'")
        for name, text in IN_RST.items()
    ),
    *(
        Case(f"in_{name}_md", {"md": f"# Title\n\n{text}"}, "key", "did you mean 'hidden_dim'")
        for name, text in IN_MD.items()
    ),
)
