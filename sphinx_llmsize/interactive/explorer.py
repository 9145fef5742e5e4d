"""Explorer: views of a model as texts in expressions, for all values that its controls allow.

A view is traced at the model's own sizes first. For other sizes, a condition of that trace may not
hold, such as that there are as many key/value heads as heads. The view is then traced there too, as
another variant. For sizes that fit no variant, the page shows none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.interactive.controls import (
    DTYPE,
    TOKENS,
    Control,
    dtype_control,
    size_controls,
    tokens_control,
)
from sphinx_llmsize.interactive.traced_layers import LayerTables, layer_tables
from sphinx_llmsize.interactive.traced_model import TracedModel, traced_model
from sphinx_llmsize.model import Model, with_settings
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.traced import OPERATORS, Condition, Trace, Traced, evaluate
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import view
from sphinx_llmsize.views.numbers.measures import CACHE_DTYPE
from sphinx_llmsize.views.shared.lengths import longest_context, positions_limit
from sphinx_llmsize.views.shared.mixer_names import with_mixer_name
from sphinx_llmsize.views.view_options import ViewOptions

INTERACTIVE = frozenset({"table", "formula", "rule", "diagram", "shapes", "compute", "memory"})
"""Views whose numbers are computed again."""
OF_TOKENS = frozenset({"shapes", "compute", "memory"})
"""Views that depend on a number of tokens."""
USUAL_TOKENS = 4096
MAX_RUNS = 48
"""Maximum number of settings at which the views are traced."""
MAX_VARIANTS = 16
"""Maximum number of variants of a view."""
RANDOM_SETTINGS = 150
"""Number of random settings at which a variant is looked for."""

Conditions = Mapping[Condition, bool]
Setting = dict[str, int]
"""Value of each control."""


@dataclass(frozen=True)
class Variant:
    """A view as it is under some conditions.

    Attributes:
        conditions: comparisons with the results that they must have.
        blocks: blocks with marked texts.
    """

    conditions: Conditions
    blocks: Document


@dataclass(frozen=True)
class Impossible:
    """A message for sizes that contradict each other, and when that is the case."""

    conditions: Conditions
    message: str


@dataclass(frozen=True)
class Explorer:
    """Interactive views of a model.

    Attributes:
        model: the model.
        trace: expressions and texts.
        controls: what a reader can set.
        views: names of the views, each with its variants; the first is the static page.
        errors: messages for sizes that contradict each other.
        status: sentence with the result, marked.
        options: options of the static views.
    """

    model: Model
    trace: Trace
    controls: tuple[Control, ...]
    views: tuple[tuple[str, list[Variant]], ...]
    errors: list[Impossible]
    status: str
    options: ViewOptions


def explore(model: Model, names: tuple[str, ...], options: ViewOptions) -> Explorer:
    """Trace the views of a model wherever their controls allow.

    Raises:
        ConfigError: an option's value is invalid for the model.
    """
    options = replace(options, labels=with_mixer_name(model, options.labels))
    explored = _Exploration(model, names, options)
    explored.run()
    return explored.result()


@dataclass
class _Exploration:
    """Traces views at one setting after the other."""

    model: Model
    names: tuple[str, ...]
    options: ViewOptions
    trace: Trace = field(default_factory=Trace)
    status: str = ""

    def __post_init__(self) -> None:
        self.tables: LayerTables | None = None
        self.errors: list[Impossible] = []
        self.variants: dict[str, list[Variant]] = {name: [] for name in self.names}
        sizes = size_controls(self.model, self.trace)
        self.controls = (*self._with_layers(tuple(sizes)), *self._of_options())

    def _of_options(self) -> Iterator[Control]:
        """The controls of options, which also become the options of the static views."""
        if OF_TOKENS.isdisjoint(self.names):
            return
        given = self.options
        longest = longest_context(self.model) or USUAL_TOKENS
        most = positions_limit(self.model) or longest
        tokens = given.context or given.tokens or min(USUAL_TOKENS, longest, most)
        moved = tuple(
            name for name in ("tokens", "context") if getattr(given, name) in {None, tokens}
        )
        self.options = replace(given, **dict.fromkeys(moved, tokens))
        yield tokens_control(self.model, tokens, moved)
        if "memory" in self.names:
            yield dtype_control(given.dtype or CACHE_DTYPE)

    def _with_layers(self, controls: tuple[Control, ...]) -> tuple[Control, ...]:
        """The controls; that of the layers has tables if layers may differ."""
        layers = next((each for each in controls if each.key and each.key.symbol == L), None)
        if layers is None or not self._is_pinned(controls, layers):
            return controls
        key = layers.key
        assert key
        self.tables = layer_tables(
            lambda number: with_settings(self.model, section_of({key.name: number})).architecture,
            layers.value,
        )
        least, most = self.tables.least, self.tables.most
        steps = tuple(step for step in layers.steps if least <= step <= most)
        limited = replace(layers, steps=steps, least=least, most=most)
        return tuple(limited if each is layers else each for each in controls)

    def _is_pinned(self, controls: tuple[Control, ...], control: Control) -> bool:
        """True if the model can't be built for another value of a control."""
        variables = self._variables(controls, {each.name: each.value for each in controls})
        with self.trace.recording() as conditions:
            traced_model(self.model, self.trace, self._sizes(controls, variables))
        node = variables[control.name].node
        pinned = ("==", node, self.trace.of(control.value))
        return conditions.get(pinned, False)

    def _variables(
        self, controls: tuple[Control, ...], setting: Setting
    ) -> dict[str, Traced]:
        return {
            each.name: self.trace.variable(each.name, setting[each.name]) for each in controls
        }

    def _sizes(self, controls: tuple[Control, ...], of: Mapping[str, Traced]) -> dict:
        return {each.key: of[each.name] for each in controls if each.key}

    def run(self) -> None:
        """Trace the views at the model's own sizes, then where no variant fits."""
        own = {each.name: each.value for each in self.controls}
        self._trace_at(own)
        runs = 1
        for setting in self._settings(own):
            values = evaluate(self.trace.nodes, setting)
            if any(_holds(each.conditions, values) for each in self.errors):
                continue
            lacking = [
                name
                for name, variants in self.variants.items()
                if not any(_holds(each.conditions, values) for each in variants)
            ]
            lacking = [name for name in lacking if len(self.variants[name]) < MAX_VARIANTS]
            if lacking and runs < MAX_RUNS:
                self._trace_at(setting, lacking)
                runs += 1

    def _settings(self, own: Setting) -> Iterator[Setting]:
        """Settings to look at: each control alone, then several at once."""
        for control in self.controls:
            every = max(len(control.steps) // 12, 1)
            wrong = (control.value + 1,) if control.key and control.value < control.most else ()
            for step in (*control.steps[::every], *control.steps[-1:], *wrong):
                yield self._following({control.name: step}, own)
        chosen = random.Random(0)  # noqa: S311 - the same for each build
        for _number in range(RANDOM_SETTINGS):
            several = chosen.sample(self.controls, chosen.randint(2, len(self.controls)))
            yield self._following({c.name: chosen.choice(c.steps) for c in several}, own)

    def _following(self, written: Setting, own: Setting) -> Setting:
        """A setting in which what isn't written follows what is."""
        return following(self.trace, self.controls, written)

    def _trace_at(self, setting: Setting, names: list[str] | None = None) -> None:
        """Trace some of the views, or all of them; add those that have no such variant."""
        variables = self._variables(self.controls, setting)
        with self.trace.recording() as of_model:
            try:
                sizes = self._sizes(self.controls, variables)
                model = traced_model(self.model, self.trace, sizes, self.tables)
                if not self.status:
                    self.status = _("{model}: {total} parameters", model=model.name, total=model.total)
            except ConfigError as error:
                self.errors.append(Impossible(dict(of_model), error.message))
                return
        options = self._traced_options(variables)
        for name in names or self.variants:
            with self.trace.recording() as conditions:
                if name == "memory":
                    assert variables[DTYPE] == setting[DTYPE]  # recorded: each has a variant
                try:
                    blocks = _blocks(name, model, options)
                except ConfigError as error:
                    self.errors.append(Impossible({**of_model, **conditions}, error.message))
                    return
            self.variants[name].append(Variant({**of_model, **conditions}, blocks))

    def _traced_options(self, variables: Mapping[str, Traced]) -> ViewOptions:
        """The options with the values of their controls."""
        options = self.options
        for control in self.controls:
            if control.name == TOKENS:
                moved = dict.fromkeys(control.options, variables[TOKENS])
                options = replace(options, **moved)  # type: ignore[arg-type]
            elif control.name == DTYPE:
                position = variables[DTYPE].value
                if position != control.value or options.dtype:
                    options = replace(options, dtype=control.texts[int(position)])
        return options

    def result(self) -> Explorer:
        """What was found."""
        return Explorer(
            self.model,
            self.trace,
            self.controls,
            tuple(self.variants.items()),
            self.errors,
            self.status,
            self.options,
        )


def _blocks(name: str, model: TracedModel, options: ViewOptions) -> Document:
    return view(name)(model, options)


def following(trace: Trace, controls: tuple[Control, ...], written: Setting) -> Setting:
    """The values of all controls, of which some are written, and others follow these."""
    setting = {each.name: written.get(each.name, each.value) for each in controls}
    followers = [c for c in controls if c.follows is not None and c.name not in written]
    if followers:
        values = evaluate(trace.nodes, setting)
        setting |= {c.name: int(values[c.follows] or c.value) for c in followers}  # type: ignore[index]
    return setting


def _holds(conditions: Conditions, values: list) -> bool:
    """True if all comparisons have their results."""
    for (operator, one, other), result in conditions.items():
        if values[one] is None or values[other] is None:
            return False
        if OPERATORS[operator](values[one], values[other]) != result:
            return False
    return True
