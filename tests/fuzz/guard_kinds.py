"""Kinds of guards in Python code: how to find, remove and observe them.

By general rules, so that a new guard is found without being listed:

- a ``raise``;
- each part of a condition under which something is raised that can decide alone: ``a`` and ``b``
  of ``if a or b: raise``, both ends of ``if not 0 <= a <= b: raise``;
- a comparison with a limit, ``MAX_DIGITS``, under any ``if``, and where a ``-> bool`` function
  returns it with something else; there a type that is asked for, too;
- each type of exception that is caught;
- a statement that calls a check, charges a budget, or warns;
- a call that returns its argument or raises (``text_of``), escapes it, or replaces in it;
- a cut, ``[:60]``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fuzz.guard_watch import WATCH

NOT_GUARDS = ("SkipNode", "NotImplementedError")
CHECKS = ("check", "refuse", "step", "made", "warn")
"""Prefixes of functions whose call, as a statement of its own, is a guard."""
ESCAPES = ("escape", "quote")
SHORTEST_CUT = 20


@dataclass(frozen=True)
class Guard:
    """A node, what replaces it so that it no longer guards, and so that it is watched."""

    node: ast.AST
    kind: str
    without: Callable[[ast.AST], ast.AST]
    watched: Callable[[int, ast.AST], ast.AST | list[ast.AST]]

    @property
    def line(self) -> int:
        return int(getattr(self.node, "lineno", 0))


def parsed(text: str) -> ast.Module:
    """A module's tree, ``a <= b <= c`` in it as two comparisons."""
    return ast.fix_missing_locations(_Unchained().visit(ast.parse(text)))


def guards(tree: ast.Module, passing: frozenset[str]) -> list[Guard]:
    """Every guard of a module; ``passing`` are the names of what returns its argument."""
    finder = _Finder(passing)
    finder.visit(tree)
    return finder.found


def passing_functions(tree: ast.Module) -> Iterator[str]:
    """The functions of a module that return their first argument, or raise."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.args.args:
            inner = list(ast.walk(node))
            returned = {
                ast.unparse(n.value) for n in inner if isinstance(n, ast.Return) and n.value
            }
            if node.args.args[0].arg in returned and any(isinstance(n, ast.Raise) for n in inner):
                yield node.name


def replaced(tree: ast.Module, replacements: dict[ast.AST, Callable[[ast.AST], object]]) -> ast.AST:
    """The tree with some of its nodes replaced, inner ones first."""
    return ast.fix_missing_locations(_Replacer(replacements).visit(tree))


class _Unchained(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if len(node.ops) == 1 or not all(
            isinstance(s, (ast.Name, ast.Constant)) for s in sides[1:]
        ):
            return node
        pairs = zip(sides, node.ops, sides[1:], strict=False)
        parts: list[ast.expr] = [
            ast.copy_location(ast.Compare(left, [op], [right]), node) for left, op, right in pairs
        ]
        return ast.copy_location(ast.BoolOp(ast.And(), parts), node)


class _Replacer(ast.NodeTransformer):
    def __init__(self, replacements: dict[ast.AST, Callable[[ast.AST], object]]) -> None:
        self.replacements = replacements

    def visit(self, node: ast.AST) -> object:
        inner = self.generic_visit(node)
        return self.replacements[node](inner) if node in self.replacements else inner


class _Finder(ast.NodeVisitor):
    def __init__(self, passing: frozenset[str]) -> None:
        self.passing = passing
        self.found: list[Guard] = []
        self._answers = [False]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._answers.append(bool(node.returns and ast.unparse(node.returns) == "bool"))
        self.generic_visit(node)
        self._answers.pop()

    def visit_Raise(self, node: ast.Raise) -> None:
        if not any(name in ast.unparse(node) for name in NOT_GUARDS):
            self._add(node, "raise", _never, _reached)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.body[-1], ast.Raise) and not node.orelse:
            for part, acts in _parts(node.test, acts=True):
                self._part(part, acts=acts)
        else:
            for limit in ast.walk(node.test):
                if isinstance(limit, ast.Compare) and _is_limit(limit):
                    self._part(limit, acts=isinstance(limit.ops[0], (ast.Gt, ast.GtE)))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if self._answers[-1] and node.value:
            for part, acts in _parts(node.value, acts=False):
                if _is_limit(part) or ast.unparse(part).startswith("isinstance("):
                    self._part(part, acts=acts)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        caught = node.type
        for name in caught.elts if isinstance(caught, ast.Tuple) else [caught] if caught else []:
            self._add(name, f"except {ast.unparse(name)}", _nothing, _caught)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        if isinstance(call, ast.Call) and _name(call).lstrip("_").startswith(CHECKS):
            self._add(node, f"call of {_name(call)}", _never, _reached)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node)
        replaces = name == "sub" and isinstance(node.func, ast.Attribute) and len(node.args) == 2
        if node.args and (replaces or name in self.passing or name.startswith(ESCAPES)):
            position = 1 if replaces else 0
            self._add(node, f"call of {name}", _argument(position), _called(position))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        cut = node.slice
        if isinstance(cut, ast.Slice) and not cut.lower and isinstance(cut.upper, ast.Constant):
            most = cut.upper.value
            if isinstance(most, int) and most >= SHORTEST_CUT:
                self._add(node, f"cut [:{most}]", _uncut, _cut)
        self.generic_visit(node)

    def _part(self, node: ast.expr, *, acts: bool) -> None:
        self._add(node, f"part {ast.unparse(node)}", _decided(not acts), _decides(acts))

    def _add(self, node: ast.AST, kind: str, *ways: Callable[..., ast.AST | list[ast.AST]]) -> None:
        if all(node is not guard.node for guard in self.found):
            self.found.append(Guard(node, kind, *ways))


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _is_limit(node: ast.expr) -> bool:
    """True for a comparison with a limit: ``number <= MAX_BITS``."""
    ordered = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ordered):
        return False
    return ast.unparse(node.comparators[0]).startswith("MAX_")


def _parts(node: ast.expr, *, acts: bool, whole: bool = True) -> Iterator[tuple[ast.expr, bool]]:
    """Parts that alone can make a condition ``acts``, except the whole condition."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _parts(node.operand, acts=not acts, whole=whole)
    elif isinstance(node, ast.BoolOp):
        alone = isinstance(node.op, ast.Or) is acts
        for value in node.values:
            # what only decides together is no guard, but there may be some within it
            if alone or isinstance(value, (ast.BoolOp, ast.UnaryOp)):
                yield from _parts(value, acts=acts, whole=whole and not alone)
    elif not whole:
        yield node, acts


