"""Parts of a diagram: its inputs, steps outside the layers, clusters of layers, and its output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

from sphinx_llmsize.architecture.parts import DECODER as DECODER_LAYERS
from sphinx_llmsize.architecture.parts import ENCODER as ENCODER_LAYERS
from sphinx_llmsize.architecture.stacks import Interleaved, Stack, placed_stages_of, stacks_of
from sphinx_llmsize.architecture.stacks import Item as ArchitectureItem
from sphinx_llmsize.architecture.stages import (
    Block,
    Group,
    Source,
    Stage,
    Step,
    stages_of,
)
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.diagram_tree import Cluster, Part, ends_of
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.views.pipeline.box_maker import BoxMaker
from sphinx_llmsize.views.pipeline.item_parts import ItemConverter
from sphinx_llmsize.views.pipeline.layer_items import Variant
from sphinx_llmsize.views.pipeline.layer_names import layers_title, sharing_sentence
from sphinx_llmsize.views.pipeline.layer_variants import merged_layers, sharing_stacks
from sphinx_llmsize.views.pipeline.level import Level
from sphinx_llmsize.views.pipeline.merged_stages import (
    with_merged_blocks,
    with_merged_steps,
    without_groups,
)
from sphinx_llmsize.views.pipeline.position_tables import is_table, with_tables
from sphinx_llmsize.views.pipeline.shared_layers import with_shared_layers
from sphinx_llmsize.views.pipeline.step_keys import names_key, step_key
from sphinx_llmsize.views.view_options import Detail, ViewOptions

MINOR_SHARE = Fraction(1, 200)
"""Share of the parameters below which consecutive steps share a box."""


def diagram_parts(model: Model, options: ViewOptions, level: Level) -> tuple[Part, ...]:
    """The parts of a model's diagram, in order."""
    return tuple(_ModelConverter(BoxMaker(model, level, options)).parts())


