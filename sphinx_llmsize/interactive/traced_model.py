"""Models whose sizes are traced numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.interactive.traced_layers import LayerTables, with_traced_layers
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.traced import Trace, Traced, untraced
from sphinx_llmsize.views.shared.model_titles import title

Tables = Mapping[Key, LayerTables]
"""Tables of the keys for numbers of layers, for a model whose layers differ."""


@dataclass(frozen=True, eq=False)
class TracedModel(Model):
    """A model whose sizes are traced; equal only to itself, so that caches never confuse two.

    Attributes:
        make_plain: function that makes the model with the values of these sizes.
    """

    make_plain: Callable[[], Model] | None = None

    @cached_property
    def plain(self) -> Model:
        """The model with the values of the traced sizes."""
        return self.make_plain() if self.make_plain else self

    def __hash__(self) -> int:
        return id(self)


def traced_model(
    model: Model, trace: Trace, sizes: Mapping[Key, Traced], tables: Tables = MappingProxyType({})
) -> TracedModel:
    """The model with traced sizes in place of those of its configuration.

    The family's rules run with the traced numbers: derived sizes become expressions, and checks
    become conditions.

    Args:
        model: the model.
        trace: the trace of the sizes.
        sizes: traced sizes by key.
        tables: numbers of layers of each kind by key, for a model whose layers differ.

    Raises:
        ConfigError: the sizes contradict each other.
    """
    # numbers of layers with a table are traced below
    settings: dict[Key, Any] = {
        key: untraced(size) if key in tables else size for key, size in sizes.items()
    }
    family = model.family
    parsed = family.read(Section(()))
    parsed.settings.update(settings)
    config = family.configure(parsed, model.config)
    architecture = family.build(config, parsed)
    for key, size in sizes.items():
        if key in tables:
            architecture = with_traced_layers(architecture, tables[key], size)
    name = trace.text(model.name, "name", ()) if model.name else ""
    return TracedModel(
        name,
        config,
        model.model_type,
        architecture,
        model.preset,
        model.changes,
        marked_title(model, trace),
        partial(with_values, model, {key: untraced(size) for key, size in sizes.items()}),
    )


def marked_title(model: Model, trace: Trace) -> str:
    """The model's title as one text, which follows all changes; empty without a name."""
    text = title(model)
    return trace.text(text, "title", ()) if text else ""


def derived_config(model: Model, sizes: Mapping[Key, Traced]) -> Config:
    """The configuration with some traced sizes, from which the family's rules derive others."""
    family = model.family
    parsed = family.read(Section(()))
    parsed.settings.update(sizes)  # type: ignore[arg-type]
    return family.configure(parsed, model.config)
