"""Controls of options: the number of tokens, of sequences in a batch, and the data type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from sphinx_llmsize.config.symbols import BATCH, T
from sphinx_llmsize.interactive.controls import LARGEST, Control
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import Traced, untraced
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE
from sphinx_llmsize.views.option_values import MAX_BATCH
from sphinx_llmsize.views.shared.lengths import positions_limit, usual_tokens
from sphinx_llmsize.views.view_options import ViewOptions

TOKENS, DTYPE, SEQUENCES = T.name, "dtype", BATCH.name
"""Names of the controls."""
TOKEN_VIEWS = frozenset({"shapes", "compute", "memory"})
"""Views that depend on a number of tokens."""
CONTEXT_VIEWS = frozenset({"compute", "memory"})
"""Views that depend on the number of tokens in context."""
BATCH_VIEWS = frozenset({"compute", "memory"})
"""Views that depend on a number of sequences."""
DTYPE_VIEW = "memory"
"""View that depends on a data type."""
VIEWS_WITHOUT_OPTIONS = frozenset({"composition", "features", "name"})
"""Views that depend on no number of tokens or sequences, and on no data type."""
LABELS = {
    ("tokens", "context"): N_("tokens"),
    ("tokens",): N_("tokens in a forward pass"),
    ("context",): N_("tokens in context"),
}
"""Labels of the control of the tokens, by the options that it sets."""
POWERS = range(7, 21)
"""Exponents of the powers of two that are steps of the tokens."""
BATCHES = tuple(2**power for power in range(11))
"""Steps of the number of sequences."""
BYTES = {"fp32": "4", "bf16": "2", "fp8": "1", "int4": "½"}
"""Data types that a reader can choose, with the bytes of a number."""
DTYPE_LABEL = N_("bytes per weight and cached number")
"""Label of the control of the data type."""


class TracedOptions(ViewOptions):
    """Options that record a condition whenever their data type is read: that it is this one.

    Attributes:
        dtype_variable: variable of the control of the data type; None if there is no control.
    """

    dtype_variable: Traced | None = None

    def __getattribute__(self, name: str) -> Any:
        if name == DTYPE and self.dtype_variable is not None:
            int(self.dtype_variable)  # records its value as a condition
        return super().__getattribute__(name)


def initial_options(model: Model, names: tuple[str, ...], options: ViewOptions) -> ViewOptions:
    """The options as the controls show them at first: one number of tokens for all views."""
    if TOKEN_VIEWS.isdisjoint(names):
        return options
    token_options = _token_options(names, options)
    values: dict[str, Any] = dict.fromkeys(token_options, _tokens(model, options, token_options))
    return replace(options, **values)


def option_controls(
    model: Model, names: tuple[str, ...], options: ViewOptions
) -> Iterator[Control]:
    """The controls of the options on which at least one of the views depends."""
    if not TOKEN_VIEWS.isdisjoint(names):
        token_options = _token_options(names, options)
        tokens = _tokens(model, options, token_options)
        most = positions_limit(model) or LARGEST
        steps = {2**power for power in POWERS if 2**power <= most} | {tokens}
        label = _(LABELS[token_options])
        yield Control(TOKENS, label, tokens, tuple(sorted(steps)), most=most, options=token_options)
    if not BATCH_VIEWS.isdisjoint(names):
        batches = tuple(sorted({*BATCHES, options.batch}))
        label = _(BATCH.meaning)
        yield Control(SEQUENCES, label, options.batch, batches, most=MAX_BATCH, options=("batch",))
    if DTYPE_VIEW in names:
        yield _dtype_control(options.dtype or DEFAULT_DTYPE)


def set_options(
    options: ViewOptions, controls: tuple[Control, ...], variables: Mapping[str, Traced]
) -> ViewOptions:
    """The options with the values of their controls.

    Numbers are traced. When a view reads the data type, its value is recorded as a condition.
    """
    values: dict[str, Any] = {each.name: getattr(options, each.name) for each in fields(options)}
    for control in controls:
        variable = variables[control.name]
        if control.name in {TOKENS, SEQUENCES}:
            values |= dict.fromkeys(control.options, variable)
        elif control.name == DTYPE and (untraced(variable) != control.value or options.dtype):
            # until a reader chooses one, a data type that the author didn't set stays unset
            values[DTYPE] = control.texts[untraced(variable)]
    traced = TracedOptions(**values)
    object.__setattr__(traced, "dtype_variable", variables.get(DTYPE))
    return traced


def _tokens(model: Model, options: ViewOptions, token_options: tuple[str, ...]) -> int:
    """The initial number of tokens for the options that the control sets."""
    for name in reversed(token_options):
        if tokens := getattr(options, name):
            return int(tokens)
    return usual_tokens(model)


def _token_options(names: tuple[str, ...], options: ViewOptions) -> tuple[str, ...]:
    """Names of the options that the control of the tokens sets: both, unless they differ."""
    if not (options.tokens and options.context) or options.tokens == options.context:
        return ("tokens", "context")
    return ("context",) if CONTEXT_VIEWS.intersection(names) else ("tokens",)


def _dtype_control(dtype: str) -> Control:
    """The control of the bytes of a weight, and of a number in the KV cache."""
    names = tuple(BYTES) if dtype in BYTES else (*BYTES, dtype)
    choices = [f"{BYTES[name]} ({name})" if name in BYTES else name for name in names]
    return Control(
        DTYPE,
        _(DTYPE_LABEL),
        names.index(dtype),
        tuple(range(len(names))),
        least=0,
        most=len(names) - 1,
        choices=tuple(choices),
        options=(DTYPE,),
        texts=names,
    )
