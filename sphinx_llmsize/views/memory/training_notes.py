"""Notes on the formulas of the memory for training, and on how a model differs from theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.attention_heads import key_value_heads
from sphinx_llmsize.architecture.components import have_gate
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import BATCH, D_H, R_KV, D, E, F, H
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.shared.multiples import multiple_line
from sphinx_llmsize.views.shared.papers import KORTHIKANTI, RAJBHANDARI
from sphinx_llmsize.views.shared.wording import filled, joined_sentences, listed, variable

FFN_RATIO = 4
"""F / D in the transformer that the formula assumes."""
OF_STATES = N_(
    "Model states, by {paper} (section 3.1): {sum} bytes per parameter, for a weight and a "
    "gradient in 16 bits, and a copy of the weight and Adam's two moments in 32 bits."
)
OF_ACTIVATIONS = N_(
    "Activations, by {paper} (equation 1 and section 5): those of one sequence in 16 bits, without "
    "embeddings and LM head. The formula assumes a plain transformer with multi-head attention as "
    "wide as {D}, an MLP of {ratio} with GELU, and dropout."
)
OF_EACH_SEQUENCE = N_("Each of the {b} sequences needs as much.")
NO_ACTIVATIONS = N_(
    "The published formula for activations covers one stack of layers, each of attention and "
    "feed-forward. This model has another architecture."
)


def about_states(state_bytes: Iterable[int]) -> Line:
    """Source of the bytes per parameter, and what each of them stores."""
    return filled(_(OF_STATES), paper=RAJBHANDARI, sum=" + ".join(map(str, state_bytes)))


def about_formula(model: Model, tokens: int, batch: int) -> Line:
    """Assumptions of the formula, and the differences of the model from them."""
    ratio = (variable(F), f" = {FFN_RATIO}·", variable(D))
    plain = filled(_(OF_ACTIVATIONS), paper=KORTHIKANTI, D=variable(D), ratio=ratio)
    if batch != 1:
        plain = joined_sentences(plain, filled(_(OF_EACH_SEQUENCE), b=variable(BATCH)))
    differences = tuple(_differences(model, tokens))
    if not differences:
        return joined_sentences(plain, (_("This model has the same shapes."),))
    message = _("In this model, {differences}, so the numbers are estimates.")
    return joined_sentences(plain, filled(message, differences=listed(differences)))


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
            yield (variable(H), "·", variable(D_H), f" = {thousands(attention_width)}")
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
