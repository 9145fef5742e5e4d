"""Reference tables generated from the code that they document."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import WRAPPED, WRAPPERS, all_families, all_keys
from sphinx_llmsize.architecture.family import COMMON_KEYS, Family
from sphinx_llmsize.blocks import Cell as Lines
from sphinx_llmsize.blocks import Table
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import MODEL_TYPE
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import described
from sphinx_llmsize.sandbox import limits
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

Cell = list[nodes.Node]
ANY_COUNT = 8
"""A value for keys without a default, where only the other keys matter."""


class ReferenceTable(SphinxDirective):
    """A table whose rows come from the code."""

    header: tuple[str, ...]

    def run(self) -> list[nodes.Node]:
        """The table."""
        group = nodes.tgroup(cols=len(self.header))
        group += [nodes.colspec(colwidth=1, stub=int(i == 0)) for i in range(len(self.header))]
        head = _row([nodes.Text(label)] for label in self.header)
        group += nodes.thead("", head)
        group += nodes.tbody("", *map(_row, self.rows()))
        return [nodes.table("", group, classes=["colwidths-auto", "reference-table"])]

    def rows(self) -> Iterable[Sequence[Cell]]:
        """Each row's cells."""
        raise NotImplementedError

    def marked_up(self, text: str) -> Cell:
        """The inline markup of a docstring."""
        parsed, messages = self.parse_inline(text)
        return [*parsed, *messages]


class Keys(ReferenceTable):
    """Every key: its names, what it takes, what it means and its symbol."""

    header = ("Key", "Other names", "Value", "Meaning")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each key of the vocabulary."""
        for key in all_keys():
            value = f"{key.kind.label}, or null" if key.optional else key.kind.label
            value = re.sub("([≥>]) ", "\\1\N{NO-BREAK SPACE}", value)
            meaning = _text(key.meaning)
            if key.symbol:
                meaning += [nodes.Text(", "), nodes.math(key.symbol.tex, key.symbol.tex)]
            yield _names(key.name), _names(*key.aliases), _text(value), meaning


class Defaults(ReferenceTable):
    """Defaults of each family's keys."""

    header = ("Family", "Keys, with what they are when absent")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each family."""
        for family in all_families():
            cell: list[nodes.Node] = []
            for key in family.keys:
                if key not in COMMON_KEYS:
                    separator = [nodes.Text(", ")] if cell else []
                    cell += [*separator, *_names(key.name), nodes.Text(f" {_default(family, key)}")]
            yield _text(family.title), cell


class Families(ReferenceTable):
    """The families, and what chooses each of them."""

    header = ("Family", "model_type", "architectures", "Source")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each family."""
        for family in all_families():
            chosen_by = _names(family.model_type) if family.model_type else _text("absent")
            classes = _names(*family.architectures)
            yield _text(family.title), chosen_by, classes, [_link("definition", family.source)]


class Wrapped(ReferenceTable):
    """Models of more than text, with the family of their text decoder."""

    header = ("model_type", "of its text decoder", "Others")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each."""
        for outer, inner in sorted(WRAPPERS.items()):
            yield _names(outer), _names(inner), _text("" if outer in WRAPPED else "any decoder")


class Problems(ReferenceTable):
    """The kinds of warning, each described by its member's docstring."""

    header = ("Warning", "Meaning")

    def rows(self) -> Iterable[Sequence[Cell]]:
        """A row for each kind of problem."""
        docstrings = _member_docstrings(Problem)
        for problem in Problem:
            described_as = self.marked_up(docstrings[problem.name])
            yield _names(f"llmsize.{problem.value}"), described_as


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


def _default(family: Family, key: Key) -> str:
    """Effect of an absent key in a family: a word or a value."""
    if key in family.required:
        return "required"
    value = family.defaults[key]
    if value is None:
        return "derived" if _derives(family, key) else "none"
    if isinstance(value, bool):
        return str(value).lower()
    return thousands(value) if isinstance(value, int) else str(value)


def _derives(family: Family, key: Key) -> bool:
    """True if a model with no optional key still has a value for this key."""
    keys: dict[str, object] = {required.name: ANY_COUNT for required in family.required}
    if family.model_type:
        keys[MODEL_TYPE.name] = family.model_type
    try:
        return described(family.title, section_of(keys)).config[key] is not None
    except ConfigError:
        return False  # it is no model without more keys


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


def _row(cells: Iterable[Cell]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def _text(text: str) -> Cell:
    return [nodes.Text(text)]


def _names(*names: str) -> Cell:
    """Names as literals, separated by commas."""
    cell: Cell = []
    for name in names:
        cell += [nodes.Text(", ")] if cell else []
        cell.append(nodes.literal(name, name))
    return cell


def _link(text: str, address: str) -> nodes.reference:
    return nodes.reference("", text, refuri=address, internal=False)


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
        "llmsize-keys": Keys,
        "llmsize-defaults": Defaults,
        "llmsize-families": Families,
        "llmsize-wrapped": Wrapped,
        "llmsize-problems": Problems,
        "llmsize-bounds": Bounds,
        "llmsize-names": Names,
    }
    for name, directive in directives.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
