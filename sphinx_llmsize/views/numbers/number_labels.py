"""Labels of numbers, and the names that authors may mean by a label or another word.

The label of ``qkv.per_layer``, a name with several ids, is "QKV projection, per layer".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.errors import ConfigError, Problem, suggestion, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import KV_CACHE
from sphinx_llmsize.views.numbers.part_selection import (
    GROUP_IDS,
    NUM_LAYERS,
    PER_LAYER,
    begins_with,
)
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence

LABELS = {
    **COMPONENT_LABELS,
    **{group.value: group.label for group in Group},
    "total": N_("Parameters"),
    "active": N_("Active"),
    "non_embedding": N_("Without embeddings"),
    "mlp": Group.FEED_FORWARD.label,
    "attn": Group.ATTENTION.label,
    KV_CACHE: N_("KV cache"),
    "weights": N_("Weights"),
    "flops": N_("FLOPs"),
    "flops_per_token": N_("FLOPs per token"),
}
"""Labels of totals, measures, components and groups, by name."""
LABELS_IN_NAMES = {
    **LABELS,
    PER_LAYER: N_("per layer"),
    NUM_LAYERS: N_("layers"),
    "per_token": N_("per token"),
    "rule": N_("Rule of thumb"),
    "flops_rule": N_("Rule of thumb for FLOPs"),
    "training": N_("Training"),
    "growth": N_("Growth"),
    "exponent": N_("Exponent"),
    "activations": N_("Activations"),
}
""":data:`LABELS`, and labels of ids that are only parts of names or begin them."""
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


def number_label(name: str, models: Sequence[Model]) -> str:
    """The labels of a name's ids, separated by commas; an id without a label is shown itself.

    Args:
        name: such as ``qkv.per_layer``.
        models: the models whose stages and kinds of layers have labels.
    """
    placed_stages = [placed for model in models for placed in model.architecture.placed_stages()]
    kinds = {kind.id: kind.label for p in placed_stages if p.stack for kind in p.stack.kinds}
    known = {**kinds, **{p.stage.id: p.stage.label for p in placed_stages}, **LABELS_IN_NAMES}
    first, *others = (known.get(id, id) for id in name.split("."))
    return comma_separated((_(first), *map(in_sentence, others)))


def unknown_number(
    message: str, word: str, known: Collection[str], models: Iterable[Model], **values: str
) -> ConfigError:
    """Error for a number that models don't have; its hint suggests the name that is meant.

    Args:
        message: marked by ``N_``; its placeholder ``{name}`` is the word, shortened and quoted.
        word: the word that the author wrote.
        known: all valid names.
        models: the models, whose keys and symbols have labels.
        values: values of other placeholders in the message.
    """
    text = _(message, name=repr(word[:60]), **values)
    names = word.split()
    if len(names) > 1 and set(names) <= set(known):
        hint = _("write {value}", value=", ".join(names))
        return ConfigError(text, Problem.NUMBER, hint)
    name = _name_of(word, models)
    first, _colon, _words = name.partition(":")
    if any(begins_with(each, first) for each in (*known, *GROUP_IDS)):
        return ConfigError(text, Problem.NUMBER, suggestion(name))
    return unknown_word(message, word, known, Problem.NUMBER, **values)


def _name_of(word: str, models: Iterable[Model]) -> str:
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
