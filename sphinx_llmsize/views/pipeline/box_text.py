"""Lines of text in a box: shape of the weights, heads of attention, share of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.pipeline.box_shape import BoxShape, weights_shape
from sphinx_llmsize.views.pipeline.layer_items import StageItem
from sphinx_llmsize.views.shared.experts_text import experts_text
from sphinx_llmsize.views.shared.latents import shares_rope_key
from sphinx_llmsize.views.shared.weight_lines import weight_lines
from sphinx_llmsize.views.shared.wording import (
    activation_line,
    filled,
    joined,
    separated,
    tied_text,
)


def full_lines(stage: Stage, architecture: Architecture) -> Iterator[Line]:
    """Each shape in symbols and in numbers, experts, inner activations and tied weights."""
    for weights in weight_lines(stage):
        yield joined((*weights.prefix, *weights.symbols))
        yield (weights.numbers(architecture),)
    if experts := experts_text(stage, architecture):
        yield (experts,)
    if stage.intermediate in stage.caches:  # a recurrent state
        yield filled(_("state: {shape}"), shape=activation_line(stage.intermediate))
    elif stage.intermediate:
        yield activation_line(stage.intermediate)
    if tied := tied_text(stage):
        yield (tied,)


def summary_lines(item: StageItem, model: Model, layers: Line, shape: BoxShape) -> Iterator[Line]:
    """Up to three lines: layers or shape; heads or inner activations; share, or "tied".

    A norm has no lines.

    Args:
        item: the stage.
        model: the model.
        layers: text about the layers with this stage, in place of the shape; empty for none.
        shape: how the shape is written.
    """
    stage = item.stages[0]
    if stage.group is Group.NORMS:
        return
    if layers:
        yield layers
    elif shape is not BoxShape.NONE and (text := weights_shape(item, model.architecture, shape)):
        yield text
    if line := _heads_or_activations(stage, model):
        yield line
    parameters = model.architecture.count(item.parameters)
    if has_share(item, model):
        yield (percent(quotient(parameters, model.total)),)
    elif stage.tied_to:
        yield (_("the rest tied") if parameters else _("tied"),)


def has_share(item: StageItem, model: Model) -> bool:
    """True if the share of the parameters is one of :func:`summary_lines`."""
    stage = item.stages[0]
    is_norm = stage.group is Group.NORMS
    return not (is_norm or stage.tied_to) and bool(model.architecture.count(item.parameters))


def on_one_line(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines as a single one, with separators; nothing if there are no lines."""
    if line := separated(lines, SEPARATOR):
        yield line


def _heads_or_activations(stage: Stage, model: Model) -> Line:
    """``32 heads, 8 KV heads`` for attention scores, or the shape of inner activations.

    In MLA, a part of the keys is not computed from the latent: ``128 heads, 1 RoPE key``.
    Empty for a stage with matrices, whose own shapes are shown.
    """
    if any(tensor.is_matrix for tensor in stage.tensors):
        return ()
    counts = {product.count for product in stage.computes}
    sizes = model.architecture.sizes
    if not any(H in count.symbols() for count in counts) or H not in sizes:
        return activation_line(stage.intermediate) if stage.intermediate else ()
    heads = sizes[H]
    key_heads = sizes.get(H_KV, heads)
    text = ngettext("{number} head", "{number} heads", heads, number=thousands(heads))
    if shares_rope_key(stage):
        return (_("{heads}, 1 RoPE key", heads=text),)
    if key_heads == heads:
        return (text,)
    grouped = ngettext(
        "{heads}, {number} KV head",
        "{heads}, {number} KV heads",
        key_heads,
        heads=text,
        number=thousands(key_heads),
    )
    return (grouped,)
