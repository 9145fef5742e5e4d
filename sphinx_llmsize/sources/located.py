"""Configuration values with their source positions: the result of every reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Union

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

MAX_DEPTH = 20
"""Maximum nesting of sections and lists."""
MAX_DIGITS = 40
"""Maximum length of a number; lower than the limit of Python's int()."""

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a pair that encodes one character in UTF-16; no character by itself."""
_INT = re.compile(r"-?(?:0|[1-9][0-9]*(?:_[0-9]{3})*)")
"""``4096``, or with groups of digits ``50_000``."""
_FLOAT = re.compile(r"-?(?=\.?[0-9])(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")
"""``1.5``, ``.5``, ``1.`` or ``1e-5``."""
_CONSTANTS = {
    **dict.fromkeys(("null", "Null", "NULL", "None", "~", ""), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
"""Words for null, true and false in YAML and Python."""

Scalar = Union[int, float, bool, str, None]
Value = Union[Scalar, "tuple[object, ...]", "Section"]
"""Value of an entry; lists are tuples, mappings are sections."""


@dataclass(frozen=True)
class Entry:
    """One ``key: value`` with its 0-based line in the text; None if it comes from no text."""

    key: str
    value: Value
    line: int | None
    types: object = field(init=False, repr=False)
    """Types within ``value``, so that entries of 1, 1.0 and True are unequal."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", _types(self.value))


@dataclass(frozen=True)
class Section:
    """Entries of one mapping, in order, with unique keys."""

    entries: tuple[Entry, ...]

    def get(self, key: str) -> Entry | None:
        """Entry of a key, or None."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def first_set(self, keys: Iterable[str]) -> Entry | None:
        """Entry of the first of these keys that is neither absent nor null, or None."""
        entries = filter(None, map(self.get, keys))
        return next((entry for entry in entries if entry.value is not None), None)

    def flattened(self, keys: Collection[str]) -> Iterator[Entry]:
        """Yield the entries; those within the mappings of these keys as ``ffn_config.top_k``."""
        for entry in self.entries:
            if isinstance(entry.value, Section) and entry.key in keys:
                for inner in entry.value.entries:
                    yield Entry(f"{entry.key}.{inner.key}", inner.value, inner.line)
            else:
                yield entry


def checked_section(entries: list[Entry]) -> Section:
    """Section of these entries, which are checked.

    Raises:
        ConfigError: a key occurs twice, or a text has a lone surrogate.
    """
    seen: set[str] = set()
    for entry in entries:
        refuse_surrogates((entry.key, entry.value), entry.line)
        if entry.key in seen:
            message = _("duplicate key {key}", key=repr(entry.key[:60]))
            raise ConfigError(message, Problem.KEY, _("keep one of them"), entry.line)
        seen.add(entry.key)
    return Section(tuple(entries))


def section_of(mapping: Mapping[str, object], depth: int = 0) -> Section:
    """Convert a mapping, with nested mappings, lists and sections.

    Instances of subclasses of int, float and str become instances of the built-in types, since
    a subclass may override methods.

    Args:
        mapping: the mapping.
        depth: number of sections and lists around it.

    Raises:
        ConfigError: the mapping cannot be read, a key or value is of a type that no configuration
            has or is a number with too many digits, a text has a lone surrogate, a key occurs
            twice, or the nesting is too deep.
    """
    try:
        items = list(mapping.items())
    except Exception as error:
        # a custom Mapping class can raise any exception
        message = _("a mapping that cannot be read: {error}", error=type(error).__name__)
        raise syntax_error(message, None) from error
    entries = []
    for key, value in items:
        if not isinstance(key, (str, int)):
            message = _("a key cannot be of type {name}", name=type(key).__name__)
            raise ConfigError(message, Problem.KEY, _("write it as text"))
        name = str(_as_builtin(_("a key"), key))
        entries.append(Entry(name, _convert(name, value, depth), None))
    return checked_section(entries)


def plain_scalar(text: str) -> Scalar:
    """Parse an unquoted word: null, true or false, an int, a float, or the word itself.

    YAML 1.1 reads ``010`` as 8 and ``4096:00`` as 245760; here they remain words, which
    numeric keys reject later. So does a number of more than :data:`MAX_DIGITS` characters.
    """
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if len(text) <= MAX_DIGITS:
        if _INT.fullmatch(text):
            return int(text.replace("_", ""))
        if _FLOAT.fullmatch(text):
            return float(text)
    return text


def syntax_error(message: str, line: int | None, hint: str = "") -> ConfigError:
    """Error for a text that cannot be parsed, at a 0-based line."""
    return ConfigError(message, Problem.SYNTAX, hint=hint, line=line)


def too_deep(line: int | None) -> ConfigError:
    """Error for nesting beyond the limit."""
    return syntax_error(_("more than {number} levels of nesting", number=MAX_DEPTH), line)


def refuse_surrogates(value: object, line: int | None) -> None:
    """Reject lone surrogates, which escapes can produce but UTF-8 cannot encode.

    Raises:
        ConfigError: a text in ``value`` contains one.
    """
    if any(map(_SURROGATE.search, _texts(value))):
        raise syntax_error(_("a lone surrogate is not a character"), line)


def _convert(key: str, value: object, depth: int) -> Value:
    """Convert a Python value, with all that is nested in it; messages name its key.

    Raises:
        ConfigError: a value has another type, or is nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise too_deep(None)
    if isinstance(value, Section):
        return value
    if isinstance(value, Mapping):
        return section_of(value, depth + 1)
    if isinstance(value, (list, tuple)):
        return tuple(_convert(key, item, depth + 1) for item in value)
    return _as_builtin(key, value)


def _as_builtin(key: str, value: object) -> Scalar:
    """Convert a scalar to an instance of the built-in type; messages name its key.

    Raises:
        ConfigError: the value isn't a scalar, or is a number with too many digits.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        number = int.__add__(value, 0)
        if abs(number) < 10**MAX_DIGITS:
            return number
        message = _("{key} cannot have more than {number} digits", key=key[:60], number=MAX_DIGITS)
        raise ConfigError(message, Problem.VALUE)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, str):
        return str.__str__(value)
    message = _("{key} cannot be of type {name}", key=key[:60], name=type(value).__name__)
    hint = _("a number, true or false, text, a list or a mapping")
    raise ConfigError(message, Problem.VALUE, hint)


def _texts(value: object) -> Iterator[str]:
    """Yield the texts within a value, except in sections, which were checked when made."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)


def _types(value: object) -> object:
    """Type of a value; for a tuple, the types of its items."""
    return tuple(map(_types, value)) if isinstance(value, tuple) else type(value)
