"""Evaluation of a parsed template, node by node."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, MutableMapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from jinja2 import nodes

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.config.keys_of_other_families import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, did_you_mean
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox import limits
from sphinx_llmsize.sandbox.checks import BRACES, parse
from sphinx_llmsize.sandbox.limits import Budget, as_config_error, bounded, mistake
from sphinx_llmsize.sandbox.template_functions import OPERATIONS, FindModel, functions
from sphinx_llmsize.sandbox.values import Kind, Value, as_kind, as_text
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.model_numbers import models_built
from sphinx_llmsize.views.numbers.unknown_numbers import TOTALS

Names = ChainMap[str, Value]
"""Variables and functions; each iteration of a loop has an inner scope."""


class Rendered(NamedTuple):
    """Output of a template: its lines, and the 0-based line of the template each originates at."""

    lines: tuple[str, ...]
    origins: tuple[int, ...]


def render(source: str, find_model: FindModel) -> Rendered:
    """Evaluate a template; every error is a ConfigError with its 0-based line."""
    interpreter = _Interpreter()
    try:
        interpreter.run(parse(source).body, ChainMap({}, functions(find_model, interpreter.budget)))
    except Exception as error:
        raise as_config_error(error) from None
    return Rendered(tuple(interpreter.lines), tuple(interpreter.origins))


class _Interpreter:
    """Evaluator of one template; collects the output lines and their origins."""

    def __init__(self) -> None:
        self.budget = Budget()
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
                taken = (each.body for each in (node, *node.elif_) if self.value(each.test, names))
                self.run(next(taken, node.else_), names)
            case nodes.For():
                self._loop(node, names)

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
        for item in as_kind(Kind.LIST, self.value(node.iter, names), "for"):
            self.budget.spend(1)
            inner = names.new_child()
            _assign(node.target, item, inner)
            if node.test is None or self.value(node.test, inner):
                scopes.append(inner)
        for index0, inner in enumerate(scopes):
            index, length = index0 + 1, len(scopes)
            inner["loop"] = SimpleNamespace(
                index=index, length=length, index0=index0, first=index == 1, last=index == length
            )
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
        fields = node.iter_fields(exclude=("ctx", "dyn_args", "dyn_kwargs"))
        operands = [self._operand(field, names) for _, field in fields]
        if name == "Call" or isinstance(operands[0], Model):
            # arguments of a call, or the name of an attribute or item
            words = operands[1] if name == "Call" else [operands[1]]
            built = sum(models_built(word) for word in words if isinstance(word, str))
            self.budget.spend(limits.CALL_STEPS + limits.MODEL_STEPS * built)
        if name != "Getitem":  # its time does not depend on the length of the list
            self.budget.spend(_steps_to_read(operands))
        try:
            result = bounded(OPERATIONS[name](*operands))
        except ConfigError as error:
            raise error.with_hint(_hint_at_filter(node, operands)) from None
        if isinstance(result, str):
            self.budget.spend(0, characters=len(result))
        return result

    def _operand(self, field: Any, names: Names) -> Any:
        """Value of a field of an operator's node; expressions, also within lists, are evaluated."""
        match field:
            case nodes.Expr():
                return self.value(field, names)
            case nodes.Helper():
                return [self._operand(each, names) for _, each in field.iter_fields()]
            case list():
                return [self._operand(each, names) for each in field]
        return field


def _hint_at_filter(node: nodes.Node, operands: list[Any]) -> str:
    """Hint for an operator whose operand is a text made by a filter, as in ``D * D | exact``."""
    if not isinstance(node, nodes.BinExpr):
        return ""
    for side, value in zip((node.right, node.left), reversed(operands), strict=True):
        if isinstance(side, nodes.Filter) and isinstance(value, str):
            example = f"(…) | {side.name}"
            return _("a filter takes only the value before it: write {example}", example=example)
    return ""


def _steps_to_read(value: Value) -> int:
    """Steps for reading operands: the items of lists, and the characters of texts."""
    if isinstance(value, list):
        return sum(map(_steps_to_read, value))
    if isinstance(value, str):
        return len(value) // limits.CHARACTERS_PER_STEP
    return len(value) if isinstance(value, (tuple, range)) else 0


def _look_up(name: str, names: Names) -> Value:
    """Value of a name; the error for an unknown one suggests a model, a number or another name."""
    if name in names:
        return names[name]
    if find_preset(name):
        hint = _("write {value}", value=f'model("{name}")')
    elif name in {*TOTALS, *COMPONENT_LABELS} or is_known_elsewhere(name):
        hint = _("name the model: {example}", example=f'model("llama-7b").{name}')
    else:
        hint = did_you_mean(name, names) or _("set it first; {hint}", hint=_(BRACES))
    raise mistake(_("nothing is called {name}", name=repr(name[:60])), hint)


def _assign(target: Any, value: Value, names: MutableMapping[str, Value]) -> None:
    """Assign a value to a name, or the items of a list to as many names."""
    if isinstance(target, nodes.Name):
        names[target.name] = value
        return
    items = as_kind(Kind.LIST, value, "set")
    if len(items) != len(target.items):
        found = len(items)
        raise mistake(_("{items} names for {other} values", items=len(target.items), other=found))
    for inner, item in zip(target.items, items, strict=True):
        _assign(inner, item, names)
