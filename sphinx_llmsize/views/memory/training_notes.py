"""Notes on the formulas of the memory for training, and on how a model differs from theirs."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.architecture.attention_heads import key_value_heads
from sphinx_llmsize.architecture.components import have_gate
from sphinx_llmsize.blocks import Block, Line, Note
from sphinx_llmsize.config.symbols import BATCH, D_H, R_KV, D, E, F, H
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.memory.training_formulas import (
    LAYER_BYTES,
    LAYER_PART_BYTES,
    SCORE_BYTES,
    SCORE_PART_BYTES,
    STATE_BYTES,
    training_tokens,
)
from sphinx_llmsize.views.shared.multiples import multiple_line
from sphinx_llmsize.views.shared.papers import KORTHIKANTI, RAJBHANDARI
from sphinx_llmsize.views.shared.wording import (
    filled,
    joined_sentences,
    listed,
    size_line,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

FFN_RATIO = 4
"""F / D in the transformer that the formula assumes."""
OF_STATES = N_(
    "Model states, by {paper} (section 3.1): {sum} bytes per parameter, for a weight and a "
    "gradient in 16 bits, and a copy of the weight and Adam's two moments in 32 bits."
)
OF_ACTIVATIONS = N_(
    "Activations, by {paper} (equation 1 and section 5): those of one sequence in 16 bits, without "
    "embeddings and LM head. The formula assumes a plain transformer with multi-head attention as "
    "wide as {D}, an FFN of {ratio} with GELU, and dropout."
)
OF_BYTES = N_(
    "Per element of a layer's input, {layer} = {layer_sum} bytes are stored for attention, FFN and "
    "norms; per attention score, {score} = {score_sum} bytes for the softmax, the dropout mask and "
    "its output."
)
OF_EACH_SEQUENCE = N_("Each of the {b} sequences needs as much.")
NO_ACTIVATIONS = N_(
    "The published formula for activations covers one stack of layers, each of attention and "
    "feed-forward. This model has another architecture."
)


def training_notes(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Notes below the table: one on the model states, and one on the activations."""
    tokens = training_tokens(model, options)
    states = " + ".join(map(str, STATE_BYTES))
    about_states = filled(_(OF_STATES), paper=RAJBHANDARI, sum=states)
    if tokens is None:
        return (Note(joined_sentences(about_states, (_(NO_ACTIVATIONS),))),)
    return (Note(about_states), Note(_about_activations(model, tokens, options.batch)))


def _about_activations(model: Model, tokens: int, batch: int) -> Line:
    """Assumptions of the formula, and the differences of the model from them."""
    ratio = (variable(F), f" = {FFN_RATIO}", variable(D))
    plain = joined_sentences(
        filled(_(OF_ACTIVATIONS), paper=KORTHIKANTI, D=variable(D), ratio=ratio),
        (_bytes_sentence(),),
    )
    if batch != 1:
        plain = joined_sentences(plain, filled(_(OF_EACH_SEQUENCE), b=variable(BATCH)))
    differences = tuple(_differences(model, tokens))
    if not differences:
        return joined_sentences(plain, (_("This model has the same shapes."),))
    message = _("In this model, {differences}, so the numbers are estimates.")
    return joined_sentences(plain, filled(message, differences=listed(differences)))


def _bytes_sentence() -> str:
    """The bytes per element and per score in the formula, as sums over what is stored."""
    return _(
        OF_BYTES,
        layer=LAYER_BYTES,
        layer_sum=" + ".join(map(str, LAYER_PART_BYTES)),
        score=SCORE_BYTES,
        score_sum=" + ".join(map(str, SCORE_PART_BYTES)),
    )


def _differences(model: Model, tokens: int) -> Iterator[Line]:
    """Each way in which the model differs from the transformer of the formula."""
    sizes = model.architecture.sizes
    heads = sizes[H]
    key_heads = key_value_heads(model.architecture, model.architecture.placed_stages()) or heads
    attention_width = heads * sizes.get(D_H, 0)
    if R_KV in sizes:
        yield (_("keys and values come from latents"),)
    else:
        if key_heads < heads:
            text = ngettext(
                "{heads} heads share {number} key/value head",
                "{heads} heads share {number} key/value heads",
                key_heads,
                heads=heads,
                number=key_heads,
            )
            yield (text,)
        if attention_width and attention_width != sizes[D]:
            yield (*size_line(H * D_H), f" = {thousands(attention_width)}")
    windows = {s.window for stack in model.architecture.stacks() for s in stack.windows}
    if windows and min(windows) < tokens:
        number = thousands(min(windows))
        yield (_("some layers see {number} tokens only", number=number),)
    if have_gate(model.components):
        yield (_("the MLP has a gate"),)
    if model.active != model.total and E in sizes:
        yield (_("tokens are sent to experts"),)
    elif F in sizes and sizes[F] != FFN_RATIO * sizes[D]:
        yield (variable(F), " = ", *multiple_line(quotient(sizes[F], sizes[D]), D))
