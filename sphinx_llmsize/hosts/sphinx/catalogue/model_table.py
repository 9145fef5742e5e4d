"""Table with a row for each model, which readers can sort and filter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from textwrap import wrap

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.architecture.cost import cache_elements_per_token
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_assets import ROW_SEPARATOR, filtered
from sphinx_llmsize.hosts.sphinx.catalogue.references import model_reference
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, named_number
from sphinx_llmsize.hosts.sphinx.nodes import folded, scroll_region
from sphinx_llmsize.html.class_names import NUMBER_CLASS, TABLE_CLASS, row_class
from sphinx_llmsize.lineage.series import without_size
from sphinx_llmsize.model import Model
from sphinx_llmsize.row_kinds import RowKind
from sphinx_llmsize.sources.makers import maker_of
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.features.features import features_of
from sphinx_llmsize.views.in_words.attention_in_words import kind_of_attention
from sphinx_llmsize.views.in_words.parts_in_words import describe_part, placed_stages_of_part
from sphinx_llmsize.views.shared.data_size import size_text
from sphinx_llmsize.views.shared.mixer_names import STATE_SPACE
from sphinx_llmsize.views.shared.wording import comma_separated

COLUMNS = (
    N_("Model"),
    N_("Maker"),
    N_("Parameters"),
    N_("Active"),
    N_("KV cache per token"),
    N_("Context"),
    N_("Special"),
)
"""Headings of the columns."""
FIRST_NUMBER, LAST_NUMBER = 2, 5
"""Positions of the first and the last column with numbers."""
TOTAL, FOLDED = 2, (3, 4, 5)
"""Positions of the parameters, and of the numbers that move below the name on narrow screens."""
COMMON_FEATURES = frozenset({"tied", "vocabulary"})
"""Features that are too common for the column ``Special``."""
NO_NUMBER = "–"
"""Text of a cell without a number."""
HEADING_WIDTH = 10
"""Characters per line of a heading, in outputs with fixed column widths."""
MAX_LAST_WIDTH = 40
"""Characters per line of the last column, in outputs with fixed column widths."""
BYTES_PER_ELEMENT = 2
"""Bytes of a cached element in bf16."""
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)")
"""Number in a model's name."""


def model_table(directive: SphinxDirective, models: Sequence[Model]) -> Iterator[nodes.Node]:
    """The table, to which a script adds a search field and buttons that sort it."""
    head = nodes.row("", *map(_heading, range(len(COLUMNS))))
    models = sorted(models, key=_order)
    rows = [_row(directive, model) for model in models]
    group = nodes.tgroup(cols=len(COLUMNS))
    group += _columns(head, rows)
    group += nodes.thead("", head)
    group += nodes.tbody("", *rows)
    table = nodes.table("", group, classes=[TABLE_CLASS, "colwidths-auto"])
    words = ROW_SEPARATOR.join(map(_words, models))
    yield filtered("", scroll_region("", table, label=_("Models")), words=words)


def _columns(head: nodes.row, rows: Sequence[nodes.row]) -> list[nodes.colspec]:
    """The columns, as wide as their longest text; the first has the names of the rows.

    Headings and the last column may wrap.
    """
    widths = []
    for position, heading in enumerate(head):
        heading_lines = wrap(heading.astext(), HEADING_WIDTH)
        texts = [row[position].children[0].astext() for row in rows]
        widths.append(max(map(len, (*heading_lines, *texts))))
    widths[-1] = min(widths[-1], MAX_LAST_WIDTH)
    first, *others = (nodes.colspec(colwidth=width) for width in widths)
    first["stub"] = 1
    return [first, *others]


def _order(model: Model) -> tuple[list[tuple[str, Fraction]], int]:
    """Sort key: the name, with numbers by their value, then the size.

    ``llama 3 vision`` gives ``[("llama ", 3), (" vision", 0)]``.
    """
    pieces = _NUMBER.split(without_size(model.name).casefold())
    texts, numbers = pieces[::2], list(map(Fraction, pieces[1::2]))
    numbers.append(Fraction(0))  # after the last text
    return list(zip(texts, numbers, strict=True)), model.total


