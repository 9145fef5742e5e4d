"""Lines of text in a box: shape of the weights, heads of attention, share of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.attention_heads import heads_of, key_heads_of
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import Length
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

LEAST_SHARE = Fraction(1, 1000)
"""Share below which attention scores show only their heads: they have biases or sinks at most."""


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
    if has_share(item, model):
        yield (percent(_share(item, model)),)
    if stage.tied_to:
        yield (_("the rest tied") if has_share(item, model) else _("tied"),)


def has_share(item: StageItem, model: Model) -> bool:
    """True if a box shows its share of the parameters: not for norms, or a few beside heads."""
    stage, share = item.stages[0], _share(item, model)
    if stage.group is Group.NORMS or not share:
        return False
    return not _heads_or_activations(stage, model) or bool(share >= LEAST_SHARE)


def _share(item: StageItem, model: Model) -> Fraction:
    """Share of the parameters."""
    share: Fraction = quotient(model.architecture.count(item.parameters), model.total)
    return share


def on_one_line(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines as a single one, with separators; nothing if there are no lines."""
    if line := separated(lines, SEPARATOR):
        yield line


def output_name(last: Stage, architecture: Architecture) -> tuple[str, str]:
    """Id and title of the output of a last stage: logits, or states of all tokens or of the whole.

    A head for the contacts of amino acids stands beside the pooler (ESM).
    """
    if last.has_logits:
        return "logits", _("Logits")
    if isinstance(last.output[-1], Length):
        return "contacts", _("Pooled state and contacts")
    has_length = last.output[0].symbols() - set(architecture.sizes)
    return "states", _("Hidden states") if has_length else _("Pooled state")


def _heads_or_activations(stage: Stage, model: Model) -> Line:
    """``32 heads, 8 KV heads`` for attention scores, or the shape of inner activations.

    In MLA, a part of the keys is not computed from the latent: ``128 heads, 1 RoPE key``.
    Empty for a stage with matrices, whose own shapes are shown.
    """
    if any(tensor.is_matrix for tensor in stage.tensors):
        return ()
    heads = heads_of(stage, model.architecture)
    if not heads:
        return activation_line(stage.intermediate) if stage.intermediate else ()
    key_heads = key_heads_of(stage, model.architecture)
    text = ngettext("{number} head", "{number} heads", heads, number=thousands(heads))
    if shares_rope_key(stage):
        return (_("{heads}, 1 RoPE key", heads=text),)
    if not key_heads or key_heads == heads:
        return (text,)
    grouped = ngettext(
        "{heads}, {number} KV head",
        "{heads}, {number} KV heads",
        key_heads,
        heads=text,
        number=thousands(key_heads),
    )
    return (grouped,)
