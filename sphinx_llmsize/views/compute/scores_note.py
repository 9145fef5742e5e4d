"""Sentence on the scores of attention, all of which the compute view counts."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import Length, T
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.in_words.windows_in_words import has_sparse_pattern
from sphinx_llmsize.views.shared.wording import TIMES, filled, formula_line, variable

ALL = N_("All {pairs} scores are counted.")
MASKED = N_(
    "All {pairs} scores are counted, masked ones included; kernels that skip them save up to half."
)
WINDOWED = N_(
    "All {pairs} scores are counted, including those outside the attention windows; kernels that "
    "skip masked scores compute fewer."
)
SPARSE = N_(
    "All {pairs} scores are counted, as in full attention; the model's sparse attention computes "
    "fewer in long sequences."
)


def scores_note(model: Model, tokens: int) -> Line:
    """Sentence on the scores that are counted but need not be computed; empty without scores."""
    if not has_scores(model):
        return ()
    return filled(_(_message(model, tokens)), pairs=formula_line((variable(T), TIMES, variable(T))))


def _message(model: Model, tokens: int) -> str:
    """The sentence that fits the model's masks in a sequence of ``tokens``."""
    if has_sparse_pattern(model) or _has_indexer(model):
        return SPARSE
    if _has_windows(model, tokens):
        return WINDOWED
    # an encoder, whose tokens attend to later ones too, has no KV cache
    return MASKED if model.architecture.has_cache else ALL


def has_scores(model: Model) -> bool:
    """True if a stage has attention scores."""
    return any(map(multiplies_by_each_key, model.architecture.stages()))


def multiplies_by_each_key(stage: Stage) -> bool:
    """True if the stage multiplies queries by a key for each token."""
    return any(isinstance(symbol, Length) for m in stage.computes for symbol in m.columns.symbols())


def _has_indexer(model: Model) -> bool:
    """True if an indexer selects the keys that a token attends to."""
    tensors = (tensor for stage in model.architecture.stages() for tensor in stage.tensors)
    return any(tensor.component == "indexer" for tensor in tensors)


def _has_windows(model: Model, tokens: int) -> bool:
    """True if the window of a layer hides tokens of a sequence of ``tokens``."""
    stacks = tuple(model.architecture.stacks())
    last_tokens = (each.window for stack in stacks for each in stack.windows)
    each_side = (each.window // 2 for stack in stacks for each in stack.two_sided_windows)
    return any(window < tokens for window in (*last_tokens, *each_side))
