"""Exploration: traces the views of a model for many values of its controls.

A view is traced with the model's own sizes first. The trace has conditions, such as that there are
as many key/value heads as heads. For sizes at which they don't hold, the view is traced again, as
another variant. Where no variant fits, the page doesn't show the view. Models for which the same
conditions hold have the same structure, with other sizes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.control_values import (
    ControlValues,
    equal_sizes,
    values_to_explore,
    with_followers,
)
from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.interactive.option_controls import (
    VIEWS_WITHOUT_OPTIONS,
    option_controls,
    set_options,
)
from sphinx_llmsize.interactive.traceable_sizes import (
    UNTRACEABLE,
    sizes_by_key,
    traceable_sizes,
    variables_of,
)
from sphinx_llmsize.interactive.traced_model import Tables, TracedModel, traced_model
from sphinx_llmsize.interactive.variants import (
    Conditions,
    Message,
    Part,
    Variant,
    all_hold,
    marked_text,
    parts_of,
)
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import Exact, Trace, Traced, evaluate
from sphinx_llmsize.views import TRACEABLE_VIEWS
from sphinx_llmsize.views.shared.size_facts import total_text
from sphinx_llmsize.views.shared.wording import capital
from sphinx_llmsize.views.view_options import ViewOptions

MAX_TRACES = 160
"""Maximum number of values of the controls for which views are traced."""
MAX_VARIANTS = 80
"""Maximum number of variants of a part of a view."""
MAX_STRUCTURES = 6
"""Maximum number of new structures of the model along the steps of one size."""


@dataclass
class Exploration:
    """The variants of the views of a model, which :meth:`run` finds.

    Attributes:
        model: the model.
        names: names of the views.
        options: options of the views.
        excluded: names of sizes that get no control.
        trace: the trace of all expressions.
        controls: the numbers and options that a reader can set.
        variants: the variants of each part of a view.
        errors: messages for sizes that contradict each other.
        results: the text with the model's total, for each of its structures.
    """

    model: Model
    names: tuple[str, ...]
    options: ViewOptions
    excluded: tuple[str, ...] = ()
    trace: Trace = field(default_factory=Trace)
    controls: tuple[Control, ...] = ()
    variants: dict[Part, list[Variant]] = field(default_factory=dict)
    errors: list[Message] = field(default_factory=list)
    results: list[Message] = field(default_factory=list)
    _tables: Tables = field(default_factory=dict)
    _wrong_totals: list[ControlValues] = field(default_factory=list)
    """Values at which the model's total isn't the traced one."""
    _structures: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Number of new structures of the model, by the names of the controls that were set."""

    @property
    def structural_sizes(self) -> tuple[str, ...]:
        """Name of a size with more than :data:`MAX_STRUCTURES` structures; empty without one."""
        for names, number in self._structures.items():
            if len(names) == 1 and number > MAX_STRUCTURES:
                return names
        return ()

    def run(self) -> None:
        """Trace the views; without controls of sizes if a total on the page would be wrong."""
        sizes = traceable_sizes(self.model, self.trace, self.excluded)
        self._tables = sizes.tables
        self._trace_views(sizes.controls)
        nodes = self.trace.nodes
        if any(self._has_result(evaluate(nodes, values)) for values in self._wrong_totals):
            self._trace_views(())

    def _trace_views(self, sizes: tuple[Control, ...]) -> None:
        """Trace the views at the model's own sizes, then wherever no variant fits."""
        self.errors, self.results, self._wrong_totals = [], [], []
        controls = (*sizes, *option_controls(self.model, self.names, self.options))
        own_values = {control.name: control.value for control in controls}
        self.controls = self._detach_from_unknown(controls, own_values)
        self.variants = {part: [] for name in self.names for part in parts_of(name)}
        self._trace_at(own_values, self.variants)
        for part in self.variants:
            self._add_static(part, own_values)
        self._trace_other_values()

    def _detach_from_unknown(
        self, controls: tuple[Control, ...], own_values: ControlValues
    ) -> tuple[Control, ...]:
        """The controls; those whose value depends on a size without a control follow nothing."""
        numbers = evaluate(self.trace.nodes, own_values)
        detached: list[Control] = []
        for control in controls:
            if control.follows is not None and numbers[control.follows] is None:
                detached.append(replace(control, follows=None))
            else:
                detached.append(control)
        return tuple(detached)

    def _trace_other_values(self) -> None:
        """Trace the parts of views that have no variant yet at the values to explore."""
        traces = 1
        turning_points: list[tuple[str, int]] = []
        for set_values in values_to_explore(self.controls, self._equal_sizes, turning_points):
            if traces == MAX_TRACES or self.structural_sizes:
                break
            values = with_followers(self.trace, self.controls, set_values)
            numbers = evaluate(self.trace.nodes, values)
            if any(all_hold(error.conditions, numbers) for error in self.errors):
                continue
            parts = list(self._parts_without_variant(numbers))
            needs_result = len(self.results) < MAX_VARIANTS and not self._has_result(numbers)
            if parts or needs_result:
                results_before = len(self.results)
                self._trace_at(values, parts)
                self._structures[tuple(set_values)] += len(self.results) - results_before
                traces += 1
                if len(set_values) == 1:
                    turning_points += set_values.items()

    def _equal_sizes(self) -> dict[str, set[int]]:
        """Values of the sizes at which they are equal in a condition that was recorded so far."""
        variants = (variant for of_part in self.variants.values() for variant in of_part)
        conditions = {condition: None for each in variants for condition in each.conditions}
        return equal_sizes(self.trace, self.controls, conditions)

    def _has_result(self, numbers: Sequence[Exact | None]) -> bool:
        """True if one of the results holds for these values of the expressions."""
        return any(all_hold(result.conditions, numbers) for result in self.results)

    def _parts_without_variant(self, numbers: Sequence[Exact | None]) -> Iterable[Part]:
        """Parts of views that need a variant for these values of the expressions."""
        for part, variants in self.variants.items():
            if part.view not in TRACEABLE_VIEWS or len(variants) >= MAX_VARIANTS:
                continue
            if not any(all_hold(variant.conditions, numbers) for variant in variants):
                yield part

    def _trace_at(self, values: ControlValues, parts: Iterable[Part]) -> None:
        """Trace the model and parts of views; add variants, or the message of an error."""
        variables = variables_of(self.controls, values, self.trace)
        with self.trace.recording() as model_conditions:
            try:
                sizes = sizes_by_key(self.controls, variables)
                model = traced_model(self.model, self.trace, sizes, self._tables)
                result = total_text(model)
            except ConfigError as error:
                self._add_error(error, model_conditions)
                return
            except UNTRACEABLE:
                return
        if not self._is_total_right(model, values):
            self._wrong_totals.append(values)
            return
        if model_conditions not in [each.conditions for each in self.results]:
            self.results.append(Message(dict(model_conditions), result))
        for part in parts:
            if part.view in TRACEABLE_VIEWS:
                self._trace_part(part, model, variables, model_conditions)

    def _is_total_right(self, model: TracedModel, values: ControlValues) -> bool:
        """True if a model with these sizes has the traced total; not if its family rounds sizes."""
        keys = {each.key.name: values[each.name] for each in self.controls if each.key}
        try:
            return int(model.total) == with_settings(self.model, section_of(keys)).total
        except ConfigError:
            return False

    def _trace_part(
        self,
        part: Part,
        model: TracedModel,
        variables: Mapping[str, Traced],
        model_conditions: Conditions,
    ) -> None:
        """Trace a part of a view; add a variant, or the message of an error."""
        with self.trace.recording() as conditions:
            try:
                options = set_options(self.options, self._controls_of(part), variables)
                blocks = part.function(model, options)
            except ConfigError as error:
                self._add_error(error, {**model_conditions, **conditions})
            except UNTRACEABLE:
                pass
            else:
                self.variants[part].append(Variant({**model_conditions, **conditions}, blocks))

    def _add_error(self, error: ConfigError, conditions: Conditions) -> None:
        """Add the message of an error as a sentence, with labels in place of keys."""
        message = error.message
        for control in self.controls:
            if control.key:
                message = re.sub(rf"\b{control.key.name}\b", control.label, message)
        self.errors.append(Message(dict(conditions), capital(message)))

    def _controls_of(self, part: Part) -> tuple[Control, ...]:
        """The controls of options on which a part of a view depends."""
        names = {each.name for each in option_controls(self.model, (part.view,), self.options)}
        return tuple(each for each in self.controls if each.name in names)

    def _add_static(self, part: Part, own_values: ControlValues) -> None:
        """Replace the variants by the static part, for its own sizes, if the first one differs."""
        static = part.function(self.model, self.options)
        variants = self.variants[part]
        if variants and without_marks(marked_text(variants[0].blocks)) == marked_text(static):
            return
        has_options = part.view not in VIEWS_WITHOUT_OPTIONS
        controls = [each for each in self.controls if each.key or has_options]
        variables = variables_of(controls, own_values, self.trace)
        with self.trace.recording() as conditions:
            for each in variables.values():
                int(each)  # records its value as a condition
        self.variants[part] = [Variant(dict(conditions), static)]
