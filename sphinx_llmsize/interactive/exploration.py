"""Exploration: traces the views of a model at one setting of its controls after the other.

A view is traced at the model's own sizes first. For other sizes, a condition of that trace may not
hold, such as that there are as many key/value heads as heads. The view is then traced there too, as
another variant. For sizes that fit no variant, the page shows none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.controls import LAYERS, Control, size_controls
from sphinx_llmsize.interactive.option_controls import option_controls, set_options
from sphinx_llmsize.interactive.settings import Setting, following, settings
from sphinx_llmsize.interactive.traced_layers import LayerTables, layer_tables
from sphinx_llmsize.interactive.traced_model import TracedModel, traced_model
from sphinx_llmsize.interactive.variants import (
    Conditions,
    Message,
    Part,
    Variant,
    hold,
    marked_text,
    parts_of,
)
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import Exact, Trace, Traced, evaluate, variable
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import TRACEABLE_VIEWS
from sphinx_llmsize.views.view_options import ViewOptions

MAX_RUNS, MAX_VARIANTS, MAX_STRUCTURES = 80, 24, 6
"""Maximum number of settings at which views are traced, of variants of a part, and of structures of
the model along the steps of one size."""
UNTRACEABLE = (TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, KeyError)
"""Errors of code that can't compute with traced numbers."""


