"""Rules for keys whose value is one of a family's names, on which its weights or views depend.

A name that the family doesn't know could mean other weights than those that would be counted. So
all names are known, or the value is an error. Keys that a family doesn't read have no such rule.
"""

from __future__ import annotations

from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.rule import Rule, names_are_known, one_of

ACTIVATIONS = (
    *("gelu", "gelu_10", "gelu_accurate", "gelu_fast", "gelu_new", "gelu_python"),
    *("gelu_python_tanh", "gelu_pytorch_tanh", "laplace", "leaky_relu", "linear", "mish"),
    *("quick_gelu", "relu", "relu2", "relu6", "sigmoid", "silu", "swish", "tanh"),
)
"""Activations of transformers, except those with weights of their own: ``prelu`` and ``xielu``."""
SEPARATOR = "|"
"""Sign between several names in a text."""


def names_in(value: object) -> tuple[str, ...]:
    """Names in a text such as ``p2c|c2p``, in lower case; a list is returned unchanged.

    Null has no names.
    """
    if value is None:
        return ()
    if isinstance(value, tuple):
        return value
    return tuple(name.strip() for name in str(value).lower().split(SEPARATOR))


def known_activation(key: Key, *others: str, prefix: str = "") -> Rule:
    """Rule: a key names an activation without weights.

    Args:
        key: the key.
        others: other names, whose weights the family counts.
        prefix: text that may precede a name.
    """
    prefixed = [f"{prefix}{name}" for name in ACTIVATIONS] if prefix else []
    return one_of(key, *ACTIVATIONS, *prefixed, *others)


def known_names(key: Key, *names: str) -> Rule:
    """Rule: each of the names that a key has, see :func:`names_in`, is one of these."""
    return names_are_known(key, names, lambda settings: filter(None, names_in(settings.get(key))))
