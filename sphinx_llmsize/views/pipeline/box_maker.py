"""Boxes of a diagram: title, shape, colour and texts, with the author's labels and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sphinx_llmsize.architecture.stages import Group, Parallel, Source, Stage, stages_of
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.diagram_boxes import Box, BoxKind, Growth
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import own_label, placed_stage_ids
from sphinx_llmsize.views.pipeline.box_text import (
    full_lines,
    has_share,
    on_one_line,
    output_name,
    summary_lines,
)
from sphinx_llmsize.views.pipeline.gates import ROUTERS
from sphinx_llmsize.views.pipeline.layer_items import ForkItem, StageItem
from sphinx_llmsize.views.pipeline.level import Level
from sphinx_llmsize.views.pipeline.merged_stages import MergedStages, names_of, sums_of
from sphinx_llmsize.views.pipeline.stage_growth import growth_of, shade_of
from sphinx_llmsize.views.shared.experts_text import experts_text
from sphinx_llmsize.views.shared.mixer_names import mixer_name
from sphinx_llmsize.views.shared.wording import activation_line, with_symbols
from sphinx_llmsize.views.view_options import ViewOptions

ENCODER_STATES = "encoder_states"
"""Id of the box that cross-attention reads if the encoder isn't part of the model."""
READS_NOTHING_BEFORE = frozenset((Source.INDICES, Source.POSITIONS, Source.NONE))
"""Sources of stages that don't read the preceding box.

In a sum, the box of their indices is put before those that read indices.
"""
INDEX_TITLES = {"position": N_("Positions"), "token_type": N_("Token type ids")}
"""Titles of the inputs of embeddings of positions and types, by the end of the stage's id."""
INDICES = N_("Indices")
"""Title of the inputs of embeddings of neither tokens nor these."""


