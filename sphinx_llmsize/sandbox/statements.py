"""A text with expressions as the text that they make, each line with where it came from."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass

from jinja2 import nodes

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sandbox.bounds import Budget, beyond, wrong
from sphinx_llmsize.sandbox.expressions import Expressions
from sphinx_llmsize.sandbox.functions import FindModel, functions
from sphinx_llmsize.sandbox.grammar import parse
from sphinx_llmsize.sandbox.values import Loop, Value, list_of, plain
from sphinx_llmsize.translation import _

Names = MutableMapping[str, Value]


@dataclass(frozen=True)
class Rendered:
    """What a text became.

    Attributes:
        lines: its lines.
        origins: for each of them the 0-based line of the text that it was written in.
    """

    lines: tuple[str, ...]
    origins: tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """Text from one place: as it was written there, or made by an expression."""

    text: str
    line: int
    written: bool


def render(source: str, named: FindModel) -> Rendered:
    """The text, its expressions evaluated.

    Args:
        source: text with ``{{ … }}``, ``{% … %}`` and ``{# … #}``.
        named: finds the models that it names.

    Raises:
        ConfigError: something in it means nothing, or is beyond the bounds; at its line.
    """
    budget = Budget()
    names = ChainMap[str, Value]({}, functions(named, budget))
    try:
        return _lines(_Statements(budget).run(parse(source).body, names))
    except RecursionError:
        raise beyond(_("this nests too deep")) from None


class _Statements:
    """Runs statements, and yields what they put into the page."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.expressions = Expressions(budget)

    def run(self, body: Iterable[nodes.Node], names: ChainMap[str, Value]) -> Iterator[Piece]:
        """What each statement of a body makes."""
        for node in body:
            try:
                self.budget.step()
                yield from self._one(node, names)
            except ConfigError as error:
                raise error.at(line=node.lineno - 1) from None

    def _one(self, node: nodes.Node, names: ChainMap[str, Value]) -> Iterator[Piece]:
        if isinstance(node, nodes.Output):
            yield from (self._piece(part, names) for part in node.nodes)
        elif isinstance(node, nodes.Assign):
            _assign(node.target, self.expressions.value(node.node, names), names)
        elif isinstance(node, nodes.If):
            yield from self._if(node, names)
        elif isinstance(node, nodes.For):
            yield from self._for(node, names)

    def _piece(self, node: nodes.Node, names: ChainMap[str, Value]) -> Piece:
        line = node.lineno - 1
        try:
            if isinstance(node, nodes.TemplateData):
                piece = Piece(node.data, line, written=True)
            else:
                piece = Piece(plain(self.expressions.value(node, names)), line, written=False)
            self.budget.made(len(piece.text))
        except ConfigError as error:
            raise error.at(line=line) from None
        return piece

    def _if(self, node: nodes.If, names: ChainMap[str, Value]) -> Iterator[Piece]:
        for branch in (node, *node.elif_):
            if self.expressions.holds(branch.test, names):
                return self.run(branch.body, names)
        return self.run(node.else_, names)

    def _for(self, node: nodes.For, names: ChainMap[str, Value]) -> Iterator[Piece]:
        items = list_of(self.expressions.value(node.iter, names))
        wanted = [item for item in items if self._is_wanted(node, item, names)]
        for index, item in enumerate(wanted, start=1):
            inner = names.new_child({"loop": Loop(index, len(wanted))})
            _assign(node.target, item, inner)
            yield from self.run(node.body, inner)
        if not wanted:
            yield from self.run(node.else_, names)

    def _is_wanted(self, node: nodes.For, item: Value, names: ChainMap[str, Value]) -> bool:
        self.budget.step()
        if node.test is None:
            return True
        inner = names.new_child()
        _assign(node.target, item, inner)
        return self.expressions.holds(node.test, inner)


def _assign(target: nodes.Node, value: Value, names: Names) -> None:
    """Give a value its name, or the items of a list theirs."""
    if isinstance(target, nodes.Name):
        names[target.name] = value
        return
    assert isinstance(target, nodes.Tuple)
    items = list_of(value)
    if len(items) != len(target.items):
        raise wrong(
            _("{items} names for {other} values", items=len(target.items), other=len(items))
        )
    for part, item in zip(target.items, items, strict=True):
        _assign(part, item, names)


def _lines(pieces: Iterable[Piece]) -> Rendered:
    """The pieces put together; a line is from where its first piece is."""
    texts, origins = [""], [0]
    fresh = True
    for piece in pieces:
        texts.append(piece.text)
        if fresh and piece.text:
            origins[-1], fresh = piece.line, False
        for below, text in enumerate(piece.text.split("\n")[1:], start=1):
            origins.append(piece.line + below * piece.written)
            fresh = not text
    return Rendered(tuple("".join(texts).split("\n")), tuple(origins))
