"""Reference tables generated from the code that they document."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from docutils import nodes
from folded import fold
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import FIXED_TEXT_TYPE, TEXT_TYPE_OF
from sphinx_llmsize.blocks import Cell as Lines
from sphinx_llmsize.blocks import Table
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.sandbox import limits
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

Cell = list[nodes.Node]


class ReferenceTable(SphinxDirective):
    """A table whose rows come from the code."""

    header: tuple[str, ...]

    def run(self) -> list[nodes.Node]:
        """The table."""
        return [table_of(self.header, self.rows())]

    def rows(self) -> Iterable[Sequence[Cell]]:
        """Each row's cells."""
        raise NotImplementedError

    def marked_up(self, text: str) -> Cell:
        """The inline markup of a docstring."""
        parsed, messages = self.parse_inline(text)
        return [*parsed, *messages]


class Wrapped(ReferenceTable):
    """Models of more than text, with the family of their text decoder, folded."""

    header = ("model_type", "of its text decoder", "Others")

    def run(self) -> list[nodes.Node]:
        """The table in a part that readers unfold."""
        return [fold("Supported types", str(len(TEXT_TYPE_OF)), *super().run())]

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each."""
        for outer, inner in sorted(TEXT_TYPE_OF.items()):
            others = "" if outer in FIXED_TEXT_TYPE else "any decoder"
            yield names(outer), names(inner), _text(others)


class Problems(ReferenceTable):
    """The kinds of warning, each described by its member's docstring."""

    header = ("Warning", "Meaning")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each kind of problem."""
        docstrings = _member_docstrings(Problem)
        for problem in Problem:
            described_as = self.marked_up(docstrings[problem.name])
            yield names(f"llmsize.{problem.value}"), described_as


class Bounds(ReferenceTable):
    """Limits of the directive ``llm-template``."""

    header = ("At most", "Of")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each limit."""
        for limit, of in (
            (limits.MAX_SOURCE, "characters in the directive's body"),
            (limits.MAX_CHARACTERS, "characters made from it"),
            (limits.MAX_STEPS, "steps: every part of an expression, in every turn of a loop"),
            (limits.MODEL_STEPS, "of these steps for the first use of a model"),
            (limits.CALL_STEPS, "of these steps for a call, or for a number of a model"),
            (limits.MAX_BITS, "bits in a number"),
            (limits.MAX_DEPTH, "brackets, loops and branches inside each other"),
        ):
            yield _text(thousands(limit)), _text(of)


def _member_docstrings(enum: type) -> dict[str, str]:
    """The string that follows each member in the source of an Enum."""
    (definition,) = ast.parse(inspect.getsource(enum)).body
    assert isinstance(definition, ast.ClassDef)
    return {
        assignment.targets[0].id: inspect.cleandoc(text.value.value)
        for assignment, text in zip(definition.body, definition.body[1:], strict=False)
        if isinstance(assignment, ast.Assign)
        and isinstance(assignment.targets[0], ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def table_of(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> nodes.table:
    """A table whose first column has row headings."""
    group = nodes.tgroup(cols=len(header))
    group += [nodes.colspec(colwidth=1, stub=int(i == 0)) for i in range(len(header))]
    group += nodes.thead("", _row([nodes.Text(label)] for label in header))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["colwidths-auto", "reference-table"])


def _row(cells: Iterable[Cell]) -> nodes.row:
    return nodes.row("", *map(_entry, cells))


def _entry(cell: Cell) -> nodes.entry:
    """A cell of inline nodes, or of blocks such as paragraphs."""
    is_block = not all(isinstance(node, (nodes.Text, nodes.Inline)) for node in cell)
    return nodes.entry("", *(cell if is_block else [nodes.paragraph("", "", *cell)]))


def _text(text: str) -> Cell:
    return [nodes.Text(text)]


def names(*names: str) -> Cell:
    """Names as literals, separated by commas."""
    cell: Cell = []
    for name in names:
        cell += [nodes.Text(", ")] if cell else []
        cell.append(nodes.literal(name, name))
    return cell


class Names(ReferenceTable):
    """The name of every number that the views of a model show, and the number."""

    header = ("Name", "Number", "View")
    required_arguments = 1

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each name, in the order of the views."""
        shown: set[str] = set()
        model = load(self.arguments[0])
        for view in VIEWS:
            for block in document(model, (view,), ViewOptions()):
                rows = block.rows if isinstance(block, Table) else ()
                named = (pair for row in rows for cell in row.named_cells for pair in _named(cell))
                for name, text in named:
                    # a name of a changed model begins with the change
                    if name not in shown and not name.startswith("?"):
                        shown.add(name)
                        yield [nodes.literal("", name)], [nodes.Text(text)], [nodes.Text(view)]


def _named(cell: tuple[Lines, Sequence[str]]) -> Iterable[tuple[str, str]]:
    """Each name in a cell with its number."""
    lines, names = cell
    return zip(names, ("".join(map(str, line)) for line in lines), strict=False)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives."""
    directives = {
        "llmsize-wrapped": Wrapped,
        "llmsize-problems": Problems,
        "llmsize-bounds": Bounds,
        "llmsize-names": Names,
    }
    for name, directive in directives.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
