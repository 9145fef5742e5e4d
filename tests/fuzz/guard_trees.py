"""Syntax trees of modules, and replacement of their nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable


def parsed(text: str) -> ast.Module:
    """Syntax tree of a module, with ``a <= b <= c`` as two comparisons."""
    return ast.fix_missing_locations(_SplitComparisons().visit(ast.parse(text)))


def replaced(tree: ast.Module, replacements: dict[ast.AST, Callable[[ast.AST], object]]) -> ast.AST:
    """The tree with some of its nodes replaced, inner nodes first."""
    return ast.fix_missing_locations(_Replacer(replacements).visit(tree))


class _SplitComparisons(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        # values that can be evaluated twice
        repeatable = all(isinstance(s, (ast.Name, ast.Constant)) for s in node.comparators)
        if len(node.ops) == 1 or not repeatable:
            return node
        sides = [node.left, *node.comparators]
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
