"""Headings of columns with a number, in words: "FLOPs, QKV projection, 2,048 tokens"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import factor_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.kv_cache import LABELS as CACHE_LABELS
from sphinx_llmsize.views.naming.conventions import CONVENTIONS
from sphinx_llmsize.views.numbers.byte_measures import (
    BUFFERS,
    DEFAULT_DTYPE,
    ELEMENTS,
    KV_CACHE,
    has_data_type,
    is_size_of_cache,
)
from sphinx_llmsize.views.numbers.counted_parts import parameter_parts
from sphinx_llmsize.views.numbers.growth_numbers import GROWTH_NUMBERS, read_scaling
from sphinx_llmsize.views.numbers.measures import AVERAGE
from sphinx_llmsize.views.numbers.model_numbers import symbol_values
from sphinx_llmsize.views.numbers.number_labels import LABELS
from sphinx_llmsize.views.numbers.part_selection import NUM_LAYERS, PER_LAYER, UNION
from sphinx_llmsize.views.shared.lengths import tokens_text
from sphinx_llmsize.views.shared.wording import TIMES, capital, comma_separated, in_sentence

FORMATS = {"share": N_("share"), "words": N_("words"), ELEMENTS: N_("elements")}
"""Labels of the number formats that are added to a heading."""
WITHOUT_LABEL = frozenset(("exact", "short", "fraction", "percent"))
"""Formats that need no label."""
HEADINGS = {"vocab_size": N_("Vocabulary")}
"""Headings of keys whose meaning is too long for a column."""
IDS = {
    PER_LAYER: N_("Per layer"),
    NUM_LAYERS: N_("Layers"),
    AVERAGE: N_("Per token"),
    "weights": N_("Weights"),
    "bias": N_("Biases"),
    "activations": N_("Activations"),
}
"""Labels of ids of all quantities, except those of :data:`LABELS`."""
QUANTITIES = {
    "rule": N_("Rule of thumb"),
    "counted": N_("Parameters"),
    "flops_rule": N_("Rule of thumb for FLOPs"),
    "flops_polynomial": N_("FLOPs as a polynomial"),
    "training": N_("Training"),
    "growth": N_("Growth"),
    "exponent": N_("Exponent"),
}
"""Labels of quantities, except those of :data:`LABELS`."""
IDS_OF_QUANTITIES: Mapping[str, Mapping[str, str]] = {
    KV_CACHE: {
        **CACHE_LABELS,
        "sliding_attention": N_("Layers with windows"),
        "full_attention": N_("Layers without windows"),
        "multi_head": N_("With keys and values for each head"),
        BUFFERS: N_("Temporary arrays"),
    },
    "flops": {
        "weights": N_("Products with weights"),
        "activations": N_("Products of activations"),
    },
    "rule": {"rest": N_("The rest"), "bias": N_("Biases"), "embedding": N_("Token embedding")},
    "counted": {each.name.partition(".")[2]: each.label for each in CONVENTIONS},
    "flops_rule": {
        "forward": N_("Forward pass"),
        "with_scores": N_("Forward pass with scores"),
        "training": N_("Training step"),
        "exact": N_("Exact"),
        "error": N_("Difference"),
    },
    "flops_polynomial": {
        "constant": N_("Constant term"),
        "linear": N_("Linear coefficient"),
        "quadratic": N_("Quadratic coefficient"),
        "break_even": N_("Break-even in tokens"),
    },
    "training": {
        "states": N_("Model states"),
        "activations": N_("All activations"),
        "scores_recomputed": N_("Activations without scores"),
        "inputs_stored": N_("Inputs of the layers"),
    },
}
"""Labels of ids that have another meaning, or a meaning only, after a quantity."""
_WINDOW = re.compile(r"window_(\d+)")
_BITS = re.compile(r"\d+(\.\d+)?", re.ASCII)


def number_heading(models: Sequence[Model], words: tuple[str, ...]) -> str:
    """``FFN, share``: the label of a number, followed by its format unless that is the usual one.

    Args:
        models: the models whose keys, stages and kinds of layers have labels.
        words: the name of the number, and the words after it.
    """
    name, *others = words
    quantity, *ids = name.split(".")
    if is_size_of_cache(name):
        has_tokens = bool(others) and others[0].isdecimal()
        if not has_data_type(others):
            others.insert(int(has_tokens), DEFAULT_DTYPE)
        if has_tokens and not ids:
            label = _("KV cache at {tokens}", tokens=tokens_text(int(others.pop(0))))
            return comma_separated((label, *_word_labels(models, quantity, others)))
        if not has_tokens:
            label = _name_label(models, name) if ids else ""
            per_token = in_sentence(IDS[AVERAGE]) if ids else _("KV cache per token")
            labels = (label, per_token, *_word_labels(models, quantity, others))
            return comma_separated(filter(None, labels))
    return comma_separated((_name_label(models, name), *_word_labels(models, quantity, others)))


def _name_label(models: Sequence[Model], name: str) -> str:
    """Label of a total, component or measure; of a key or symbol, its meaning."""
    if name in LABELS:
        return _(LABELS[name])
    if meaning := _meaning(models, name):
        return capital(meaning)
    quantity, *ids = name.split(".")
    label = QUANTITIES.get(quantity) or LABELS.get(quantity)
    first = _(label) if label else _id_label(models, "", quantity)
    text = comma_separated((first, *(_id_label(models, quantity, id) for id in ids)))
    return text if "_" in quantity and first == quantity else capital(text)  # of a tensor


def _meaning(models: Sequence[Model], name: str) -> str:
    """Meaning of a key or symbol; empty for another name.

    It is the shortest one, which is the most general: layers, where a model has encoder layers.
    """
    meanings = [meaning for model in models if (meaning := _meaning_in(model, name))]
    return min(meanings, key=len, default="")


def _meaning_in(model: Model, name: str) -> str:
    """Meaning of a key or symbol of a model; empty for another name."""
    keys = model.keys.values()
    key = model.keys.get(name) or next((k for k in keys if str(k.symbol) == name), None)
    if key:
        return _(HEADINGS.get(key.name, key.meaning))
    symbols = {symbol.name: symbol.meaning for symbol in symbol_values(model)}
    return _(symbols[name]) if name in symbols else ""


def _id_label(models: Sequence[Model], quantity: str, id: str) -> str:
    """Label of an id within a name; of ids with a plus, their labels with it."""
    if UNION in id:
        return " + ".join(_id_label(models, quantity, each) for each in id.split(UNION))
    if window := _WINDOW.fullmatch(id):
        return _("windows of {tokens}", tokens=tokens_text(int(window[1])))
    label = IDS_OF_QUANTITIES.get(quantity, {}).get(id) or _part_labels(models).get(id)
    if label := label or LABELS.get(id) or IDS.get(id):
        return in_sentence(label)
    is_of_tensor = any(id in part.ids.words for m in models for part in parameter_parts(m))
    return id if is_of_tensor else id.replace("_", " ")


def _part_labels(models: Sequence[Model]) -> dict[str, str]:
    """Labels of stages, stacks and kinds of layers by id."""
    labels: dict[str, str] = {}
    for placed in (each for model in models for each in model.architecture.placed_stages()):
        if placed.stack:
            kinds = {kind.id: kind.label for kind in placed.stack.kinds if kind.label}
            labels |= {placed.stack.id: placed.stack.label, **kinds}
        labels[placed.stage.id] = placed.stage.label
    return {id: label for id, label in labels.items() if label and id not in LABELS}


def _word_labels(models: Sequence[Model], quantity: str, words: list[str]) -> Iterator[str]:
    """Labels of the words after the name of a number."""
    if quantity in GROWTH_NUMBERS:
        words, size = _without_size(models, quantity, words)
        yield size
    for position, word in enumerate(words):
        if word in FORMATS:
            yield _(FORMATS[word])
        elif position == 0 and quantity == "weights" and _BITS.fullmatch(word):
            yield _("{number} bits", number=word)
        elif position == 0 and quantity == "rule" and _BITS.fullmatch(word):
            yield f"c = {word}"
        elif word.isdecimal():
            yield tokens_text(int(word))
        elif word not in WITHOUT_LABEL:
            yield word


def _without_size(
    models: Sequence[Model], quantity: str, words: list[str]
) -> tuple[list[str], str]:
    """The words before the size that a number grows with, and the size and its factors in words."""
    for model in models:
        try:
            before, key, factors = read_scaling(model, words)
        except ConfigError:
            continue
        meaning = in_sentence(_meaning(models, key) or key)
        times = [factor_text(factor) for factor in factors]
        if not times:
            return before, meaning if quantity == "exponent" else f"2{TIMES}{meaning}"
        return before, f"{'–'.join(times)}{TIMES}{meaning}"
    return words, ""
