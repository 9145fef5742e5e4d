"""Notes below the table of a difference: conventions for its costs, and changes without a row."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.differences.costs import NO_COST
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import StructureChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.difference.changed_values import (
    arrow_text,
    key_change_text,
    key_change_values,
    size_name,
)
from sphinx_llmsize.views.difference.changes_without_cost import FreeChange
from sphinx_llmsize.views.difference.counted_difference import CountedDifference, Counting
from sphinx_llmsize.views.difference.incomparable_layers import incomparable_layers, sum_text
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.in_words.layers_in_words import number_of_empty_layers
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, KV_CACHE
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.key_text import key_name
from sphinx_llmsize.views.shared.lengths import longest_context, tokens_text
from sphinx_llmsize.views.shared.model_titles import title_first, title_in_sentence
from sphinx_llmsize.views.shared.wording import comma_separated

CONTEXT_GREW = N_("The longest context grew from {before} to {after} tokens.")
CONTEXT_SHRANK = N_("The longest context shrank from {before} to {after} tokens.")


def notes(counted: CountedDifference) -> Iterator[str]:
    """The notes, each of one or more sentences."""
    difference = counted.difference
    if difference.interaction != NO_COST:
        yield _(
            "Each row changes {model} in one respect only. Changes multiply: if layers are wider, "
            "each further layer costs more, too. The interaction is what they cost together beyond "
            "the sum of each alone.",
            model=title_in_sentence(difference.one),
        )
    is_cumulative = counted.counting is Counting.CUMULATIVE
    listed = [each.change for each in listed_changes(counted)]
    if is_cumulative and sum(not isinstance(each, FreeChange) for each in listed) > 1:
        yield _("Each change is counted after those above it, so its cost depends on their order.")
    has_parts = any(isinstance(each, StructureChange) for each in listed)
    if has_parts and difference.config_changes:
        sized = difference.other if is_cumulative else difference.one
        yield _(
            "Changes of the architecture are counted at the sizes of {model}.",
            model=title_in_sentence(sized),
        )
    with_structure = list(_with_structure(difference))
    if with_structure:
        yield _(
            "Changed with the architecture: {changes}.", changes=comma_separated(with_structure)
        )
    yield from notes_on_models(difference)
    yield _conventions(counted)


def notes_on_models(difference: Difference) -> Iterator[str]:
    """Longest contexts, if known and different; empty layers; notes on each of the models."""
    before, after = longest_context(difference.one), longest_context(difference.other)
    if before and after and before != after:
        message = CONTEXT_GREW if before < after else CONTEXT_SHRANK
        yield _(message, before=before, after=after)
    yield from dict.fromkeys(filter(None, map(_empty_layers, difference.models)))
    notes_of_models = (
        _("{model}: {note}", model=title_first(model), note=note)
        for model in difference.models
        for note in _notes_on_model(model)
    )
    yield from dict.fromkeys(notes_of_models)  # once for a model that is compared with itself


def _notes_on_model(model: Model) -> Iterator[str]:
    """The note on a released model, and those on sizes that stayed or were scaled."""
    if model.preset_note:
        yield _(model.preset_note)
    yield from change_notes(model)


def _empty_layers(model: Model) -> str:
    """Sentence on layers that are counted, but have neither attention nor FFN; empty for others."""
    number = number_of_empty_layers(model)
    if not number:
        return ""
    return ngettext(
        "{number} of the {layers} layers of {model} is empty.",
        "{number} of the {layers} layers of {model} are empty.",
        number,
        number=number,
        layers=model.config.sizes[L],
        model=title_in_sentence(model),
    )


def _conventions(counted: CountedDifference) -> str:
    """A sentence on the convention for FLOPs, and one on the KV cache if it has a column."""
    tokens = tokens_text(counted.tokens)
    if counted.is_per_token:
        text = _("FLOPs are those of the next token with {tokens} in context.", tokens=tokens)
    else:
        text = _("FLOPs are those of a forward pass over {tokens}.", tokens=tokens)
    if any(column.name == KV_CACHE for column in counted.columns):
        cache = _("The KV cache is in {dtype}.", dtype=DEFAULT_DTYPE)
        text = _("{sentence} {next}", sentence=text, next=cache)
    return text


def _key_change(change: KeyChange) -> str:
    """``positions (2,048 → 4,096)``."""
    return _("{name} ({values})", name=key_name(change.key), values=key_change_text(change))


def _with_structure(difference: Difference) -> Iterator[str]:
    """The keys that change with the architecture; one that becomes another size has both names.

    ``feed-forward dimension (8,192) → feed-forward dimension of an expert (512)``: one model has a
    dense network where the other has experts. Numbers of layers that can't be compared come first.
    """
    if layers := incomparable_layers(difference):
        values = arrow_text(*map(sum_text, layers))
        yield _("{name} ({values})", name=key_name(k.NUM_LAYERS), values=values)
    for change in difference.with_structure:
        before = size_name(difference.one, change.key)
        after = size_name(difference.other, change.keys_after[0])
        if before == after or len(change.keys_after) > 1:  # encoder and decoder have the same size
            yield _key_change(change)
            continue
        value_before, value_after = key_change_values(change)
        yield arrow_text(
            _("{name} ({values})", name=before, values=value_before),
            _("{name} ({values})", name=after, values=value_after),
        )