# Names stay where they are, in what never runs: functions keep the variables of outer ones.


def _never(node: ast.AST) -> ast.AST:
    return ast.copy_location(ast.If(ast.Constant(False), [node], []), node)


def _nothing(node: ast.AST) -> ast.AST:
    return ast.copy_location(ast.Tuple([], ast.Load()), node)


def _decided(value: bool) -> Callable[[ast.AST], ast.AST]:
    operator = ast.Or() if value else ast.And()
    return lambda node: _at(node, ast.BoolOp(operator, [ast.Constant(value), node]))


def _argument(position: int) -> Callable[[ast.AST], ast.AST]:
    return lambda node: _at(node, ast.IfExp(ast.Constant(True), node.args[position], node))


def _uncut(node: ast.AST) -> ast.AST:
    return node.value


def _reached(index: int, node: ast.AST) -> list[ast.AST]:
    return [_at(node, ast.Expr(_watch(node, "reached", index))), node]


def _caught(index: int, node: ast.AST) -> ast.AST:
    return _watch(node, "caught", index, node)


def _decides(acts: bool) -> Callable[[int, ast.AST], ast.AST]:
    return lambda index, node: _watch(node, "decides", index, ast.Constant(acts), node)


def _called(position: int) -> Callable[[int, ast.AST], ast.AST]:
    def watched(index: int, node: ast.AST) -> ast.AST:
        call = _watch(node, "called", index, ast.Constant(position), node.func, *node.args)
        call.keywords = node.keywords
        return call

    return watched


def _cut(index: int, node: ast.AST) -> ast.AST:
    return _watch(node, "cut", index, node.value, node.slice.upper)


def _watch(node: ast.AST, method: str, index: int, *arguments: ast.AST) -> ast.Call:
    function = ast.Attribute(ast.Name(WATCH, ast.Load()), method, ast.Load())
    return _at(node, ast.Call(function, [ast.Constant(index), *arguments], []))


def _at(node: ast.AST, new: ast.AST) -> ast.AST:
    return ast.copy_location(new, node)
