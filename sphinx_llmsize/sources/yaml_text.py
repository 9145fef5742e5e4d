"""YAML, the plain part of it: mappings, lists and scalars, each with its line.

Read from PyYAML's events, so that no tag is constructed, no alias expanded and no scalar
resolved by YAML 1.1's rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml
from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from sphinx_llmsize.sources.located import (
    MAX_DEPTH,
    Entry,
    Section,
    Value,
    plain_scalar,
    section,
    syntax_error,
)
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx_llmsize.errors import ConfigError

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_HINT = N_("write one 'key: value' a line")
_OPENED = frozenset({"while scanning a simple key", "while scanning a quoted scalar"})
"""What PyYAML was at when it found no end of what it tells the start of."""
_NO_SPACE = re.compile(r"\s*[\w.-]+:[^\s:]")


def read_yaml(text: str) -> Section:
    """The mapping that a YAML text is.

    Raises:
        ConfigError: the text is no plain YAML mapping, or has a key twice.
    """
    _refuse_control_characters(text)
    try:
        return _Reader(iter(yaml.parse(text, Loader=yaml.SafeLoader))).document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise _not_yaml(error, text) from None


def _not_yaml(error: Exception, text: str) -> ConfigError:
    """The error for what PyYAML refuses, or stumbles over: an escape of no character."""
    mark = _mark(error, text)
    lines = text.split("\n")
    line = min(mark.line, len(lines) - 1) if mark else 0
    told = getattr(error, "problem", None) or getattr(error, "context", None)
    what = str(told or type(error).__name__)[:200]
    return syntax_error(_("not YAML: {value}", value=what), line, _hint(lines[line]))


def _mark(error: Exception, text: str) -> yaml.Mark | None:
    """Where the mistake is, and not where PyYAML noticed it, which may be lines below."""
    noticed: yaml.Mark | None = getattr(error, "problem_mark", None)
    opened: yaml.Mark | None = getattr(error, "context_mark", None)
    is_within = opened and text[: opened.index].strip()
    if opened and (getattr(error, "context", "") in _OPENED or (is_within and _is_flow(error))):
        return opened
    return noticed or opened


def _is_flow(error: Exception) -> bool:
    return str(getattr(error, "context", "")).startswith("while parsing a flow ")


def _refuse_control_characters(text: str) -> None:
    """They end a line for YAML but not for the reader of the page."""
    if found := _CONTROL.search(text):
        raise syntax_error(
            _("character U+{found} in a configuration", found=f"{ord(found[0]):04X}"),
            text.count("\n", 0, found.start()),
            _("remove it, or put it in quotes as an escape"),
        )


class _Reader:
    """Recursive descent over parser events."""

    def __init__(self, events: Iterator[Event]) -> None:
        self.events = events
        self.depth = 0

    def document(self) -> Section:
        next(self.events)  # stream start
        event = next(self.events)
        if not isinstance(event, yaml.DocumentStartEvent):
            raise syntax_error(_("the configuration is empty"), 0, _(_HINT))
        root = next(self.events)
        value = self.value(root)
        if not isinstance(value, Section):
            hint = _hint(value) if isinstance(value, str) else _(_HINT)
            raise syntax_error(_("not a mapping of keys to values"), _line(root), hint)
        next(self.events)  # document end
        event = next(self.events)
        if isinstance(event, yaml.DocumentStartEvent):
            raise _refused(event, _("a second YAML document"), _("keep one"))
        return value

    def value(self, event: Event) -> Value:
        _refuse_indirection(event)
        if isinstance(event, ScalarEvent):
            return plain_scalar(event.value) if event.style is None else event.value
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _refused(event, _("more than {number} levels of nesting", number=MAX_DEPTH), "")
        value = self.mapping() if isinstance(event, MappingStartEvent) else self.sequence(event)
        self.depth -= 1
        return value

    def mapping(self) -> Section:
        entries: list[Entry] = []
        while not isinstance(event := next(self.events), MappingEndEvent):
            _refuse_indirection(event)
            if not isinstance(event, ScalarEvent):
                raise _refused(event, _("a key that is not a word"), _(_HINT))
            if event.value == "<<" and event.style is None:
                raise _refused(event, _("merge key '<<'"), _("write the keys themselves"))
            entries.append(Entry(event.value, self.value(next(self.events)), _line(event)))
        return section(entries)

    def sequence(self, event: Event) -> tuple[object, ...]:
        assert isinstance(event, SequenceStartEvent)
        items: list[object] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self.value(event))
        return tuple(items)


def _refuse_indirection(event: Event) -> None:
    """A configuration says everything where it stands."""
    if isinstance(event, AliasEvent):
        raise _refused(
            event, _("alias '*{anchor}'", anchor=str(event.anchor)[:60]), _("repeat the value")
        )
    if isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent)):
        if event.anchor:
            raise _refused(
                event,
                _("anchor '&{anchor}'", anchor=str(event.anchor)[:60]),
                _("write the value without it"),
            )
        if event.tag:
            raise _refused(
                event, _("tag {tag}", tag=repr(event.tag[:60])), _("write the value without it")
            )


def _refused(event: Event, what: str, hint: str) -> ConfigError:
    return syntax_error(_("{what} is not read here", what=what), _line(event), hint)


def _line(event: Event) -> int:
    return event.start_mark.line if event.start_mark else 0


def _hint(line: str) -> str:
    """What to do about a line that is no key with a value."""
    return _("a space is missing after the colon") if _NO_SPACE.match(line) else _(_HINT)
