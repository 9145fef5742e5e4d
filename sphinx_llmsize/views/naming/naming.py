"""Name view: why a model is called 7B, and its parameters by every convention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sphinx_llmsize.blocks import Block, Line, Note, Paragraph, Row, Table, cell
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.tables import number_columns
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.naming.advertised import (
    AdvertisedNumber,
    CountedParameters,
    Match,
    advertised_numbers,
    numbers_in_names,
)
from sphinx_llmsize.views.naming.conventions import VISION_TOWER, Count, counts
from sphinx_llmsize.views.shared.identifiers import with_code
from sphinx_llmsize.views.shared.model_titles import about
from sphinx_llmsize.views.shared.wording import in_sentence, joined_sentences, listed_text
from sphinx_llmsize.views.view_options import ViewOptions

EXACT = N_("{name} is exactly {count} ({convention}).")
UP = N_("{name} is {count} ({convention}), rounded up by {rest}.")
DOWN = N_("{name} is {count} ({convention}), rounded down by {rest}.")
CUT_OFF = N_(
    "{name} is {count} ({convention}), truncated, not rounded; the remaining {rest} are dropped."
)
OTHER_COUNT = N_("It may also stand for {count} ({convention}).")
MORE = N_("No count rounds to {name}; the nearest is {count} ({convention}), {rest} more.")
FEWER = N_("No count rounds to {name}; the nearest is {count} ({convention}), {rest} fewer.")


def naming(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """A sentence for each number in the name, and a table of the counts by convention.

    The model's notes follow if they may explain why no count gives a number.
    """
    numbers = _numbers(model)
    kinds = {CountedParameters.ALL, CountedParameters.ACTIVE, *(number.kind for number in numbers)}
    all_counts = tuple(counts(model, kinds))
    sources = _sources(numbers, all_counts)
    blocks: list[Block] = []
    for number, source in sources.items():
        other = _alternative(number, source, all_counts)
        blocks.append(Paragraph(_sentences(number, source, other)))
    blocks.append(_table(model, all_counts, sources))
    if not all(_gives(source, number) for number, source in sources.items()):
        blocks += [Note(with_code(_(note))) for note in model.notes]
    return tuple(blocks)


def _numbers(model: Model) -> tuple[AdvertisedNumber, ...]:
    """The numbers in the name of a released model, then those of its advertised size.

    There are none for other and changed models.
    """
    preset = model.preset
    if not preset or model.changes:
        return ()
    in_names = numbers_in_names(preset.title, preset.name)
    return tuple(dict.fromkeys((*in_names, *advertised_numbers(preset.size))))


def _sources(
    numbers: Sequence[AdvertisedNumber], all_counts: Sequence[Count]
) -> dict[AdvertisedNumber, Count]:
    """The numbers, each with the count that explains it.

    Of several numbers for the same count, only the first is kept: the 2B of a name, not the 2.4B of
    the advertised size.
    """
    sources: dict[AdvertisedNumber, Count] = {}
    for number in numbers:
        source = _source(number, all_counts)
        if source not in sources.values():
            sources[number] = source
    return sources


def _source(number: AdvertisedNumber, all_counts: Sequence[Count]) -> Count:
    """The count that gives a number of the name, or else the nearest count.

    These are tried in turn; of several counts, the one that gives the number most exactly is taken:

    - the usual count for such a number, all parameters or all active ones, if it is likely
    - the usual count and that with the vision tower: of these two, those that round to the number;
      the nearer one if both do
    - counts that makers publish, if they are near and round to the number
    - the usual count
    - all counts of such parameters
    - all counts, also of other parameters
    """
    same_kind = _counts_of_kind(number, all_counts)
    usual = same_kind[:1]
    attempts = (
        [each for each in usual if number.is_likely(each.parameters)],
        _usual_or_with_vision(number, same_kind),
        _published(number, same_kind),
        usual,
        same_kind,
        all_counts,
    )
    for candidates in attempts:
        if candidates:
            best = min(candidates, key=lambda count: number.exactness(count.parameters))
            if _gives(best, number):
                return best
    return min(same_kind or all_counts, key=lambda count: number.distance(count.parameters))


def _usual_or_with_vision(number: AdvertisedNumber, same_kind: Sequence[Count]) -> list[Count]:
    """Of the usual count and that with the vision tower, the one that rounds to the number.

    The nearer one if both do; none if neither does.
    """
    candidates = [
        *same_kind[:1],
        *(each for each in same_kind if each.convention.name == VISION_TOWER),
    ]
    rounded = [each for each in candidates if number.match(each.parameters) is Match.ROUNDED]
    return sorted(rounded, key=lambda each: number.distance(each.parameters))[:1]


def _published(number: AdvertisedNumber, same_kind: Iterable[Count]) -> list[Count]:
    """The counts that makers publish, if they are near a number and round to it."""
    return [
        each
        for each in same_kind
        if each.convention.is_published
        and number.is_near(each.parameters)
        and number.match(each.parameters) is Match.ROUNDED
    ]


def _alternative(
    number: AdvertisedNumber, source: Count, all_counts: Sequence[Count]
) -> Count | None:
    """Another count that may be meant.

    It is the usual count if that is the number with digits cut off, but the source is another one.
    If the source is the usual count, but far from the number, or not near it with digits cut off,
    it is a published count that is near and rounds to the number.

    Args:
        number: a number of the name.
        source: the count that explains it.
        all_counts: the model's counts.
    """
    same_kind = _counts_of_kind(number, all_counts)
    usual = same_kind[0] if same_kind else all_counts[0]
    match = number.match(usual.parameters)
    if source is not usual:
        return usual if match is Match.CUT_OFF else None
    is_doubtful = {
        Match.ROUNDED: number.is_far(usual.parameters),
        Match.CUT_OFF: not number.is_near(usual.parameters),
        Match.NONE: False,
    }
    return next(iter(_published(number, same_kind)), None) if is_doubtful[match] else None


def _counts_of_kind(number: AdvertisedNumber, all_counts: Iterable[Count]) -> list[Count]:
    """The counts of the parameters that a number stands for, the usual one first."""
    return [each for each in all_counts if each.convention.kind is number.kind]


def _gives(count: Count, number: AdvertisedNumber) -> bool:
    """True if the number is the count, rounded or cut off."""
    return number.match(count.parameters) is not Match.NONE


def _sentences(number: AdvertisedNumber, source: Count, other: Count | None) -> Line:
    """A sentence on the count that gives the number, and one on another that may be meant."""
    sentences = [_(_message(number, source), **_details(number, source))]
    if other:
        sentences.append(_(OTHER_COUNT, **_details(number, other)))
    return joined_sentences(*((sentence,) for sentence in sentences))


def _details(number: AdvertisedNumber, count: Count) -> dict[str, str]:
    """Values of the placeholders in a sentence on a number and a count."""
    return {
        "name": number.text,
        "count": thousands(count.parameters),
        "convention": in_sentence(_(count.label)),
        "rest": thousands(number.distance(count.parameters)),
    }


def _message(number: AdvertisedNumber, source: Count) -> str:
    """The sentence on the way in which a number follows from a count, untranslated."""
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
    """Table of the counts; notes say which of them give the numbers of the name."""
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
    label = cell(_(count.label), note)
    cells = (label, cell(thousands(count.parameters)), cell(short(count.parameters)))
    name = count.convention.name
    return Row(cells, names=((), (f"{name}:exact",), (f"{name}:short",)))