def _words(model: Model) -> str:
    """The text in which the filter searches: lower-case words without the separator of rows.

    It has names, Hub ids, family, maker, features, the kind of attention or of other mixers, their
    abbreviations, and "vision" for released models with a vision tower.
    """
    preset = model.preset
    known = (preset.name, *preset.hub, maker_of(preset)) if preset else ()
    vision = (_("vision"),) if preset and preset.with_vision_tower else ()
    family = (model.family.title, model.model_type)
    features = (_special(model), describe_part(model, Aspect.SEQUENCE).text, *_abbreviations(model))
    text = " ".join((model.name, *known, *family, *vision, *features))
    return " ".join(text.casefold().replace(ROW_SEPARATOR, " ").split())


def _abbreviations(model: Model) -> Iterator[str]:
    """Abbreviations of the model's parts: ``MLA``, ``SSM``, ``MoE``."""
    mixers = placed_stages_of_part(model, Aspect.SEQUENCE)
    attention = [mixer for mixer in mixers if mixer.stage.group is Group.ATTENTION]
    if attention:
        yield kind_of_attention(model, attention).abbreviation
    if any(mixer.stage.id == STATE_SPACE for mixer in mixers):
        yield "SSM"
    if Group.EXPERTS in model.architecture.groups:
        yield "MoE"


def _special(model: Model) -> str:
    """Labels of a model's features, except those that most models have."""
    labels = (_(each.label) for each in features_of(model) if each.id not in COMMON_FEATURES)
    return comma_separated(labels)


def _row(directive: SphinxDirective, model: Model) -> nodes.row:
    """The row of a model."""
    preset = model.preset
    cells: tuple[list[nodes.Node], ...] = (
        [model_reference(directive.env, model, model.name)],
        [nodes.Text(maker_of(preset) if preset else "")],
        _number(model.total, short(model.total)),
        _number(model.active, short(model.active)),
        _cache_size(model),
        [nodes.Text(thousands(preset.context) if preset else NO_NUMBER)],
        [nodes.Text(_special(model))],
    )
    entries = [_entry(position, *cell) for position, cell in enumerate(cells)]
    entries[0] += _folded(entries)
    return nodes.row("", *entries, classes=[row_class(RowKind.MEMBER)])


def _folded(entries: Sequence[nodes.entry]) -> folded:
    """A line below the name with the numbers of the columns that are hidden on narrow screens.

    It omits missing numbers, and active parameters that are equal to all parameters.
    """
    pieces: list[nodes.Node] = []
    for position in FOLDED:
        text = entries[position].astext()
        if text not in {NO_NUMBER, entries[TOTAL].astext()}:
            label = _("{label}: {value}", label=_(COLUMNS[position]), value=text)
            pieces += [nodes.inline("", label), nodes.Text(" ")]
    return folded("", "", *pieces[:-1], **GENERATED)


def _number(number: int, text: str) -> list[nodes.Node]:
    """A rounded number; its tooltip is the exact one, by which the script sorts."""
    return named_number([nodes.Text(text)], thousands(number))


def _cache_size(model: Model) -> list[nodes.Node]:
    """Bytes in bf16 that each token adds to the KV cache."""
    architecture = model.architecture
    if architecture.has_unknown_lengths:
        return [nodes.Text(NO_NUMBER)]
    size = BYTES_PER_ELEMENT * cache_elements_per_token(architecture, architecture.placed_stages())
    return _number(ceil(size), size_text(size)) if size else [nodes.Text(NO_NUMBER)]


def _heading(position: int) -> nodes.entry:
    """The heading of the column at a position."""
    return _entry(position, nodes.Text(_(COLUMNS[position])))


def _entry(position: int, *content: nodes.Node) -> nodes.entry:
    """A cell of the column at a position."""
    is_number = FIRST_NUMBER <= position <= LAST_NUMBER
    text = nodes.paragraph("", "", *content, **GENERATED)
    return nodes.entry("", text, classes=[NUMBER_CLASS] if is_number else [])
