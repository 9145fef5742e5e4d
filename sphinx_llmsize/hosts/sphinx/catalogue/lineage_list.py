"""List of models by series and version, each with its predecessor.

See :mod:`sphinx_llmsize.lineage`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.formats import significant
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_page import difference_label
from sphinx_llmsize.hosts.sphinx.catalogue.headings import heading
from sphinx_llmsize.hosts.sphinx.catalogue.references import label_reference, model_reference
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, paragraph
from sphinx_llmsize.lineage.predecessors import MAX_RATIO, predecessor
from sphinx_llmsize.lineage.series import NameParts, parts_of_name
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _

BETWEEN_CLASS = "llmsize-between"
"""Class of the separator between a model and its predecessor.

Stylesheets hide it where the predecessor has a line of its own.
"""
INTRODUCTION = N_(
    "Each series begins with its earliest version. Beside a model with a predecessor, a link "
    "compares the sizes of both. It leads to the changes between them and the cost of each."
)
RULE = N_(
    "Series and versions are read from the models' names. A model's predecessor is of the same "
    "series, and of the latest earlier version with a model of similar size: at most {ratio} times "
    "as large or as small. If that version has several, it is the nearest in size. A variant, such "
    "as Coder or Vision, follows an earlier one of its kind, or else the plain model. This doesn't "
    "imply that one model was trained from the other."
)
"""The rule of :func:`predecessor`."""


def lineage_list(directive: SphinxDirective, models: Sequence[Model]) -> Iterator[nodes.Node]:
    """An introduction, the rule, and by maker a list for each series with a predecessor.

    Only a sentence if no model has one.
    """
    by_series: dict[tuple[str, str], list[Model]] = defaultdict(list)
    for model in models:
        if model.preset:
            by_series[_name_parts(model).generation.key].append(model)
    listed_models = set(models)
    by_maker: dict[str, list[nodes.Node]] = {}
    for maker, name in sorted(by_series, key=lambda key: (key[0].casefold(), key[1])):
        members = by_series[maker, name]
        if any(_shown_predecessor(model, listed_models) for model in members):
            by_maker.setdefault(maker, []).append(_series(directive, members, listed_models))
    if not by_maker:
        yield paragraph((_("None of these models has a predecessor in this list."),))
        return
    yield paragraph((_(INTRODUCTION),))
    yield paragraph((_(RULE, ratio=MAX_RATIO),))
    for maker, lists in by_maker.items():
        title = heading(directive, maker)
        yield nodes.container("", title, *lists, classes=["llmsize-maker"])


def _series(
    directive: SphinxDirective, members: Sequence[Model], listed_models: set[Model]
) -> nodes.bullet_list:
    """The versions of a series in order, plain models before variants, by size."""
    items = []
    for _shared_version, group in groupby(sorted(members, key=_order), key=_version):
        models = list(group)
        title = _name_parts(models[0]).beginning
        strong = nodes.strong("", title)
        entries = (_model_item(directive, model, title, listed_models) for model in models)
        items.append(
            nodes.list_item(
                "",
                nodes.paragraph("", "", strong, **GENERATED),
                nodes.bullet_list("", *entries, classes=["llmsize-members"]),
            )
        )
    return nodes.bullet_list("", *items, classes=["llmsize-series"])


def _name_parts(model: Model) -> NameParts:
    """Series, version and variant, as read from a preset's name."""
    assert model.preset
    return parts_of_name(model.preset)


def _version(model: Model) -> tuple[int, ...]:
    """Version of a model within its series."""
    return _name_parts(model).generation.version


def _order(model: Model) -> tuple[tuple[int, ...], list[str], int]:
    """Version, variant and size, by which the models of a series are sorted."""
    return _version(model), sorted(_name_parts(model).variant), model.total


def _model_item(
    directive: SphinxDirective, model: Model, title: str, listed_models: set[Model]
) -> nodes.list_item:
    """A model, with a link to its difference from its predecessor, if that is in the list.

    Args:
        directive: the directive.
        model: the model.
        title: beginning of its name, which the list shows above it.
        listed_models: all models of the list.
    """
    assert model.preset
    name = _name_without(title, model.name) or model.preset.size
    line = nodes.paragraph("", "", model_reference(directive.env, model, name), **GENERATED)
    if earlier := _shown_predecessor(model, listed_models):
        text = _multiple(model, earlier)
        label = difference_label(model.preset.name)
        between = nodes.inline("", " · ", classes=[BETWEEN_CLASS])
        line += [between, label_reference(directive.env, label, text)]
    return nodes.list_item("", line)


def _name_without(title: str, name: str) -> str:
    """The rest of a name without the title at its start, or else without the title's words.

    Without ``Llama 3``, ``Llama 3 8B`` is ``8B``.
    """
    if name.startswith(title):
        return name.removeprefix(title).lstrip(" -")
    return " ".join(word for word in name.split() if word not in title.split())


def _multiple(model: Model, earlier: Model) -> str:
    """The model's size as a multiple of its predecessor's: ``1.5 × LLaMA 7B``."""
    factor = significant(Fraction(model.total, earlier.total))
    if model.total == earlier.total:
        return _("same size as {model}", model=earlier.name)
    if factor == "1":
        return _("about the same size as {model}", model=earlier.name)
    return _("{factor} × {model}", factor=factor, model=earlier.name)


def _shown_predecessor(model: Model, listed_models: set[Model]) -> Model | None:
    """The predecessor of a model; None if there is none in the list."""
    earlier = predecessor(model)
    return earlier if earlier in listed_models else None
