"""Conversion of an architecture to the parts of a diagram."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import starmap

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
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import (
    Branch,
    Cluster,
    Fork,
    Gated,
    Part,
    Residual,
    boxes_of,
    ends_of,
)
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.pipeline.box_maker import BoxMaker, Level
from sphinx_llmsize.views.pipeline.gates import split_gate
from sphinx_llmsize.views.pipeline.layer_names import layers_line, layers_title
from sphinx_llmsize.views.pipeline.layer_variants import (
    ForkItem,
    Item,
    ResidualItem,
    StageItem,
    Variant,
    merged_layers,
)
from sphinx_llmsize.views.pipeline.merged_stages import (
    with_merged_blocks,
    with_merged_steps,
    without_groups,
)
from sphinx_llmsize.views.pipeline.position_tables import is_table, with_tables
from sphinx_llmsize.views.view_options import Detail

MINOR_SHARE = Fraction(1, 200)
"""Share of the parameters below which consecutive steps share a box."""


@dataclass
class DiagramParts:
    """Converts an architecture to parts of a diagram, in order.

    Attributes:
        model: the model.
        level: the level of detail.
        boxes: makes the boxes.
        stacks: the stacks of the cluster being converted.
        tables: tables for positions that the next layers read.
    """

    model: Model
    level: Level
    boxes: BoxMaker
    stacks: tuple[Stack, ...] = ()
    tables: tuple[Stage, ...] = ()

    def parts(self) -> tuple[Part, ...]:
        """The input, the stages and the output."""
        first, last = self._stages[0], self._stages[-1]
        tokens = self.boxes.tokens("tokens", first)
        parts: list[Part] = [tokens]
        if self._reads_outer_encoder:
            cross_attention = next(s for s in self._stages if s.source is Source.ENCODER)
            states = self.boxes.encoder_states(cross_attention)
            parts = [states, replace(tokens, reads=())]  # without an arrow between them
        for items in _grouped(self.model.architecture.items):
            if len(parts) > 1 and _reads_tokens(items[0]):
                self.boxes.encoder = tuple(box.id for box in ends_of(parts[-1]))
                (embedding, *_others) = placed_stages_of(items[:1])
                tokens = self.boxes.tokens("decoder_tokens", embedding.stage)
                parts.append(replace(tokens, reads=()))
            parts += self._parts_of(items)
        return (*parts, self.boxes.output(last))

    def _parts_of(self, items: tuple[ArchitectureItem, ...]) -> Iterator[Part]:
        """A cluster for items that are stacks of layers; boxes for stages outside the layers."""
        stacks = tuple(stack for item in items for stack in stacks_of(item))
        if not stacks:
            steps = tuple(item for item in items if not isinstance(item, (Stack, Interleaved)))
            self.tables = tuple(filter(is_table, stages_of(steps)))
            steps = self._merged(step for step in steps if step not in self.tables)
            yield from self._convert(merged_layers((Variant(((steps, None),)),)))
            return
        blocks = (with_tables(self._merged(stack.block), self.tables) for stack in stacks)
        variants = (Variant(((block, stack),)) for block, stack in zip(blocks, stacks, strict=True))
        self.stacks = stacks
        title = layers_title(stacks, self.model.architecture)
        parts = tuple(self._convert(merged_layers(variants)))
        (id, *_others) = (item.id for item in items if isinstance(item, (Stack, Interleaved)))
        yield Cluster(self.boxes.new_id(id), title, parts)

    def _merged(self, steps: Iterable[Step]) -> Block:
        """The steps to show; at most levels of detail, some are merged into one box."""
        if self.level is Level.FULL:
            return tuple(steps)
        if self.level is Level.BRIEF:
            # a diagram that the author wants brief has no room for weights of residual connections
            is_brief = self.boxes.options.detail is Detail.BRIEF
            left_out = (Group.NORMS, Group.RESIDUAL) if is_brief else (Group.NORMS,)
            return with_merged_blocks(without_groups(tuple(steps), *left_out))
        merged = with_merged_steps(steps, self._is_minor)
        return with_merged_blocks(merged) if self.level is Level.BLOCKS else merged

    def _convert(self, items: Iterable[Item], layers: Line = ()) -> Iterator[Part]:
        """Convert the items; ``layers`` contain them, and are shown in the boxes."""
        for item in items:
            if isinstance(item, StageItem):
                yield self.boxes.step(item, layers)
            elif isinstance(item, ResidualItem) and self.level is Level.BRIEF:
                yield from self._convert(item.items, layers)
            elif isinstance(item, ResidualItem):
                parts = tuple(self._convert(item.items))
                yield Residual(parts, self.boxes.addition())
            else:
                yield self._fork(item, layers)

    def _fork(self, item: ForkItem, layers: Line) -> Fork | Gated:
        """Branches side by side, each with the layers that take it, or else with ``layers``."""
        if gated := split_gate(item):
            gate, others = (tuple(self._convert(items, layers)) for items in gated)
            is_narrow = self.level is Level.FULL and not (gate and others)
            return Gated(gate, others, is_narrow)
        if item.layers:
            labels = [self._layers(each) for each in item.layers]
        else:
            labels = [layers] * len(item.branches)
        branches = tuple(starmap(self._branch, zip(item.branches, labels, strict=True)))
        if item.is_sum:
            branches = tuple(map(self._with_indices, item.branches, branches))
            last = item.branches[-1][-1]
            stage = last.stages[0] if isinstance(last, StageItem) else None
            return Fork(branches, self.boxes.sum_of_branches(stage))
        return Fork(
            (*branches, *self._skipping_branch(item)), either=_("or") if item.layers else ""
        )

    def _branch(self, items: tuple[Item, ...], layers: Line) -> Branch:
        """A branch, with its layers on the arrow, or in the boxes if there are few boxes."""
        if self.level is Level.BRIEF:
            parts = tuple(_in_line(self._convert(items, layers)))
            return Branch(parts or (self.boxes.skipped(layers),))
        parts = tuple(self._convert(items))
        parts = tuple(_narrow(parts) if self.level is Level.FULL else _in_line(parts))
        return Branch(parts or (self.boxes.skipped(),), layers)

    def _with_indices(self, items: tuple[Item, ...], branch: Branch) -> Branch:
        """The branch of a sum; if it begins with an embedding of indices, these are its input."""
        first, *others = branch.parts
        stage = items[0].stages[0] if isinstance(items[0], StageItem) else None
        if not (stage and stage.source is Source.INDICES and isinstance(first, Box)):
            return branch
        indices = self.boxes.indices(stage)
        return replace(branch, parts=(indices, replace(first, reads=None), *others))

    def _skipping_branch(self, item: ForkItem) -> Iterator[Branch]:
        """A branch for layers without any of the alternatives; nothing if there are none.

        It is only needed where residual connections, whose line these layers take, aren't drawn.
        """
        others = [s for s in self.stacks if not any(s in stacks for stacks in item.layers)]
        if self.level is Level.BRIEF and item.layers and others:
            yield self._branch((), self._layers(others))

    def _layers(self, stacks: Sequence[Stack]) -> Line:
        return layers_line(stacks, self.stacks, self.model.architecture)

    def _is_minor(self, stage: Stage) -> bool:
        """True for norms, and for stages of a mixer with less than half a percent of the total."""
        if stage.group not in {Group.MIXER, Group.NORMS}:
            return False
        layers = max(self.model.architecture.sizes.get(L, 1), 1)
        share = quotient(self.model.architecture.count(stage.parameters) * layers, self.model.total)
        return bool(share < MINOR_SHARE)

    @cached_property
    def _stages(self) -> tuple[Stage, ...]:
        return tuple(placed.stage for placed in self.model.architecture.placed_stages())

    @cached_property
    def _reads_outer_encoder(self) -> bool:
        """True if there is cross-attention, but no encoder before the decoder's embedding."""
        reads = any(stage.source is Source.ENCODER for stage in self._stages)
        return reads and all(stage.source is not Source.TOKENS for stage in self._stages[1:])


