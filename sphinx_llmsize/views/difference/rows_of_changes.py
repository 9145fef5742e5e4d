"""Texts of the row of changed keys: their names, their values, and the parts that they replace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import changed_name, key_change_values
from sphinx_llmsize.views.difference.counted_difference import shown_key_changes
from sphinx_llmsize.views.difference.part_changes import ChangedPart, changed_parts
from sphinx_llmsize.views.difference.text_pairs import Texts
from sphinx_llmsize.views.shared.wording import capital, listed_text


@dataclass(frozen=True)
class RowOfChange:
    """A change of one or several keys in words.

    Attributes:
        name: names of the keys: ``Hidden dimension and attention heads``.
        values: values of each key before and after.
        sizes: other sizes that only one of the models has: ``without decoder layers``.
        parts: replaced parts.
    """

    name: str
    values: tuple[Texts, ...]
    sizes: tuple[str, ...]
    parts: tuple[ChangedPart, ...]


def row_of_change(difference: Difference, change: ConfigChange) -> RowOfChange:
    """The texts of the row of a change."""
    parts = changed_parts(difference, change)
    key_changes: Sequence[KeyChange] = shown_key_changes(change)
    if parts:
        key_changes = _without_counts_of_one_model(key_changes)
    names = [changed_name(difference.models, each) for each in key_changes]
    sizes: tuple[str, ...] = ()
    if any(each.key == k.ARCHITECTURES for each in key_changes):
        sizes = tuple(_sizes_of_one_class(change))
    return RowOfChange(
        capital(listed_text(names)), tuple(map(key_change_values, key_changes)), sizes, parts
    )


def _without_counts_of_one_model(key_changes: Sequence[KeyChange]) -> Sequence[KeyChange]:
    """The changed keys without numbers of things that only one model has.

    All of them if no other key changes.
    """
    others = [each for each in key_changes if not _is_count_of_one_model(each)]
    return others or key_changes


def _is_count_of_one_model(change: KeyChange) -> bool:
    """True for a number of things without a symbol that only one model has."""
    is_count = change.key.kind is ValueKind.COUNT and not change.key.symbol
    return is_count and (change.before is None or change.after is None)


def _sizes_of_one_class(change: ConfigChange) -> Iterator[str]:
    """``without decoder layers``: other sizes that only one of two classes of models has."""
    one, other = change.before.architecture.symbols, change.after.architecture.symbols
    known = {each.key.symbol for each in change.key_changes}
    for message, symbols, missing in (
        (N_("without {sizes}"), one, other),
        (N_("with {sizes}"), other, one),
    ):
        names = [_(s.meaning) for s in symbols if s not in missing and s not in known]
        if names:
            yield _(message, sizes=listed_text(names))
