"""The pipeline: how tokens become logits, and which steps depend on the hidden dimension."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.pieces import Architecture, Stack, Stage
from sphinx_llmsize.blocks import Block, Box, BoxKind, Cluster, Diagram, Line
from sphinx_llmsize.config.vocabulary import D, T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.options import ViewOptions
from sphinx_llmsize.views.wording import (
    activation_text,
    shape_numbers,
    shape_text,
    title,
    variable,
    weights_of,
)

INPUT = Box("tokens", "Token ids", BoxKind.DATA, output="[T]")
OUTPUT = Box("logits", "Logits", BoxKind.DATA)


def pipeline(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The chain of stages, those whose weights have D in their shape highlighted."""
    items = (INPUT, *_items(model.architecture, D), OUTPUT)
    diagram = Diagram(
        title=f"Pipeline of {title(model)}",
        description=_description(items),
        items=items,
        legend=_legend(model, D),
        direction=options.direction,
    )
    return (diagram,)


def _items(architecture: Architecture, symbol: Symbol) -> tuple[Box | Cluster, ...]:
    return tuple(
        Cluster(
            item.id,
            f"× {thousands(architecture.count(item.layers))} layers",
            tuple(_box(stage, architecture, symbol) for stage in item.stages),
        )
        if isinstance(item, Stack)
        else _box(item, architecture, symbol)
        for item in architecture.items
    )


def _box(stage: Stage, architecture: Architecture, symbol: Symbol) -> Box:
    lines = []
    for weights in weights_of(stage):
        lines.append("".join((*weights.prefix, shape_text(weights.shape))))
        lines.append(shape_numbers(weights.shape, architecture))
    if stage.inner:
        lines.append(activation_text(stage.inner))
    if stage.tied_to:
        lines.append(f"tied to {stage.tied_to}")
    kind = BoxKind.HIGHLIGHTED if stage.depends_on(symbol) else BoxKind.STEP
    return Box(stage.id, stage.label, kind, tuple(lines), activation_text(stage.output))


def _description(items: tuple[Box | Cluster, ...]) -> str:
    """The chain in one sentence, for those who cannot see it."""
    return ", then ".join(
        f"{item.title} of ({', '.join(map(_told, item.boxes))})"
        if isinstance(item, Cluster)
        else _told(item)
        for item in items
    )


def _told(box: Box) -> str:
    return f"{box.title} (highlighted)" if box.kind is BoxKind.HIGHLIGHTED else box.title


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
