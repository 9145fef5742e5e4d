"""A key whose values differ between two models."""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    key: Key
    before: Setting
    after: Setting
    keys_after: tuple[Key, ...]
