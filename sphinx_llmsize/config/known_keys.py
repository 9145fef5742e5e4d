"""Keys that configurations have and a family has no use for."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


def is_without_size(name: str) -> bool:
    """Whether no tensor of any model depends on it: dropout, special tokens, rope_theta."""
    return _keys().get(name) == ""


def is_known_elsewhere(name: str) -> bool:
    """Whether some model's configuration has it, so that it is no slip of another."""
    return name in _keys()


@lru_cache(maxsize=1)
def _keys() -> dict[str, str]:
    """Each name, one a line in ``known_keys.txt``; those of sizes, in any family, say so."""
    text = files("sphinx_llmsize.config").joinpath("known_keys.txt").read_text("utf-8")
    words = (line.partition(" ") for line in text.splitlines())
    return {name: use for name, _, use in words}
