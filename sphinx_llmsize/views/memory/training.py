"""Memory for training, by published formulas.

Model states: Rajbhandari et al. 2019, https://arxiv.org/abs/1910.02054, section 3.1.
Activations: Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198; equation 1 for one layer
without recomputation, section 5 for recomputing the attention scores or whole layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Cell, Column, Line, Note, Row, Table, Variable, cell
from sphinx_llmsize.config.symbols import BATCH, D_H, H_KV, R_KV, D, E, F, H, L, T
from sphinx_llmsize.formats import decimal, significant, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.data_size import size_cells
from sphinx_llmsize.views.shared.folding import folding_row
from sphinx_llmsize.views.shared.lengths import USUAL_TOKENS, longest_context, tokens_of
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    about_line,
    filled,
    joined_sentences,
    listed,
    size_line,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

STATE_BYTES = (2, 2, 4, 4, 4)
"""Bytes per parameter of a 16-bit weight and gradient, an fp32 weight and Adam's two moments."""
LAYER_BYTES = 34
"""Bytes of activations in a layer per element of its T × D input, without the scores."""
SCORE_BYTES = 5
"""Bytes of activations per attention score."""
INPUT_BYTES = 2
"""Bytes per element of a layer's input."""
FFN_RATIO = 4
"""F / D in the transformer that the formula assumes."""
STATES = "states"
"""Id of the memory for model states: weights, gradients and the optimizer's moments."""
ABOUT_STATES = N_(
    "States: Rajbhandari et al. 2019 (arXiv:1910.02054, section 3.1), {sum} bytes per parameter: "
    "weight and gradient in 16 bits; a copy of the weight and Adam's two moments in 32 bits."
)
ABOUT_ACTIVATIONS = N_(
    "Activations: Korthikanti et al. 2022 (arXiv:2205.05198, equation 1 and section 5), for one "
    "sequence in 16 bits, without embeddings and LM head. Their transformer is plain: multi-head "
    "attention as wide as {D}, an MLP of {ratio} with GELU, dropout."
)
OF_EACH_SEQUENCE = N_("Each of the {b} sequences needs as much.")
NO_ACTIVATIONS = N_(
    "The published formula for activations covers one stack of layers, each of attention and "
    "feed-forward. This model has another architecture."
)


class MemoryPart(NamedTuple):
    """Memory for the model states or for activations: a row of the table.

    Attributes:
        label: its name.
        formula: formula of the bytes, in symbols and in numbers.
        size: its size in bytes.
        name: name of the number in the role ``llm-size``, such as ``training.states``; empty for
            none.
    """

    label: Cell
    formula: Cell
    size: Fraction
    name: str


