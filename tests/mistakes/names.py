"""Names of models that would be markup, script or commands, were they not text."""

from __future__ import annotations

from dataclasses import replace

from mistakes.case import SIZES, Case, directive

NAMES = (
    "{{ 7 * 7 }}", "{% raw %}", "<!-- x", "]]>", "&lt;b&gt;", "&#60;script&#62;",
    "javascript:alert(1)", "<svg/onload=alert(1)>", "<a href='//x.example'>", "</script><b>x",
    "end", "subgraph x", "class A dep", 'click A href "x"', '"]:::x', "A --> B", "%% x", "#35;",
    r"\input{x}", "^^5cwrite18{x}", r"\end{document}", r"$\href{x}{y}$", "~^_&%$#", r"\\", "--- x",
    "|x|_", "*x* **y** ``z``", ":ref:`x`", "`x <https://x.example>`_", "[x](https://x.example)",
    "![x](y.png)", "{term}`x`", "<https://x.example>", "x@example.org", "[^1]", "[1]_", "@x", "'x'",
    "\u540d\u524d \U0001f9e0", "a\u0301", "__init__", "%s %(x)d {0}", "None", "constructor", "0",
)  # fmt: skip


def named(number: int, name: str) -> Case:
    """A page with a model of that name, shown in every way that has it."""
    case = directive(f"name_{number}", name, ":show: table, diagram, composition", SIZES)
    return replace(case, shown=name)


CASES = tuple(named(number, name) for number, name in enumerate(NAMES))
PLAIN = named(999, "plain")
"""What differs from it in more than its text was not text."""
