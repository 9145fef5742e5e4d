"""Conversion of an architecture to the parts of a diagram."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.parts import DECODER as DECODER_LAYERS
from sphinx_llmsize.architecture.parts import ENCODER as ENCODER_LAYERS
from sphinx_llmsize.architecture.stacks import Interleaved, Stack
from sphinx_llmsize.architecture.stacks import Item as ArchitectureItem
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage, Step
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import D, L, V
from sphinx_llmsize.diagram import (
    Box,
    BoxKind,
    Branch,
    Cluster,
    Fork,
    Part,
    Residual,
    ends_of,
)
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.pipeline.box_text import every_line, summary
from sphinx_llmsize.views.pipeline.layer_names import layers_line, layers_title
from sphinx_llmsize.views.pipeline.layer_variants import (
    Added,
    Item,
    OneStage,
    SideBySide,
    Variant,
    merged_layers,
)
from sphinx_llmsize.views.pipeline.merged_stages import (
    MergedStages,
    names_of,
    with_merged_blocks,
    with_merged_steps,
    without_norms,
)
from sphinx_llmsize.views.pipeline.stage_growth import growing_symbols, growth_of
from sphinx_llmsize.views.shared.wording import activation_line


class Level(Enum):
    """Level of detail."""

    BRIEF = "brief"
    """A box for each attention and feed-forward network, without norms and additions."""
    BLOCKS = "blocks"
    """The same with norms and additions, for models that are too long for a box per step."""
    STEPS = "steps"
    """A box for each step."""
    FULL = "full"
    """A box for each step, with every tensor and the shapes of all activations."""


MINOR_SHARE = 0.005
"""Share of the parameters below which consecutive steps share a box."""
ENCODER = "encoder_states"
"""Id of the box that cross-attention reads if the model has no encoder of its own."""


@dataclass
class DiagramParts:
    """Converts an architecture to parts of a diagram, in order.

    Attributes:
        model: the model.
        level: the level of detail.
        encoder: ids of the boxes that cross-attention reads.
        used: ids of boxes so far.
        stacks: the stacks of the cluster being converted.
    """

    model: Model
    level: Level
    encoder: tuple[str, ...] = ()
    used: set[str] = field(default_factory=set)
    stacks: tuple[Stack, ...] = ()

    def all(self) -> tuple[Part, ...]:
        """The input, the stages and the output."""
        first, last = self._stages[0], self._stages[-1]
        tokens = self._tokens("tokens", first)
        parts: list[Part] = [tokens]
        if self._reads_outer_encoder:
            parts = [self._encoder_states(), replace(tokens, reads=())]  # without an arrow between
        for run in _runs(self.model.architecture.items):
            if len(parts) > 1 and isinstance(run[0], Stage) and run[0].source is Source.TOKENS:
                self.encoder = tuple(box.id for box in ends_of(parts[-1]))
                parts.append(replace(self._tokens("decoder_tokens", run[0]), reads=()))
            parts += self._run(run)
        return (*parts, self._output(last))

    def _run(self, items: tuple[ArchitectureItem, ...]) -> Iterator[Part]:
        """A cluster for stacks of layers, boxes for stages outside the layers."""
        stacks = tuple(stack for item in items for stack in _stacks(item))
        if not stacks:
            steps = tuple(item for item in items if not isinstance(item, (Stack, Interleaved)))
            yield from self._parts(merged_layers((Variant(((self._merged(steps), None),)),)))
            return
        variants = (Variant(((self._merged(stack.block), stack),)) for stack in stacks)
        self.stacks = stacks
        title = layers_title(stacks, self.model.architecture)
        parts = tuple(self._parts(merged_layers(variants)))
        (id, *_others) = (item.id for item in items if isinstance(item, (Stack, Interleaved)))
        yield Cluster(self._id(id), title, parts)

    def _merged(self, steps: Iterable[Step]) -> Block:
        if self.level is Level.FULL:
            return tuple(steps)
        if self.level is Level.BRIEF:
            return with_merged_blocks(without_norms(tuple(steps)))
        merged = with_merged_steps(steps, self._is_minor)
        return with_merged_blocks(merged) if self.level is Level.BLOCKS else merged

    def _parts(self, items: Iterable[Item]) -> Iterator[Part]:
        for item in items:
            if isinstance(item, OneStage):
                yield self._box(item)
            elif isinstance(item, Added) and self.level is Level.BRIEF:
                yield from self._parts(item.items)
            elif isinstance(item, Added):
                parts = tuple(self._parts(item.items))
                yield Residual(parts, Box(self._id("add"), "+", BoxKind.ADDITION))
            else:
                yield self._fork(item)

    def _fork(self, item: SideBySide) -> Fork:
        labels: Sequence[Line] = [()] * len(item.branches)
        if item.layers:
            architecture = self.model.architecture
            labels = [layers_line(each, self.stacks, architecture) for each in item.layers]
        branches = zip(item.branches, labels, strict=True)
        found = [
            Branch(tuple(self._parts(inner)) or (self._skipped(),), label)
            for inner, label in branches
        ]
        return Fork((*found, *self._passing(item)))

    def _skipped(self) -> Box:
        """The box of a branch without steps."""
        return Box(self._id("skipped"), _("Skipped"))

    def _passing(self, item: SideBySide) -> Iterator[Branch]:
        """The arrow of layers without these steps, if no residual connection is drawn."""
        others = [s for s in self.stacks if not any(s in stacks for stacks in item.layers)]
        if self.level is Level.BRIEF and item.layers and others:
            yield Branch(
                (self._skipped(),), layers_line(others, self.stacks, self.model.architecture)
            )

    def _box(self, item: OneStage) -> Box:
        stage = item.stages[0]
        lines = summary(item, self.model)
        if self.level is Level.FULL:
            lines = every_line(stage, self.model.architecture)
        is_norm, is_merged = stage.group is Group.NORMS, isinstance(stage, MergedStages)
        reads_encoder = stage.source is Source.ENCODER
        names = (name for version in item.stages for name in names_of(version))
        return Box(
            id=self._id(stage.id),
            title=_(stage.label),
            kind=BoxKind.NORM if is_norm else BoxKind.STEP,
            growth=growth_of(stage, self._growing),
            lines=tuple(lines),
            output=activation_line(stage.output) if self._is_labelled(stage) else (),
            names=tuple(dict.fromkeys(names)),
            reads=self.encoder if reads_encoder and not is_merged else None,
            also_reads=self.encoder if reads_encoder and is_merged else (),
        )

    def _is_labelled(self, stage: Stage) -> bool:
        """True if the arrow after the stage shows the shape of the activations.

        With full detail, every arrow shows it. Otherwise, it is shown once for the vectors of
        width D, and where a feed-forward network widens them.
        """
        if self.level is Level.FULL or stage is self._last_embedding:
            return True
        count = self.model.architecture.count
        return stage.group is Group.FEED_FORWARD and count(stage.output[-1]) != count(D)

    def _encoder_states(self) -> Box:
        """Input of cross-attention whose encoder is not part of the model."""
        crossing = next(s for s in self._stages if s.source is Source.ENCODER)
        shape = (crossing.output[0], crossing.tensors[0].shape[0])
        self.encoder = (ENCODER,)
        return Box(ENCODER, _("Encoder states"), BoxKind.DATA, output=activation_line(shape))

    def _tokens(self, id: str, embedding: Stage) -> Box:
        lines = (activation_line(embedding.output[:1]),)
        return Box(self._id(id), _("Token ids"), BoxKind.DATA, lines=lines)

    def _output(self, last: Stage) -> Box:
        """The output: logits, a vector for each token, or one vector for all of them."""
        lines = (activation_line(last.output),)
        if V in last.output:
            return Box(self._id("logits"), _("Logits"), BoxKind.DATA, lines=lines)
        lengths = last.output[0].symbols() - set(self.model.architecture.sizes)
        label = _("Hidden states") if lengths else _("Pooled state")
        return Box(self._id("states"), label, BoxKind.DATA, lines=lines)

    def _id(self, id: str) -> str:
        """The id, with a number if another box has it."""
        number, free = 1, id
        while free in self.used:
            number += 1
            free = f"{id}_{number}"
        self.used.add(free)
        return free

    def _is_minor(self, stage: Stage) -> bool:
        """True for norms, and for stages of a mixer with less than half a percent of the total."""
        if stage.group not in {Group.MIXER, Group.NORMS}:
            return False
        layers = max(self.model.architecture.sizes.get(L, 1), 1)
        share = self.model.architecture.count(stage.parameters) * layers / self.model.total
        return share < MINOR_SHARE

    @cached_property
    def _stages(self) -> tuple[Stage, ...]:
        return tuple(place.stage for place in self.model.architecture.places())

    @cached_property
    def _last_embedding(self) -> Stage | None:
        """The last stage before the layers."""
        stages = [place.stage for place in self.model.architecture.places() if not place.stack]
        return next((s for s in reversed(stages) if s.group is Group.EMBEDDING), None)

    @cached_property
    def _growing(self) -> frozenset[Symbol]:
        return growing_symbols(self.model)

    @cached_property
    def _reads_outer_encoder(self) -> bool:
        """True if there is cross-attention, but no encoder before the decoder's embedding."""
        reads = any(stage.source is Source.ENCODER for stage in self._stages)
        return reads and all(stage.source is not Source.TOKENS for stage in self._stages[1:])


def _runs(items: Iterable[ArchitectureItem]) -> list[tuple[ArchitectureItem, ...]]:
    """Consecutive items to convert together: stages, or stacks of the same part of the model."""
    runs: list[tuple[ArchitectureItem, ...]] = []
    for item in items:
        starts = isinstance(item, Stage) and item.source is Source.TOKENS
        if runs and not starts and _part_of_model(runs[-1][-1]) == _part_of_model(item):
            runs[-1] = (*runs[-1], item)
        else:
            runs.append((item,))
    return runs


def _part_of_model(item: ArchitectureItem) -> object:
    """Value that is equal for items to convert together."""
    stacks = _stacks(item)
    if not stacks:
        return None
    parts = {ENCODER_LAYERS, DECODER_LAYERS} & set(stacks[0].kinds)
    return (frozenset(parts), stacks[0].shared_by)


def _stacks(item: ArchitectureItem) -> tuple[Stack, ...]:
    """The stacks of an item; none for a stage outside the layers."""
    if isinstance(item, Interleaved):
        return item.stacks
    return (item,) if isinstance(item, Stack) else ()
