"""Lines of text in a box: shape of the weights, heads of attention, share of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.attention_heads import heads_of, key_heads_of
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.pipeline.box_shape import weights_shape
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


def summary_lines(
    item: StageItem, model: Model, layers: Line, *, has_shape: bool
) -> Iterator[Line]:
    """Up to four lines: layers or shape; heads or inner activations; share; "tied".

    A norm has no lines.

    Args:
        item: the stage.
        model: the model.
        layers: text about the layers with this stage, in place of the shape; empty for none.
        has_shape: the shape of the weights is shown if it fits.
    """
    stage = item.stages[0]
    if item.is_norm:
        return
    if layers:
        yield layers
    elif has_shape and (shape := weights_shape(item)):
        yield shape
    if line := _heads_or_activations(item, model.architecture):
        yield line
    shows_share = has_share(item, model)
    if shows_share:
        yield (percent(_share(item, model)),)
    if stage.tied_to:
        yield (_("the rest tied") if shows_share else _("tied"),)


def has_share(item: StageItem, model: Model) -> bool:
    """True if a box shows its share of the parameters.

    Norms don't, nor does a box with heads that has less than 0.1% of the parameters.
    """
    share = _share(item, model)
    if item.is_norm or not share:
        return False
    return not _heads_or_activations(item, model.architecture) or bool(share >= LEAST_SHARE)


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


def _heads_or_activations(item: StageItem, architecture: Architecture) -> Line:
    """``32 heads, 8 KV heads`` for attention scores, or the shape of inner activations.

    In MLA, a part of the keys is not computed from the latent: ``128 heads, 1 RoPE key``. If layers
    differ, their numbers are a range: ``12–24 heads``. Empty for a stage with matrices, whose own
    shapes are shown.
    """
    stage = item.stages[0]
    if any(tensor.is_matrix for tensor in stage.tensors):
        return ()
    heads = [heads_of(version, architecture) for version in item.stages]
    if not all(heads):
        return activation_line(stage.intermediate) if stage.intermediate else ()
    text = ngettext("{number} head", "{number} heads", max(heads), number=_range(heads))
    if shares_rope_key(stage):
        return (_("{heads}, 1 RoPE key", heads=text),)
    key_heads = [key_heads_of(version, architecture) for version in item.stages]
    known = [number for number in key_heads if number]
    if not known or key_heads == heads:
        return (text,)
    grouped = ngettext(
        "{heads}, {number} KV head",
        "{heads}, {number} KV heads",
        max(known),
        heads=text,
        number=_range(known),
    )
    return (grouped,)


def _range(numbers: Sequence[int]) -> str:
    """``8``, or ``4–8`` for different numbers."""
    least, most = min(numbers), max(numbers)
    return thousands(least) if least == most else f"{thousands(least)}–{thousands(most)}"
