"""All parameters of a model as an exact sum of symbolic sizes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.blocks import Derivation
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import Labels, group_label, own_label, stage_label
from sphinx_llmsize.views.numbers.part_selection import TOTAL
from sphinx_llmsize.views.numbers.row_names import name_of_stages
from sphinx_llmsize.views.parameters.bracket_labels import is_divided, is_whole_layer, layer_label
from sphinx_llmsize.views.parameters.bracket_layers import SYMBOL, BracketLayers
from sphinx_llmsize.views.pipeline.merged_stages import SHARED_EXPERT, SHARED_STAGES
from sphinx_llmsize.views.shared.exact_sum import Bracket, ExactSum, Summand, derivation
from sphinx_llmsize.views.shared.layer_text import component_in_one_layer
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_with_tensors
from sphinx_llmsize.views.shared.stage_products import stage_factors, sum_of_norms, sum_of_stages
from sphinx_llmsize.views.shared.symbolic import Notation

EXPERTS = N_("Experts")
GROUPS = tuple(Group)
"""Groups of stages in the order of the table."""


def total_sum(model: Model, labels: Labels = ()) -> Derivation:
    """``N = V·D + L·(attention + feed-forward) + norms + …``, with the names of the table.

    Groups of stages are in the order of the table; those in the same layers share a bracket. All
    norms are one row.

    Args:
        model: the model.
        labels: the author's own labels of stages and groups.
    """
    stages = occurrences_with_tensors(model.architecture)
    norms = [each for each in stages if each.stage.group is Group.NORMS]
    others = [each for each in stages if each.stage.group is not Group.NORMS]
    # a stage outside the layers is in a bracket of its own
    stages_of_brackets = grouped_by(others, lambda each: each.stacks or each.stage)
    divided = {group for group in Group if is_divided(group, stages_of_brackets)}
    one_layer = layer_label(labels, has_norms=any(each.stacks for each in norms))
    brackets: list[tuple[Group, Bracket]] = []  # each with the group that gives its position
    for in_bracket in stages_of_brackets:
        sum_label = one_layer if is_whole_layer(in_bracket, stages_of_brackets) else ""
        bracket = _bracket(model, in_bracket, labels, divided, sum_label)
        brackets.append((in_bracket[0].stage.group, bracket))
    norm_counts, all_norms = sum_of_norms(model.architecture)
    if norms:
        label, name = _name(norms, labels), name_of_stages(model, norms)
        summand = Summand((all_norms,), label, number_name=name)
        brackets.append((Group.NORMS, Bracket((summand,))))
    brackets.sort(key=lambda pair: GROUPS.index(pair[0]))
    in_order = tuple(bracket for _group, bracket in brackets)
    notation = Notation(model.architecture.sizes, norm_counts)
    total = own_label(labels, (TOTAL,), _("Total"))
    return derivation(ExactSum(SYMBOL, total, _("Parameters"), in_order, notation, TOTAL))


def grouped_by(
    stages: Iterable[Occurrence], key: Callable[[Occurrence], object]
) -> list[list[Occurrence]]:
    """Lists of the stages with equal keys, in the order of the first stage of each list."""
    by_key: dict[object, list[Occurrence]] = {}
    for each in stages:
        by_key.setdefault(key(each), []).append(each)
    return list(by_key.values())


def _bracket(
    model: Model,
    stages: Sequence[Occurrence],
    labels: Labels,
    divided: Collection[Group],
    sum_label: str,
) -> Bracket:
    """A bracket with the stages of some layers, or with a stage outside the layers.

    It is empty if the stages have no parameters of their own.

    Args:
        model: the model.
        stages: the stages, all in the same layers.
        labels: the author's own labels.
        divided: groups with a summand for each stage; other groups have one summand.
        sum_label: label of the sum of several groups in one layer.
    """
    parts = [part for part in _parts(stages, divided) if sum_of_stages(part) != 0]
    summands = [_summand(model, part, labels) for part in parts]
    layers = BracketLayers(model, stages[0].stacks)
    if not layers.stacks or not summands:  # a stage outside the layers, or nothing
        return Bracket(tuple(summands))
    if layers.factors and len(summands) > 1:
        name = name_of_stages(model, [each for part in parts for each in part])
        return replace(_parts_of_several_layers(summands, layers, sum_label), number_name=name)
    # without a bracket around them, parts name their layers themselves
    named = [
        replace(summand, label=layers.name(summand.label, part[0].stage.group))
        for part, summand in zip(parts, summands, strict=True)
    ]
    if layers.factors:
        group = parts[0][0].stage.group
        return _one_part_of_several_layers(named[0], layers, summands[0].label, group)
    return Bracket(tuple(named))  # parts of a single layer


def _parts_of_several_layers(
    summands: Iterable[Summand], layers: BracketLayers, sum_label: str
) -> Bracket:
    """``L·(attention + FFN)``: a bracket is shown, with the layers after it."""
    symbol = layers.sum_symbol(is_whole=bool(sum_label))
    if not sum_label and not layers.layer_count.kinds:
        sum_label, symbol = _("Common to all layers"), layers.common_symbol
    return Bracket(
        tuple(summands),
        factors=layers.factors,
        label=layers.name(),
        sum_label=sum_label,
        sum_symbol=symbol,
    )


def _one_part_of_several_layers(
    named: Summand, layers: BracketLayers, name: str, group: Group
) -> Bracket:
    """``L·4D²``: a product; the members of the part are in a bracket if it is too wide.

    Args:
        named: the part, whose label names its layers.
        layers: the layers.
        name: the part's own name.
        group: the group of its stages.
    """
    return Bracket(
        (named,),
        factors=layers.factors,
        label=named.label,
        heading=layers.heading(name, group),
        factors_text=layers.name(),
        sum_label=component_in_one_layer(name),
        sum_symbol=layers.sum_symbol(group),
        number_name=named.number_name,
    )


def _parts(
    stages: Iterable[Occurrence], divided: Collection[Group]
) -> Iterator[Sequence[Occurrence]]:
    """The stages of each summand: all of a group or, if the group is divided, a single one."""
    for of_group in grouped_by(stages, lambda each: each.stage.group):
        if of_group[0].stage.group in divided:
            for each in of_group:
                yield [each]
        else:
            yield of_group


def _summand(model: Model, stages: Sequence[Occurrence], labels: Labels) -> Summand:
    """The summand of stages of one group; if there are several, it contains a summand for each."""
    label, name = _name(stages, labels), name_of_stages(model, stages)
    if len(stages) == 1:
        return Summand(stage_factors(stages[0].stage), label, number_name=name)
    runs = groupby(stages, lambda each: _experts_label(each.stage) or each.stage.id)
    parts = [tuple(run) for _key, run in runs]
    if len(parts) == 1:
        parts = [(each,) for each in stages]
    members = tuple(_member(model, part, labels) for part in parts)
    return Summand((sum_of_stages(stages),), label, members, name)


def _member(model: Model, stages: Sequence[Occurrence], labels: Labels) -> Summand:
    """The summand of a stage in its group, or of all stages of routed or shared experts."""
    if len(stages) == 1:
        return _summand(model, stages, labels)
    usual = _(_experts_label(stages[0].stage) or stages[0].stage.label)
    label = own_label(labels, (each.stage.id for each in stages), usual)
    members = tuple(_summand(model, [each], labels) for each in stages)
    return Summand((sum_of_stages(stages),), label, members, name_of_stages(model, stages))


def _experts_label(stage: Stage) -> str:
    """Label of all stages of routed or shared experts together; empty for other stages."""
    if stage.expert_count:
        return EXPERTS
    return SHARED_EXPERT if stage.id in SHARED_STAGES else ""


def _name(stages: Sequence[Occurrence], labels: Labels) -> str:
    """The name of a group, or of its only stage."""
    first = stages[0]
    if len(stages) == 1:
        return stage_label(labels, first.stage, first.stacks)
    return group_label(labels, first.stage.group)
