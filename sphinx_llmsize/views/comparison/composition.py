"""Composition: a stacked bar of each model's parameters by group, and a table of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Column, Note, Row, Table, cell
from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars, too_short
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import percent, short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.author_labels import Labels, group_in_sentence, group_label, own_label
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row, names_text
from sphinx_llmsize.views.numbers.part_selection import TOTAL
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.wording import comma_separated, listed_text
from sphinx_llmsize.views.view_options import ViewOptions

TITLES = {
    Scale.ABSOLUTE: N_("Composition of {models}, in parameters"),
    Scale.LOG: N_("Composition of {models}, in parameters"),
    Scale.PERCENT: N_("Composition of {models}, in percent"),
}
LOGARITHMIC = N_("The scale is logarithmic, and the colours divide each bar by its shares.")
TITLES_WITHOUT_NAMES = {
    Scale.ABSOLUTE: N_("Composition, in parameters"),
    Scale.LOG: N_("Composition, in parameters"),
    Scale.PERCENT: N_("Composition, in percent"),
}
CAPTIONS = {
    Scale.ABSOLUTE: N_("Parameters by component"),
    Scale.LOG: N_("Parameters by component"),
    Scale.PERCENT: N_("Shares of the parameters by component"),
}
LABELS_OF_ONE = {
    Scale.ABSOLUTE: N_("Parameters of {model} by component"),
    Scale.LOG: N_("Parameters of {model} by component"),
    Scale.PERCENT: N_("Shares of the parameters of {model} by component"),
}
AXIS_LABELS = {
    Scale.ABSOLUTE: N_("Parameters"),
    Scale.LOG: N_("Parameters, on a logarithmic scale"),
    Scale.PERCENT: N_("Share of the parameters"),
}
COLOURS = {group: position for position, group in enumerate(Group)}
"""Palette index of each group, the same in every chart."""
Models = Sequence[tuple[str, Model]]
"""Models with their names."""


def composition(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The bar and the table of one model."""
    return compositions((model_row(model),), labels=options.labels)


def compositions(
    rows: Sequence[ComparedRow],
    scale: Scale | None = None,
    labels: Labels = (),
    *,
    names_models: bool = True,
) -> tuple[Block, ...]:
    """The bars, their table, and a note on models without known numbers.

    Args:
        rows: models to compare.
        scale: meaning of the lengths of the bars; None for numbers of parameters or, if that makes
            a bar too short to see, shares.
        labels: the author's own labels of groups.
        names_models: True to name the models in the caption of the chart.

    Raises:
        ConfigError: no model has known numbers.
    """
    models = [(row.name, row.model) for row in rows if row.model]
    if not models:
        message = _("no model has a composition to show")
        hint = _("add a model with a public configuration")
        raise ConfigError(message, Problem.OPTION, hint, option="show")
    made = _Composition(models, scale, labels, names_models)
    left_out = [row.name for row in rows if not row.model]
    if not left_out:
        return (made.chart, made.table)
    note = _(
        "Without {models}, whose components are not known.",
        models=listed_text(left_out),
    )
    return (made.chart, made.table, Note((note,)))


def _share(model: Model, group: Group) -> str:
    return percent(model.parameters_in(group) / model.total)


