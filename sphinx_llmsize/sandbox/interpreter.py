"""Evaluation of a parsed template, node by node."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.config.keys_of_other_families import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, did_you_mean
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox import limits
from sphinx_llmsize.sandbox.checks import BRACES, parse
from sphinx_llmsize.sandbox.limits import Budget, as_config_error, bounded, mistake
from sphinx_llmsize.sandbox.template_functions import FindModel, functions
from sphinx_llmsize.sandbox.template_operators import OPERATIONS
from sphinx_llmsize.sandbox.values import ArgumentKind, Loop, Value, as_kind, as_text
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.model_numbers import TOTALS, models_built

Names = ChainMap[str, Value]
"""Variables and functions; each iteration of a loop has an inner scope."""
CONSTANT_TIME = frozenset({"Getattr", "Getitem", "Call"})
"""Operations whose time does not depend on the length of their operands."""


@dataclass(frozen=True)
class Rendered:
    """Output of a template.

    Attributes:
        lines: rendered lines.
        origins: for each rendered line, the 0-based line of the template that produced it.
    """

    lines: tuple[str, ...]
    origins: tuple[int, ...]


def render(source: str, find_model: FindModel) -> Rendered:
    """Evaluate a template; every error is a ConfigError with its 0-based line."""
    budget = Budget()
    interpreter = _Interpreter(budget)
    try:
        interpreter.run(parse(source).body, ChainMap({}, functions(find_model, budget)))
    except Exception as error:
        raise as_config_error(error) from None
    return Rendered(tuple(interpreter.lines), tuple(interpreter.origins))


class _Interpreter:
    """Evaluator of one template; collects the output lines and their origins."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.lines, self.origins = [""], [0]

    def run(self, body: Iterable[nodes.Node], names: Names) -> None:
        """Run statements; raises ConfigError at the line of the statement that fails."""
        for node in body:
            self._at_line(self._statement, node, names)

    def value(self, node: nodes.Node, names: Names) -> Value:
        """Value of an expression; raises ConfigError at its line."""
        return self._at_line(self._expression, node, names)

    def _at_line(self, evaluate: Callable[..., Value], node: nodes.Node, names: Names) -> Value:
        """Charge a step and evaluate a node; errors get its line."""
        try:
            self.budget.spend(1)
            return evaluate(node, names)
        except Exception as error:
            raise as_config_error(error).at(line=node.lineno - 1) from None

    def _statement(self, node: Any, names: Names) -> None:
        """Run one statement: output, set, if or for."""
        match node:
            case nodes.Output():
                for part in node.nodes:
                    self._at_line(self._write, part, names)
            case nodes.Assign():
                _assign(node.target, self.value(node.node, names), names)
            case nodes.If():
                self.run(self._branch(node, names), names)
            case nodes.For():
                self._loop(node, names)

    def _branch(self, node: nodes.If, names: Names) -> list[nodes.Node]:
        """Statements of the first branch whose test is true, else those of ``else``."""
        for branch in (node, *node.elif_):
            if self.value(branch.test, names):
                return branch.body
        return node.else_

    def _write(self, part: Any, names: Names) -> None:
        """Append to the output; all lines of an expression's value originate at its line."""
        is_literal = isinstance(part, nodes.TemplateData)
        text = part.data if is_literal else as_text(self.value(part, names))
        self.budget.spend(0, characters=len(text))
        line = part.lineno - 1
        if text and not self.lines[-1]:
            self.origins[-1] = line
        first, *others = text.split("\n")
        self.lines[-1] += first
        self.lines += others
        following = range(line + 1, line + 1 + len(others))
        self.origins += following if is_literal else [line] * len(others)

    def _loop(self, node: nodes.For, names: Names) -> None:
        """Run a loop; all items are selected before the first run, for ``loop.length``."""
        scopes = []
        for item in as_kind(ArgumentKind.LIST, self.value(node.iter, names), "for"):
            self.budget.spend(1)
            inner = names.new_child()
            _assign(node.target, item, inner)
            if node.test is None or self.value(node.test, inner):
                scopes.append(inner)
        for index, inner in enumerate(scopes, start=1):
            inner["loop"] = Loop(index, len(scopes))
            self.run(node.body, inner)
        if not scopes:
            self.run(node.else_, names)

    def _expression(self, node: Any, names: Names) -> Value:  # noqa: PLR0911 - one per kind
        """Evaluate one expression; ``and``, ``or`` and ``if`` skip the operands that they can."""
        match node:
            case nodes.Const():
                return bounded(node.value)
            case nodes.Name():
                return _look_up(node.name, names)
            case nodes.List() | nodes.Tuple():
                return tuple(self.value(item, names) for item in node.items)
            case nodes.And():
                return self.value(node.left, names) and self.value(node.right, names)
            case nodes.Or():
                return self.value(node.left, names) or self.value(node.right, names)
            case nodes.Not():
                return not self.value(node.node, names)
            case nodes.CondExpr():
                chosen = node.expr1 if self.value(node.test, names) else node.expr2
                return self.value(chosen, names) if chosen else ""
        return self._operation(node, names)

    def _operation(self, node: nodes.Node, names: Names) -> Value:
        """Evaluate an operator; its cost depends on the length of its operands and result."""
        name = type(node).__name__
        operands = [self._operand(field, names, name) for _, field in node.iter_fields()]
        if name == "Call" or isinstance(operands[0], Model):
            # operands[1] has the arguments of a call, or the name of an attribute or item
            built = _models_built(operands[1])
            self.budget.spend(limits.CALL_STEPS + limits.MODEL_STEPS * built)
        try:
            result = bounded(OPERATIONS[name](*operands))
        except ConfigError as error:
            raise error.with_hint(_hint_at_filter(node, operands)) from None
        if isinstance(result, str):
            self.budget.spend(0, characters=len(result))
        return result

    def _operand(self, field: Any, names: Names, operation: str) -> Any:
        """Value of a field of an operator's node; expressions, also within lists, are evaluated."""
        match field:
            case nodes.Expr():
                value = self.value(field, names)
                if operation not in CONSTANT_TIME:
                    self.budget.spend(_steps_to_read(value))
                return value
            case list():
                return [self._operand(item, names, operation) for item in field]
            case nodes.Helper():
                return tuple(
                    self._operand(each, names, operation) for _, each in field.iter_fields()
                )
        return field


