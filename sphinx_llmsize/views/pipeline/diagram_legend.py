"""Legend of a pipeline diagram: what is drawn in it, its symbols, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stages import Group, Parallel, Residual, Step
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.blocks import Inline, KeyItem, Line, OfPreset, Variable
from sphinx_llmsize.config.symbols import D, T
from sphinx_llmsize.diagram_boxes import Box, Growth
from sphinx_llmsize.diagram_tree import Fork, Part, boxes_of, clusters_of, forks_of, has_residual
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.naming.conventions import ZERO_EXPERTS
from sphinx_llmsize.views.pipeline.merged_stages import MINOR_LABELS
from sphinx_llmsize.views.pipeline.shared_layers import shared_stacks_of
from sphinx_llmsize.views.pipeline.stage_growth import growing_symbols, shrinking_symbols
from sphinx_llmsize.views.shared.drawn_sentences import before_next, key, only_drawn
from sphinx_llmsize.views.shared.latents import shares_rope_key
from sphinx_llmsize.views.shared.size_facts import VIEWS_WITH_SIZES, listed_sizes
from sphinx_llmsize.views.shared.wording import (
    filled,
    in_sentence,
    joined_sentences,
    listed,
    variable,
)
from sphinx_llmsize.views.view_options import Coloring, ViewOptions

FRAMES = {
    Growth.SQUARE: (N_("Double frame"), N_("weights grow with {D}²")),
    Growth.LINEAR: (N_("Single frame"), N_("weights grow with {D}")),
    Growth.NONE: (N_("Rounded frame"), N_("weights do not grow with {D}")),
}
"""Frames of boxes with weights, and their meanings."""
WEIGHTLESS, EITHER = "weightless", "either"
"""Frame of boxes without weights of their own, and the word at forks of alternatives."""
FRAMES_IN_ORDER = (*(growth.value for growth in FRAMES), WEIGHTLESS, EITHER)
"""All items of the key, in order."""


def diagram_legend(model: Model, options: ViewOptions, parts: tuple[Part, ...]) -> Line:
    """The meaning of frames; then of layers, boxes and lines, of percentages, and of symbols."""
    boxes = tuple(boxes_of(parts))
    items = tuple(_key_items(boxes, tuple(forks_of(parts))))
    by_share = options.color is Coloring.SHARE
    are_listed = not VIEWS_WITH_SIZES.isdisjoint(options.shown)
    on_drawing = (
        *_layers(parts),
        *_shared_layers(model),
        *_merged_steps(model, boxes),
        *_rope_key(model, boxes),
        *_left_out(model, parts),
    )
    on_symbols = (*_sizes(model, boxes, are_listed=are_listed), *_lengths(model, boxes))
    return (
        *key(items, has_colors=not by_share),
        *before_next(on_drawing),
        *only_drawn(_shares(model, boxes, by_share=by_share)),
        *joined_sentences(*on_symbols),
    )


def _key_items(boxes: tuple[Box, ...], forks: tuple[Fork, ...]) -> Iterator[KeyItem]:
    """The frames in the diagram, and the word at forks of alternatives."""
    growths = {box.growth for box in boxes if box.shows_growth}
    for growth, (name, meaning) in FRAMES.items():
        if growth in growths:
            yield KeyItem(growth.value, _(name), filled(_(meaning), D=variable(D)))
    if any(box.is_weightless for box in boxes):
        yield KeyItem(WEIGHTLESS, _("Dotted frame"), (_("no weights of its own"),))
    if any(fork.has_alternatives for fork in forks):
        branches = (_("each layer takes one branch"),)
        yield KeyItem(EITHER, _("“or”"), branches, word=_("or"))


def _shares(model: Model, boxes: Iterable[Box], *, by_share: bool) -> Iterator[Line]:
    """Sentences on the percentages and, if they show shares, the colours."""
    if by_share:
        yield (_("The stronger the colour, the more of the parameters a box has."),)
    if any(box.shows_share for box in boxes):
        tensors = (tensor for stage in model.architecture.stages() for tensor in stage.tensors)
        if any(tensor.role is Role.BIAS for tensor in tensors):
            yield (_("Percentages are shares of all parameters, biases included."),)
        else:
            yield (_("Percentages are shares of all parameters."),)


def _layers(parts: tuple[Part, ...]) -> Iterator[Line]:
    """Lists of layers that take a branch whose label only has their number, or that share boxes.

    They aren't those of a model with another number of layers, as an interactive page may show.
    """
    of_branches = (branch.remark for fork in forks_of(parts) for branch in fork.branches)
    remarks = (*(cluster.remark for cluster in clusters_of(parts)), *of_branches)
    return ((OfPreset(remark),) for remark in dict.fromkeys(filter(None, remarks)))


def _shared_layers(model: Model) -> Iterator[Line]:
    """A sentence on the inputs and weights of a layer that is drawn inside others."""
    shared = shared_stacks_of(model.architecture.items)
    if not shared:
        return
    count = model.architecture.count
    sets = sum(count(stack.layers) for stack in shared)
    if sets == 1:
        yield (_("All hybrid layers share the weights of attention and FFN."),)
    elif sets < sum(count(stack.uses) for stack in shared):
        number = thousands(sets)
        yield (
            _(
                "Hybrid layers use {number} sets of weights of attention and FFN in turn.",
                number=number,
            ),
        )
    yield (_("The attention in hybrid layers also reads the token embedding."),)


def _merged_steps(model: Model, boxes: tuple[Box, ...]) -> Iterator[Line]:
    """Sentences on minor steps that share a box, and on unused weights in a box."""
    labels = {stage.id: in_sentence(stage.label) for stage in model.architecture.stages()}
    minor = {_(label) for label in MINOR_LABELS.values()}
    for title, names in dict.fromkeys((box.title, box.names) for box in boxes):
        if title in minor and len(names) > 1:
            first, *_others, last = (labels[name] for name in names if name in labels)
            message = _("The box “{box}” stands for all steps from {first} to {last}.")
            yield filled(message, box=title, first=first, last=last)
            if "state_space" in names:
                yield (
                    _(
                        "The gate, a part of the input projection's output, bypasses this box and "
                        "is multiplied with its result."
                    ),
                )
        if ZERO_EXPERTS in names and len(names) > 1:
            yield (_("Zero experts, whose matrices are unused, are in the box of the experts."),)


def _rope_key(model: Model, boxes: tuple[Box, ...]) -> Iterator[Line]:
    """A sentence on the way of a key that no line shows, if attention is drawn in steps."""
    of_one_stage = {box.names for box in boxes}
    scores = (stage.id for stage in model.architecture.stages() if shares_rope_key(stage))
    if any((id,) in of_one_stage for id in scores):
        yield (_("The RoPE key, shared by all heads, bypasses the KV latent norm and projection."),)


def _left_out(model: Model, parts: tuple[Part, ...]) -> Iterator[Line]:
    """A note on norms and residual connections of the model that aren't drawn.

    There is one for a model without norms, too: the textbook decoder, which doesn't count them.
    """
    drawn = {name for box in boxes_of(parts) for name in box.names}
    stages = tuple(model.architecture.stages())
    norms, connections = (
        {stage.id for stage in stages if stage.group is group}
        for group in (Group.NORMS, Group.RESIDUAL)
    )
    if norms and norms <= drawn:
        return
    in_layers = (step for stack in model.architecture.stacks() for step in stack.block)
    has_lines = has_residual(parts) or not any(map(_contains_residual, in_layers))
    if has_lines and connections <= drawn:
        yield (_("Norms are not drawn."),)
    else:
        yield (_("Norms and residual connections are not drawn."),)


def _contains_residual(step: Step) -> bool:
    """True for a residual connection, and for parallel branches with one."""
    if isinstance(step, Parallel):
        return any(_contains_residual(inner) for branch in step.branches for inner in branch)
    return isinstance(step, Residual)


def _sizes(model: Model, boxes: Iterable[Box], *, are_listed: bool) -> Iterator[Line]:
    """Sentences on the sizes, and on those that are assumed to scale with the hidden dimension.

    Args:
        model: the model.
        boxes: boxes of the diagram; the other sizes are those in them and beside arrows.
        are_listed: another view of the directive lists all sizes with their meanings.
    """
    growing = growing_with_width(model)
    if not are_listed:
        named = {*shown_variables(boxes), *map(variable, (D, *growing))}
        symbols = (symbol for symbol in model.architecture.sizes if variable(symbol) in named)
        yield listed_sizes(model, symbols)
    if growing:
        yield about_growing([variable(symbol) for symbol in growing])
    for symbol in shrinking_symbols(model) & set(model.architecture.symbols):
        yield filled(_("{size} shrinks as {D} grows."), size=variable(symbol), D=variable(D))


def about_growing(sizes: Sequence[Variable]) -> Line:
    """A sentence on the sizes that are assumed to scale with the hidden dimension."""
    sentence = ngettext(
        "{sizes} is assumed to scale with {D}.",
        "{sizes} are assumed to scale with {D}.",
        len(sizes),
    )
    return filled(sentence, sizes=listed([(size,) for size in sizes]), D=variable(D))


def growing_with_width(model: Model) -> list[Symbol]:
    """The sizes that are assumed to grow with the hidden dimension, without this one."""
    architecture = model.architecture
    growing = (growing_symbols(model) & set(architecture.symbols)) - {D}
    return [symbol for symbol in architecture.sizes if symbol in growing]


def shown_variables(boxes: Iterable[Box]) -> set[Inline]:
    """Every piece of the lines in boxes and beside arrows, among them all variables."""
    return {piece for box in boxes for line in (*box.lines, box.output) for piece in line}


def _lengths(model: Model, boxes: Iterable[Box]) -> Iterator[Line]:
    """A sentence on each length of a sequence beside boxes and arrows, T first."""
    architecture = model.architecture
    lengths = architecture.activation_symbols - set(architecture.sizes)
    shown = shown_variables(boxes)
    for length in sorted(lengths, key=lambda length: (length != T, str(length))):
        if variable(length) in shown:
            sentence = _("{length} is the number of {meaning}.")
            yield filled(sentence, length=variable(length), meaning=meaning_of(length))


def meaning_of(symbol: Symbol) -> str:
    """The meaning of a symbol, translated; T is any number of tokens, not those of a sequence."""
    return _("tokens") if symbol == T else _(symbol.meaning)
