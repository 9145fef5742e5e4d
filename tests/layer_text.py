"""Layers as short texts that show what is added to what: ``x + attention(norm); x + mlp(norm)``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from sphinx_llmsize.architecture.stages import Group, Parallel, Residual, Step
from sphinx_llmsize.config.symbols import D

WORDS = {
    Group.ATTENTION: "attention",
    Group.MIXER: "mixer",
    Group.FEED_FORWARD: "mlp",
    Group.EXPERTS: "experts",
    Group.NORMS: "norm",
}
"""Words for the steps of a group; those of other groups are shown by their id."""
FRAME_NORMS = ("attention_norm", "ffn_norm")
"""Ids of norms that are shown even where layers are not D wide."""


def text(steps: Iterable[Step]) -> str:
    """Steps in the order of the forward pass; ``x`` is the input of a residual connection.

    ``norm; x + mlp(norm); x + (attention + mlp)`` has a norm, then an MLP after another norm, then
    attention and an MLP in parallel. Norms inside attention and of its latents are left out.
    """
    return "; ".join(_words(steps))


def _words(steps: Iterable[Step]) -> list[str]:
    words: list[str] = []
    for word in filter(None, map(_word, steps)):
        if word != next(reversed(words), "") or word.startswith("x + "):
            words.append(word)
    return words


def _word(step: Step) -> str:
    if isinstance(step, Residual):
        return f"x + {_nested(step.steps)}"
    if isinstance(step, Parallel):
        branches = list(dict.fromkeys(filter(None, map(_nested, step.branches))))
        return branches[0] if len(branches) == 1 else f"({' + '.join(branches)})"
    if step.group is Group.NORMS:
        inside = step.id == "qk_norm" or step.output[-1] != D
        return "" if inside and step.id not in FRAME_NORMS else "norm"
    if step.group is Group.ATTENTION and step.id.startswith("cross_"):
        return "cross-attention"
    return WORDS.get(step.group, step.id)


def _nested(steps: Iterable[Step]) -> str:
    """Steps as functions: ``mlp(norm)``; in brackets if there is a residual among them."""
    words = _words(steps)
    if any(word.startswith("x + ") for word in words):
        return f"[{'; '.join(words)}]"
    return reduce(lambda inner, word: f"{word}({inner})", words[1:], words[0]) if words else ""