def _hint_at_filter(node: nodes.Node, operands: Iterable[Value]) -> str:
    """Hint for an operator whose operand is a text made by a filter, as in ``D * D | exact``."""
    if not isinstance(node, nodes.BinExpr):
        return ""
    hint = ""
    for side, value in zip((node.left, node.right), operands, strict=True):
        if isinstance(side, nodes.Filter) and isinstance(value, str):
            example = f"(…) | {side.name}"
            hint = _("a filter takes only the value before it: write {example}", example=example)
    return hint


def _models_built(argument: Value) -> int:
    """Cost of a number, counted in models that are built to compute it; 0 for a cheap one.

    Args:
        argument: name of the number, or a list of arguments whose first is the name.
    """
    name = argument[0] if isinstance(argument, list) and argument else argument
    return models_built(name) if isinstance(name, str) else 0


def _steps_to_read(value: Value) -> int:
    """Number of steps charged for reading a whole value."""
    if isinstance(value, str):
        return len(value) // limits.CHARACTERS_PER_STEP
    return len(value) if isinstance(value, (tuple, range)) else 0


def _look_up(name: str, names: Names) -> Value:
    """Value of a name; raises ConfigError with a hint for an unknown one."""
    if name in names:
        return names[name]
    raise mistake(_("nothing is called {name}", name=repr(name[:60])), _hint_for(name, names))


def _hint_for(name: str, names: Names) -> str:
    """Suggested fix for an unknown name, which may be a model's or a number's."""
    if find_preset(name):
        return _("write {value}", value=f'model("{name}")')
    if name in {*TOTALS, *COMPONENT_LABELS} or is_known_elsewhere(name):
        return _("name the model: {example}", example=f'model("llama-7b").{name}')
    return did_you_mean(name, names) or _("set it first; {hint}", hint=_(BRACES))


def _assign(target: Any, value: Value, names: MutableMapping[str, Value]) -> None:
    """Assign a value to a name, or unpack a list into a tuple of names.

    Raises:
        ConfigError: the value isn't a list, or has another length than the tuple.
    """
    if isinstance(target, nodes.Name):
        names[target.name] = value
        return
    items = as_kind(ArgumentKind.LIST, value, "set")
    if len(items) != len(target.items):
        found = len(items)
        raise mistake(_("{items} names for {other} values", items=len(target.items), other=found))
    for inner, item in zip(target.items, items, strict=True):
        _assign(inner, item, names)
