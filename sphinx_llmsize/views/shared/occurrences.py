"""Where stages occur: what several stacks have alike is told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack, layers_of
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import listed_text


@dataclass(frozen=True)
class Occurrence:
    """A stage with every stack that has it.

    Attributes:
        stage: the stage.
        stacks: none for what stands outside the layers.
        layers: how often its weights are there.
        where: which layers, where another stage of that name is in others.
    """

    stage: Stage
    stacks: tuple[Stack, ...]
    layers: Size
    where: str = ""


def occurrences(
    places: Iterable[PlacedStage], architecture: Architecture
) -> tuple[Occurrence, ...]:
    """Each stage once, with the stacks that it is in."""
    found: dict[Stage, tuple[Stack, ...]] = {}
    for place in places:
        found[place.stage] = found.get(place.stage, ()) + ((place.stack,) if place.stack else ())
    labels = Counter(stage.label for stage in found)
    return tuple(
        Occurrence(
            stage,
            stacks,
            _layers(stacks, architecture),
            _where(stacks) if labels[stage.label] > 1 else "",
        )
        for stage, stacks in found.items()
    )


def _layers(stacks: tuple[Stack, ...], architecture: Architecture) -> Size:
    """L where the stacks are all the layers, else the sum of theirs."""
    if not stacks:
        return ONE
    layers = layers_of(stacks)
    is_all = len(stacks) > 1 and architecture.count(layers) == architecture.sizes.get(L)
    return L if is_all else layers


def _where(stacks: tuple[Stack, ...]) -> str:
    """``in dense layers``, where the layers differ."""
    return in_layers([stack.label for stack in stacks if stack.kinds])


def in_layers(kinds: Sequence[str]) -> str:
    """``in dense and MoE layers``; nothing where none is named."""
    return _("in {kinds} layers", kinds=listed_text([_(kind) for kind in kinds])) if kinds else ""
