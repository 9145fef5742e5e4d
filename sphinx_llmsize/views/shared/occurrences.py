"""Occurrences of stages: a stage that several stacks have in common is listed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import listed_text


@dataclass(frozen=True)
class Occurrence:
    """A stage with all stacks that contain it.

    Attributes:
        stage: the stage.
        stacks: empty for a stage outside the layers.
        layers: number of layers with weights of their own.
        where: description of the layers, if another stage has the same label.
    """

    stage: Stage
    stacks: tuple[Stack, ...]
    layers: Size
    where: str = ""


def occurrences(
    places: Iterable[PlacedStage], architecture: Architecture
) -> tuple[Occurrence, ...]:
    """Each different stage with the stacks that contain it."""
    found: dict[Stage, tuple[Stack, ...]] = {}
    for place in places:
        found[place.stage] = found.get(place.stage, ()) + ((place.stack,) if place.stack else ())
    labels = Counter(stage.label for stage in found)
    return tuple(
        Occurrence(
            stage,
            stacks,
            architecture.layer_counts.of(stacks).size if stacks else ONE,
            in_layers([s.label for s in stacks if s.kinds]) if labels[stage.label] > 1 else "",
        )
        for stage, stacks in found.items()
    )


def occurrences_by_group(model: Model, places: Iterable[PlacedStage]) -> Iterator[Occurrence]:
    """The occurrences of stages, group by group."""
    stages = list(places)
    for group in Group:
        members = (place for place in stages if place.stage.group is group)
        yield from occurrences(members, model.architecture)


def in_layers(kinds: Sequence[str]) -> str:
    """``in dense and MoE layers``; empty without kinds."""
    return _("in {kinds} layers", kinds=listed_text([_(kind) for kind in kinds])) if kinds else ""
