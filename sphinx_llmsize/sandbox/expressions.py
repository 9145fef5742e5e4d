"""The value of an expression, node by node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import nodes

from sphinx_llmsize.errors import ConfigError, did_you_mean
from sphinx_llmsize.sandbox import filters
from sphinx_llmsize.sandbox.bounds import Budget, fitting, wrong
from sphinx_llmsize.sandbox.grammar import BRACES
from sphinx_llmsize.sandbox.operators import ARITHMETIC, compared, computed
from sphinx_llmsize.sandbox.values import (
    Counts,
    Function,
    Object,
    Value,
    exact,
    kind,
    list_of,
    number_of,
    plain,
    text_of,
    whole_of,
)
from sphinx_llmsize.translation import _

Names = Mapping[str, Value]


class Expressions:
    """Evaluates expressions on one budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def value(self, node: nodes.Node, names: Names) -> Value:
        """What the expression is.

        Raises:
            ConfigError: it means nothing, or is beyond the bounds; at the node's line.
        """
        try:
            self.budget.step()
            return _EVALUATE[type(node)](self, node, names)
        except ConfigError as error:
            raise error.at(line=node.lineno - 1) from None

    def holds(self, node: nodes.Node, names: Names) -> bool:
        """Whether the expression is true, a number but 0, or has anything in it.

        Raises:
            ConfigError: as for :meth:`value`.
        """
        return _truth(self.value(node, names))

    def _name(self, node: nodes.Name, names: Names) -> Value:
        if node.name not in names:
            hint = did_you_mean(node.name, names) or _("set it first; {hint}", hint=_(BRACES))
            raise wrong(_("nothing is called {name}", name=repr(node.name[:60])), hint)
        return names[node.name]

    def _const(self, node: nodes.Const, names: Names) -> Value:
        value = node.value
        if isinstance(value, float):
            return exact(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return fitting(value)
        assert value is None or isinstance(value, (str, bool))
        return value

    def _items(self, node: nodes.List | nodes.Tuple, names: Names) -> Value:
        return tuple(self.value(item, names) for item in node.items)

    def _computed(self, node: nodes.BinExpr, names: Names) -> Value:
        left, right = self.value(node.left, names), self.value(node.right, names)
        return computed(type(node), left, right)

    def _negative(self, node: nodes.Neg, names: Names) -> Value:
        return -number_of(self.value(node.node, names), "-")

    def _positive(self, node: nodes.Pos, names: Names) -> Value:
        return number_of(self.value(node.node, names), "+")

    def _joined(self, node: nodes.Concat, names: Names) -> Value:
        texts = [plain(self.value(part, names)) for part in node.nodes]
        self.budget.made(sum(map(len, texts)))
        return "".join(texts)

    def _compared(self, node: nodes.Compare, names: Names) -> Value:
        left = self.value(node.expr, names)
        for operand in node.ops:
            right = self.value(operand.expr, names)
            if not compared(operand.op, left, right, self.budget):
                return False
            left = right
        return True

    def _and(self, node: nodes.And, names: Names) -> Value:
        left = self.value(node.left, names)
        return self.value(node.right, names) if _truth(left) else left

    def _or(self, node: nodes.Or, names: Names) -> Value:
        left = self.value(node.left, names)
        return left if _truth(left) else self.value(node.right, names)

    def _not(self, node: nodes.Not, names: Names) -> Value:
        return not self.holds(node.node, names)

    def _either(self, node: nodes.CondExpr, names: Names) -> Value:
        if self.holds(node.test, names):
            return self.value(node.expr1, names)
        return self.value(node.expr2, names) if node.expr2 else ""

    def _attribute(self, node: nodes.Getattr, names: Names) -> Value:
        owner = self.value(node.node, names)
        if not isinstance(owner, Object):
            raise wrong(_("{kind} has no {attr}", kind=_(kind(owner)), attr=repr(node.attr[:60])))
        return owner.attribute(node.attr)

    def _item(self, node: nodes.Getitem, names: Names) -> Value:
        owner, index = self.value(node.node, names), self.value(node.arg, names)
        if isinstance(owner, Object):
            return owner.attribute(text_of(index, _("what is in brackets")))
        items, position = list_of(owner), whole_of(index, _("what is in brackets"))
        if not -len(items) <= position < len(items):
            raise wrong(_("the list has {items} items", items=len(items)))
        item: Value = items[position]
        return item

    def _called(self, node: nodes.Call, names: Names) -> Value:
        function = self.value(node.node, names)
        if not isinstance(function, Function):
            raise wrong(_("{kind} cannot be called", kind=_(kind(function))))
        arguments = [self.value(argument, names) for argument in node.args]
        keywords = {pair.key: self.value(pair.value, names) for pair in node.kwargs}
        return self._charged(function.call(arguments, keywords))

    def _filtered(self, node: nodes.Filter, names: Names) -> Value:
        assert node.node
        value = self.value(node.node, names)
        arguments = tuple(self.value(argument, names) for argument in node.args)
        if node.name not in filters.NAMES:
            hint = did_you_mean(node.name, filters.NAMES) or _(
                "one of {names}", names=", ".join(filters.NAMES)
            )
            raise wrong(_("there is no filter {name}", name=repr(node.name[:60])), hint)
        if node.kwargs:
            raise wrong(_("the filter {name} takes no names in brackets", name=node.name))
        if node.name in filters.OF_LISTS:
            return filters.of_list(node.name, value, arguments, self.budget)
        most = filters.MOST_ARGUMENTS.get(node.name, 1)
        function = Function(
            _("the filter {name}", name=node.name), filters.FORMATS[node.name], 1, most
        )
        return self._charged(function.call([self._charged(value), *arguments]))

    def _tested(self, node: nodes.Test, names: Names) -> Value:
        if node.name not in filters.TESTS:
            hint = did_you_mean(node.name, filters.TESTS) or _(
                "one of {names}", names=", ".join(filters.TESTS)
            )
            raise wrong(_("there is no test {name}", name=repr(node.name[:60])), hint)
        if node.args or node.kwargs:
            raise wrong(_("the test {name} takes nothing in brackets", name=node.name))
        return filters.TESTS[node.name](self.value(node.node, names))

    def _charged(self, value: Value) -> Value:
        if isinstance(value, str):
            self.budget.made(len(value))
        return value


def _truth(value: Value) -> bool:
    return bool(value.counts if isinstance(value, Counts) else value)


_EVALUATE: Mapping[type[nodes.Node], Callable[[Expressions, Any, Names], Value]] = {
    nodes.Name: Expressions._name,
    nodes.Const: Expressions._const,
    nodes.List: Expressions._items,
    nodes.Tuple: Expressions._items,
    **dict.fromkeys(ARITHMETIC, Expressions._computed),
    nodes.Neg: Expressions._negative,
    nodes.Pos: Expressions._positive,
    nodes.Concat: Expressions._joined,
    nodes.Compare: Expressions._compared,
    nodes.And: Expressions._and,
    nodes.Or: Expressions._or,
    nodes.Not: Expressions._not,
    nodes.CondExpr: Expressions._either,
    nodes.Getattr: Expressions._attribute,
    nodes.Getitem: Expressions._item,
    nodes.Call: Expressions._called,
    nodes.Filter: Expressions._filtered,
    nodes.Test: Expressions._tested,
}
"""Whatever is not here is refused before anything is evaluated, in the grammar."""
