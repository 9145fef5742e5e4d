"""Stages with the same weights, which differ in what they compute."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.config.symbols import Length, T


def with_equal_weights(placed_stages: Iterable[PlacedStage]) -> Iterator[PlacedStage]:
    """Yield the placed stages; stages with the same weights are replaced with the first of them.

    Funnel Transformer's layers are alike then, whether their sequence was pooled or not. Stages of
    an encoder and of a decoder that reads another sequence stay apart, as in T5.
    """
    first_stages: dict[Hashable, Stage] = {}
    for placed in placed_stages:
        stage = first_stages.setdefault(_weights_key(placed.stage), placed.stage)
        yield placed if stage is placed.stage else replace(placed, stage=stage)


def _weights_key(stage: Stage) -> Hashable:
    """Key that is equal for stages with the same weights, on the same sequence or parts of it."""
    lengths = (symbol for symbol in stage.length.symbols() if isinstance(symbol, Length))
    # T_src isn't T, unlike a length that is computed from T
    others = tuple(length for length in lengths if length.equals_tokens and length != T)
    return (stage.id, stage.label, stage.group, stage.tensors, stage.source, others)
