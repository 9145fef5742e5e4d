"""Reader of plain YAML: mappings, lists and scalars, each with its line.

It reads PyYAML's parser events, so that no tag is constructed, no alias is expanded, and YAML 1.1's
rules for scalars don't apply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml
from yaml import events
from yaml.events import Event

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.located import (
    MAX_DEPTH,
    Entry,
    Section,
    Value,
    checked_section,
    plain_scalar,
    syntax_error,
    too_deep,
)
from sphinx_llmsize.translation import N_, _

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
"""A control character except tabs and line ends, a line separator, a surrogate or noncharacter."""
_ONE_KEY_A_LINE = N_("write one 'key: value' a line")
_QUOTE_FACTOR = N_("write a factor in quotes, such as '*2'")
_FACTOR = re.compile(r":\s+\*\s*[\d.]")
"""An unquoted factor, as in ``hidden_dim: * 2`` or ``*2.5``, at which PyYAML fails.

``*2`` is a valid alias, and refused in :func:`_refuse_alias_anchor_tag`.
"""
_UNTERMINATED = frozenset({"while scanning a simple key", "while scanning a quoted scalar"})
"""Contexts of PyYAML's errors for unterminated constructs, which are reported where they begin."""
_EQUALS = re.compile(r"\s*(?P<key>[\w.-]{1,60})\s*=")
"""A key with an equals sign: ``hidden_dim = 4096``."""
_NO_SPACE = re.compile(r"\s*[\w.-]+:[^\s:]")
"""A key without a space after its colon: ``hidden_dim:4096``."""


def read_yaml(text: str) -> Section:
    """Read a YAML mapping.

    Raises:
        ConfigError: the text is not a plain YAML mapping, or has a key twice.
    """
    _refuse_control_characters(text)
    try:
        return _Reader(iter(yaml.parse(text, Loader=yaml.SafeLoader))).read_document()
    # ValueError and OverflowError are for escapes that aren't characters, such as "\U00110000"
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise _not_yaml(error, text) from None


def _not_yaml(error: Exception, text: str) -> ConfigError:
    """Error for a text that PyYAML cannot parse."""
    mark = _mark(error, text)
    lines = text.split("\n")
    # PyYAML also ends lines at \r, and may report the end of the text
    line = min(mark.line, len(lines) - 1) if mark else 0
    reason = getattr(error, "problem", None) or getattr(error, "context", None)
    reason = str(reason or type(error).__name__)[:200]
    message = _("not YAML: {value}", value=reason)
    if text.lstrip().startswith("{"):
        message = _("neither JSON nor YAML: {value}", value=reason)
        hint = _("put a comma after each value but the last, and close every quote and bracket")
    elif reason.startswith("mapping values") and lines[line][:1].isspace():
        hint = _("begin each key in the same column")
    else:
        hint = _hint_for(lines[line])
    return syntax_error(message, line, hint)


def _mark(error: Exception, text: str) -> yaml.Mark | None:
    """Position of the mistake, which may be lines above the one that PyYAML reports."""
    reported: yaml.Mark | None = getattr(error, "problem_mark", None)
    opened: yaml.Mark | None = getattr(error, "context_mark", None)
    context = getattr(error, "context", None) or ""
    # report unterminated keys and strings and unclosed brackets where they begin; but not a bracket
    # around the whole text, as in JSON, whose position says nothing about that of the mistake
    is_flow = context.startswith("while parsing a flow ")
    if opened and (context in _UNTERMINATED or (is_flow and text[: opened.index].strip())):
        return opened
    return reported or opened


def _refuse_control_characters(text: str) -> None:
    """Reject control characters; some end a line in YAML but not in an editor."""
    if found := _CONTROL.search(text):
        raise syntax_error(
            _("character U+{found} in a configuration", found=f"{ord(found[0]):04X}"),
            text.count("\n", 0, found.start()),
            _("remove it, or put it in quotes as an escape"),
        )


