"""Row of the parameter table for all norms."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, cell
from sphinx_llmsize.inline import muted
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.typography import NO_BREAK
from sphinx_llmsize.views.author_labels import Labels, group_in_sentence, group_label, stage_label
from sphinx_llmsize.views.shared.counted_table import CountedRow
from sphinx_llmsize.views.shared.norm_vectors import norm_vectors
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_with_tensors
from sphinx_llmsize.views.shared.wording import (
    formula_line,
    label_line,
    listed_text,
    shape_line,
    shape_numbers,
    with_small_initial,
)

PLUS = f"+{NO_BREAK}"
"""Beginning of the lines of a sum after the first."""


def row_of_all_norms(model: Model, norms: Sequence[Occurrence], labels: Labels) -> CountedRow:
    """One row for all norms: a sum of shapes with the number of vectors, as in (2L + 1) × D.

    Norms among the weights of another group, as in state spaces, are in the rows of that group.
    """
    architecture = model.architecture
    count = sum(architecture.count(each.layers * each.stage.parameters) for each in norms)
    symbols: list[Line] = []
    numbers: list[Line] = []
    for vectors in norm_vectors(architecture):
        shape = (vectors.count, *vectors.shape)
        plus = PLUS if symbols else ""
        symbols.append(formula_line((plus, *shape_line(shape))))
        numbers.append(muted(plus + shape_numbers(shape, architecture)))
    group = Group.NORMS
    return CountedRow(
        cell(group_label(labels, group), label_line(_rows_with_norms(model, labels))),
        count,
        group=group,
        source=(*symbols, *numbers),
        active=count,
        name=group.value,
        name_lines=1,
    )


def _rows_with_norms(model: Model, labels: Labels) -> str:
    """``without those in Mamba (norms of Δ, B and C)``; empty without such norms."""
    rows_by_group: dict[str, dict[str, None]] = {}
    for each in occurrences_with_tensors(model.architecture):
        group = each.stage.group
        if group is not Group.NORMS and each.stage.has_norm:
            row = with_small_initial(stage_label(labels, each.stage, each.stacks))
            rows_by_group.setdefault(group_in_sentence(labels, group), {})[row] = None
    places = [
        _("{name} ({values})", name=group, values=listed_text([*rows]))
        for group, rows in rows_by_group.items()
    ]
    return _("without those in {places}", places=listed_text(places)) if places else ""
