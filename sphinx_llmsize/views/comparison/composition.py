"""Composition: a stacked bar of each model's parameters by group, and a table of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Column, Line, Name, Note, Row, Table, cell
from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars, too_short, unseen_parts
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import percent, short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.author_labels import Labels, group_in_sentence, group_label, own_label
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row, names_text
from sphinx_llmsize.views.numbers.part_selection import TOTAL
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.resolved_labels import common_labels
from sphinx_llmsize.views.shared.wording import capital, comma_separated, listed_text
from sphinx_llmsize.views.view_options import ViewOptions

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
    labels = common_labels([model for _name, model in models], labels)
    made = _Composition(models, scale, labels, names_models)
    left_out = listed_text([row.name for row in rows if not row.model])
    if not left_out:
        return (made.chart, made.table)
    note = _("Without {models}, whose components are not known.", models=left_out)
    return (made.chart, made.table, Note((note,)))


@dataclass(frozen=True)
class _Composition:
    """Chart and table of models with known numbers.

    Attributes:
        models: at least one, with their names.
        chosen_scale: meaning of the lengths of the bars; None if the author didn't choose one.
        labels: the author's own labels of groups.
        names_models: whether the caption of the chart names the models.
    """

    models: Models
    chosen_scale: Scale | None
    labels: Labels
    names_models: bool

    @property
    def chart(self) -> StackedBars:
        """The bars with their labels."""
        descriptions = [self._description(name, model) for name, model in self.models]
        parts = [BarPart(group_label(self.labels, g), COLOURS[g]) for g in self._groups]
        return StackedBars(
            self._title,
            " ".join(descriptions),
            tuple(parts),
            self._bars,
            self._scale,
            _("Other"),
            note=_note(self._bars, self._scale) or self._unseen,
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
        if self.chosen_scale:
            return self.chosen_scale
        return Scale.PERCENT if too_short(self._bars) else Scale.ABSOLUTE

    @property
    def _unseen(self) -> str:
        """Note on components that are too narrow to see in every bar; empty without any."""
        positions = unseen_parts(self._bars, self._scale)
        names = [group_in_sentence(self.labels, self._groups[each]) for each in positions]
        parts = capital(listed_text(names))
        return _("{parts} would be too small to see.", parts=parts) if names else ""

    @property
    def _shows_shares(self) -> bool:
        """True if the numbers are shares, not numbers of parameters."""
        return self._scale is Scale.PERCENT

    @property
    def _title(self) -> str:
        """Caption of the chart: ``Parameters of GPT-2 by component``, or without the name."""
        return self._caption(self._names if self.names_models else "")

    def _caption(self, names: str) -> str:
        """``Shares of the parameters of LLaMA 7B and GPT-2 by component``; names may be empty."""
        if self._shows_shares:
            if not names:
                return _("Shares of the parameters by component")
            return _("Shares of the parameters of {model} by component", model=names)
        if not names:
            return _("Parameters by component")
        return _("Parameters of {model} by component", model=names)

    @property
    def _names(self) -> str:
        """Names of the models; empty for a single model without a name."""
        if len(self.models) == 1 and not self.models[0][1].name:
            return ""
        return names_text([name for name, _model in self.models])

    @property
    def table(self) -> Table:
        """Table of the numbers that the bars show."""
        if self._shows_shares:
            caption = _("The shares in numbers")
            total = _("Parameters")  # the only column with numbers of parameters
        else:
            caption = _("The parameters in numbers")
            total = _("Total")
        columns = [Column(_("Model"))]
        columns += [Column(group_label(self.labels, g), numeric=True) for g in self._groups]
        columns.append(Column(own_label(self.labels, (TOTAL,), total), numeric=True))
        rows = tuple(self._row(name, model) for name, model in self.models)
        label, is_compared = self._caption(self._names), len(rows) > 1
        table = Table(
            (caption,),
            tuple(columns),
            rows,
            label,
            is_compared=is_compared,
            has_numbers_of_chart=True,
        )
        # on a phone, the columns with the largest shares stay beside the total
        by_share = sorted(self._groups, key=self._share_in_all_models, reverse=True)
        positions = [1 + self._groups.index(group) for group in by_share]
        return fitting(table, [len(columns) - 1, *positions])

    def _share_in_all_models(self, group: Group) -> Fraction:
        """A group's shares of the models, added up."""
        shares = (Fraction(m.parameters_in(group), m.total) for _name, m in self.models)
        return sum(shares, start=Fraction())

    @cached_property
    def _groups(self) -> tuple[Group, ...]:
        """Groups that at least one model has, in the order of the bars' parts."""
        return tuple(
            g for g in Group if any(model.parameters_in(g) for _name, model in self.models)
        )

    def _description(self, name: str, model: Model) -> str:
        """``GPT-2: 124M parameters, of which embedding 31.6%, attention 22.8% …``."""
        shares = [
            f"{group_in_sentence(self.labels, group)} {_share(model, group)}"
            for group in self._groups
            if model.parameters_in(group)
        ]
        return _(
            "{model}: {total} parameters, of which {shares}.",
            model=name,
            total=short(model.total),
            shares=comma_separated(shares),
        )

    def _row(self, name: str, model: Model) -> Row:
        """The name of a model, its number for each group, and its total."""
        texts: list[Line | str] = [(Name(name),)]
        names: list[tuple[str, ...]] = [()]
        for group in self._groups:
            texts.append(self._text(model, group))
            number_name = f"{group.value}:share" if self._shows_shares else group.value
            names.append((number_name,) if model.parameters_in(group) else ())
        texts.append(short(model.total))
        names.append((TOTAL,))
        return Row(tuple(map(cell, texts)), names=tuple(names))

    def _text(self, model: Model, group: Group) -> str:
        """``64.2%`` or ``4.33B``; ``tied`` or a dash for a group without parameters."""
        count = model.parameters_in(group)
        if not count:
            return _("tied") if _is_tied(model, group) else DASH
        return _share(model, group) if self._shows_shares else short(count)


def _share(model: Model, group: Group) -> str:
    """A group's share of a model's parameters: ``64.2%``."""
    return percent(model.parameters_in(group) / model.total)


def _is_tied(model: Model, group: Group) -> bool:
    """True if stages of a group use another's weights, as an LM head those of the embedding."""
    stages = (placed.stage for placed in model.architecture.placed_stages())
    return any(stage.tied_to for stage in stages if stage.group is group)


def _note(bars: Sequence[StackedBar], scale: Scale) -> str:
    """Note on a logarithmic scale, or on bars that a linear one makes too short; else empty."""
    if scale is Scale.LOG:
        return _("The scale is logarithmic, and the colours divide each bar by its shares.")
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
