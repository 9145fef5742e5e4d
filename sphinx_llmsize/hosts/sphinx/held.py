"""Nodes that hold a value which nodes of many pages hold.

The value is pickled apart from the page: its bytes are made once and read once, and from then on
all nodes that have the same bytes hold the same object.
"""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import Any, ClassVar

from docutils import nodes

MOST_HELD = 512
"""How many values are remembered, some 20 kB each."""


class holder(nodes.Element):  # noqa: N801 - nodes are named as docutils names its own
    """A node that is written from one value."""

    holds: ClassVar[str]
    """The attribute that has the value, which is hashable."""

    @property
    def held(self) -> Any:
        """The value."""
        return self[self.holds]

    def __getstate__(self) -> dict[str, Any]:
        return self._with(_packed(self.held))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state
        self.__dict__ = self._with(_unpacked(self.held))

    def _with(self, held: Any) -> dict[str, Any]:
        return {**self.__dict__, "attributes": {**self.attributes, self.holds: held}}


@lru_cache(MOST_HELD)
def _packed(value: Any) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


@lru_cache(MOST_HELD)
def _unpacked(value: bytes) -> Any:
    return pickle.loads(value)  # noqa: S301 - part of what Sphinx reads as a pickle