def training(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of the memory of model states (mixed precision, Adam) and activations, and notes."""
    usual = min(USUAL_TOKENS, longest_context(model) or USUAL_TOKENS)
    tokens = tokens_of(model, options, options.context or usual)
    columns = (
        Column(_("Training")),
        Column(_("Bytes"), folds=True),
        Column(_("Size"), numeric=True),
    )
    caption: Line = about_line(
        model,
        N_("Memory to train {model} in mixed precision"),
        N_("Memory for training in mixed precision"),
    )
    parts = [_states(model)]
    about_activations: Line = (_(NO_ACTIVATIONS),)
    if _has_formula_for_activations(model):
        parts += _activations(model, tokens, options.batch)
        about_activations = _about_activations(model, tokens, options.batch)
        caption = _with_sequences(caption, tokens, options.batch)
    rows: list[Row] = []
    sizes = size_cells([part.size for part in parts], exact=True)
    for part, size in zip(parts, sizes, strict=True):
        row = folding_row(columns, (part.label, part.formula, size))
        rows.append(replace(row, names=((), (), (part.name,) if part.name else ())))
    about_states = _(ABOUT_STATES, sum=" + ".join(map(str, STATE_BYTES)))
    table = Table(caption, columns, tuple(rows))
    return (table, Note((about_states,)), Note(about_activations))


def _with_sequences(caption: Line, tokens: int, batch: int) -> Line:
    """The caption with the sequences and their length."""
    if batch == 1:
        message = _("{caption}, with a sequence of {T} = {number} tokens")
        return filled(message, caption=caption, T=variable(T), number=thousands(tokens))
    return filled(
        _("{caption}, with {b} = {batch} sequences of {T} = {number} tokens"),
        caption=caption,
        b=variable(BATCH),
        batch=thousands(batch),
        T=variable(T),
        number=thousands(tokens),
    )


def _has_formula_for_activations(model: Model) -> bool:
    """True if every layer has attention and feed-forward, as the published formula assumes."""
    has_mixers = Group.MIXER in model.architecture.groups
    return {L, D, H} <= set(model.architecture.sizes) and not has_mixers


def training_bytes(model: Model, tokens: int) -> dict[str, Fraction]:
    """Bytes of the model states and, if the formula applies, of the activations, by id.

    Activations are those of one sequence: all of them, with the attention scores computed again in
    the backward pass, or only the inputs of the layers.

    Args:
        model: the model.
        tokens: length of the sequence.
    """
    sizes = {STATES: sum(STATE_BYTES) * quotient(model.total, 1)}
    if _has_formula_for_activations(model):
        hidden, layers, heads = (model.architecture.sizes[symbol] for symbol in (D, L, H))
        elements = layers * tokens * hidden
        scores = _score_bytes(tokens, hidden, heads)
        sizes["activations"] = elements * (LAYER_BYTES + scores)
        sizes["scores_recomputed"] = quotient(elements * LAYER_BYTES, 1)
        sizes["inputs_stored"] = quotient(elements * INPUT_BYTES, 1)
    return sizes


def _score_bytes(tokens: int, hidden: int, heads: int) -> Fraction:
    """Bytes of a layer's attention scores (heads × T × T), per element of its T × D input."""
    per_element: Fraction = SCORE_BYTES * quotient(heads * tokens, hidden)
    return per_element


def _states(model: Model) -> MemoryPart:
    """The row of the model states."""
    per_parameter = sum(STATE_BYTES)
    formula: Line = (f"{per_parameter}·", Variable("N"))
    numbers = f"{per_parameter}{TIMES}{thousands(model.total)}"
    label = cell(_("Model states"), _("weights, gradients, Adam"))
    size = training_bytes(model, 1)[STATES]
    return MemoryPart(label, cell(formula, numbers), size, f"training.{STATES}")


def _activations(model: Model, tokens: int, batch: int) -> Iterator[MemoryPart]:
    """A row for each choice of the activations to store."""
    hidden, layers, heads = (model.architecture.sizes[symbol] for symbol in (D, L, H))
    scores = _score_bytes(tokens, hidden, heads)
    sizes_by_id = training_bytes(model, tokens)
    # number of elements of the layers' inputs, in symbols and in numbers
    elements_symbols: Line = size_line(L * T * D)
    elements_numbers = [layers, tokens, hidden]
    if batch != 1:
        elements_symbols = (variable(BATCH), "·", *elements_symbols)
        elements_numbers.insert(0, batch)
    all_stored = cell(_("All activations"))
    no_scores = cell(_("Activations without scores"), _("scores recomputed"))
    only_inputs = cell(_("Inputs of layers only"), _("other activations recomputed"))
    beginning = f"({LAYER_BYTES} + {SCORE_BYTES}·"
    with_scores: Line = (beginning, *size_line(H * T), "/", variable(D), ")")
    # id, label, and the bytes per element in symbols and in numbers
    for id, label, per_element_symbols, per_element_number in (
        ("activations", all_stored, with_scores, f"({LAYER_BYTES} + {decimal(scores)})"),
        ("scores_recomputed", no_scores, (str(LAYER_BYTES),), str(LAYER_BYTES)),
        ("inputs_stored", only_inputs, (str(INPUT_BYTES),), str(INPUT_BYTES)),
    ):
        formula: Line = (*per_element_symbols, "·", *elements_symbols)
        numbers = TIMES.join((per_element_number, *map(thousands, elements_numbers)))
        name = f"training.{id}:{tokens}" if batch == 1 else ""
        yield MemoryPart(label, cell(formula, numbers), batch * sizes_by_id[id], name)


def _about_activations(model: Model, tokens: int, batch: int) -> Line:
    """Assumptions of the formula, and the differences of the model from them."""
    ratio = (variable(F), f" = {FFN_RATIO}·", variable(D))
    plain = filled(_(ABOUT_ACTIVATIONS), D=variable(D), ratio=ratio)
    if batch != 1:
        plain = joined_sentences(plain, filled(_(OF_EACH_SEQUENCE), b=variable(BATCH)))
    differences = tuple(_differences(model, tokens))
    if not differences:
        return joined_sentences(plain, (_("This model has the same shapes."),))
    here = filled(_("Here {differences}, so this is an estimate."), differences=listed(differences))
    return joined_sentences(plain, here)


def _differences(model: Model, tokens: int) -> Iterator[Line]:
    """Each way in which the model differs from the transformer of the formula."""
    sizes = model.architecture.sizes
    heads, key_heads = sizes[H], sizes.get(H_KV, sizes[H])
    attention_width = heads * sizes.get(D_H, 0)
    if R_KV in sizes:
        yield (_("keys and values come from latents"),)
    else:
        if key_heads < heads:
            numbers = {"heads": thousands(heads), "number": thousands(key_heads)}
            yield (_("{heads} heads share {number} keys and values", **numbers),)
        if attention_width and attention_width != sizes[D]:
            yield (variable(H), "·", variable(D_H), f" = {thousands(attention_width)}")
    windows = {s.window for stack in model.architecture.stacks() for s in stack.windows}
    if windows and min(windows) < tokens:
        number = thousands(min(windows))
        yield (_("some layers see {number} tokens only", number=number),)
    if any(component.startswith("mlp_gate") for component in model.components):
        yield (_("the MLP has a gate"),)
    if model.active != model.total and E in sizes:
        yield (_("tokens are sent to experts"),)
    elif F in sizes and sizes[F] != FFN_RATIO * sizes[D]:
        yield (variable(F), f" = {significant(quotient(sizes[F], sizes[D]))}·", variable(D))
