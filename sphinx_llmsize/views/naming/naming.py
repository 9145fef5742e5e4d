"""Name view: why a model is called 7B, and its parameters by every convention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sphinx_llmsize.blocks import Block, Note, Paragraph, Row, Table, cell
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.tables import number_columns
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.naming.advertised import (
    AdvertisedNumber,
    CountedParameters,
    Match,
    advertised_numbers,
)
from sphinx_llmsize.views.naming.conventions import Count, counts
from sphinx_llmsize.views.shared.identifiers import with_code
from sphinx_llmsize.views.shared.wording import about, in_sentence, listed_text
from sphinx_llmsize.views.view_options import ViewOptions

EXACT = N_("{name} is exactly {count} ({convention}).")
UP = N_("{name} is {count} ({convention}), rounded up by {rest}.")
DOWN = N_("{name} is {count} ({convention}), rounded down by {rest}.")
CUT_OFF = N_("{name} is {count} ({convention}), cut off rather than rounded: {rest} are left over.")
MORE = N_("No count rounds to {name}; the nearest is {count} ({convention}), {rest} more.")
FEWER = N_("No count rounds to {name}; the nearest is {count} ({convention}), {rest} fewer.")


def naming(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """A sentence for each number in the name, and a table of the counts by convention.

    The model's notes follow if they may explain why no count gives a number.
    """
    numbers = _numbers(model)
    kinds = {CountedParameters.ALL, CountedParameters.ACTIVE, *(number.kind for number in numbers)}
    all_counts = tuple(counts(model, kinds))
    sources = {number: _source(number, all_counts) for number in numbers}
    sentences = [Paragraph((_sentence(*pair),)) for pair in sources.items()]
    is_explained = all(_gives(count, number) for number, count in sources.items())
    notes = () if is_explained else tuple(Note(with_code(_(note))) for note in model.notes)
    return (*sentences, _table(model, all_counts, sources), *notes)


def _numbers(model: Model) -> tuple[AdvertisedNumber, ...]:
    """The numbers in the name of a released model; none for other and changed models."""
    return advertised_numbers(model.preset.size) if model.preset and not model.changes else ()


def _source(number: AdvertisedNumber, all_counts: Sequence[Count]) -> Count:
    """The count that gives a number of the name most exactly, or else the nearest count.

    First comes the usual count for such a number, all parameters or all active ones, if it is near
    the number; then the others that names with such a number follow, then the rest. Of these, the
    one from which the number follows most exactly is chosen.
    """
    own = [each for each in all_counts if each.convention.kind is number.kind]
    usual = [each for each in own[:1] if number.is_near(each.parameters)]
    for candidates in filter(None, (usual, own, all_counts)):
        best = min(candidates, key=lambda each: number.exactness(each.parameters))
        if _gives(best, number):
            return best
    return min(own or all_counts, key=lambda each: abs(each.parameters - number.number))


def _gives(count: Count, number: AdvertisedNumber) -> bool:
    """True if the number is the count, rounded or cut off."""
    return number.match(count.parameters) is not Match.NONE


def _sentence(number: AdvertisedNumber, source: Count) -> str:
    """A sentence on the count that gives the number, and on what it leaves over."""
    return _(
        _message(number, source),
        name=number.text,
        count=thousands(source.parameters),
        convention=in_sentence(_(source.convention.label)),
        rest=thousands(abs(source.parameters - number.number)),
    )


def _message(number: AdvertisedNumber, source: Count) -> str:
    rest = source.parameters - number.number
    if not rest:
        return EXACT
    if number.match(source.parameters) is Match.CUT_OFF:
        return CUT_OFF
    if _gives(source, number):
        return DOWN if rest > 0 else UP
    return MORE if rest > 0 else FEWER


def _table(
    model: Model, all_counts: Sequence[Count], sources: Mapping[AdvertisedNumber, Count]
) -> Table:
    columns = number_columns(_("Convention"), _("Parameters"), _("Rounded"))
    caption = about(
        model, N_("Parameters of {model} by convention"), N_("Parameters by convention")
    )
    rows = []
    for count in all_counts:
        numbers = (number for number, source in sources.items() if source is count)
        rows.append(_row(count, [each for each in numbers if _gives(count, each)]))
    return Table((caption,), columns, tuple(rows))


def _row(count: Count, numbers: Sequence[AdvertisedNumber]) -> Row:
    """The row of a count, with a note on the numbers of the name that it gives."""
    texts = [number.text for number in numbers]
    note = _("gives {name}", name=listed_text(texts)) if texts else ""
    label = cell(_(count.convention.label), note)
    cells = (label, cell(thousands(count.parameters)), cell(short(count.parameters)))
    name = count.convention.name
    return Row(cells, names=((), (f"{name}:exact",), (f"{name}:short",)))
