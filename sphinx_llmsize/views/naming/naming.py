"""Name view: why a model is called 7B, and its parameters by every convention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sphinx_llmsize.blocks import Block, Note, Paragraph, Row, Table, cell
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.tables import number_columns
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.naming.advertised import (
    AdvertisedNumber,
    Match,
    SizeKind,
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
    found = tuple(counts(model, {SizeKind.ALL, SizeKind.ACTIVE, *(each.kind for each in numbers)}))
    named = {number: _source(number, found) for number in numbers}
    sentences = tuple(Paragraph((_sentence(*each),)) for each in named.items())
    is_named = all(_gives(*each) for each in named.items())
    notes = () if is_named else tuple(Note(with_code(_(note))) for note in model.notes)
    return (*sentences, _table(model, found, named), *notes)


def _numbers(model: Model) -> tuple[AdvertisedNumber, ...]:
    """The numbers in the name of a released model; none for other and changed models."""
    return advertised_numbers(model.preset.size) if model.preset and not model.changes else ()


def _source(number: AdvertisedNumber, found: Sequence[Count]) -> Count:
    """The count that gives a number of the name, or else the nearest one.

    First comes the usual count for such a number, all parameters or all active ones, then the
    others that names with such a number follow, then the rest. Of these, the one from which the
    number follows most exactly is chosen.
    """
    own = [each for each in found if each.convention.kind is number.kind]
    for candidates in filter(None, (own[:1], own, found)):
        best = min(candidates, key=lambda each: number.exactness(each.parameters))
        if _gives(number, best):
            return best
    return min(own or found, key=lambda each: abs(each.parameters - number.number))


def _gives(number: AdvertisedNumber, source: Count) -> bool:
    return number.match(source.parameters) is not Match.NONE


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
    if _gives(number, source):
        return DOWN if rest > 0 else UP
    return MORE if rest > 0 else FEWER


def _table(model: Model, found: Sequence[Count], named: dict[AdvertisedNumber, Count]) -> Table:
    columns = number_columns(_("Convention"), _("Parameters"), _("Rounded"))
    return Table(
        (about(model, N_("Parameters of {model} by convention"), N_("Parameters by convention")),),
        columns,
        tuple(
            _row(count, (number for number, source in named.items() if source is count))
            for count in found
        ),
    )


def _row(count: Count, numbers: Iterable[AdvertisedNumber]) -> Row:
    given = [number.text for number in numbers if _gives(number, count)]
    note = _("gives the name {name}", name=listed_text(given)) if given else ""
    texts = (thousands(count.parameters), short(count.parameters))
    name = count.convention.name
    names = ((), (f"{name}:exact",), (f"{name}:short",))
    return Row((cell(_(count.convention.label), note), *map(cell, texts)), names=names)
