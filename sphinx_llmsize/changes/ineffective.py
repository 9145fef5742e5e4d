"""Refusal of changes of keys that a model ignores: an author would rely on their effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.layers import PerLayer
from sphinx_llmsize.architecture.numbers_in_blocks import block_in_numbers, number_of
from sphinx_llmsize.architecture.stacks import Item, Stack, map_blocks, map_stacks
from sphinx_llmsize.config.checked_value import check_value
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.parsed_config import is_from_config_json
from sphinx_llmsize.config.symbols import H_DEC, H_ENC, D, H, L, P
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.make_model import no_effect
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.factor_text import scaling_factor
from sphinx_llmsize.sources.located import Entry, Section

ALWAYS_USED = frozenset((D, L, H, H_ENC, H_DEC))
"""Sizes from which other sizes follow: used even if no shape contains them."""


def refuse_ineffective(
    model: Model, after: Model, section: Section, make: Callable[[Section], Model]
) -> None:
    """Raise ConfigError for a changed key without which the model would be the same.

    Of the model's keys, only flags and sizes are refused: another value may be one of several with
    the same effect. Keys of a ``config.json`` may have no effect.

    Args:
        model: the model before the changes.
        after: the model after them.
        section: entries that set or scale the changed values.
        make: function that makes the model with some of these entries.
    """
    if is_from_config_json(section):
        return
    changed = {change.key for change in after.changes}
    for entry in section.entries:
        key = model.keys.get(entry.key)
        if key is None:  # a key of other families with a value that adds nothing
            raise no_effect(entry, after)
        is_ignored = key in changed and _may_be_ignored(after, key)
        if is_ignored or _is_computed(model, after, key, entry):
            others = Section(tuple(other for other in section.entries if other != entry))
            try:
                without = make(others) if others.entries else model
            except ConfigError:
                continue  # the other changes need this one
            if _effects(without) == _effects(after):
                raise no_effect(entry, after)


def _is_computed(model: Model, after: Model, key: Key, entry: Entry) -> bool:
    """True for a size that the family computes in place of the written or scaled one."""
    if not key.symbol or entry.value is None:
        return False
    factor = scaling_factor(entry.value)
    written = check_value(entry, key) if factor is None else model.config.count(key) * factor
    return after.config[key] != written


def _may_be_ignored(model: Model, key: Key) -> bool:
    """True for a flag, and for a size that is in no shape and no product of the model."""
    if key.symbol is None:
        return key.kind is ValueKind.FLAG
    architecture = model.architecture
    # P limits the number of tokens
    return key.symbol not in used_symbols(model) | architecture.activation_symbols | {P}


def used_symbols(model: Model) -> frozenset[Symbol]:
    """The symbols in shapes of weights and in products, and :data:`ALWAYS_USED`."""
    return ALWAYS_USED.union(model.architecture.symbols, model.architecture.product_symbols)


def _effects(model: Model) -> tuple[object, ...]:
    """Everything that follows from a configuration, except sizes that nothing depends on.

    Shapes are compared as numbers: H_kv in place of H is no effect if both are 32. Of the notes,
    only those on parts that aren't counted are effects.
    """
    architecture, uncounted = model.architecture, tuple(_uncounted_notes(model))
    sizes = {s: n for s, n in architecture.sizes.items() if s in ALWAYS_USED or s == P}
    return (*_with_numbers(architecture), uncounted, sizes, *_declarations(model))


def _with_numbers(architecture: Architecture) -> Iterator[Item]:
    """Stages and layers with numbers in place of symbols."""

    def with_number(stack: Stack) -> Stack:
        return replace(stack, layers=number_of(stack.layers, architecture))

    stacks = map_stacks(architecture.items, with_number)
    yield from map_blocks(stacks, lambda block: block_in_numbers(block, architecture))


def _uncounted_notes(model: Model) -> Iterator[CountNote]:
    """The notes that name parts of the model that aren't counted."""
    config = model.config
    for note in model.family.notes:
        if note.is_uncounted and (note.key is None or config.has(note.key)):
            yield note


def _declarations(model: Model) -> Iterator[object]:
    """Windows and positions that views describe although no stage or stack has them."""
    config = model.config
    yield config.value_of(model.family.has_sparse_pattern)
    positions = config.value_of(model.family.positions)
    if isinstance(positions, PerLayer):
        yield positions.counts(range(config.count(L)))
    else:
        yield positions