@dataclass(frozen=True)
class _Composition:
    """Chart and table of models with known numbers.

    Attributes:
        models: at least one, with their names.
        chosen: meaning of the lengths of the bars; None if the author didn't choose one.
        labels: the author's own labels of groups.
        names_models: whether the caption of the chart names the models.
    """

    models: Models
    chosen: Scale | None
    labels: Labels
    names_models: bool

    @property
    def chart(self) -> StackedBars:
        """The bars with their labels."""
        return StackedBars(
            self._title,
            " ".join(self._description(*named) for named in self.models),
            tuple(
                BarPart(group_label(self.labels, group), COLOURS[group]) for group in self._groups
            ),
            self._bars,
            _(AXIS_LABELS[self._scale]),
            self._scale,
            _("Other"),
            note=_note(self._bars, self._scale),
        )

    @cached_property
    def _bars(self) -> tuple[StackedBar, ...]:
        """A bar for each model."""
        return tuple(
            StackedBar(name, tuple(map(model.parameters_in, self._groups)), short(model.total))
            for name, model in self.models
        )

    @property
    def _scale(self) -> Scale:
        """Meaning of the lengths of the bars."""
        return self.chosen or (Scale.PERCENT if too_short(self._bars) else Scale.ABSOLUTE)

    @property
    def _title(self) -> str:
        """``Composition of LLaMA 7B and GPT-2``; ``Composition`` without names."""
        if self._is_unnamed or not self.names_models:
            return _(TITLES_WITHOUT_NAMES[self._scale])
        names = names_text([name for name, _model in self.models])
        return _(TITLES[self._scale], models=names)

    @property
    def _is_unnamed(self) -> bool:
        """True for a single model without a name."""
        return not any(model.name for _name, model in self.models) and len(self.models) == 1

    @property
    def table(self) -> Table:
        """Table of the numbers that the bars show."""
        labels = (group_label(self.labels, group) for group in self._groups)
        parts = tuple(Column(label, numeric=True) for label in labels)
        # beside shares, it is the only column that counts
        counts = _("Parameters") if self._scale is Scale.PERCENT else _("Total")
        total = own_label(self.labels, (TOTAL,), counts)
        columns = (Column(_("Model")), *parts, Column(total, numeric=True))
        rows = tuple(self._row(*named) for named in self.models)
        is_one = len(self.models) == 1 and not self._is_unnamed
        label = _(LABELS_OF_ONE[self._scale], model=self.models[0][0]) if is_one else ""
        # on a phone, the columns with the largest shares stay beside the total
        by_share = sorted(range(len(parts)), key=lambda n: -self._shares[n])
        order = [len(parts) + 1, *(1 + position for position in by_share)]
        return fitting(Table((_(CAPTIONS[self._scale]),), columns, rows, label), order)

    @cached_property
    def _shares(self) -> tuple[Fraction, ...]:
        """Each group's shares, added up over the models."""

        def share_in_all(group: Group) -> Fraction:
            shares = (Fraction(m.parameters_in(group), m.total) for _name, m in self.models)
            return sum(shares, start=Fraction())

        return tuple(map(share_in_all, self._groups))

    @cached_property
    def _groups(self) -> tuple[Group, ...]:
        """Groups that at least one model has, in the order of the bars' parts."""
        return tuple(
            g for g in Group if any(model.parameters_in(g) for _name, model in self.models)
        )

    def _description(self, name: str, model: Model) -> str:
        """``GPT-2: 124M parameters, of which embedding 31.6%, attention 22.8% …``."""
        return _(
            "{model}: {total} parameters, of which {shares}.",
            model=name,
            total=short(model.total),
            shares=comma_separated(
                f"{group_in_sentence(self.labels, group)} {_share(model, group)}"
                for group in self._groups
                if model.parameters_in(group)
            ),
        )

    def _row(self, name: str, model: Model) -> Row:
        texts = (name, *(self._text(model, group) for group in self._groups), short(model.total))
        word = ":share" if self._scale is Scale.PERCENT else ""
        ids = ((f"{g.value}{word}",) if model.parameters_in(g) else () for g in self._groups)
        return Row(tuple(map(cell, texts)), names=((), *ids, (TOTAL,)))

    def _text(self, model: Model, group: Group) -> str:
        count = model.parameters_in(group)
        if not count:
            return _("tied") if _is_tied(model, group) else DASH
        return _share(model, group) if self._scale is Scale.PERCENT else short(count)


def _is_tied(model: Model, group: Group) -> bool:
    """True if stages of a group use another's weights, as an LM head those of the embedding."""
    stages = (placed.stage for placed in model.architecture.placed_stages())
    return any(stage.tied_to for stage in stages if stage.group is group)


def _note(bars: Sequence[StackedBar], scale: Scale) -> str:
    """Words on the scale, or on bars that a linear one makes too short."""
    if scale is Scale.LOG:
        return _(LOGARITHMIC)
    hidden = too_short(bars)
    if scale is Scale.PERCENT or not hidden:
        return ""
    return ngettext(
        "The bar of {models} is too short to see beside {largest}; a log or percent scale shows "
        "it.",
        "The bars of {models} are too short to see beside {largest}; a log or percent scale shows "
        "them.",
        len(hidden),
        models=listed_text([f"{bar.label} ({bar.text})" for bar in hidden]),
        largest=max(bars, key=lambda bar: bar.total).text,
    )
