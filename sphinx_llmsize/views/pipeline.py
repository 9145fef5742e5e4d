"""The pipeline: how tokens become logits, and which steps depend on the hidden dimension."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.pieces import (
    ONCE,
    Interleaved,
    Item,
    Parallel,
    Stack,
    Stage,
    Step,
    layers_of,
)
from sphinx_llmsize.blocks import Block, Line
from sphinx_llmsize.config.vocabulary import D, T, V
from sphinx_llmsize.diagram import Box, BoxKind, Cluster, Diagram, Fork, Part
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.options import ViewOptions
from sphinx_llmsize.views.wording import (
    activation_text,
    shape_numbers,
    shape_text,
    title,
    used_text,
    variable,
    weights_of,
)

INPUT = Box("tokens", "Token ids", BoxKind.DATA, output="[T]")
LOGITS = Box("logits", "Logits", BoxKind.DATA)
STATES = Box("states", "Hidden states", BoxKind.DATA)


def pipeline(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The chain of stages, those whose weights have D in their shape highlighted."""
    drawing = _Drawing(model.architecture, D)
    *_, last = model.architecture.places()
    output = LOGITS if V in last.stage.output else STATES
    items = (INPUT, *map(drawing.part, model.architecture.items), output)
    diagram = Diagram(
        title=f"Pipeline of {title(model)}",
        description=_description(items),
        items=items,
        legend=_legend(model, D),
        direction=options.direction,
    )
    return (diagram,)


@dataclass(frozen=True)
class _Drawing:
    """How the pieces of an architecture become parts of a diagram."""

    architecture: Architecture
    symbol: Symbol

    def part(self, item: Item) -> Part:
        """A stage as a box, a stack as a cluster of them."""
        if isinstance(item, Stack):
            return self._cluster(item)
        if isinstance(item, Interleaved):
            return self._interleaved(item)
        return self._step(item, None)

    def _cluster(self, stack: Stack) -> Cluster:
        parts = tuple(self._step(step, stack) for step in stack.block)
        return Cluster(stack.id, self._title(stack), parts)

    def _interleaved(self, item: Interleaved) -> Cluster:
        layers = self.architecture.count(layers_of(item.stacks))
        title = f"× {thousands(layers)} layers, in turns"
        return Cluster(item.id, title, tuple(map(self._cluster, item.stacks)))

    def _title(self, stack: Stack) -> str:
        """``× 58 MoE layers``; what shares its weights says so."""
        layers = self.architecture.count(stack.layers)
        shared_by = self.architecture.count(stack.shared_by)
        words = " ".join(filter(None, ("×", thousands(layers * shared_by), stack.kind, "layers")))
        if shared_by == 1:
            return words
        return f"{words}, {thousands(shared_by)} of them with the same weights"

    def _step(self, step: Step, stack: Stack | None) -> Box | Fork:
        if isinstance(step, Parallel):
            branches = ((self._box(stage, stack) for stage in branch) for branch in step.branches)
            return Fork(tuple(map(tuple, branches)))
        return self._box(step, stack)

    def _box(self, stage: Stage, stack: Stack | None) -> Box:
        lines = []
        for weights in weights_of(stage):
            lines.append("".join((*weights.prefix, shape_text(weights.shape))))
            lines.append(shape_numbers(weights.shape, self.architecture))
        if stage.copies != ONCE:
            lines.append(used_text(stage.copies, self.architecture))
        if stage.inner:
            lines.append(activation_text(stage.inner))
        if stage.tied_to:
            lines.append(f"tied to {stage.tied_to}")
        kind = BoxKind.HIGHLIGHTED if stage.depends_on(self.symbol) else BoxKind.STEP
        id = f"{stack.id}_{stage.id}" if stack and self._is_elsewhere(stage, stack) else stage.id
        return Box(id, stage.label, kind, tuple(lines), activation_text(stage.output), stage.id)

    def _is_elsewhere(self, stage: Stage, stack: Stack) -> bool:
        """Whether what stands before the stack has a stage of the same name."""
        places = takewhile(lambda place: place.stack is not stack, self.architecture.places())
        return any(place.stage.id == stage.id for place in places)


def _description(parts: Iterable[Part], then: str = ", then ") -> str:
    """The pipeline in one sentence, for those who cannot see it."""
    return then.join(map(_told, parts))


def _told(part: Part) -> str:
    if isinstance(part, Cluster):
        return f"{part.title} of ({_description(part.parts, ', ')})"
    if isinstance(part, Fork):
        branches = (_description(branch, ", ") for branch in part.branches)
        return " beside ".join(f"[{branch}]" for branch in branches)
    return f"{part.title} (highlighted)" if part.kind is BoxKind.HIGHLIGHTED else part.title


def _legend(model: Model, symbol: Symbol) -> Line:
    number = thousands(model.architecture.count(symbol))
    return (
        "Highlighted, in a double frame: the shape of the weights contains ",
        variable(symbol),
        f", the {symbol.meaning} ({number}), so these grow with it; arrows carry the shape of "
        "the activations for a sequence of ",
        variable(T),
        " tokens.",
    )
