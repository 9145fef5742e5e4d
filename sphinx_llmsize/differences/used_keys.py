"""Keys on which a model depends: those that change its layers."""

from __future__ import annotations

from functools import lru_cache

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture.attention_heads import caches_one_head
from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.symbols import H_DEC, H_ENC, H_KV, D, F, H, L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

ALWAYS_USED = frozenset((D, L, H, H_ENC, H_DEC))
"""Sizes on which others depend, so that they count even if no shape contains them."""


def is_used(model: Model, key: Key, value: Setting) -> bool | None:
    """True if the model depends on the key, or would if the key had the other value.

    None if unknown, because the model with the other value is invalid.

    GPT-2's feed-forward dimension isn't in a shape as long as it is 4·D. Falcon 7B doesn't depend
    on its number of key/value heads, since it caches a single one, whatever the key says.

    Args:
        model: the model.
        key: the key.
        value: the other value.
    """
    if key.symbol in _symbols(model):
        return True
    if key.kind is ValueKind.WHOLE and not key.symbol and value != 0:
        # another number may have the same effect, such as that of layers with experts
        return _has_effect(model, key, 0) or _has_effect(model, key, value)
    return _has_effect(model, key, value)


def _has_effect(model: Model, key: Key, value: Setting) -> bool | None:
    """True if other parameter counts or windows follow from the value; None if it is invalid.

    For keys that are no size, any other layers count.
    """
    try:
        changed = with_values(model, {key: value})
    except ConfigError:
        return None
    if changed.components != model.components:
        return True
    if key.symbol:
        return _windows(changed) != _windows(model)
    return changed.architecture.items != model.architecture.items


def effective_size(model: Model, key: Key, value: Setting) -> Setting:
    """The size that a model has in place of the value of a key; the value itself for most keys.

    LFM2 makes its MLPs 2/3 as wide as the configuration says. Falcon 7B has one key/value head,
    whatever its configuration says.
    """
    if key.symbol == H_KV and caches_one_head(model.architecture.placed_stages()):
        return 1
    if key.symbol == F:
        for placed in model.architecture.placed_stages():
            for tensor in placed.stage.tensors:
                if tensor.component == "mlp_down" and isinstance(tensor.shape[0], Quantity):
                    return tensor.shape[0].value
    return value


@lru_cache(maxsize=16)
def _symbols(model: Model) -> frozenset[Symbol]:
    """The symbols in shapes and products, and :data:`ALWAYS_USED`."""
    symbols = {*ALWAYS_USED, *model.architecture.symbols}
    for placed in model.architecture.placed_stages():
        for matmul in placed.stage.matmuls:
            symbols |= matmul.flops.symbols()
    return frozenset(symbols)


def _windows(model: Model) -> list[object]:
    """The attention windows of each stack of layers."""
    stacks = model.architecture.stacks()
    return [(stack.windows, stack.two_sided_windows) for stack in stacks]
