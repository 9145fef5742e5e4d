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
from sphinx_llmsize.views.numbers.byte_measures import CACHE_DTYPE
from sphinx_llmsize.views.option_values import MAX_BATCH
from sphinx_llmsize.views.shared.lengths import longest_context, positions_limit
from sphinx_llmsize.views.view_options import ViewOptions

TOKENS, DTYPE, SEQUENCES = T.name, "dtype", BATCH.name
"""Names of the controls."""
OF_TOKENS = frozenset({"shapes", "compute", "memory"})
"""Views that depend on a number of tokens."""
OF_CONTEXT = frozenset({"compute", "memory"})
"""Those of them that depend on the tokens in context."""
OF_BATCH = frozenset({"compute", "memory"})
"""Views that depend on a number of sequences."""
OF_DTYPE = "memory"
"""View that depends on a data type."""
LABELS = {
    ("tokens", "context"): N_("tokens"),
    ("tokens",): N_("tokens in a forward pass"),
    ("context",): N_("tokens in context"),
}
"""Labels of the control of the tokens, by the options that it sets."""
USUAL_TOKENS = 4096
"""Initial number of tokens, unless the model's maximum is lower."""
POWERS = range(7, 21)
"""Powers of two among the steps of the tokens."""
BATCHES = tuple(2**power for power in range(11))
"""Steps of the number of sequences."""
BYTES = {"fp32": "4", "bf16": "2", "fp8": "1", "int4": "½"}
"""Data types that a reader can choose, with the bytes of a number."""
OF_WEIGHTS = N_("bytes per weight and cached number")


class TracedOptions(ViewOptions):
    """Options that record, once the data type is read, that what follows holds only for it.

    Attributes:
        of_dtype: the variable of the data type's control; None without one.
    """

    of_dtype: Traced | None = None

    def __getattribute__(self, name: str) -> Any:
        if name == DTYPE and self.of_dtype is not None:
            int(self.of_dtype)  # records its value as a condition
        return super().__getattribute__(name)


def static_options(model: Model, names: tuple[str, ...], options: ViewOptions) -> ViewOptions:
    """The options of the static views, with the same number of tokens for all of them."""
    if OF_TOKENS.isdisjoint(names):
        return options
    names = _set_by_tokens(names, options)
    chosen: dict[str, Any] = dict.fromkeys(names, _tokens(model, options, names))
    return replace(options, **chosen)


def option_controls(
    model: Model, names: tuple[str, ...], options: ViewOptions
) -> Iterator[Control]:
    """The controls of those options on which one of the views depends."""
    if not OF_TOKENS.isdisjoint(names):
        chosen = _set_by_tokens(names, options)
        tokens, most = _tokens(model, options, chosen), positions_limit(model) or LARGEST
        steps = {2**power for power in POWERS if 2**power <= most} | {tokens}
        label = _(LABELS[chosen])
        yield Control(TOKENS, label, tokens, tuple(sorted(steps)), most=most, options=chosen)
    if not OF_BATCH.isdisjoint(names):
        batches = tuple(sorted({*BATCHES, options.batch}))
        label, chosen = _(BATCH.meaning), ("batch",)
        yield Control(SEQUENCES, label, options.batch, batches, most=MAX_BATCH, options=chosen)
    if OF_DTYPE in names:
        yield _dtype_control(options.dtype or CACHE_DTYPE)


def set_options(
    options: ViewOptions, controls: tuple[Control, ...], variables: Mapping[str, Traced]
) -> ViewOptions:
    """The options with the values of their controls, traced in the case of numbers.

    If the data type is read, that it is this one is recorded as a condition.
    """
    values: dict[str, Any] = {each.name: getattr(options, each.name) for each in fields(options)}
    for control in controls:
        variable = variables[control.name]
        if control.name in {TOKENS, SEQUENCES}:
            values |= dict.fromkeys(control.options, variable)
        elif control.name == DTYPE and (untraced(variable) != control.value or options.dtype):
            values[DTYPE] = control.texts[untraced(variable)]
    made = TracedOptions(**values)
    object.__setattr__(made, "of_dtype", variables.get(DTYPE))
    return made


def _tokens(model: Model, options: ViewOptions, chosen: tuple[str, ...]) -> int:
    """The initial number of tokens for the options that the control sets."""
    longest = longest_context(model) or USUAL_TOKENS
    most = positions_limit(model) or longest
    written = (getattr(options, name) for name in reversed(chosen))
    return next(filter(None, written), min(USUAL_TOKENS, longest, most))


def _set_by_tokens(names: tuple[str, ...], options: ViewOptions) -> tuple[str, ...]:
    """Names of the options that the control of the tokens sets: both, unless they differ."""
    if not (options.tokens and options.context) or options.tokens == options.context:
        return ("tokens", "context")
    return ("context",) if OF_CONTEXT.intersection(names) else ("tokens",)


def _dtype_control(dtype: str) -> Control:
    """The control of the bytes of a weight, and of a number in the KV cache."""
    names = (*BYTES, *(() if dtype in BYTES else (dtype,)))
    shown = (f"{BYTES[name]} ({name})" if name in BYTES else name for name in names)
    return Control(
        DTYPE,
        _(OF_WEIGHTS),
        names.index(dtype),
        tuple(range(len(names))),
        least=0,
        most=len(names) - 1,
        choices=tuple(shown),
        options=(DTYPE,),
        texts=names,
    )
