"""Parsed configuration: each key's checked value with its source position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.checked_value import check_value, replace_null
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import ESSENTIAL_SIZES, TEXT_PART_OF
from sphinx_llmsize.config.keys_of_other_families import (
    USUAL_VALUES,
    affects_no_size,
    has_no_effect,
    is_known_elsewhere,
    is_usual_value,
    sets_size_elsewhere,
    sizes_of_other_families,
    sounds_like_size,
)
from sphinx_llmsize.errors import NEAR, NEARLY_EQUAL, ConfigError, Problem, did_you_mean, suggestion
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import N_, _, ngettext

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sphinx_llmsize.config.rule import Settings

MAX_KEYS = 1000
"""Maximum number of keys in a configuration."""
CONFIG_JSON_KEYS = ("architectures", "transformers_version", TEXT_PART_OF.name)
"""Keys that show that a configuration is a ``config.json``, or was made from one."""
KEY_PLACEHOLDERS = ("key", "other", "third", "fourth")
"""Placeholders in messages for the names of the keys at fault, in the order of the keys."""


def is_from_config_json(section: Section) -> bool:
    """True if the keys show that a text is a ``config.json``, or was made from one."""
    return any(map(section.get, CONFIG_JSON_KEYS))


class ParsedConfig:
    """Values of a configuration text, each checked by itself but not yet against the others.

    Attributes:
        settings: value of each key in the text.
        entries: source of each value.
        skipped_sizes: skipped entries that set sizes of other families, or have names like sizes.
        unread: skipped entries without effect in this family; ``refuse_unread`` of
            ``make_model.py`` refuses them as changes of a model.
        is_config_json: true for text that is treated as a ``config.json``, not as an author's: null
            can mean that a key is absent, a key may occur under two names with equal values, and
            unknown keys are skipped unless they look misspelled.
        first_line: 0-based line of the first entry.
    """

    def __init__(
        self,
        section: Section,
        names: Mapping[str, Key],
        *,
        model_type: str,
        is_config_json: bool = False,
    ) -> None:
        """Parse every entry.

        Args:
            section: entries of the text.
            names: the family's keys by name and alias.
            model_type: the family's name in messages; empty for a text without one.
            is_config_json: true to treat the text as a ``config.json``; any of
                :data:`CONFIG_JSON_KEYS` has the same effect.

        Raises:
            ConfigError: for the first invalid entry; the hint counts the others.
        """
        self.settings: Settings = {}
        self.entries: dict[Key, Entry] = {}
        self.skipped_sizes: list[Entry] = []
        self.unread: list[Entry] = []
        self.is_config_json = is_config_json or is_from_config_json(section)
        self.first_line = section.entries[0].line if section.entries else None
        self._names = names
        self._model_type = model_type
        # mappings of which the family has inner keys, as in "attn_config.kv_n_heads"
        mappings = {name.partition(".")[0] for name in names if "." in name} - set(names)
        self._read_all(tuple(section.flattened(mappings)))

    def _read_all(self, entries: Collection[Entry]) -> None:
        """Check and store all entries.

        Raises:
            ConfigError: there are too many; or for the first invalid one.
        """
        if len(entries) > MAX_KEYS:
            message = _("a configuration of {number} keys", number=len(entries))
            hint = _("at most {number}", number=MAX_KEYS)
            raise ConfigError(message, Problem.SYNTAX, hint, self.first_line)
        errors: list[ConfigError] = []
        for entry in entries:
            try:
                self._read(entry)
            except ConfigError as error:
                errors.append(error)
        if not errors:
            return
        first, *others = errors
        if not others:
            raise first
        hint = ngettext(
            "and {number} more problem below",
            "and {number} more problems below",
            len(others),
            number=len(others),
        )
        raise first.with_hint(hint)

    def _read(self, entry: Entry) -> None:
        """Check and store one entry, or skip it if it can be ignored.

        Raises:
            ConfigError: the key is unknown or occurs twice, or the value is invalid.
        """
        key = self._names.get(entry.key)
        if key is None:
            self._read_unknown(entry)
            return
        if entry.value is None and self.is_config_json:
            entry = replace_null(entry, key)
            # null is a value of optional keys; essential sizes can't be absent, so that
            # ``check_value`` refuses their null at its line
            if entry.value is None and not (key.optional or key in ESSENTIAL_SIZES):
                return  # the key counts as absent
        value = check_value(entry, key)
        # a config.json may have a key under two names, such as "n_layer" and "num_hidden_layers"
        is_repeated = self.is_config_json and key in self.settings and value == self.settings[key]
        if key in self.entries and not is_repeated:
            other = self.entries[key].key
            message = _("{key} and {other} are names of the same key", key=entry.key, other=other)
            raise ConfigError(message, Problem.KEY, _("keep one of them"), entry.line)
        self.entries[key] = entry
        self.settings[key] = value

    def _read_unknown(self, entry: Entry) -> None:
        """Skip an entry whose key the family doesn't have, if the key is known to set no size.

        In a ``config.json``, other entries are skipped as well. Those that set sizes of other
        families, or have names like sizes, are recorded in :attr:`skipped_sizes`;
        ``check_skipped_sizes`` refuses those that contradict the architecture. In an author's text
        with a ``model_type``, only keys that set sizes elsewhere are recorded.

        Raises:
            ConfigError: in an author's text, any other key; in a ``config.json``, an unknown key
                that looks misspelled.
        """
        outer, _dot, inner = entry.key.partition(".")
        if entry.key in USUAL_VALUES and is_usual_value(entry):
            return
        if affects_no_size(inner or outer) or has_no_effect(entry):
            self.unread.append(entry)
            return
        if not self.is_config_json:
            if self._model_type and sets_size_elsewhere(entry):
                self.skipped_sizes.append(entry)
                return
            known = is_known_elsewhere(outer)
            raise self.key_of_other_family(entry) if known else self.unknown_key(entry)
        if inner or is_known_elsewhere(outer):
            self.skipped_sizes += sizes_of_other_families(entry)
            return
        misspelled = self.unknown_key(entry, NEARLY_EQUAL)
        if misspelled.hint:
            raise misspelled
        if sounds_like_size(entry):
            self.skipped_sizes.append(entry)

    def key_of_other_family(self, entry: Entry) -> ConfigError:
        """Error for a key that only other families have."""
        name = self._model_type
        model = family_in_words(name)
        message = _("{key} is not a key of {model}", key=entry.key[:100], model=model)
        hint = _("remove it") if name else _("add its model_type, or remove it")
        return ConfigError(message, Problem.KEY, hint, entry.line)

    def unknown_key(self, entry: Entry, similarity: float = NEAR) -> ConfigError:
        """Error for an unknown key; its hint suggests a known key of at least this similarity."""
        message = _("unknown key {key}", key=repr(entry.key[:100]))
        hint = did_you_mean(entry.key, self._names, similarity)
        hint = hint or suggestion(self._name_of_symbol(entry.key))
        return ConfigError(message, Problem.KEY, hint, entry.line)

    def _name_of_symbol(self, symbol: str) -> str:
        """Name of the key with a symbol, such as ``D``; empty if there is none."""
        keys = (key for key in self._names.values() if key.symbol and key.symbol.name == symbol)
        return next((key.name for key in keys), "")

    def line(self, *keys: Key) -> int | None:
        """0-based line of the first of these keys that the text has."""
        return next((self.entries[key].line for key in keys if key in self.entries), None)

    def error(
        self,
        message: str,
        *keys: Key,
        hint: str = "",
        problem: Problem = Problem.SHAPE,
        **values: object,
    ) -> ConfigError:
        """Error at the line of the first of these keys that the text has.

        Args:
            message: marked by ``N_``, with placeholders such as ``{key}`` and ``{layers}``.
            keys: keys at fault; :data:`KEY_PLACEHOLDERS` are their names.
            hint: suggested fix, also marked by ``N_``, with the same placeholders.
            problem: kind of mistake.
            values: other placeholders, which take precedence; a key is replaced by its name.
        """
        named = {**dict(zip(KEY_PLACEHOLDERS, keys, strict=False)), **values}
        shown = {
            placeholder: self.name(value) if isinstance(value, Key) else value
            for placeholder, value in named.items()
        }
        return ConfigError(_(message, **shown), problem, _(hint, **shown), line=self.line(*keys))

    def missing(self, names: Iterable[str], hint: str, *keys: Key) -> ConfigError:
        """Error for missing keys.

        Args:
            names: names of the missing keys.
            hint: suggested fix, marked by ``N_``.
            keys: keys for the placeholders in the hint, as in :meth:`error`. The error is at the
                line of the first one that the text has, else at the line of the first entry.
        """
        error = self.error(
            N_("missing {names}"),
            *keys,
            names=", ".join(names),
            hint=hint,
            problem=Problem.MISSING,
        )
        return error.at(line=self.first_line)  # only if the error has no line yet

    def name(self, key: Key) -> str:
        """Name of a key as written in the text; the plain name of a key not in the text."""
        return self.entries[key].key if key in self.entries else key.name


def family_in_words(model_type: str) -> str:
    """Description of a family in messages."""
    return f"model_type {model_type}" if model_type else _("a model without model_type")