@dataclass(frozen=True)
class _ModelConverter:
    """Converts a model's architecture to the parts of a diagram.

    Attributes:
        boxes: makes the boxes of a model at a level of detail.
    """

    boxes: BoxMaker

    def parts(self) -> list[Part]:
        """The inputs, the steps and layers, and the output."""
        parts = self._inputs()
        tables: tuple[Stage, ...] = ()  # for positions, which the next layers read
        all_items = with_shared_layers(self._model.architecture.items)
        by_passes = not self.boxes.level.joins_alike
        for position, items in enumerate(_grouped(all_items, by_passes=by_passes)):
            if position and _reads_tokens(items[0]):  # a decoder after its encoder
                parts.append(self._decoder_tokens(items[0], encoder=parts[-1]))
            stacks = tuple(stack for item in items for stack in stacks_of(item))
            if stacks:
                parts.append(self._cluster(items, stacks, tables))
            else:
                steps = [s for s in items if not isinstance(s, (Stack, Interleaved))]
                tables = tuple(stage for stage in stages_of(steps) if is_table(stage))
                parts += self._outside_layers(step for step in steps if step not in tables)
        parts.append(self.boxes.output(self._stages[-1]))
        return parts

    def _inputs(self) -> list[Part]:
        """The token ids, beside the states of an encoder that isn't part of the model."""
        if not self._reads_outer_encoder:
            return [self.boxes.tokens("tokens", self._stages[0])]
        cross_attention = next(s for s in self._stages if s.source is Source.ENCODER)
        states = self.boxes.encoder_states(cross_attention)
        self.boxes.encoder = (states.id,)
        return [states, self.boxes.tokens("tokens", self._stages[0], begins_column=True)]

    def _decoder_tokens(self, first: ArchitectureItem, *, encoder: Part) -> Part:
        """The token ids of a decoder, whose cross-attention reads the last boxes of the encoder."""
        self.boxes.encoder = tuple(box.id for box in ends_of(encoder))
        embedding = next(placed_stages_of((first,))).stage
        return self.boxes.tokens("decoder_tokens", embedding, begins_column=True)

    def _outside_layers(self, steps: Iterable[Step]) -> Iterator[Part]:
        """The parts for steps outside the layers."""
        variant = Variant(((self._merged(steps), None),))
        return ItemConverter(self.boxes).parts(merged_layers((variant,)))

    def _cluster(
        self,
        items: tuple[ArchitectureItem, ...],
        stacks: tuple[Stack, ...],
        tables: tuple[Stage, ...],
    ) -> Cluster:
        """The cluster of these stacks of layers, with the tables for positions that they read."""
        first = items[0]
        assert isinstance(first, (Stack, Interleaved))
        title = layers_title(stacks, self._model.architecture)
        blocks = [with_tables(self._merged(stack.block), tables) for stack in stacks]
        variants = [Variant((member,)) for member in zip(blocks, stacks, strict=True)]
        joins_alike = self.boxes.level.joins_alike
        layers = merged_layers(variants, names_key if joins_alike else step_key)
        parts = tuple(ItemConverter(self.boxes, stacks).parts(layers))
        remark = sharing_sentence(sharing_stacks(variants)) if joins_alike else ""
        return Cluster(self.boxes.new_id(first.id), title, parts, remark)

    def _merged(self, steps: Iterable[Step]) -> Block:
        """The steps to show; at most levels of detail, some are merged into one box."""
        level = self.boxes.level
        if level is Level.FULL:
            return tuple(steps)
        if level is Level.BRIEF:
            # a diagram that the author wants brief has no room for weights of residual connections
            is_brief = self.boxes.options.detail is Detail.BRIEF
            left_out = (Group.NORMS, Group.RESIDUAL) if is_brief else (Group.NORMS,)
            return with_merged_blocks(without_groups(tuple(steps), *left_out))
        merged = with_merged_steps(steps, self._is_minor)
        return merged if level is Level.STEPS else with_merged_blocks(merged)

    def _is_minor(self, stage: Stage) -> bool:
        """True for a norm or a mixer's stage with less than half a percent of the total."""
        if stage.group not in {Group.MIXER, Group.NORMS}:
            return False
        architecture = self._model.architecture
        layers = max(architecture.sizes.get(L, 1), 1)
        share = quotient(architecture.count(stage.parameters) * layers, self._model.total)
        return bool(share < MINOR_SHARE)

    @property
    def _model(self) -> Model:
        return self.boxes.model

    @cached_property
    def _stages(self) -> tuple[Stage, ...]:
        return tuple(placed.stage for placed in self._model.architecture.placed_stages())

    @property
    def _reads_outer_encoder(self) -> bool:
        """True if there is cross-attention, but no encoder before the decoder's embedding."""
        has_cross_attention = any(stage.source is Source.ENCODER for stage in self._stages)
        has_decoder_tokens = any(stage.source is Source.TOKENS for stage in self._stages[1:])
        return has_cross_attention and not has_decoder_tokens


def _grouped(
    items: Iterable[ArchitectureItem], *, by_passes: bool
) -> list[tuple[ArchitectureItem, ...]]:
    """Consecutive items to convert together: steps, or stacks of the same part of the model.

    Args:
        items: the items.
        by_passes: layers that each token passes several times are converted apart from others.
    """
    part = partial(_part_of_model, by_passes=by_passes)
    groups: list[tuple[ArchitectureItem, ...]] = []
    for item in items:
        is_same_part = groups and part(groups[-1][-1]) == part(item)
        if is_same_part and not _reads_tokens(item):
            groups[-1] = (*groups[-1], item)
        else:
            groups.append((item,))
    return groups


def _reads_tokens(item: ArchitectureItem) -> bool:
    """True if the first stage of an item reads the tokens of another sequence."""
    return next(placed_stages_of((item,))).stage.source is Source.TOKENS


def _part_of_model(item: ArchitectureItem, *, by_passes: bool) -> object:
    """Value that is equal for items to convert together; see :func:`_grouped`."""
    stacks = stacks_of(item)
    if not stacks:
        return None
    parts = {ENCODER_LAYERS, DECODER_LAYERS} & set(stacks[0].kinds)
    return (frozenset(parts), stacks[0].passes if by_passes else None)
