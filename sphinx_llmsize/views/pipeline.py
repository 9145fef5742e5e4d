"""Pipeline diagram: the stages from tokens to logits, with those that grow with D highlighted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import takewhile

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack, layers_of
from sphinx_llmsize.architecture.stages import Parallel, Source, Stage, Step, without_residuals
from sphinx_llmsize.blocks import Block, Drawn, Line
from sphinx_llmsize.config.symbols import D, T, V
from sphinx_llmsize.diagram import Box, BoxKind, Cluster, Diagram, Fork, Part, ends_of
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import (
    activation_text,
    comma_separated,
    experts_text,
    filled,
    layers_text,
    shape_line,
    shape_numbers,
    stack_text,
    tied_text,
    title,
    variable,
    weights_of,
)
from sphinx_llmsize.views.view_options import ViewOptions

ENCODER = "encoder_states"
"""Id of the box that cross-attention reads if the model has no encoder of its own."""


def pipeline(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The diagram; stages whose weights have D in their shape are highlighted."""
    items = _Pipeline(model.architecture).parts()
    diagram = Diagram(
        title=_("Pipeline of {model}", model=title(model)),
        description=_description(items),
        items=items,
        legend=_legend(model),
        direction=options.direction,
    )
    return (diagram,)


@dataclass(frozen=True)
class _Pipeline:
    """Converts an architecture to parts of a diagram."""

    architecture: Architecture

    def parts(self) -> tuple[Part, ...]:
        """The input, the stages and the output."""
        first, last = self._stages[0], self._stages[-1]
        tokens = _tokens("tokens", first)
        parts: list[Part] = [tokens]
        if self._encoder_ends == (ENCODER,):
            cross_attention = next(s for s in self._stages if s.source is Source.ENCODER)
            shape = (cross_attention.output[0], cross_attention.tensors[0].shape[0])
            states = Box(ENCODER, _("Encoder states"), BoxKind.DATA, output=activation_text(shape))
            parts = [states, replace(tokens, reads=())]  # without an arrow between them
        for position, item in enumerate(self.architecture.items):
            if position == self._decoder and isinstance(item, Stage):
                parts.append(replace(_tokens("decoder_tokens", item), reads=()))
            parts.append(self.part(item))
        return (*parts, self._output(last))

    def _output(self, last: Stage) -> Box:
        """The output: logits, a vector for each token, or one vector for all of them."""
        if V in last.output:
            return Box("logits", _("Logits"), BoxKind.DATA)
        lengths = last.output[0].symbols() - set(self.architecture.sizes)
        return Box("states", _("Hidden states") if lengths else _("Pooled state"), BoxKind.DATA)

    @cached_property
    def _stages(self) -> tuple[Stage, ...]:
        return tuple(place.stage for place in self.architecture.places())

    @cached_property
    def _decoder(self) -> int | None:
        """Index of the decoder's first item; None if no encoder comes before it."""
        for position, item in enumerate(self.architecture.items):
            if position and isinstance(item, Stage) and item.source is Source.TOKENS:
                return position
        return None

    @cached_property
    def _encoder_ends(self) -> tuple[str, ...]:
        """Ids of the boxes that cross-attention reads."""
        if self._decoder is not None:
            last = self.architecture.items[self._decoder - 1]
            return tuple(box.id for box in ends_of(self.part(last)))
        has_cross_attention = any(stage.source is Source.ENCODER for stage in self._stages)
        return (ENCODER,) if has_cross_attention else ()

    def part(self, item: Item) -> Part:
        """A box for a stage, a cluster for a stack."""
        if isinstance(item, Stack):
            return self._cluster(item)
        if isinstance(item, Interleaved):
            return self._interleaved(item)
        (part,) = self._steps((item,), None)
        return part

    def _cluster(self, stack: Stack) -> Cluster:
        parts = self._steps(stack.block, stack)
        return Cluster(stack.id, stack_text(stack, self.architecture), parts)

    def _interleaved(self, item: Interleaved) -> Cluster:
        layers = self.architecture.count(layers_of(item.stacks))
        title = _("{layers}, interleaved", layers=layers_text(layers))
        return Cluster(item.id, title, tuple(map(self._cluster, item.stacks)))

    def _steps(self, steps: Iterable[Step], stack: Stack | None) -> tuple[Box | Fork, ...]:
        return tuple(self._step(step, stack) for step in without_residuals(steps))

    def _step(self, step: Stage | Parallel, stack: Stack | None) -> Box | Fork:
        if isinstance(step, Parallel):
            return Fork(tuple(self._steps(branch, stack) for branch in step.branches))
        return self._box(step, stack)

    def _box(self, stage: Stage, stack: Stack | None) -> Box:
        lines = []
        for weights in weights_of(stage):
            lines.append("".join(map(str, (*weights.prefix, *shape_line(weights.shape)))))
            lines.append(shape_numbers(weights.shape, self.architecture))
        inner = activation_text(stage.inner) if stage.inner else ""
        lines += filter(None, (experts_text(stage, self.architecture), inner, tied_text(stage)))
        kind = BoxKind.HIGHLIGHTED if stage.depends_on(D) else BoxKind.STEP
        id = f"{stack.id}_{stage.id}" if stack and self._is_repeated(stage, stack) else stage.id
        reads = self._encoder_ends if stage.source is Source.ENCODER else None
        output = activation_text(stage.output)
        return Box(id, _(stage.label), kind, tuple(lines), output, stage.id, reads)

    def _is_repeated(self, stage: Stage, stack: Stack) -> bool:
        """True if a stage before the stack has the same id."""
        places = takewhile(lambda place: place.stack is not stack, self.architecture.places())
        return any(place.stage.id == stage.id for place in places)


def _tokens(id: str, embedding: Stage) -> Box:
    return Box(id, _("Token ids"), BoxKind.DATA, output=activation_text(embedding.output[:1]))


def _description(parts: Iterable[Part]) -> str:
    """The pipeline in one sentence."""
    return reduce(lambda a, b: _("{step}, then {next}", step=a, next=b), map(_described, parts))


def _described(part: Part) -> str:
    if isinstance(part, Cluster):
        steps = comma_separated(map(_described, part.parts))
        return _("{layers} of ({steps})", layers=part.title, steps=steps)
    if isinstance(part, Fork):
        branches = (comma_separated(map(_described, branch)) for branch in part.branches)
        in_brackets = (f"[{branch}]" for branch in branches)
        return reduce(lambda a, b: _("{branch} beside {other}", branch=a, other=b), in_brackets)
    is_highlighted = part.kind is BoxKind.HIGHLIGHTED
    return _("{step} (highlighted)", step=part.title) if is_highlighted else part.title


def _legend(model: Model) -> Line:
    lengths = model.architecture.activation_symbols - set(model.architecture.sizes) - {T}
    highlighted = _(
        "Highlighted{form}: every step that grows with the {meaning} {symbol} ({number}). "
        "Arrows show the shape of the activations for {T} tokens"
    )
    legend = filled(
        highlighted,
        form=Drawn(_(", in a double frame")),
        symbol=variable(D),
        meaning=_(D.meaning),
        number=thousands(model.architecture.count(D)),
        T=variable(T),
    )
    for length in sorted(lengths, key=str):
        further = _("{sentence}; {length} is the number of {meaning}")
        meaning = _(length.meaning)
        legend = filled(further, sentence=legend, length=variable(length), meaning=meaning)
    return (*legend, _("."))
