"""Exploration: traces the views of a model at one setting of its controls after the other.

A view is traced at the model's own sizes first. For other sizes, a condition of that trace may not
hold, such as that there are as many key/value heads as heads. The view is then traced there too, as
another variant. For sizes that fit no variant, the page shows none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.data import data
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.controls import Control, size_controls
from sphinx_llmsize.interactive.option_controls import option_controls, set_options
from sphinx_llmsize.interactive.settings import Setting, settings
from sphinx_llmsize.interactive.traced_layers import LayerTables, layer_tables
from sphinx_llmsize.interactive.traced_model import TracedModel, traced_model
from sphinx_llmsize.interactive.variants import Conditions, Impossible, Variant, hold
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.marks import plain
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import Trace, Traced, evaluate, variable
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import view
from sphinx_llmsize.views.view_options import ViewOptions

TRACEABLE = frozenset({"table", "formula", "rule", "diagram", "shapes", "compute", "memory"})
"""Views whose numbers are computed again; the others are shown for the model's own sizes only."""
MAX_RUNS, MAX_VARIANTS = 64, 16
"""Maximum number of settings at which views are traced, and of variants of a view."""
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
        variants: the variants of each view, by its name.
        errors: the messages.
        status: the result in a few words, marked.
    """

    model: Model
    names: tuple[str, ...]
    options: ViewOptions
    trace: Trace = field(default_factory=Trace)
    controls: tuple[Control, ...] = ()
    variants: dict[str, list[Variant]] = field(default_factory=dict)
    errors: list[Impossible] = field(default_factory=list)
    status: str = ""
    _tables: LayerTables | None = None

    def run(self) -> None:
        """Trace the views at the model's own sizes, then wherever no variant fits."""
        self.controls = (
            *self._traceable(tuple(size_controls(self.model, self.trace))),
            *option_controls(self.model, self.names, self.options),
        )
        own = {each.name: each.value for each in self.controls}
        self.variants = {name: [] for name in self.names}
        self._trace_at(own, self.names)
        for name in self.names:
            self._add_static(name, own)
        runs = 1
        for setting in settings(self.trace, self.controls):
            if runs < MAX_RUNS and (lacking := [*self._lacking(setting)]):
                self._trace_at(setting, lacking)
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
            if not conditions.get(("==", node, self.trace.of(control.value))):
                found.append(control)
            elif control.key and control.key.symbol == L:
                found.append(self._with_tables(control, control.key))
        return tuple(found)

    def _with_tables(self, layers: Control, key: Key) -> Control:
        """The control of the layers, within the range of the tables."""

        def build(number: int) -> Model:
            return with_settings(self.model, section_of({key.name: number}))

        self._tables = layer_tables(lambda number: build(number).architecture, layers.value)
        least, most = self._tables.least, self._tables.most
        steps = tuple(step for step in layers.steps if least <= step <= most)
        return replace(layers, steps=steps, least=least, most=most)

    def _variables(self, setting: Setting, controls: Iterable[Control]) -> dict[str, Traced]:
        return {each.name: variable(self.trace, each.name, setting[each.name]) for each in controls}

    def _lacking(self, setting: Setting) -> Iterable[str]:
        """Names of the views without a variant for a setting, unless it is impossible."""
        values = evaluate(self.trace.nodes, setting)
        if any(hold(each.conditions, values) for each in self.errors):
            return
        for name, variants in self.variants.items():
            is_full = name not in TRACEABLE or len(variants) >= MAX_VARIANTS
            if not is_full and not any(hold(each.conditions, values) for each in variants):
                yield name

    def _trace_at(self, setting: Setting, names: Iterable[str]) -> None:
        """Trace some of the views, and add them as variants; or the message of an error."""
        variables = self._variables(setting, self.controls)
        with self.trace.recording() as of_model:
            try:
                sizes = _sizes(self.controls, variables)
                model = traced_model(self.model, self.trace, sizes, self._tables)
            except ConfigError as error:
                self._add_error(error, of_model)
                return
            except UNTRACEABLE:
                return
        self.status = self.status or _("{total} parameters", total=model.total)
        for name in names:
            if name in TRACEABLE:
                self._trace_view(name, model, variables, of_model)

    def _trace_view(
        self, name: str, model: TracedModel, variables: Mapping[str, Traced], of_model: Conditions
    ) -> None:
        """Trace a view, and add it as a variant; or the message of an error."""
        with self.trace.recording() as conditions:
            try:
                options = set_options(self.options, self._controls_of(name), variables)
                blocks = view(name)(model, options)
            except ConfigError as error:
                self._add_error(error, {**of_model, **conditions})
            except UNTRACEABLE:
                pass
            else:
                self.variants[name].append(Variant({**of_model, **conditions}, blocks))

    def _add_error(self, error: ConfigError, conditions: Conditions) -> None:
        """Add the message of an error, for readers: sizes have labels in place of keys."""
        message = error.message
        for control in self.controls:
            if control.key:
                message = re.sub(rf"\b{control.key.name}\b", control.label, message)
        self.errors.append(Impossible(dict(conditions), message))

    def _controls_of(self, name: str) -> tuple[Control, ...]:
        """The controls of options on which a view depends."""
        found = option_controls(self.model, (name,), self.options)
        names = {each.name for each in found}
        return tuple(each for each in self.controls if each.name in names)

    def _add_static(self, name: str, own: Setting) -> None:
        """Make sure that a view has a variant with exactly its static text for its own sizes."""
        static = view(name)(self.model, self.options)
        if self.variants[name] and _plain(self.variants[name][0].blocks) == _plain(static):
            return
        variables = self._variables(own, self.controls)
        with self.trace.recording() as conditions:
            for each in variables.values():
                int(each)
        self.variants[name] = [Variant(dict(conditions), static)]


def _sizes(controls: Iterable[Control], variables: Mapping[str, Traced]) -> dict[Key, Traced]:
    return {each.key: variables[each.name] for each in controls if each.key}


def _plain(blocks: Document) -> str:
    """The texts of blocks, without marks."""
    return plain(json.dumps(data(blocks), ensure_ascii=False))
