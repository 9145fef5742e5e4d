"""Predecessor of a released model: the nearest model of an earlier version of its series.

The rule uses only names and numbers of parameters. It doesn't say that one model was trained from
the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from math import log

from sphinx_llmsize.lineage.series import NameParts, parts_of_name
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.presets import Preset, presets

MAX_RATIO = 3
"""A predecessor has at most this many times as many parameters, and at least one in this many."""


def predecessor(model: Model) -> Model | None:
    """The model that a released one follows; None if there is none.

    Candidates are the models of its series of an earlier version, those of its variant first. A
    variant without earlier ones follows the plain model of its version, or else of an earlier one.
    The latest version with a model of a similar size is chosen, and of it the model whose total and
    active parameters are nearest.
    """
    assert model.preset
    own = parts_of_name(model.preset)
    series = [(parts_of_name(each), each) for each in _series()[own.generation.key]]
    for candidates in _candidates(own, series):
        if found := _nearest(model, candidates):
            return found
    return None


def _candidates(
    own: NameParts, series: Iterable[tuple[NameParts, Preset]]
) -> tuple[list[tuple[NameParts, Preset]], ...]:
    """Models to choose from, the preferred ones first."""
    version = own.generation.version
    same_variant, plain_now, plain_before = [], [], []
    for parts, preset in series:
        before = parts.generation.version < version
        if before and parts.variant == own.variant:
            same_variant.append((parts, preset))
        elif not parts.variant and own.variant:
            if before:
                plain_before.append((parts, preset))
            elif parts.generation.version == version:
                plain_now.append((parts, preset))
    return same_variant, plain_now, plain_before


def _nearest(model: Model, candidates: list[tuple[NameParts, Preset]]) -> Model | None:
    """The nearest model of the latest version that has one of a similar size."""
    by_version: dict[tuple[int, ...], list[Model]] = defaultdict(list)
    for parts, preset in candidates:
        other = load_preset(preset.name)
        if _distance(model.total, other.total) <= log(MAX_RATIO):
            by_version[parts.generation.version].append(other)
    if not by_version:
        return None
    return min(
        by_version[max(by_version)],
        key=lambda other: (
            _distance(model.total, other.total) + _distance(model.active, other.active)
        ),
    )


def _distance(one: int, other: int) -> float:
    return abs(log(one / other))


@cache
def _series() -> dict[tuple[str, str], list[Preset]]:
    """The presets of each series."""
    found: dict[tuple[str, str], list[Preset]] = defaultdict(list)
    for preset in presets().values():
        found[parts_of_name(preset).generation.key].append(preset)
    return found
