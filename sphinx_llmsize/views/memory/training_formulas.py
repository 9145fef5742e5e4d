"""Memory for training, by published formulas.

Model states: Rajbhandari et al. 2019, https://arxiv.org/abs/1910.02054, section 3.1.
Activations: Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198; equation 1 for one layer
without recomputation, section 5 for recomputing the attention scores or whole layers.
"""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.algebra import ZERO
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import D, H, L
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.views.shared.lengths import tokens_of
from sphinx_llmsize.views.view_options import ViewOptions

STATE_BYTES = (2, 2, 4, 4, 4)
"""Bytes per parameter of a 16-bit weight and gradient, an fp32 weight and Adam's two moments."""
LAYER_PART_BYTES = (11, 19, 4)
"""Bytes per element of a layer's T × D input in attention without scores, the MLP, and norms."""
LAYER_BYTES = sum(LAYER_PART_BYTES)
"""Bytes of activations in a layer per element of its T × D input, without the scores."""
SCORE_PART_BYTES = (2, 1, 2)
"""Bytes per attention score for the output of softmax, and the mask and output of dropout."""
SCORE_BYTES = sum(SCORE_PART_BYTES)
"""Bytes of activations per attention score."""
INPUT_BYTES = 2
"""Bytes per element of a layer's input."""
STATES = "states"
"""Id of the memory for model states: weights, gradients and the optimizer's moments."""


def training_tokens(model: Model, options: ViewOptions) -> int | None:
    """Length of the sequences of the activations; None if they have no formula."""
    return tokens_of(model, options) if has_formula_for_activations(model) else None


def has_formula_for_activations(model: Model) -> bool:
    """True if the model is L layers, each of attention and feed-forward, as the formula assumes."""
    architecture = model.architecture
    if not {L, D, H} <= set(architecture.sizes):
        return False
    stacks = tuple(architecture.stacks())
    uses = sum((stack.uses for stack in stacks), start=ZERO)
    is_one_stack = architecture.count(uses) == architecture.sizes[L]
    return is_one_stack and all(map(_has_attention_and_ffn, stacks))


def _has_attention_and_ffn(stack: Stack) -> bool:
    """True if each layer has attention, and an FFN or experts, but no replacement of attention."""
    groups = {placed.stage.group for placed in stack.placed_stages}
    has_ffn = Group.FEED_FORWARD in groups or Group.EXPERTS in groups
    return Group.ATTENTION in groups and has_ffn and Group.MIXER not in groups


def training_bytes(model: Model, tokens: int) -> dict[str, Fraction]:
    """Bytes of the model states and, if the formula applies, of the activations, by id.

    Activations are those of one sequence: all of them, with the attention scores computed again in
    the backward pass, or only the inputs of the layers.

    Args:
        model: the model.
        tokens: length of the sequence.
    """
    sizes = {STATES: sum(STATE_BYTES) * quotient(model.total, 1)}
    if has_formula_for_activations(model):
        hidden, layers, heads = (model.architecture.sizes[symbol] for symbol in (D, L, H))
        elements = layers * tokens * hidden
        scores = score_bytes(tokens, hidden, heads)
        sizes["activations"] = elements * (LAYER_BYTES + scores)
        sizes["scores_recomputed"] = quotient(elements * LAYER_BYTES, 1)
        sizes["inputs_stored"] = quotient(elements * INPUT_BYTES, 1)
    return sizes


def score_bytes(tokens: int, hidden: int, heads: int) -> Fraction:
    """Bytes of a layer's attention scores (heads × T × T), per element of its T × D input."""
    per_element: Fraction = SCORE_BYTES * quotient(heads * tokens, hidden)
    return per_element
