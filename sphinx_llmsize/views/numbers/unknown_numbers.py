"""Errors of unknown numbers, with the name that the author may mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sphinx_llmsize.errors import NEAR, AbsentNumber, ConfigError, Problem, nearest, suggestion
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.byte_measures import ACTIVE
from sphinx_llmsize.views.numbers.counted_parts import parameter_parts
from sphinx_llmsize.views.numbers.derived import DERIVED
from sphinx_llmsize.views.numbers.growth_numbers import GROWTH_NUMBERS
from sphinx_llmsize.views.numbers.measures import MEASURES
from sphinx_llmsize.views.numbers.number_labels import LABELS
from sphinx_llmsize.views.numbers.part_selection import (
    GROUP_IDS,
    NON_EMBEDDING,
    TOTAL,
    begins_with,
    main_ids,
)

TOTALS = (TOTAL, ACTIVE, NON_EMBEDDING)
"""Names of the numbers of parameters of the whole model."""
QUANTITIES = {**MEASURES, **DERIVED}
"""Functions for quantities other than parameters, by the first id of their name."""
OTHER_WORDS = {
    **dict.fromkeys(("params", "parameter", "size", "count", "#params"), "total"),
    **dict.fromkeys(("active_params", "active_parameters", "activated"), "active"),
    **dict.fromkeys(("heads", "n_heads", "attention_heads"), "num_heads"),
    **dict.fromkeys(("kv_heads", "gqa"), "num_kv_heads"),
    **dict.fromkeys(("layer", "depth", "blocks"), "num_layers"),
    **dict.fromkeys(("width", "hidden"), "hidden_dim"),
    **dict.fromkeys(("vocab", "vocabulary"), "vocab_size"),
    **dict.fromkeys(("context", "context_length", "ctx", "max_length"), "max_positions"),
    **dict.fromkeys(("ffn", "feedforward", "mlp"), "mlp"),
    **dict.fromkeys(("memory", "vram", "bytes"), "weights"),
    **dict.fromkeys(("cache", "kv", "kvcache"), "kv_cache"),
    **dict.fromkeys(("compute", "flop"), "flops"),
}
"""Names of numbers, by other words that authors use for them."""


def unknown_number(
    message: str, word: str, known: Collection[str], models: Iterable[Model], **values: str
) -> AbsentNumber:
    """Error for a number that models don't have.

    The hint suggests the name that is meant, or else lists the names that most numbers have.

    Args:
        message: marked by ``N_``; its placeholder ``{name}`` is the word, shortened and quoted.
        word: the word that the author wrote.
        known: all words with which the name of a number can begin.
        models: the models, whose keys and symbols have labels.
        values: values of other placeholders in the message.
    """
    models = tuple(models)
    names = word.split()
    if len(names) > 1 and set(names) <= set(known):
        hint = _("write {value}", value=", ".join(names))
    else:
        hint = suggestion(_meant_name(word, known, models))
    if not hint:
        ids = {id: None for model in models for id in main_ids(parameter_parts(model))}
        listed = dict.fromkeys((*TOTALS, *ids, *QUANTITIES))
        hint = _("there are {names}", names=", ".join(listed))
    return AbsentNumber(_(message, name=repr(word[:60]), **values), Problem.NUMBER, hint)


def _meant_name(word: str, known: Collection[str], models: Sequence[Model]) -> str:
    """The name that a word may mean; empty if there is none.

    In order of preference: a name with this label; one of a quantity, as ``rule.c`` for ``c``; one
    of a similar spelling. Of several ids with dots between them, the first one is corrected.
    """
    first, dot, others = word.partition(".")
    if dot:
        keys = {key for model in models for key in model.keys}
        ids = [name for name in known if name not in keys]
        corrected = first if first in known else _meant_name(first, ids, models)
        is_one_id = corrected and not set(".:") & set(corrected)
        return f"{corrected}.{others}" if is_one_id and corrected != first else ""
    labelled = _labelled(word, models)
    beginning, _colon, _words = labelled.partition(":")
    if any(begins_with(each, beginning) for each in (*known, *GROUP_IDS)):
        return labelled
    in_quantities = (_in_quantity(model, word.casefold()) for model in models)
    return next(filter(None, in_quantities), "") or nearest(word, known, NEAR)


def _in_quantity(model: Model, id: str) -> str:
    """Name of the model's first quantity that has a number with this id: ``rule.c``; or empty."""
    for name, number in QUANTITIES.items():
        for words in ((), ("1",)) if name not in GROWTH_NUMBERS else ():  # with and without tokens
            try:
                number(model, (id,), list(words))
            except ConfigError:
                continue
            return f"{name}.{id}"
    return ""


def _labelled(word: str, models: Iterable[Model]) -> str:
    """Name of the number with this label, symbol or other word; empty if there is none."""
    wanted = word.casefold()
    for label, name in _labels(models):
        if label == wanted:
            return name
    return OTHER_WORDS.get("_".join(wanted.split()), "")


def _labels(models: Iterable[Model]) -> Iterator[tuple[str, str]]:
    """Each label in lower case, in English and translated, with the name that it stands for."""
    for name, label in LABELS.items():
        yield str(label).casefold(), name
        yield _(label).casefold(), name
    for model in models:
        for key in model.keys.values():
            yield str(key.meaning).casefold(), key.name
            yield _(key.meaning).casefold(), key.name
            if key.symbol:
                yield key.symbol.name.casefold(), key.name
