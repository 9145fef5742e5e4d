"""Models by series and version, each with its predecessor; see :mod:`sphinx_llmsize.lineage`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.formats import significant
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_page import difference_label
from sphinx_llmsize.hosts.sphinx.catalogue.references import label_reference, model_reference
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, paragraph
from sphinx_llmsize.lineage.predecessors import MAX_RATIO, predecessor
from sphinx_llmsize.lineage.series import Generation, parts_of_name
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _

RULE = N_(
    "Series and versions are read from the models' names. The predecessor of a model is the one "
    "of the same series that is nearest to it in size, of the latest earlier version that has one "
    "with at most {ratio} times as many or as few parameters. A variant, such as Coder or Vision, "
    "follows an earlier one of its kind, or else the plain model. This doesn't say that one model "
    "was trained from the other."
)
"""The rule of :func:`predecessor`."""
Generations = Mapping[Generation, Sequence[Model]]


def lineage(directive: SphinxDirective, models: Sequence[Model]) -> Iterator[nodes.Node]:
    """The rule, and a list for each series with at least one predecessor."""
    yield paragraph((_(RULE, ratio=MAX_RATIO),))
    found: dict[tuple[str, str], dict[Generation, list[Model]]] = defaultdict(dict)
    for model in models:
        if model.preset:
            generation = parts_of_name(model.preset).generation
            found[generation.key].setdefault(generation, []).append(model)
    shown = set(models)
    by_series = [(maker, found[maker, name]) for maker, name in sorted(found)]
    by_maker: dict[str, list[nodes.Node]] = {}
    for maker, generations in sorted(by_series, key=lambda each: each[0].casefold()):
        if any(_before(model, shown) for members in generations.values() for model in members):
            series = _series(directive, generations, shown)
            by_maker.setdefault(maker, []).append(series)
    for maker, lists in by_maker.items():
        heading = nodes.rubric("", maker, **GENERATED)
        yield nodes.container("", heading, *lists, classes=["llmsize-maker"])


def _series(
    directive: SphinxDirective, generations: Generations, shown: set[Model]
) -> nodes.bullet_list:
    """The versions of a series in order."""
    items = []
    for generation in sorted(generations, key=lambda each: each.version):
        members = sorted(generations[generation], key=_order)
        title = _title(members)
        models = (_model(directive, model, title, shown) for model in members)
        strong = nodes.strong("", title)
        items.append(
            nodes.list_item(
                "",
                nodes.paragraph("", "", strong, **GENERATED),
                nodes.bullet_list("", *models, classes=["llmsize-members"]),
            )
        )
    return nodes.bullet_list("", *items, classes=["llmsize-series"])


def _order(model: Model) -> tuple[list[str], int]:
    """Plain models first, then those of each variant, by size."""
    assert model.preset
    return sorted(parts_of_name(model.preset).variant), model.total


def _model(
    directive: SphinxDirective, model: Model, title: str, shown: set[Model]
) -> nodes.list_item:
    """A model, and how many times as many parameters as its predecessor it has."""
    assert model.preset
    name = model.name.removeprefix(title).lstrip(" -") or model.preset.size
    line = nodes.paragraph("", "", model_reference(directive.env, model, name), **GENERATED)
    if before := _before(model, shown):
        factor = significant(Fraction(model.total, before.total))
        text = _("{factor} × {model}", factor=factor, model=before.name)
        if model.total == before.total:
            text = _("as large as {model}", model=before.name)
        label = difference_label(model.preset.name)
        line += [nodes.Text(" "), label_reference(directive.env, label, text)]
    return nodes.list_item("", line)


def _before(model: Model, shown: set[Model]) -> Model | None:
    """The predecessor if it is shown, too."""
    before = predecessor(model)
    return before if before in shown else None


def _title(members: Sequence[Model]) -> str:
    """Series and version as most names begin: ``Llama 3.1``."""
    first = members[0]
    assert first.preset
    return parts_of_name(first.preset).beginning
