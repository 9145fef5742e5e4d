"""Labels of numbers, and the names that authors may mean by a label or another word."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.errors import ConfigError, Problem, suggestion, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import KV_CACHE

LABELS = {
    **COMPONENT_LABELS,
    **{group.value: group.label for group in Group},
    "total": N_("Parameters"),
    "active": N_("Active"),
    "non_embedding": N_("Without embeddings"),
    "mlp": N_("MLP"),
    "attn": N_("Attention"),
    KV_CACHE: N_("KV cache"),
    "weights": N_("Weights"),
    "flops": N_("FLOPs"),
    "flops_per_token": N_("FLOPs per token"),
}
"""Labels of totals, measures, components and groups, by name."""
GROUPS = tuple(group.value for group in Group)
OTHER_WORDS = {
    **dict.fromkeys(("params", "parameter", "size", "count", "#params"), "total"),
    **dict.fromkeys(("active_params", "active_parameters", "activated"), "active"),
    **dict.fromkeys(("heads", "n_heads", "attention_heads"), "num_heads"),
    **dict.fromkeys(("kv_heads", "gqa"), "num_kv_heads"),
    **dict.fromkeys(("layer", "depth", "blocks"), "num_layers"),
    **dict.fromkeys(("width", "hidden"), "hidden_dim"),
    **dict.fromkeys(("vocab", "vocabulary"), "vocab_size"),
    **dict.fromkeys(("context", "context_length", "ctx", "max_length"), "max_positions"),
    **dict.fromkeys(("ffn", "feedforward"), "mlp"),
    **dict.fromkeys(("memory", "vram", "bytes"), "weights"),
    **dict.fromkeys(("cache", "kv", "kvcache"), "kv_cache"),
    **dict.fromkeys(("compute", "flop"), "flops"),
}
"""Words that authors use for a number, with its name."""


def unknown_number(
    message: str, word: str, known: Collection[str], models: Iterable[Model], **values: str
) -> ConfigError:
    """Error for a number that models don't have; its hint has the name that a label stands for.

    The arguments are those of :func:`unknown_word`.
    """
    models = tuple(models)
    if (several := word.split()) and len(several) > 1 and set(several) <= set(known):
        hint = _("write {value}", value=", ".join(several))
        return ConfigError(_(message, name=repr(word[:60]), **values), Problem.NUMBER, hint)
    name = _name_of(word, models)
    if not any(f"{each}_".startswith(f"{name.partition(':')[0]}_") for each in (*known, *GROUPS)):
        return unknown_word(message, word, known, Problem.NUMBER, **values)
    message = _(message, name=repr(word[:60]), **values)
    return ConfigError(message, Problem.NUMBER, suggestion(name))


def _name_of(word: str, models: Iterable[Model]) -> str:
    """Name of the number with this label, symbol or other word; empty if there is none."""
    wanted = word.casefold()
    by_label = dict(reversed([*_labels(models)]))
    return by_label.get(wanted) or OTHER_WORDS.get("_".join(wanted.split()), "")


def _labels(models: Iterable[Model]) -> Iterator[tuple[str, str]]:
    """Labels in small letters, in English and in the current language, with their names."""
    for name, label in LABELS.items():
        yield from ((text.casefold(), name) for text in (str(label), _(label)))
    for key in (key for model in models for key in model.keys.values()):
        yield from ((text.casefold(), key.name) for text in (str(key.meaning), _(key.meaning)))
        if key.symbol:
            yield key.symbol.name.casefold(), key.name
