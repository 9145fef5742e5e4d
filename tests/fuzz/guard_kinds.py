"""Kinds of guards in Python code: how to find, remove and observe them.

General rules find new guards without a list of them:

- a ``raise``;
- each part of a condition for raising that is sufficient alone: ``a`` and ``b`` in
  ``if a or b: raise``, both bounds in ``if not 0 <= a <= b: raise``;
- a comparison with a limit such as ``MAX_DIGITS`` in any ``if``;
- such a comparison, or an ``isinstance``, as a part of what a ``-> bool`` function returns;
- each type of exception that is caught;
- a statement that calls a check, charges a budget, or warns;
- a call that returns its argument or raises (``text_of``), escapes it, or replaces parts of it;
- a truncation, ``[:60]``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fuzz.guard_watch import WATCH

NOT_GUARDS = ("SkipNode", "NotImplementedError")
"""Exceptions whose ``raise`` isn't a guard."""
CHECKS = ("check", "refuse", "step", "made", "warn")
"""Prefixes of functions whose call, as a statement of its own, is a guard."""
ESCAPES = ("escape", "quote")
"""Prefixes of functions that escape their first argument."""
MIN_TRUNCATION = 20
"""Smallest length of a truncation; shorter slices have other purposes."""


@dataclass(frozen=True)
class Guard:
    """A guard in a syntax tree.

    Attributes:
        node: its node.
        kind: description for messages.
        without: function that returns a node without the guard, in place of the node.
        watched: function that returns a node that reports to :class:`~fuzz.guard_watch.Watch`,
            in place of the guard with this number.
    """

    node: ast.AST
    kind: str
    without: Callable[[ast.AST], ast.AST]
    watched: Callable[[int, ast.AST], ast.AST | list[ast.AST]]

    @property
    def line(self) -> int:
        return int(getattr(self.node, "lineno", 0))


def guards(tree: ast.Module, passing: frozenset[str]) -> list[Guard]:
    """Guards of a module; ``passing`` are the names that :func:`passing_functions` returns."""
    finder = _Finder(passing)
    finder.visit(tree)
    return finder.found


def passing_functions(tree: ast.Module) -> Iterator[str]:
    """Names of functions that either return their first argument or raise."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.args.args:
            inner = list(ast.walk(node))
            returned = {
                ast.unparse(n.value) for n in inner if isinstance(n, ast.Return) and n.value
            }
            if node.args.args[0].arg in returned and any(isinstance(n, ast.Raise) for n in inner):
                yield node.name


class _Finder(ast.NodeVisitor):
    def __init__(self, passing: frozenset[str]) -> None:
        self.passing = passing
        self.found: list[Guard] = []
        self._returns_bool = [False]  # of each function around the node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._returns_bool.append(bool(node.returns and ast.unparse(node.returns) == "bool"))
        self.generic_visit(node)
        self._returns_bool.pop()

    def visit_Raise(self, node: ast.Raise) -> None:
        if not any(name in ast.unparse(node) for name in NOT_GUARDS):
            self._add(node, "raise", _never_run, _watch_statement)
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
        if self._returns_bool[-1] and node.value:
            for part, acts in _parts(node.value, acts=False):
                if _is_limit(part) or ast.unparse(part).startswith("isinstance("):
                    self._part(part, acts=acts)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        caught = node.type
        for name in caught.elts if isinstance(caught, ast.Tuple) else [caught] if caught else []:
            self._add(name, f"except {ast.unparse(name)}", _no_exception, _watch_exception)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        if isinstance(call, ast.Call) and _name(call).lstrip("_").startswith(CHECKS):
            self._add(node, f"call of {_name(call)}", _never_run, _watch_statement)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node)
        replaces = name == "sub" and isinstance(node.func, ast.Attribute) and len(node.args) == 2
        if node.args and (replaces or name in self.passing or name.startswith(ESCAPES)):
            position = 1 if replaces else 0
            self._add(node, f"call of {name}", _argument(position), _watch_call(position))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        part = node.slice
        if isinstance(part, ast.Slice) and not part.lower and isinstance(part.upper, ast.Constant):
            length = part.upper.value
            if isinstance(length, int) and length >= MIN_TRUNCATION:
                self._add(node, f"truncation [:{length}]", _whole, _watch_truncation)
        self.generic_visit(node)

    def _part(self, node: ast.expr, *, acts: bool) -> None:
        self._add(node, f"part {ast.unparse(node)}", _always(not acts), _watch_condition(acts))

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
    """Parts that are sufficient to make a condition true or false, except the whole condition.

    ``acts`` is the value with which the condition has an effect. Each part is returned with the
    value of its own that has this effect.
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _parts(node.operand, acts=not acts, whole=whole)
    elif isinstance(node, ast.BoolOp):
        sufficient = isinstance(node.op, ast.Or) is acts
        for value in node.values:
            # parts that are not sufficient alone aren't guards, but may contain some
            if sufficient or isinstance(value, (ast.BoolOp, ast.UnaryOp)):
                yield from _parts(value, acts=acts, whole=whole and not sufficient)
    elif not whole:
        yield node, acts


# The removed code stays in a branch that never runs, so that functions keep the same variables of
# outer functions.


def _never_run(node: ast.AST) -> ast.AST:
    return ast.copy_location(ast.If(ast.Constant(False), [node], []), node)


def _no_exception(node: ast.AST) -> ast.AST:
    return ast.copy_location(ast.Tuple([], ast.Load()), node)


def _always(value: bool) -> Callable[[ast.AST], ast.AST]:
    operator = ast.Or() if value else ast.And()
    return lambda node: _at(node, ast.BoolOp(operator, [ast.Constant(value), node]))


def _argument(position: int) -> Callable[[ast.AST], ast.AST]:
    return lambda node: _at(node, ast.IfExp(ast.Constant(True), node.args[position], node))


def _whole(node: ast.AST) -> ast.AST:
    return node.value


def _watch_statement(index: int, node: ast.AST) -> list[ast.AST]:
    return [_at(node, ast.Expr(_watch(node, "statement", index))), node]


def _watch_exception(index: int, node: ast.AST) -> ast.AST:
    return _watch(node, "exception", index, node)


def _watch_condition(acts: bool) -> Callable[[int, ast.AST], ast.AST]:
    return lambda index, node: _watch(node, "condition", index, ast.Constant(acts), node)


def _watch_call(position: int) -> Callable[[int, ast.AST], ast.AST]:
    def watched(index: int, node: ast.AST) -> ast.AST:
        call = _watch(node, "call", index, ast.Constant(position), node.func, *node.args)
        call.keywords = node.keywords
        return call

    return watched


def _watch_truncation(index: int, node: ast.AST) -> ast.AST:
    return _watch(node, "truncation", index, node.value, node.slice.upper)


def _watch(node: ast.AST, method: str, index: int, *arguments: ast.AST) -> ast.Call:
    function = ast.Attribute(ast.Name(WATCH, ast.Load()), method, ast.Load())
    return _at(node, ast.Call(function, [ast.Constant(index), *arguments], []))


def _at(node: ast.AST, new: ast.AST) -> ast.AST:
    return ast.copy_location(new, node)