def _narrow(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with every gate drawn narrow."""
    for part in parts:
        yield replace(part, is_narrow=True) if isinstance(part, Gated) else part


def _in_line(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with each gate after its parts instead of beside them; routers stay beside."""
    for part in parts:
        if isinstance(part, Gated) and not any(box.is_choice for box in boxes_of(part.gate)):
            yield from (*part.parts, *part.gate)
        else:
            yield part


def _grouped(items: Iterable[ArchitectureItem]) -> list[tuple[ArchitectureItem, ...]]:
    """Consecutive items to convert together: stages, or stacks of the same part of the model."""
    groups: list[tuple[ArchitectureItem, ...]] = []
    for item in items:
        is_same_part = groups and _part_of_model(groups[-1][-1]) == _part_of_model(item)
        if is_same_part and not _reads_tokens(item):
            groups[-1] = (*groups[-1], item)
        else:
            groups.append((item,))
    return groups


def _reads_tokens(item: ArchitectureItem) -> bool:
    """True if the first stage of an item reads the tokens of another sequence."""
    return next(placed_stages_of((item,))).stage.source is Source.TOKENS


def _part_of_model(item: ArchitectureItem) -> object:
    """Value that is equal for items to convert together."""
    stacks = stacks_of(item)
    if not stacks:
        return None
    parts = {ENCODER_LAYERS, DECODER_LAYERS} & set(stacks[0].kinds)
    return (frozenset(parts), stacks[0].shared_by)