@dataclass
class BoxMaker:
    """Makes the boxes of a diagram, each with an id of its own.

    Attributes:
        model: the model.
        level: the level of detail.
        options: the author's labels and notes, and the meaning of colours.
        encoder: ids of the boxes that cross-attention reads.
        used_ids: ids of boxes and clusters so far.
    """

    model: Model
    level: Level
    options: ViewOptions
    encoder: tuple[str, ...] = ()
    used_ids: set[str] = field(default_factory=set)

    def step(self, item: StageItem, layers: Line = ()) -> Box:
        """The box of a stage, with a text about the layers that contain it unless it is empty."""
        stage = item.stages[0]
        reads, also_reads = self._sources(stage)
        is_tied = bool(stage.tied_to) and not self.model.architecture.count(item.parameters)
        is_weightless = is_tied or not any(version.tensors for version in item.stages)
        names = tuple(dict.fromkeys(n for version in item.stages for n in names_of(version)))
        label_ids = tuple(id for placed in item.placed_stages for id in placed_stage_ids(placed))
        return Box(
            id=self.new_id(stage.id),
            title=own_label(self.options.labels, label_ids, self._title(item)),
            kind=BoxKind.NORM if item.is_norm else BoxKind.STEP,
            growth=Growth.NONE if is_weightless else growth_of(stage, self.model),
            lines=tuple(self._lines(item, layers)),
            short_lines=tuple(self._lines(item, layers, has_shape=False)),
            output=self._note((*label_ids, *names)) or self._activation_shape(item),
            names=names,
            reads=reads,
            also_reads=also_reads,
            shows_share=self.level is not Level.FULL and has_share(item, self.model),
            is_weightless=is_weightless,
            is_router=stage.id in ROUTERS,
            shade=shade_of(item, self.model, self.options.color),
        )

    def norm_again(self, id: str) -> Box:
        """The box of a norm whose output another branch reads too, without weights of its own."""
        title = own_label(self.options.labels, (id,), _(self.model.architecture.stage(id).label))
        return Box(self.new_id(id), title, BoxKind.NORM, names=(id,), is_weightless=True)

    def addition(self, id: str = "add", output: Line = ()) -> Box:
        """The sum at the end of a residual connection."""
        return Box(self.new_id(id), "+", BoxKind.ADDITION, output=output)

    def sum_of_branches(self, item: ForkItem) -> Box:
        """The sum of branches: of embeddings, or of routed and shared experts."""
        last_item = item.branches[-1][-1]
        last = last_item.stages[0] if isinstance(last_item, StageItem) else None
        if not last or last.group is not Group.EMBEDDING:
            return self.addition("expert_sum")
        # the shape is shown after the last embedding, or after its sum if it is a branch of one
        has_shape = any(embedding.id in names_of(last) for embedding in self._last_embeddings)
        shows_shape = has_shape and self.level not in {Level.FULL, Level.BRIEF}
        return self.addition("embedding_sum", activation_line(last.output) if shows_shape else ())

    def skipped(self, layers: Line = ()) -> Box:
        """The box of a branch without steps, with a text about the layers that take it."""
        return Box(self.new_id("skipped"), _("Skipped"), lines=(layers,) if layers else ())

    def encoder_states(self, cross_attention: Stage) -> Box:
        """Input of cross-attention whose encoder isn't part of the model."""
        shape = (cross_attention.output[0], cross_attention.tensors[0].shape[0])
        label = own_label(self.options.labels, (ENCODER_STATES,), _("Encoder states"))
        output = self._note((ENCODER_STATES,)) or activation_line(shape)
        return Box(self.new_id(ENCODER_STATES), label, BoxKind.DATA, output=output)

    def tokens(self, id: str, embedding: Stage, *, begins_column: bool = False) -> Box:
        """The token ids that an embedding reads."""
        shape = activation_line(embedding.output[:1])
        return self._data_box(id, _("Token ids"), shape, begins_column=begins_column)

    def indices(self, embedding: Stage) -> Box:
        """The positions or other indices that an embedding besides the token embedding reads."""
        found = (title for end, title in INDEX_TITLES.items() if embedding.id.endswith(end))
        label = INDICES if isinstance(embedding, MergedStages) else next(found, INDICES)
        shape = activation_line(embedding.output[:1])
        return self._data_box(f"{embedding.id}_ids", _(label), shape, begins_column=True)

    def output(self, last: Stage) -> Box:
        """The output of the last stage."""
        id, label = output_name(last, self.model.architecture)
        return self._data_box(id, label, activation_line(last.output))

    def new_id(self, id: str) -> str:
        """The id, with a number if another box or cluster has it."""
        number, free = 1, id
        while free in self.used_ids:
            number += 1
            free = f"{id}_{number}"
        self.used_ids.add(free)
        return free

    def _data_box(self, id: str, label: str, shape: Line, *, begins_column: bool = False) -> Box:
        """The box of an input or output of the model; an author refers to it by the id."""
        return Box(
            self.new_id(id),
            own_label(self.options.labels, (id,), label),
            BoxKind.DATA,
            lines=(shape,),
            output=self._note((id,)),
            reads=() if begins_column else None,
        )

    def _title(self, item: StageItem) -> str:
        """The label of a stage; the name of a mixer in one box.

        For experts, it is their number, unless a line below has it.
        """
        stage, is_brief = item.stages[0], self.level is Level.BRIEF
        if self.level is Level.FULL:
            return _(stage.label)
        if stage.id == Group.MIXER.value:
            names = {mixer_name(placed.stack, names_of(stage)) for placed in item.placed_stages}
            return _(names.pop()) if len(names) == 1 else _(stage.label)
        return experts_text(stage, self.model.architecture, as_mixture=is_brief) or _(stage.label)

    def _lines(self, item: StageItem, layers: Line, *, has_shape: bool = True) -> Iterator[Line]:
        """The lines below the title; at most one in diagrams to the bottom, except in full detail.

        Those of brief diagrams to the right have no shape. In full detail, all kinds are the same.
        """
        if self.level is Level.FULL:
            return full_lines(item.stages[0], self.model.architecture)
        goes_right = self.options.direction is Direction.LR
        if goes_right and self.level is Level.BRIEF:
            has_shape = False
        lines = summary_lines(item, self.model, layers, has_shape=has_shape)
        return lines if goes_right else on_one_line(lines)

    def _note(self, ids: Iterable[str]) -> Line:
        """The author's note beside the arrow after a box; empty if there is none."""
        architecture = self.model.architecture
        symbols = architecture.activation_symbols.union(architecture.symbols)
        return with_symbols(own_label(self.options.notes, ids, ""), symbols)

    def _activation_shape(self, item: StageItem) -> Line:
        """Shape of the activations beside the arrow after a box; empty if it is not shown.

        With full detail, every arrow shows it, and with the least, none. Otherwise, it is shown
        where a feed-forward network widens the vectors, and once for those of width D: after the
        last embedding or, if embeddings are added, after their sum (:meth:`sum_of_branches`).
        Shapes that differ by layer are never shown.
        """
        stage, *others = item.stages
        differs = any(other.output != stage.output for other in others)
        if differs or self.level is Level.BRIEF:
            return ()
        if self.level is not Level.FULL:
            is_summed = stage in self._summed
            if is_summed or not (stage in self._last_embeddings or self._is_widened(stage)):
                return ()
        return activation_line(stage.output)

    def _is_widened(self, stage: Stage) -> bool:
        """True for stages inside a feed-forward network whose output isn't as wide as D."""
        count = self.model.architecture.count
        return stage.group is Group.FEED_FORWARD and count(stage.output[-1]) != count(D)

    def _sources(self, stage: Stage) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """Ids of boxes that a stage reads.

        Returns:
            The boxes in place of the preceding one, or None if it reads that one; and the boxes
            that it reads besides these.
        """
        if stage.source is Source.ENCODER:
            # the box of a whole attention reads the preceding one, too, for its queries
            is_attention = isinstance(stage, MergedStages)
            return (None, self.encoder) if is_attention else (self.encoder, ())
        return (() if stage.source in READS_NOTHING_BEFORE else None), ()

    @cached_property
    def _last_embeddings(self) -> tuple[Stage, ...]:
        """The last embedding outside the layers of an encoder and of its decoder; no tables."""
        tables = {Source.POSITIONS, Source.NONE}
        placed_stages = self.model.architecture.placed_stages(Group.EMBEDDING)
        embeddings = [each.stage for each in placed_stages if not each.stack]
        last = {stage.length: stage for stage in embeddings if stage.source not in tables}
        return tuple(last.values())

    @cached_property
    def _summed(self) -> tuple[Stage, ...]:
        """The stages whose outputs are added outside the layers: embeddings."""
        items = self.model.architecture.items
        return tuple(stages_of(sums_of(item for item in items if isinstance(item, Parallel))))
