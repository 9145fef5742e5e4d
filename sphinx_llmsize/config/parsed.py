"""What a text gives: each key's value, and the entry it stood in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import Kind
from sphinx_llmsize.config.keys.common import (
    ESSENTIAL_SIZES,
    TEXT_PART_OF,
    TIE_EMBEDDINGS,
)
from sphinx_llmsize.config.known_keys import is_known_elsewhere, is_without_size
from sphinx_llmsize.config.values import setting
from sphinx_llmsize.errors import NEAR, NEARLY_EQUAL, ConfigError, Problem, did_you_mean
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.config.key import Key
    from sphinx_llmsize.sources.located import Value

MAX_KEYS = 1000
"""No model's configuration has as many."""
CONFIG_JSON_KEYS = ("architectures", "transformers_version", TEXT_PART_OF.name)
"""Keys that only a ``config.json``, or what was pasted from one, has."""
NULL_IS: dict[Kind, Value] = {Kind.FLAG: False, Kind.SECTION: Section(())}
"""What Python code takes null for, of kinds where that is not the same as an absent key."""


class ParsedConfig:
    """The settings a text gives."""

    def __init__(
        self,
        section: Section,
        names: Mapping[str, Key],
        *,
        model_type: str,
        ignore_unknown: bool = False,
    ) -> None:
        """Read every entry.

        Args:
            section: the entries.
            names: the family's keys, by every name they have.
            model_type: the family's.
            foreign: the text is known to be written for other programs as well, as a
                ``config.json`` is: keys that resemble none of ours are passed over.

        Raises:
            ConfigError: for the first entry that is wrong, telling how many follow.
        """
        self.settings: dict[Key, Setting] = {}
        self.entries: dict[Key, Entry] = {}
        self.ignore_unknown = ignore_unknown or any(map(section.get, CONFIG_JSON_KEYS))
        self.first_line = section.entries[0].line if section.entries else None
        self._names = names
        self._of = f"model_type {model_type}" if model_type else _("a model without model_type")
        self._way_out = _("remove it") if model_type else _("add its model_type, or remove it")
        entries = tuple(_flat(section, names))
        if len(entries) > MAX_KEYS:
            message = _("a configuration of {number} keys", number=len(entries))
            hint = _("this is not a model's")
            raise ConfigError(message, Problem.SYNTAX, hint, self.first_line)
        errors: list[ConfigError] = []
        for entry in entries:
            try:
                self._read(entry)
            except ConfigError as error:
                errors.append(error)
        if errors:
            more = len(errors) - 1
            also = ngettext(
                "and {number} more problem below",
                "and {number} more problems below",
                more,
                number=more,
            )
            raise errors[0].hinting(also if more else "")

    def _read(self, entry: Entry) -> None:
        key = self._names.get(entry.key)
        if key is None:
            self._refuse_unknown(entry)
            return
        if entry.value is None and self.ignore_unknown:
            entry = _null(entry, key)
            if entry.value is None and not (key.optional or key in ESSENTIAL_SIZES):
                return
        value = setting(entry, key)
        if key in self.entries and not (self.ignore_unknown and value == self.settings[key]):
            raise ConfigError(
                _(
                    "{key} is {other} by another name, which is given too",
                    key=entry.key,
                    other=self.entries[key].key,
                ),
                Problem.KEY,
                hint=_("keep one of them"),
                line=entry.line,
            )
        self.entries[key] = entry
        self.settings[key] = value

    def _refuse_unknown(self, entry: Entry) -> None:
        outer, _dot, inner = entry.key.partition(".")
        if is_without_size(inner or outer) or (
            self.ignore_unknown and (inner or is_known_elsewhere(outer))
        ):
            return
        if is_known_elsewhere(outer):
            message = _("{key} has no meaning for {model}", key=entry.key[:100], model=self._of)
            raise ConfigError(message, Problem.KEY, self._way_out, line=entry.line)
        hint = did_you_mean(entry.key, self._names, NEARLY_EQUAL if self.ignore_unknown else NEAR)
        if hint or not self.ignore_unknown:
            message = _("unknown key {key}", key=repr(entry.key[:100]))
            raise ConfigError(message, Problem.KEY, hint, line=entry.line)

    def line(self, *keys: Key) -> int | None:
        """Where the first of the keys that was given stands."""
        return next((self.entries[key].line for key in keys if key in self.entries), None)

    def error(
        self, message: str, *keys: Key, hint: str = "", problem: Problem = Problem.SHAPE
    ) -> ConfigError:
        """An error at the line of the first of these keys that is written."""
        return ConfigError(message, problem, hint, line=self.line(*keys))

    def name(self, key: Key) -> str:
        """The key by the name it was given with."""
        return self.entries[key].key if key in self.entries else key.name


def _null(entry: Entry, key: Key) -> Entry:
    """An entry that is null, with what that means; for tied embeddings, nothing."""
    value = None if key is TIE_EMBEDDINGS else NULL_IS.get(key.kind)
    return Entry(entry.key, value, entry.line)


def _flat(section: Section, names: Mapping[str, Key]) -> Iterator[Entry]:
    """The entries, those of mappings that hold keys under dotted names: ``ffn_config.top_k``."""
    mappings = {name.partition(".")[0] for name in names if "." in name} - set(names)
    for entry in section.entries:
        if isinstance(entry.value, Section) and entry.key in mappings:
            for inner in entry.value.entries:
                yield Entry(f"{entry.key}.{inner.key}", inner.value, inner.line)
        else:
            yield entry
