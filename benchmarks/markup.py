"""Syntax of the two markup languages for the parts of a page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from textwrap import indent

Cell = Sequence[str]
"""The paragraphs of a cell."""


class Markup(ABC):
    """Syntax of a markup language; the first row of a table is its header."""

    name: str
    suffix: str
    extensions: tuple[str, ...] = ()
    settings: str = ""
    separator: str = ""

    @abstractmethod
    def heading(self, text: str) -> list[str]:
        """A page's title."""

    @abstractmethod
    def symbol(self, base: str, subscript: str) -> str:
        """An italic letter with its subscript; an empty subscript is left out."""

    @abstractmethod
    def role(self, name: str, text: str) -> str:
        """A role with its text."""

    @abstractmethod
    def directive(
        self, name: str, argument: str, options: dict[str, str], body: Sequence[str]
    ) -> list[str]:
        """A directive with argument, options and body."""

    @abstractmethod
    def formula(self, tex: Sequence[str]) -> list[str]:
        """Displayed TeX."""

    @abstractmethod
    def diagram(self, caption: str, source: Sequence[str]) -> list[str]:
        """A Mermaid diagram in a figure."""

    def table(self, caption: str, rows: Sequence[Sequence[Cell]]) -> list[str]:
        """A table with a header row and row headers; cells may have several paragraphs."""
        options = {"header-rows": "1", "stub-columns": "1", "widths": "auto"}
        body = [line for row in rows for line in _list_table_row(row)]
        return self.directive("list-table", caption, options, body)


def _option_lines(options: dict[str, str]) -> list[str]:
    return [f":{option}: {value}" for option, value in options.items()]


class Rst(Markup):
    """reStructuredText."""

    name = "rst"
    suffix = ".rst"
    separator = r"\ "

    def heading(self, text: str) -> list[str]:
        return [text, "=" * len(text), ""]

    def symbol(self, base: str, subscript: str) -> str:
        return rf"*{base}*\ {self.role('sub', subscript)}" if subscript else f"*{base}*"

    def role(self, name: str, text: str) -> str:
        return f":{name}:`{text}`"

    def directive(
        self, name: str, argument: str, options: dict[str, str], body: Sequence[str]
    ) -> list[str]:
        head = _option_lines(options)
        return [f".. {name}:: {argument}".rstrip(), *_indent_lines([*head, "", *body], 3)]

    def formula(self, tex: Sequence[str]) -> list[str]:
        return self.directive("math", "", {}, tex)

    def diagram(self, caption: str, source: Sequence[str]) -> list[str]:
        return self.directive("mermaid", "", {"caption": caption}, source)


class Myst(Markup):
    """MyST Markdown with tables as ``list-table``."""

    name = "md"
    suffix = ".md"
    extensions = ("myst_parser",)
    settings = 'myst_enable_extensions = ["dollarmath"]'

    def heading(self, text: str) -> list[str]:
        return [f"# {text}", ""]

    def symbol(self, base: str, subscript: str) -> str:
        return f"*{base}*{self.role('sub', subscript)}" if subscript else f"*{base}*"

    def role(self, name: str, text: str) -> str:
        return f"{{{name}}}`{text}`"

    def directive(
        self, name: str, argument: str, options: dict[str, str], body: Sequence[str]
    ) -> list[str]:
        head = _option_lines(options)
        gap = [""] if options else []
        return [f"```{{{name}}} {argument}".rstrip(), *head, *gap, *body, "```"]

    def formula(self, tex: Sequence[str]) -> list[str]:
        return ["$$", *tex, "$$"]

    def diagram(self, caption: str, source: Sequence[str]) -> list[str]:
        # an option's value is YAML, and the caption has a colon
        return self.directive("mermaid", "", {"caption": f'"{caption}"'}, source)


class MystPipes(Myst):
    """MyST Markdown with tables of pipes: no row headers; ``<br>`` between paragraphs."""

    name = "md-pipes"

    def table(self, caption: str, rows: Sequence[Sequence[Cell]]) -> list[str]:
        header, *body = (f"| {' | '.join('<br>'.join(cell) for cell in row)} |" for row in rows)
        rule = "|" + " --- |" * len(rows[0])
        return self.directive("table", caption, {}, [header, rule, *body])


MARKUPS: dict[str, Markup] = {markup.name: markup for markup in (Rst(), Myst(), MystPipes())}


def _list_table_row(row: Sequence[Cell]) -> list[str]:
    lines = []
    for position, cell in enumerate(row):
        first, *others = cell or ("",)
        lines.append(f"{'  ' if position else '* '}- {first}".rstrip())
        for paragraph in others:
            lines += ["", f"    {paragraph}"]
        if others:
            lines.append("")
    return lines


def _indent_lines(lines: Sequence[str], width: int) -> list[str]:
    return indent("\n".join(lines), " " * width).split("\n")
