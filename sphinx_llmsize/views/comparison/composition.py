"""Composition: a stacked bar of each model's parameters by group, and a table of its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Column, Note, Row, Table, cell
from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars, too_short
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import percent, short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.comparison.compared_rows import Compared, compared
from sphinx_llmsize.views.numbers.parts import TOTAL
from sphinx_llmsize.views.shared.folding import DASH, fitting
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence
from sphinx_llmsize.views.view_options import ViewOptions

AXES = {
    Scale.ABSOLUTE: N_("Parameters"),
    Scale.LOG: N_("Parameters, logarithmic; colours show shares"),
    Scale.PERCENT: N_("Shares of the parameters"),
}
CAPTIONS = {
    Scale.ABSOLUTE: N_("Parameters of {model} by component"),
    Scale.LOG: N_("Parameters of {model} by component"),
    Scale.PERCENT: N_("Shares of the parameters of {model} by component"),
}
TOO_SHORT = N_("Too short to see: {models}. The scales percent and log show their components.")
COLOURS = {group: position for position, group in enumerate(Group)}
"""Palette index of each group, the same in every chart."""
Models = Sequence[tuple[str, Model]]
"""Models with their names."""


def composition(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The bar and the table of one model."""
    return compositions((compared(model),))


def compositions(rows: Sequence[Compared], scale: Scale = Scale.ABSOLUTE) -> tuple[Block, ...]:
    """The bars, their table, and a note on models without known numbers.

    Args:
        rows: models to compare.
        scale: numbers of parameters, linear or logarithmic, or shares of each model's total.

    Raises:
        ConfigError: no model has known numbers.
    """
    models = [(row.name, row.model) for row in rows if row.model]
    if not models:
        message = _("no model has a composition to show")
        hint = _("add a model with a public configuration")
        raise ConfigError(message, Problem.OPTION, hint, option="show")
    groups = [group for group in Group if any(m.in_groups(group) for _name, m in models)]
    name = models[0][0] if len(models) == 1 else _("{number} models", number=len(models))
    blocks = (_bars(models, groups, scale, name), _table(models, groups, scale, name))
    left_out = ", ".join(row.name for row in rows if not row.model)
    note = _("Not shown: {models}. The components are not known.", models=left_out)
    return (*blocks, Note((note,))) if left_out else blocks


def _share(model: Model, group: Group) -> str:
    return percent(model.in_groups(group) / model.total)


def _text(model: Model, group: Group, scale: Scale) -> str:
    count = model.in_groups(group)
    if not count:
        return DASH
    return _share(model, group) if scale is Scale.PERCENT else short(count)


def _description(name: str, model: Model) -> str:
    """``GPT-2: 124M parameters, of which embedding 31.6%, attention 22.8% …``."""
    groups = (group for group in Group if model.in_groups(group))
    return _(
        "{model}: {total} parameters, of which {shares}.",
        model=name,
        total=short(model.total),
        shares=comma_separated(
            f"{in_sentence(group.label)} {_share(model, group)}" for group in groups
        ),
    )


def _bars(models: Models, groups: Sequence[Group], scale: Scale, name: str) -> StackedBars:
    bars = tuple(
        StackedBar(label, tuple(m.in_groups(g) for g in groups), short(m.total))
        for label, m in models
    )
    invisible = too_short(bars) if scale is Scale.ABSOLUTE else ()
    return StackedBars(
        _("Composition of {model}", model=name),
        " ".join(_description(*named) for named in models),
        _(AXES[scale]),
        tuple(BarPart(_(group.label), COLOURS[group]) for group in groups),
        bars,
        scale,
        note=_(TOO_SHORT, models=", ".join(bar.label for bar in invisible)) if invisible else "",
    )


def _table(models: Models, groups: Sequence[Group], scale: Scale, name: str) -> Table:
    parts = (Column(_(group.label), numeric=True) for group in groups)
    columns = (Column(_("Model")), *parts, Column(_("Total"), numeric=True))
    rows: list[Row] = []
    for label, model in models:
        texts = (label, *(_text(model, group, scale) for group in groups), short(model.total))
        names = (group.value if model.in_groups(group) else "" for group in groups)
        word = ":share" if scale is Scale.PERCENT else ""
        named = tuple((f"{name}{word}",) if name else () for name in names)
        rows.append(Row(tuple(map(cell, texts)), names=((), *named, (TOTAL,))))
    by_share = sorted(
        range(len(groups)), key=lambda n: -sum(m.in_groups(groups[n]) / m.total for _, m in models)
    )
    table = Table(_(CAPTIONS[scale], model=name), columns, tuple(rows))
    return fitting(table, [len(columns) - 1, *(1 + position for position in by_share)])
