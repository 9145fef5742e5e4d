"""Notes below a comparison table: dashes, the FFN dimension, and feed-forward blocks of experts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Note
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.symbols import F_E, F
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import ChosenColumn
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow
from sphinx_llmsize.views.shared.wording import listed_text

FEED_FORWARD_NAMES = frozenset(("mlp", Group.FEED_FORWARD.value))
"""Names of the number of feed-forward parameters outside of experts."""


def comparison_notes(rows: Sequence[ComparedRow], chosen: Sequence[ChosenColumn]) -> Iterator[Note]:
    """Notes on cells that readers could misunderstand.

    Args:
        rows: models of the table.
        chosen: columns of the table.
    """
    names = {column.words[0] for column in chosen}
    texts = [_about_dashes(rows, [column.name for column in chosen])]
    texts += _about_ffn_dims(rows, names)
    texts += _about_experts(rows, names)
    for text in filter(None, texts):
        yield Note((text,))


def _about_dashes(rows: Sequence[ComparedRow], columns: Sequence[str]) -> str:
    """Meaning of the dashes without a footnote; empty if no model has one."""
    with_dashes = [row for row in rows for column in columns if row.has_dash(column)]
    if not any(row.model for row in with_dashes):
        return ""
    if all(row.model for row in with_dashes):
        return _("A dash means that the model has no such number.")
    return _("A dash means that the model has no such number, or that none is stated.")


def _about_ffn_dims(rows: Sequence[ComparedRow], names: set[str]) -> Iterator[str]:
    """Sentences on the feed-forward dimension of models with experts, if a column has it."""
    with_experts_only = []
    for row in rows:
        if row.model is None:
            continue
        shown_keys = {row.model.keys.get(name) for name in names}
        if k.FFN_DIM not in shown_keys:
            continue
        dense = _ffn_dims(row.model, Group.FEED_FORWARD)
        experts = _ffn_dims(row.model, Group.EXPERTS)
        if experts == {F} and not dense:
            with_experts_only.append(row.name)
        elif experts == {F_E} and dense:
            yield _(
                "In {model}, only dense layers have this FFN dimension; experts have {number}.",
                model=row.name,
                number=thousands(row.model.architecture.count(F_E)),
            )
    if with_experts_only:
        models = listed_text(with_experts_only)
        yield _("The FFN dimension of {models} is that of each expert.", models=models)


def _about_experts(rows: Sequence[ComparedRow], names: set[str]) -> Iterator[str]:
    """Sentences on models whose experts a column of feed-forward parameters leaves out."""
    if names.isdisjoint(FEED_FORWARD_NAMES) or Group.EXPERTS.value in names:
        return
    for row in rows:
        if row.model and (experts := row.model.parameters_in(Group.EXPERTS)):
            yield _(
                "In {model}, experts are not counted as feed-forward; they hold {share} of the "
                "parameters.",
                model=row.name,
                share=percent(Fraction(experts, row.model.total)),
            )


def _ffn_dims(model: Model, group: Group) -> set[Symbol]:
    """The symbols of the feed-forward dimension, F and F_e, in the shapes of a group's tensors."""
    stages = (placed.stage for placed in model.architecture.placed_stages())
    tensors = (tensor for stage in stages if stage.group is group for tensor in stage.tensors)
    symbols = {symbol for tensor in tensors for side in tensor.shape for symbol in side.symbols()}
    return symbols & {F, F_E}
