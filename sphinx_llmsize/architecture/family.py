"""What a family of models has to say: its keys, its defaults, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.attention_windows import assign_windows
from sphinx_llmsize.architecture.layers import Kinds
from sphinx_llmsize.architecture.notes import TEXT_ONLY, Note
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config, Setting, is_missing
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.config.resolve import resolve
from sphinx_llmsize.config.rule import Rule
from sphinx_llmsize.config.rules import ATTENTION_HEADS, EXPERTS_IN_USE
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.sources.located import Section

Defaults = Mapping[Key, Setting]


def without(defaults: Defaults, *keys: Key) -> Defaults:
    """The defaults of a family but for some of its keys."""
    return {key: value for key, value in defaults.items() if key not in keys}


@dataclass(frozen=True, eq=False)
class Family:
    """A family: one row of a paper's architecture table, as data and one function.

    Attributes:
        model_type: as transformers names it; empty for the textbook decoder.
        title: for people.
        source: where the architecture is defined.
        defaults: every key the family knows, with what it takes when the key is absent
            (None: a rule derives it).
        compose: the stages and stacks that a configuration means.
        rules: what follows from other values, and what must fit together.
        names: keys that the family calls by a name that means another key elsewhere.
        architectures: class names that stand in a ``config.json``.
        required: keys without a default.
        notes: what a reader must know about what is counted.
        spans: how far each layer's attention reaches back: a window's tokens, 0 for all.
    """

    model_type: str
    title: str
    source: str
    defaults: Defaults
    compose: Callable[[Config], tuple[Item, ...]]
    rules: tuple[Rule, ...] = (ATTENTION_HEADS,)
    names: Mapping[str, Key] = field(default_factory=dict)
    architectures: tuple[str, ...] = ()
    required: tuple[Key, ...] = ()
    notes: tuple[Note, ...] = ()
    windows: Callable[[Config], Kinds] | None = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """Every key that a configuration of the family may have."""
        return (k.MODEL_TYPE, k.TEXT_PART_OF, *self.required, *self.defaults)

    @cached_property
    def vocabulary(self) -> Mapping[str, Key]:
        """Every name of every key."""
        return {**{name: key for key in self.keys for name in key.names}, **self.names}

    def read(self, section: Section, *, ignore_unknown: bool = False) -> ParsedConfig:
        """What a text gives of the family's keys.

        Raises:
            ConfigError: a key is unknown, or a value is not of its kind.
        """
        return ParsedConfig(
            section, self.vocabulary, model_type=self.model_type, ignore_unknown=ignore_unknown
        )

    def configure(self, parsed: ParsedConfig, base: Config | None = None) -> Config:
        """A checked configuration from what a text gives.

        Raises:
            ConfigError: a key is missing, or does not fit another.
        """
        rules = (*self.rules, EXPERTS_IN_USE)
        return resolve(parsed, base, required=self.required, defaults=self.defaults, rules=rules)

    def build(self, config: Config) -> Architecture:
        """The architecture that a configuration of this family describes.

        Raises:
            ConfigError: a size that it cannot do without is null.
        """
        told = (*self.notes, *((TEXT_ONLY,) if config.is_explicit(k.TEXT_PART_OF) else ()))
        notes = (note.text for note in told if note.key is None or config.has(note.key))
        items = self.compose(config)
        if self.windows:
            items = assign_windows(items, self.windows(config), config.count(L))
        built = Architecture(items, tuple(config.sizes.items()), tuple(notes))
        for symbol in set(built.symbols) - set(built.sizes):
            raise is_missing(config.name_of(symbol))
        return built
