"""Keys whose values differ between two models, and whether a model depends on a key."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.attention_heads import caches_one_head
from sphinx_llmsize.changes.ineffective import used_symbols
from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.keys import TIE_EMBEDDINGS
from sphinx_llmsize.config.symbols import H_KV, F
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model


@dataclass(frozen=True)
class KeyChange:
    """A key with its values in two models.

    Attributes:
        key: the key of the first model.
        before: value in the first model.
        after: value in the second model.
        keys_after: the key of the second model; two if it has one for the encoder and one for the
            decoder.
        is_used_before: True if the first model depends on the key.
        is_used_after: True if the second model depends on the key.
        effective: the sizes that the models before and after the change compute from ``before`` and
            ``after``; None if these are the sizes, and if both models compute the same one.
        ties_layers: True for the flag of tied embeddings if layers share weights only while it is
            true.
    """

    key: Key
    before: Setting
    after: Setting
    keys_after: tuple[Key, ...]
    is_used_before: bool = True
    is_used_after: bool = True
    effective: tuple[Setting, Setting] | None = None
    ties_layers: bool = False

    def in_models(self, before: Model, after: Model) -> KeyChange:
        """The change with the attributes that depend on the models before and after it."""
        sizes = (
            effective_size(before, self.key, self.before),
            effective_size(after, self.key, self.after),
        )
        is_computed = sizes != (self.before, self.after) and sizes[0] != sizes[1]
        return replace(
            self,
            effective=sizes if is_computed else None,
            ties_layers=self.key == TIE_EMBEDDINGS and ties_layers(before),
        )

    @property
    def values(self) -> tuple[Setting, Setting]:
        """The values that the models have: those of the key, or sizes computed from them."""
        return self.effective or (self.before, self.after)

    @property
    def is_shared(self) -> bool:
        """True if both models depend on the key."""
        return self.is_used_before and self.is_used_after

    @property
    def reverse(self) -> KeyChange:
        """The change in the other direction, for a key that both models have."""
        return replace(
            self,
            before=self.after,
            after=self.before,
            is_used_before=self.is_used_after,
            is_used_after=self.is_used_before,
            effective=self.effective[::-1] if self.effective else None,
        )


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
    if key.symbol in used_symbols(model):
        return True
    if key.kind is ValueKind.WHOLE and not key.symbol and value != 0:
        # the other number may have the effect of the model's own, so 0 is tried as well
        return _has_effect(model, key, 0) or _has_effect(model, key, value)
    return _has_effect(model, key, value)


def _has_effect(model: Model, key: Key, value: Setting) -> bool | None:
    """True if the model has other parameters or windows with the value; None if it is invalid.

    For keys that aren't sizes, any other difference between the architectures counts, too.
    """
    try:
        changed = with_values(model, {key: value})
    except ConfigError:
        return None
    if changed.components != model.components or changed.active != model.active:
        return True
    if key.symbol:
        return _windows(changed) != _windows(model)
    return changed.architecture.items != model.architecture.items


def ties_layers(model: Model) -> bool:
    """True if the flag that ties the LM head also decides whether layers share weights (Zamba)."""
    if TIE_EMBEDDINGS not in dict(model.config.settings):
        return False
    try:
        changed = with_values(model, {TIE_EMBEDDINGS: not model.config.flag(TIE_EMBEDDINGS)})
    except ConfigError:
        return False
    return uses_of_shared_layers(model) != uses_of_shared_layers(changed)


def uses_of_shared_layers(model: Model) -> int:
    """The number of times that a forward pass uses layers whose weights it uses more than once."""
    count = model.architecture.count
    stacks = model.architecture.stacks()
    return sum(count(stack.uses) for stack in stacks if count(stack.passes) > 1)


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


def _windows(model: Model) -> list[object]:
    """The attention windows of each stack of layers."""
    stacks = model.architecture.stacks()
    return [(stack.windows, stack.two_sided_windows) for stack in stacks]
