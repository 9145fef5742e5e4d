"""Names of models that look like markup, script or commands."""

from __future__ import annotations

from dataclasses import replace

from mistakes.case import HERE, SIZES, Case, directive

NAMES = (
    "{{ 7 * 7 }}", "{% raw %}", "<!-- x", "]]>", "&lt;b&gt;", "&#60;script&#62;",
    "javascript:alert(1)", "<svg/onload=alert(1)>", "<a href='//x.example'>", "</script><b>x",
    "end", "subgraph x", "class A dep", 'click A href "x"', '"]:::x', "A --> B", "%% x", "#35;",
    r"\input{x}", "^^5cwrite18{x}", r"\end{document}", r"$\href{x}{y}$", "~^_&%$#", r"\\", "--- x",
    "|x|_", "*x* **y** ``z``", ":ref:`x`", "`x <https://x.example>`_", "[x](https://x.example)",
    "![x](y.png)", "{term}`x`", "<https://x.example>", "x@example.org", "[^1]", "[1]_", "@x", "'x'",
    "\u540d\u524d \U0001f9e0", "a\u0301", "__init__", "%s %(x)d {0}", "None", "constructor", "0",
)  # fmt: skip
INVISIBLE = {
    "\u202eModel": "Model", "a\u2066b\u2069 \u061cc": "ab c", "x\u200f-\u200e1": "x-1",
    "e\x1b[31mf": "e[31mf", "b\x07\x08": "b", "c\x9bd": "cd",
}  # fmt: skip
"""Names with direction overrides and control characters, and how they are shown."""


def named(number: int, name: str, shown: str) -> Case:
    """A page with a model of that name, in the views that show the name."""
    case = directive(f"name_{number}", name, ":show: table, diagram, composition", SIZES)
    return replace(case, shown=shown)


def referred(name: str, sign: str) -> Case:
    """A page with a model of that name, and a reference to it that ends at a sign in the name."""
    roles = f"It has :llm-size:`{name}`.{HERE}", f"It has {{llm-size}}`{name}`.{HERE}"
    lists = f".. llm-compare:: {name}{HERE}", f"```{{llm-compare}} {name}{HERE}\n```"
    rst, markdown = lists if sign == "," else roles
    message = f"'{name}' can't be referred to: give it a name without '{sign}'"
    case = directive("referred", name, ":show: rule", SIZES)
    pages = {
        "rst": f"{case.pages['rst']}\n{rst}\n",
        "md": f"{case.pages['md']}\n{markdown}\n",
    }
    return Case(f"name_referred_{ord(sign)}", pages, "model", message)


SHOWN = {**dict(zip(NAMES, NAMES, strict=True)), **INVISIBLE}
CASES = (
    *(named(number, *names) for number, names in enumerate(SHOWN.items())),
    *(referred(f"ours{sign} gpt2", sign.strip()) for sign in (":", " /", ",")),
)
PLAIN = named(999, "plain", "plain")
"""Page whose elements all other pages must have."""
