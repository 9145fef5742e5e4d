"""Controls of sizes for which the model can be built from traced numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.controls import LAYERS, Control, size_controls
from sphinx_llmsize.interactive.traced_layers import LayerTables, layer_tables
from sphinx_llmsize.interactive.traced_model import Tables, traced_model
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import Trace, Traced, variable

UNTRACEABLE = (TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, KeyError)
"""Errors that code raises if it can't compute with traced numbers."""


@dataclass(frozen=True)
class TraceableSizes:
    """Controls of sizes.

    Attributes:
        controls: the controls.
        tables: numbers of layers of each kind, for the keys of layers that can't be traced.
    """

    controls: tuple[Control, ...] = ()
    tables: Tables = field(default_factory=dict)


def traceable_sizes(model: Model, trace: Trace, excluded: Collection[str]) -> TraceableSizes:
    """Controls of the sizes that a reader can change.

    All of them are tried together, then all but one. If every attempt fails, there are no controls.

    Args:
        model: the model.
        trace: the trace of the expressions.
        excluded: names of sizes that get no control.
    """
    attempts: list[tuple[Control, ...]] = []
    with suppress(*UNTRACEABLE, ConfigError):
        controls = [each for each in size_controls(model, trace) if each.name not in excluded]
        attempts = [tuple(controls)]
        for dropped in controls:
            attempts.append(tuple(each for each in controls if each is not dropped))
    for attempt in attempts:
        with suppress(*UNTRACEABLE, ConfigError):
            return _changeable_sizes(model, trace, attempt)
    return TraceableSizes()


def variables_of(
    controls: Iterable[Control], values: Mapping[str, int], trace: Trace
) -> dict[str, Traced]:
    """A variable for each control with its value, by name."""
    return {each.name: variable(trace, each.name, values[each.name]) for each in controls}


def sizes_by_key(controls: Iterable[Control], variables: Mapping[str, Traced]) -> dict[Key, Traced]:
    """The variables of the controls that set a key."""
    return {each.key: variables[each.name] for each in controls if each.key}


def _changeable_sizes(model: Model, trace: Trace, controls: tuple[Control, ...]) -> TraceableSizes:
    """The controls of sizes on whose own values the model's structure doesn't depend.

    A number of layers on which the structure depends gets a control too, with tables.

    Raises:
        ConfigError, or one of :data:`UNTRACEABLE`: the model can't be built from traced numbers.
    """
    variables = variables_of(controls, {each.name: each.value for each in controls}, trace)
    with trace.recording() as conditions:
        traced_model(model, trace, sizes_by_key(controls, variables))
    changeable: list[Control] = []
    tables: dict[Key, LayerTables] = {}
    for control in controls:
        # the condition that the size has the model's own value
        own_value = ("==", variables[control.name].position, trace.position_of(control.value))
        if not conditions.get(own_value):
            changeable.append(control)
        elif control.key and control.key.symbol in LAYERS:
            tables[control.key] = _tables(model, control.key, control.value)
            changeable.append(_within(control, tables[control.key]))
    return TraceableSizes(tuple(each for each in changeable if len(each.steps) > 1), tables)


def _tables(model: Model, key: Key, layers: int) -> LayerTables:
    """Numbers of layers of each kind in the model, for other numbers of all layers."""

    def build(number: int) -> Architecture:
        return with_settings(model, section_of({key.name: number})).architecture

    assert key.symbol
    return layer_tables(key.symbol, build, layers)


def _within(control: Control, tables: LayerTables) -> Control:
    """The control of the layers, within the range of the tables."""
    least, most = tables.least, tables.most
    steps = tuple(step for step in control.steps if least <= step <= most)
    return replace(control, steps=steps, least=least, most=most)
