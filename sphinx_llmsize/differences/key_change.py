"""A key whose values differ between two models."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key


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
        is_used_after: True if the second model does.
        effective: the sizes that the models compute from the two values; None if both are the
            values themselves.
    """

    key: Key
    before: Setting
    after: Setting
    keys_after: tuple[Key, ...]
    is_used_before: bool = True
    is_used_after: bool = True
    effective: tuple[Setting, Setting] | None = None

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
