"""Labels and column headings that authors write in place of the usual ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.part_selection import GROUP_IDS
from sphinx_llmsize.views.shared.wording import in_sentence

Labels = tuple[tuple[str, str], ...]
"""Pairs of an id and the label to show for it."""
AS_GROUP = " as a group"
"""Suffix of an id that means a group, not a stage with the same id: ``mixer as a group``.

Only this package uses ids with such suffixes: an author's ids have no spaces.
"""
_IN_SENTENCE = " in a sentence"
"""Suffix of the id of a label that is written as within a sentence: ``mixer in a sentence``."""
_ID = r"[A-Za-z_][\w-]*"
_LABEL = re.compile(
    rf"""
    (?P<id>{_ID}): \s+
    (?: "(?P<quoted>[^"]*)" | (?![\s"]) (?P<plain>.+?) )
    (?: ,? \s+ (?={_ID}:\s) | ,? \s* $ )  # before the next id, or at the end
    """,
    re.VERBOSE,
)
"""An id, its label, and the comma before the next id."""
_COLUMN = re.compile(
    r"""
    \s* (?P<name>[^"',]*?) \s*
    (?: (?P<quote>["']) (?P<heading>(?:(?!(?P=quote)).)*) (?P=quote) \s* )?
    (?: , | $ )
    """,
    re.VERBOSE | re.DOTALL,
)
"""Name of a column, and optionally its heading in double or single quotes."""


@dataclass(frozen=True)
class ChosenColumn:
    """A column as an author writes it.

    Attributes:
        name: name of a number, such as ``total``; with its format, ``mlp:share``.
        heading: the author's own heading; empty for the usual one.
    """

    name: str
    heading: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The parts of the name: ``("mlp", "share")``."""
        return tuple(word.strip() for word in self.name.split(":"))

    def __str__(self) -> str:
        """The column as text."""
        return f'{self.name} "{self.heading}"' if self.heading else self.name


def read_columns(text: str) -> tuple[ChosenColumn, ...]:
    """Parse columns such as ``total, mlp:share "MLP, of all"``: a heading is in quotes.

    Raises:
        ConfigError: a quote isn't closed, or a heading has no name before it or is empty.
    """
    columns: list[ChosenColumn] = []
    position = 0
    while position < len(text):
        found = _COLUMN.match(text, position)
        if not found:
            raise _unreadable_column(text[position:])
        name, heading = found["name"], printable(found["heading"] or "")
        if found["quote"] and not (name and heading):
            raise _unreadable_column(text[position:])
        if name:
            columns.append(ChosenColumn(name, heading))
        position = found.end()
    return tuple(columns)


def _unreadable_column(text: str) -> ConfigError:
    """Error for the text of a column that has another format."""
    message = _("cannot read {text}", text=repr(text.strip()[:60]))
    hint = _('write a heading in quotes after its column: total "Size"')
    return ConfigError(message, Problem.OPTION, hint)


def read_labels(text: str) -> Labels:
    """Parse ``id: label, id: label``; a label with a colon in it is in quotes.

    Raises:
        ConfigError: the text has another format, or an id has two labels.
    """
    return _read_pairs(text, N_("write 'id: label, id: label'"), N_("{name} has two labels"))


def read_notes(text: str) -> Labels:
    """Parse ``id: note, id: note``, as :func:`read_labels` does labels.

    Raises:
        ConfigError: the text has another format, or an id has two notes.
    """
    return _read_pairs(text, N_("write 'id: note, id: note'"), N_("{name} has two notes"))


def _read_pairs(text: str, format_hint: str, repeated: str) -> Labels:
    """Parse pairs of an id and a text.

    Args:
        text: the text of the option.
        format_hint: hint for a text of another format; marked by ``N_``.
        repeated: message about an id with two texts; marked by ``N_``.

    Raises:
        ConfigError: the text has another format, or an id has two texts.
    """
    labels: dict[str, str] = {}
    position = 0
    while position < len(text):
        found = _LABEL.match(text, position)
        label = printable(found["quoted"] or found["plain"] or "") if found else ""
        if not found or not label:
            message = _("cannot read {text}", text=repr(text[position:][:60]))
            raise ConfigError(message, Problem.OPTION, _(format_hint))
        if found["id"] in labels:
            message = _(repeated, name=repr(found["id"][:60]))
            raise ConfigError(message, Problem.OPTION, _("keep one of them"))
        labels[found["id"]] = label
        position = found.end()
    return tuple(labels.items())


def own_label(labels: Labels, ids: Iterable[str], default: str) -> str:
    """The author's label for the first of these ids that has one, else the default."""
    label_by_id = dict(labels)
    for id in ids:
        if id in label_by_id:
            return label_by_id[id]
    return default


def group_label(labels: Labels, group: Group) -> str:
    """The author's label for a group, or its usual one."""
    return own_label(labels, _group_ids(group), _(group.label))


def generated_label(id: str, label: str) -> Labels:
    """Labels of an id that no author wrote: one to stand alone, and one within a sentence."""
    return ((id, _(label)), (f"{id}{_IN_SENTENCE}", in_sentence(label)))


def label_in_sentence(labels: Labels, ids: Iterable[str], default: str) -> str:
    """The author's label for the first of these ids that has one, else the default.

    The default is written as within a sentence; the author's label stays as it is.
    """
    ids_in_sentence: list[str] = []
    for id in ids:
        ids_in_sentence += (f"{id}{_IN_SENTENCE}", id)
    return own_label(labels, ids_in_sentence, in_sentence(default))


def group_in_sentence(labels: Labels, group: Group) -> str:
    """The author's label for a group as it is, or the usual one within a sentence."""
    return label_in_sentence(labels, _group_ids(group), group.label)


def _group_ids(group: Group) -> tuple[str, str]:
    """Ids of a group's label: the one that only means the group comes first."""
    return (f"{group.value}{AS_GROUP}", group.value)


def placed_stage_label(labels: Labels, placed: PlacedStage) -> str:
    """The author's label for a stage, or its usual one."""
    return own_label(labels, placed_stage_ids(placed), _(placed.stage.label))


def stage_label(labels: Labels, stage: Stage, stacks: Collection[Stack]) -> str:
    """The author's label for a stage in these stacks, or its usual one."""
    return own_label(labels, stage_ids(stage, stacks), _(stage.label))


def stage_in_sentence(labels: Labels, stage: Stage, stacks: Collection[Stack]) -> str:
    """The author's label for a stage as it is, or the usual one within a sentence."""
    return label_in_sentence(labels, stage_ids(stage, stacks), stage.label)


def placed_stage_ids(placed: PlacedStage) -> Iterator[str]:
    """Ids of a stage and its stack; see :func:`stage_ids`."""
    yield from stage_ids(placed.stage, [placed.stack] if placed.stack else ())


def stage_ids(stage: Stage, stacks: Collection[Stack] = ()) -> Iterator[str]:
    """Ids by which an author can label a stage, the most specific first.

    - The id in each of its stacks, such as ``decoder_qkv``. It is also the id of the box of a
      stage that several stacks have.
    - Its own id.
    - The id of its component, if all its tensors have the same and it isn't the id of a group.
    """
    for stack in stacks:
        yield f"{stack.id}_{stage.id}"
    yield stage.id
    components = {tensor.component for tensor in stage.tensors}
    if len(components) == 1:
        yield from components - set(GROUP_IDS)
