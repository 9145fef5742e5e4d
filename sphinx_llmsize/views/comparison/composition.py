"""The composition: how the parameters of models are divided among their components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Cell, Column, Paragraph, Row, Table
from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import percent, short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.comparison.comparison import NOT_THERE, Compared, compared
from sphinx_llmsize.views.shared.wording import in_a_row, in_sentence
from sphinx_llmsize.views.view_options import ViewOptions

AXES = {Scale.ABSOLUTE: N_("Parameters"), Scale.PERCENT: N_("Shares of the parameters")}
PLACES = {group: place for place, group in enumerate(Group)}
"""So that a component has the same colour wherever it is shown."""
CAPTIONS = {
    Scale.ABSOLUTE: N_("Parameters of {model} by component"),
    Scale.PERCENT: N_("Shares of the parameters of {model} by component"),
}


def composition(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """A bar of one model's parameters, and the table of its figures."""
    return compositions((compared(model),))


def compositions(rows: Sequence[Compared], scale: Scale = Scale.ABSOLUTE) -> tuple[Block, ...]:
    """A bar for each model, the table of the same figures, and which models have none.

    Args:
        rows: what is compared.
        scale: whether numbers of parameters are shown, or shares of each model's total.

    Raises:
        ConfigError: none of the models is counted.
    """
    models = [_Composed.of(row.name, row.model) for row in rows if row.model]
    if not models:
        hint = _("write the name of a model that can be counted too")
        raise ConfigError(
            _("no model has a composition to show"), Problem.OPTION, hint, option="show"
        )
    shown = _Shown(tuple(models), scale)
    left_out = ", ".join(row.name for row in rows if not row.model)
    message = _("Without {models}, of which the components are not known.", models=left_out)
    note = (Paragraph((message,)),)
    return (shown.bars, shown.table, *(note if left_out else ()))


@dataclass(frozen=True)
class _Composed:
    """A model's parameters by group."""

    name: str
    total: int
    counts: dict[Group, int]

    @classmethod
    def of(cls, name: str, model: Model) -> _Composed:
        return cls(name, model.total, {group: model.in_groups(group) for group in Group})

    def share(self, group: Group) -> str:
        return percent(self.counts[group] / self.total)

    def told(self) -> str:
        """``GPT-2: 124M parameters, of which embedding 31.6%, attention 22.8% …``."""
        found = (group for group, count in self.counts.items() if count)
        return _(
            "{model}: {total} parameters, of which {shares}.",
            model=self.name,
            total=short(self.total),
            shares=in_a_row(f"{in_sentence(group.label)} {self.share(group)}" for group in found),
        )


@dataclass(frozen=True)
class _Shown:
    """Models whose compositions are shown together."""

    models: tuple[_Composed, ...]
    scale: Scale

    @property
    def groups(self) -> tuple[Group, ...]:
        """Those that any of the models has."""
        return tuple(group for group in Group if any(m.counts[group] for m in self.models))

    @property
    def whose(self) -> str:
        if len(self.models) == 1:
            return self.models[0].name
        return _("{number} models", number=len(self.models))

    @property
    def bars(self) -> StackedBars:
        groups = self.groups
        return StackedBars(
            _("Composition of {model}", model=self.whose),
            " ".join(model.told() for model in self.models),
            _(AXES[self.scale]),
            tuple(BarPart(_(group.label), PLACES[group]) for group in groups),
            tuple(
                StackedBar(model.name, tuple(model.counts[g] for g in groups), short(model.total))
                for model in self.models
            ),
            self.scale,
        )

    @property
    def table(self) -> Table:
        labels = (*(_(group.label) for group in self.groups), _("Total"))
        columns = (Column(_("Model")), *(Column(label, numeric=True) for label in labels))
        caption = _(CAPTIONS[self.scale], model=self.whose)
        return Table(caption, columns, tuple(map(self._row, self.models)))

    def _row(self, model: _Composed) -> Row:
        figures = (self._figure(model, group) for group in self.groups)
        return Row(tuple(map(_cell, (model.name, *figures, short(model.total)))))

    def _figure(self, model: _Composed, group: Group) -> str:
        if not model.counts[group]:
            return NOT_THERE
        in_percent = self.scale is Scale.PERCENT
        return model.share(group) if in_percent else short(model.counts[group])


def _cell(text: str) -> Cell:
    return ((text,),)
