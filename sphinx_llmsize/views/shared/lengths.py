"""Lengths of forward passes and contexts, from the options or by default."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import T_SEEN, B, Length, P, T
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.shared.encoders import has_cross_attention, has_encoder
from sphinx_llmsize.views.shared.wording import filled, joined_sentences, listed, variable
from sphinx_llmsize.views.view_options import ViewOptions

USUAL_TOKENS = 4096
"""Default number of tokens, of a forward pass and in context, if the model allows it."""
LONG_CONTEXT = 32768
"""Longest context to show for a model whose maximum is unknown, in tokens."""
ENCODER_ELSEWHERE = N_(
    "Cross-attention reads the output of an encoder that is not part of this model; transformers "
    "skips it if there is none."
)


def tokens_of(model: Model, options: ViewOptions) -> int:
    """Number of tokens in a forward pass: ``tokens``, else ``context``, else the usual one.

    Raises:
        ConfigError: they exceed the model's positions.
    """
    return _first_set(model, options, ("tokens", "context"))


def context_of(model: Model, options: ViewOptions) -> int:
    """Tokens that a generated token attends to, including itself: ``context``, else ``tokens``.

    Raises:
        ConfigError: they exceed the model's positions.
    """
    return _first_set(model, options, ("context", "tokens"))


def usual_tokens(model: Model) -> int:
    """Default number of tokens: 4,096, or the model's longest context if it is shorter."""
    limits = (longest_context(model), positions_limit(model))
    return min((USUAL_TOKENS, *(limit for limit in limits if limit is not None)))


def usual_contexts(model: Model) -> tuple[int, ...]:
    """4,096 and the model's longest context; only the longest if it is at most 4,096."""
    longest = longest_context(model) or LONG_CONTEXT
    return (USUAL_TOKENS, longest) if longest > USUAL_TOKENS else (longest,)


def longest_context(model: Model) -> int | None:
    """The published context length of a released model; None if unknown.

    For other models, or if the number of positions was changed, it is the number of positions, if
    the author wrote it or a table has a row for each. Otherwise the number is a default of a class
    in transformers, which limits nothing: such as 2,048 in Llama, whose positions are rotary.
    """
    was_changed = any(change.key.symbol == P for change in model.changes)
    if model.preset and not was_changed:
        return model.preset.context
    architecture = model.architecture
    positions = architecture.sizes.get(P)
    is_known = P in architecture.symbols or (positions and model.config.is_explicit(P))
    return positions if is_known else None


def check_tokens(model: Model, tokens: int, problem: Problem, option: str = "") -> int:
    """Check a number of tokens against the model's position embeddings, and return it.

    Raises:
        ConfigError: the model has fewer positions.
    """
    limit = positions_limit(model)
    if limit is not None and tokens > limit:
        message = _(
            "{tokens} tokens are more than {name} has positions for",
            tokens=tokens,
            name=model.label,
        )
        hint = _("at most {number}", number=limit)
        raise ConfigError(message, problem, hint, option=option)
    return tokens


def positions_limit(model: Model) -> int | None:
    """Largest number of tokens that have positions; None if there is no position table."""
    table = smallest_position_table(model)
    if not table:
        return None
    _symbol, rows = table
    return rows - model.family.reserved_positions


def smallest_position_table(model: Model) -> tuple[Symbol, int] | None:
    """The smallest table of learned position embeddings: its symbol and number of rows."""
    sizes = {symbol: model.architecture.count(symbol) for symbol in _positions(model)}
    return min(sizes.items(), key=lambda item: item[1]) if sizes else None


def generates(model: Model) -> bool:
    """True if the model generates text: it has a cache, and its last stage makes logits of tokens.

    Bidirectional models with an LM head, such as XLM for masked tokens, have no cache.
    """
    *_, last = model.architecture.placed_stages()
    is_of_text = task_of(model.config) in {Task.CONTINUATION, Task.OTHER_SEQUENCE}
    return last.stage.has_logits and is_of_text and model.architecture.has_cache


def tokens_text(tokens: int) -> str:
    """``2,048 tokens``, ``1 token``."""
    return ngettext("{number} token", "{number} tokens", tokens, number=tokens)


def tokens_line(tokens: int) -> Line:
    """``T = 2,048 tokens``: the form in which every caption names its number of tokens."""
    text = ngettext("{T} = {number} token", "{T} = {number} tokens", tokens)
    return filled(text, T=variable(T), number=thousands(tokens))


def equal_lengths_note(model: Model) -> Line:
    """Note on other sequences, assumed to have length T, and on an encoder outside the model."""
    lengths = {
        symbol
        for symbol in model.architecture.activation_symbols
        if isinstance(symbol, Length) and symbol.equals_tokens and symbol not in {T, T_SEEN}
    }
    if not lengths:
        return ()
    template = ngettext(
        "{lengths} is assumed to be equal to {tokens}.",
        "{lengths} are assumed to be equal to {tokens}.",
        len(lengths),
    )
    names = listed([(variable(length),) for length in sorted(lengths, key=str)])
    lengths_note = filled(template, lengths=names, tokens=variable(T))
    lacks_encoder = has_cross_attention(model) and not has_encoder(model)
    encoder_note = (_(ENCODER_ELSEWHERE),) if lacks_encoder else ()
    return joined_sentences(lengths_note, encoder_note)


def _first_set(model: Model, options: ViewOptions, names: tuple[str, ...]) -> int:
    """The value of the first of the options that is set; without any, the usual number of tokens.

    Raises:
        ConfigError: the model has fewer positions.
    """
    for name in names:
        if tokens := getattr(options, name):
            return check_tokens(model, tokens, Problem.OPTION, name)
    return usual_tokens(model)


def _positions(model: Model) -> Iterator[Symbol]:
    """Symbols of the numbers of rows of position tables.

    Tables of buckets of distances (B) don't limit the number of positions.
    """
    for placed in model.architecture.placed_stages():
        for tensor in placed.stage.tensors:
            if tensor.role is Role.TABLE and tensor.component == "position_embedding":
                yield from tensor.shape[0].symbols() - {B}
