"""Optional sizes that have no effect, since they are as large as the size in their place.

An example is OPT's embedding dimension: as large as the hidden dimension, it means that there are
no projections. When the hidden dimension changes, it must not stay behind.
"""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.changes.scale_sizes import sizes_of, with_values
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model


def without_redundant_sizes(one: Model, other: Model) -> tuple[Model, Model]:
    """Both models without optional sizes that have no effect in them.

    A size that has an effect in the other model is kept, since it can be compared.
    """
    redundant, redundant_in_other = _redundant_sizes(one), _redundant_sizes(other)
    needed = {key.symbol for key in sizes_of(one).keys() - redundant}
    needed_in_other = {key.symbol for key in sizes_of(other).keys() - redundant_in_other}
    return (
        _without(one, {key for key in redundant if key.symbol not in needed_in_other}),
        _without(other, {key for key in redundant_in_other if key.symbol not in needed}),
    )


def _redundant_sizes(model: Model) -> set[Key]:
    """The sizes without which the model is the same, and that its family doesn't derive then."""
    optional = (key for key in sizes_of(model) if model.family.defaults.get(key) is None)
    return {key for key in optional if _is_redundant(model, key)}


def _is_redundant(model: Model, key: Key) -> bool:
    """True if the model is the same without a size, and the family has no rule that derives it."""
    try:
        changed = with_values(model, {key: None})
    except ConfigError:
        return False
    return changed.config[key] is None and changed.architecture.items == model.architecture.items


def _without(model: Model, keys: set[Key]) -> Model:
    """The model, with its name and the author's changes, without some sizes."""
    if not keys:
        return model
    return replace(with_values(model, dict.fromkeys(keys)), changes=model.changes)
