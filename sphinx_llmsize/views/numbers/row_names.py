"""Names of the numbers in rows of tables, from the ids of the parts that the rows count."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.cost import forward
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.memory.kv_cache import CachedPart
from sphinx_llmsize.views.numbers.counted_parts import cache_parts, flops_parts, parameter_parts
from sphinx_llmsize.views.numbers.model_numbers import is_setting, symbol_values
from sphinx_llmsize.views.numbers.part_selection import UNION, Ids, Part
from sphinx_llmsize.views.numbers.selecting_name import selecting_name
from sphinx_llmsize.views.shared.occurrences import Occurrence


def stage_name(model: Model, stage: Stage) -> str:
    """Name of a stage's parameters: ``qkv``, or ``qkv.encoder`` if others have the same id."""
    return _name_among(model, parameter_parts(model), stage)


def name_of_stages(model: Model, occurrences: Collection[Occurrence]) -> str:
    """Name of the parameters of several stages in their layers: ``attention+feed_forward``."""
    parts = parameter_parts(model)
    places = {(each.stage, stack) for each in occurrences for stack in each.stacks or (None,)}
    wanted = [part for part in parts if (part.stage, part.stack) in places]
    if not wanted:
        return ""
    groups = dict.fromkeys(each.stage.group.value for each in occurrences)
    stages = dict.fromkeys(each.stage.id for each in occurrences)
    beginnings: list[Ids] = [(UNION.join(groups),), (UNION.join(stages),)]
    if len(stages) == 1:
        beginnings = [(*stages,), (*groups, *stages), (*stages, *stages), (*groups,)]
    return selecting_name(parts, wanted, beginnings, partial(is_setting, model))


def tensor_name(model: Model, stage: Stage, tensor: Tensor) -> str:
    """Name of a tensor's parameters: ``q_proj.weight``."""
    parts = parameter_parts(model)
    wanted = [part for part in parts if part.stage == stage and part.item == tensor]
    words = tuple(tensor.name.split("."))
    beginnings: list[Ids] = [words]
    beginnings += [(stage.id, word) for word in words]
    beginnings += [(stage.id,), (stage.id, *words)]
    return selecting_name(parts, wanted, beginnings, partial(is_setting, model))


def flops_name(model: Model, stage: Stage) -> str:
    """Name of a stage's FLOPs: ``flops.qkv``."""
    # it doesn't depend on the number of tokens, so any will do
    return f"flops.{_name_among(model, flops_parts(model, forward(1)), stage)}"


def cached_part_name(model: Model, part: CachedPart) -> str:
    """Name of a part of the KV cache: ``kv_cache.latents``."""
    parts = cache_parts(model, context=None)
    wanted = [each for each in parts if each.item == part.key]
    words = frozenset.intersection(*(each.ids.words for each in wanted))
    beginnings: list[Ids] = [(part.id,)]
    beginnings += [(part.id, word) for word in sorted(words)]
    return f"kv_cache.{selecting_name(parts, wanted, beginnings)}"


def size_names(model: Model) -> dict[Symbol, str]:
    """Name of each symbol's value: the name of its key, or else that of the symbol."""
    names: dict[Symbol, str] = {}
    for key, value in model.config.settings:
        # the first name of a key can mean another key in this family
        name_here = next((name for name in key.names if model.keys.get(name) == key), "")
        if key.symbol and value and name_here:
            names[key.symbol] = name_here
    return {symbol: names.get(symbol, symbol.name) for symbol in symbol_values(model)}


def with_words(name: str, *words: object) -> str:
    """``mlp:2048:share``: a name with the words after it."""
    return ":".join((name, *map(str, words)))


def _name_among(model: Model, parts: Sequence[Part], stage: Stage) -> str:
    """Name that selects a stage's parts among these parts; empty if the stage has none."""
    wanted = [part for part in parts if part.stage == stage]
    if not wanted:
        return ""
    beginnings: list[Ids] = [(stage.id,)]
    components = {tensor.component for tensor in stage.tensors}
    if len(components) == 1:
        beginnings.append(tuple(components))
    # "embedding.embedding" is the stage if "embedding" alone is the group
    beginnings += [(stage.group.value, stage.id), (stage.id, stage.id)]
    return selecting_name(parts, wanted, beginnings, partial(is_setting, model))