class _Reader:
    """Recursive descent over parser events; unsupported ones raise a ConfigError at their line."""

    def __init__(self, stream: Iterator[Event]) -> None:
        self.events = stream
        self.depth = 0

    def read_document(self) -> Section:
        """Read the only document; raises ConfigError if it is not a mapping."""
        next(self.events)  # stream start
        event = next(self.events)
        if not isinstance(event, events.DocumentStartEvent):
            raise syntax_error(_("the configuration is empty"), 0, _(_ONE_KEY_A_LINE))
        root = next(self.events)
        value = self.read_value(root)
        if not isinstance(value, Section):
            hint = _hint_for(value) if isinstance(value, str) else _(_ONE_KEY_A_LINE)
            if isinstance(root, events.SequenceStartEvent):
                hint = _("write the keys without hyphens or brackets")
            raise syntax_error(_("not a mapping of keys to values"), _line(root), hint)
        next(self.events)  # document end
        event = next(self.events)
        if isinstance(event, events.DocumentStartEvent):
            raise _unsupported(event, _("a second YAML document"), _("keep one"))
        return value

    def read_value(self, event: Event) -> Value:
        """Read the value that begins with this event."""
        _refuse_alias_anchor_tag(event)
        if isinstance(event, events.ScalarEvent):
            is_plain = event.style is None  # neither in quotes nor a block after | or >
            return plain_scalar(event.value) if is_plain else event.value
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise too_deep(_line(event))
        is_mapping = isinstance(event, events.MappingStartEvent)
        value = self.read_mapping() if is_mapping else self.read_sequence()
        self.depth -= 1
        return value

    def read_mapping(self) -> Section:
        """Read the keys and values of a mapping, after its start event."""
        entries: list[Entry] = []
        while not isinstance(event := next(self.events), events.MappingEndEvent):
            _refuse_alias_anchor_tag(event)
            if not isinstance(event, events.ScalarEvent):
                raise _unsupported(event, _("a list or mapping as a key"), _(_ONE_KEY_A_LINE))
            if event.value == "<<" and event.style is None:  # without quotes
                raise _unsupported(event, _("merge key '<<'"), _("write the keys themselves"))
            entries.append(Entry(event.value, self.read_value(next(self.events)), _line(event)))
        return checked_section(entries)

    def read_sequence(self) -> tuple[object, ...]:
        """Read the items of a list, after its start event."""
        items: list[object] = []
        while not isinstance(event := next(self.events), events.SequenceEndEvent):
            items.append(self.read_value(event))
        return tuple(items)


def _refuse_alias_anchor_tag(event: Event) -> None:
    """Reject aliases, anchors and tags."""
    anchor = str(getattr(event, "anchor", None) or "")[:60]
    tag = getattr(event, "tag", None)
    if isinstance(event, events.AliasEvent):
        hint = _(_QUOTE_FACTOR) if anchor.isdecimal() else _("repeat the value")
        raise _unsupported(event, _("alias '*{anchor}'", anchor=anchor), hint)
    if anchor:
        hint = _("write the value without it")
        raise _unsupported(event, _("anchor '&{anchor}'", anchor=anchor), hint)
    if tag:
        hint = _("write the value without it")
        raise _unsupported(event, _("tag {tag}", tag=repr(tag[:60])), hint)


def _unsupported(event: Event, what: str, hint: str) -> ConfigError:
    """Error for YAML beyond mappings, lists and scalars, which ``what`` names."""
    return syntax_error(_("{what} is not supported", what=what), _line(event), hint)


def _line(event: Event) -> int:
    """0-based line where an event begins."""
    return event.start_mark.line if event.start_mark else 0


def _hint_for(line: str) -> str:
    """Suggested fix for a line that is not a key with a value."""
    if "\t" in line:
        return _("write spaces in place of tabs")
    if _FACTOR.search(line):
        return _(_QUOTE_FACTOR)
    if found := _EQUALS.match(line):
        return _("write a colon and a space: {example}", example=f"{found['key']}: …")
    return _("a space is missing after the colon") if _NO_SPACE.match(line) else _(_ONE_KEY_A_LINE)
