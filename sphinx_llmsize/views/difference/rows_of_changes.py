"""Texts of the row of changed keys: their names, their values, and the parts that they replace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.change_groups import with_changes
from sphinx_llmsize.differences.difference import Difference, SizeChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import changed_name, key_change_values
from sphinx_llmsize.views.difference.counted_difference import shown_keys
from sphinx_llmsize.views.difference.part_changes import changed_parts
from sphinx_llmsize.views.difference.text_pairs import Texts
from sphinx_llmsize.views.shared.wording import capital, listed_text


@dataclass(frozen=True)
class RowOfChange:
    """A change of one or several keys in words.

    Attributes:
        name: names of the keys: ``Hidden dimension and attention heads``.
        values: values of each key before and after.
        sizes: other sizes that only one of the models has: ``without decoder layers``.
        parts: replaced parts: label, untranslated, and the part before and after.
    """

    name: str
    values: tuple[Texts, ...]
    sizes: tuple[str, ...]
    parts: tuple[tuple[str, Texts], ...]


def row_of_change(difference: Difference, change: SizeChange) -> RowOfChange:
    """The texts of the row of a change."""
    models = (difference.one, difference.other)
    parts = changed_parts(difference, change)
    keys = _without_sources(shown_keys(change)) if parts else shown_keys(change)
    names = [changed_name(models, each) for each in keys]
    has_class = any(each.key == k.ARCHITECTURES for each in keys)
    sizes = _sizes_of_one(difference.one, change.keys) if has_class else ()
    return RowOfChange(
        capital(listed_text(names)), tuple(map(key_change_values, keys)), tuple(sizes), parts
    )


def _without_sources(keys: Sequence[KeyChange]) -> Sequence[KeyChange]:
    """The changed keys without numbers that only one model has, for a size that has its own row.

    All of them if no other key changes.
    """
    others = [
        each
        for each in keys
        if each.key.symbol
        or each.key.kind is not ValueKind.COUNT
        or None not in {each.before, each.after}
    ]
    return others or keys


def _sizes_of_one(model: Model, keys: Sequence[KeyChange]) -> Iterator[str]:
    """``without decoder layers``: other sizes that only one of two classes of models has."""
    changed = with_changes(model, keys) or model
    one, other = model.architecture.symbols, changed.architecture.symbols
    known = {each.key.symbol for each in keys}
    for message, symbols, missing in (
        (N_("without {sizes}"), one, other),
        (N_("with {sizes}"), other, one),
    ):
        names = [_(s.meaning) for s in symbols if s not in missing and s not in known]
        if names:
            yield _(message, sizes=listed_text(names))
