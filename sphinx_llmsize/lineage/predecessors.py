"""Predecessor of a released model: the nearest model of an earlier version of its series.

The rule uses only names and numbers of parameters. It doesn't imply that one model was trained from
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
from sphinx_llmsize.sources.preset_files import Preset, presets

MAX_RATIO = 3
"""Maximum ratio of the larger total to the smaller one, of a model and its predecessor."""


def predecessor(model: Model) -> Model | None:
    """Predecessor of a model that was loaded from a preset; None if it has none.

    It is a model of the same series, from the first of these groups with one of a similar size:

    1. models of the same variant and an earlier version;
    2. for a variant, the plain models of its own version;
    3. for a variant, the plain models of an earlier version.

    Of the latest such version, it is the model with the nearest total and active parameters.
    """
    assert model.preset
    own = parts_of_name(model.preset)
    for candidates in _candidates(own, _series()[own.generation.key]):
        if found := _nearest(model, candidates):
            return found
    return None


def _candidates(
    own: NameParts, series: Iterable[tuple[NameParts, Preset]]
) -> tuple[list[tuple[NameParts, Preset]], ...]:
    """Models of the series in the three groups of :func:`predecessor`, the preferred one first."""
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
    """The nearest model of the latest version with one of a similar size; None if there is none."""
    by_version: dict[tuple[int, ...], list[Model]] = defaultdict(list)
    for parts, preset in candidates:
        other = load_preset(preset.name)
        if _distance(model.total, other.total) <= log(MAX_RATIO):
            by_version[parts.generation.version].append(other)
    if not by_version:
        return None

    def distance(other: Model) -> float:
        return _distance(model.total, other.total) + _distance(model.active, other.active)

    latest = max(by_version)
    return min(by_version[latest], key=distance)


def _distance(one: int, other: int) -> float:
    """Logarithm of the ratio of the larger number to the smaller one."""
    return abs(log(one / other))


@cache
def _series() -> dict[tuple[str, str], list[tuple[NameParts, Preset]]]:
    """The presets of each series with the parts of their names, by :attr:`Generation.key`."""
    series: dict[tuple[str, str], list[tuple[NameParts, Preset]]] = defaultdict(list)
    for preset in presets().values():
        parts = parts_of_name(preset)
        series[parts.generation.key].append((parts, preset))
    return series