@dataclass
class Exploration:
    """Variants of the views, and messages for sizes that contradict each other.

    Attributes:
        model: the model.
        names: names of the views.
        options: options of the views.
        trace: the trace of all expressions.
        controls: what a reader can set.
        variants: the variants of each part of a view.
        errors: the messages.
        results: the total in words, for different structures of the model.
        without: names of sizes that have no control.
    """

    model: Model
    names: tuple[str, ...]
    options: ViewOptions
    without: tuple[str, ...] = ()
    trace: Trace = field(default_factory=Trace)
    controls: tuple[Control, ...] = ()
    variants: dict[Part, list[Variant]] = field(default_factory=dict)
    errors: list[Message] = field(default_factory=list)
    results: list[Message] = field(default_factory=list)
    _tables: dict[Key, LayerTables] = field(default_factory=dict)
    _other_totals: list[Setting] = field(default_factory=list)
    _structures: Counter[tuple[str, ...]] = field(default_factory=Counter)

    @property
    def structural(self) -> tuple[str, ...]:
        """The name of a size with another structure of the model at most of its steps."""
        found = (names for names, number in self._structures.items() if number > MAX_STRUCTURES)
        return next((names for names in found if len(names) == 1), ())

    def run(self) -> None:
        """Trace the views; without controls of sizes if a total on the page would be wrong."""
        sizes: tuple[Control, ...] = ()
        with suppress(*UNTRACEABLE, ConfigError):
            every = size_controls(self.model, self.trace)
            sizes = self._traceable(tuple(c for c in every if c.name not in self.without))
        self._run(sizes)
        nodes = self.trace.nodes
        if any(self._has_result(evaluate(nodes, setting)) for setting in self._other_totals):
            self._run(())

    def _run(self, sizes: tuple[Control, ...]) -> None:
        """Trace the views at the model's own sizes, then wherever no variant fits."""
        self.errors, self.results, self._other_totals = [], [], []
        self.controls = (*sizes, *option_controls(self.model, self.names, self.options))
        own = {each.name: each.value for each in self.controls}
        values = evaluate(self.trace.nodes, own)
        self.controls = tuple(
            replace(each, follows=None)  # what it follows has no control
            if each.follows is not None and values[each.follows] is None
            else each
            for each in self.controls
        )
        self.variants = {part: [] for name in self.names for part in parts_of(name)}
        self._trace_at(own, self.variants)
        for part in self.variants:
            self._add_static(part, own)
        runs = 1
        for written in settings(self.controls):
            if runs == MAX_RUNS or self.structural:
                break
            setting = following(self.trace, self.controls, written)
            values = evaluate(self.trace.nodes, setting)
            if any(hold(each.conditions, values) for each in self.errors):
                continue
            lacking = [*self._lacking(values)]
            is_full = len(self.results) >= MAX_VARIANTS
            if lacking or not (is_full or self._has_result(values)):
                before = len(self.results)
                self._trace_at(setting, lacking)
                self._structures[tuple(written)] += len(self.results) - before
                runs += 1

    def _traceable(self, controls: tuple[Control, ...]) -> tuple[Control, ...]:
        """The controls of sizes with which the model can be built from traced numbers."""
        for dropped in ((), *((each,) for each in controls), controls):
            kept = tuple(each for each in controls if each not in dropped)
            with suppress(*UNTRACEABLE, ConfigError):
                return self._free(kept)
        return ()

    def _free(self, controls: tuple[Control, ...]) -> tuple[Control, ...]:
        """The controls that don't have to keep their value; that of layers may need tables."""
        variables = self._variables({each.name: each.value for each in controls}, controls)
        with self.trace.recording() as conditions:
            traced_model(self.model, self.trace, _sizes(controls, variables))
        found: list[Control] = []
        for control in controls:
            node = variables[control.name].node
            if not conditions.get(("==", node, self.trace.position_of(control.value))):
                found.append(control)
            elif control.key and control.key.symbol in LAYERS:
                found.append(self._with_tables(control, control.key, control.key.symbol))
        return tuple(control for control in found if len(control.steps) > 1)

    def _with_tables(self, layers: Control, key: Key, symbol: Symbol) -> Control:
        """The control of the layers, within the range of the tables."""

        def build(number: int) -> Model:
            return with_settings(self.model, section_of({key.name: number}))

        tables = layer_tables(symbol, lambda number: build(number).architecture, layers.value)
        self._tables[key] = tables
        least, most = tables.least, tables.most
        steps = tuple(step for step in layers.steps if least <= step <= most)
        return replace(layers, steps=steps, least=least, most=most)

    def _variables(self, setting: Setting, controls: Iterable[Control]) -> dict[str, Traced]:
        return {each.name: variable(self.trace, each.name, setting[each.name]) for each in controls}

    def _has_result(self, values: Sequence[Exact | None]) -> bool:
        """True if one of the results holds for these values of the expressions."""
        return any(hold(each.conditions, values) for each in self.results)

    def _lacking(self, values: Sequence[Exact | None]) -> Iterable[Part]:
        """Parts of views without a variant for these values of the expressions."""
        for part, variants in self.variants.items():
            is_full = part.view not in TRACEABLE_VIEWS or len(variants) >= MAX_VARIANTS
            if not is_full and not any(hold(each.conditions, values) for each in variants):
                yield part

    def _trace_at(self, setting: Setting, parts: Iterable[Part]) -> None:
        """Trace some parts of views, and add them as variants; or the message of an error."""
        variables = self._variables(setting, self.controls)
        with self.trace.recording() as of_model:
            try:
                sizes = _sizes(self.controls, variables)
                model = traced_model(self.model, self.trace, sizes, self._tables)
                result = _("{total} parameters", total=model.total)
            except ConfigError as error:
                self._add_error(error, of_model)
                return
            except UNTRACEABLE:
                return
        if not self._is_counted(model, setting):
            self._other_totals.append(setting)
            return
        if dict(of_model) not in [each.conditions for each in self.results]:
            self.results.append(Message(dict(of_model), result))
        for part in parts:
            if part.view in TRACEABLE_VIEWS:
                self._trace_part(part, model, variables, of_model)

    def _is_counted(self, model: TracedModel, setting: Setting) -> bool:
        """True if a model of these sizes has the traced total; not if a family rounds sizes."""
        keys = {each.key.name: setting[each.name] for each in self.controls if each.key}
        try:
            return int(model.total) == with_settings(self.model, section_of(keys)).total
        except ConfigError:
            return False

    def _trace_part(
        self, part: Part, model: TracedModel, variables: Mapping[str, Traced], of_model: Conditions
    ) -> None:
        """Trace a part of a view, and add it as a variant; or the message of an error."""
        with self.trace.recording() as conditions:
            try:
                options = set_options(self.options, self._controls_of(part), variables)
                blocks = part.function(model, options)
            except ConfigError as error:
                self._add_error(error, {**of_model, **conditions})
            except UNTRACEABLE:
                pass
            else:
                self.variants[part].append(Variant({**of_model, **conditions}, blocks))

    def _add_error(self, error: ConfigError, conditions: Conditions) -> None:
        """Add the message of an error, for readers: sizes have labels in place of keys."""
        message = error.message
        for control in self.controls:
            if control.key:
                message = re.sub(rf"\b{control.key.name}\b", control.label, message)
        self.errors.append(Message(dict(conditions), message))

    def _controls_of(self, part: Part) -> tuple[Control, ...]:
        """The controls of options on which a part of a view depends."""
        found = option_controls(self.model, (part.view,), self.options)
        names = {each.name for each in found}
        return tuple(each for each in self.controls if each.name in names)

    def _add_static(self, part: Part, own: Setting) -> None:
        """Make sure that a part has a variant with exactly its static text for its own sizes."""
        static, variants = part.function(self.model, self.options), self.variants[part]
        if variants and without_marks(marked_text(variants[0].blocks)) == marked_text(static):
            return
        variables = self._variables(own, self.controls)
        with self.trace.recording() as conditions:
            for each in variables.values():
                int(each)
        self.variants[part] = [Variant(dict(conditions), static)]


def _sizes(controls: Iterable[Control], variables: Mapping[str, Traced]) -> dict[Key, Traced]:
    return {each.key: variables[each.name] for each in controls if each.key}
