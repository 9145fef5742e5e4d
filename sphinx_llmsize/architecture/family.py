"""Families of models: keys, defaults, rules, and the function that composes the architecture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.layers import PerLayer, TooManyLayers, assign_windows
from sphinx_llmsize.architecture.notes import TEXT_ONLY, Note
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS, EXPERTS_IN_USE
from sphinx_llmsize.config.config import Config, Setting, missing_value
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.parsed_config import ParsedConfig, resolve
from sphinx_llmsize.config.rule import Rule
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.located import Section

Defaults = Mapping[Key, Setting]
Items = tuple[Item, ...]
"""Stages and stacks, in the order in which tokens pass through them."""
KEY_OF = {key.symbol.name: key for key in vars(k).values() if isinstance(key, Key) and key.symbol}
"""Key of each size that several families have, by the name of its symbol."""


def sizes(**values: int | None) -> Defaults:
    """Default sizes by symbol: ``sizes(D=4096, L=32, H=32, H_kv=None, F=11_008, V=32_000)``.

    A size of None is derived by a rule of the family.
    """
    return {KEY_OF[symbol]: value for symbol, value in values.items()}


def off(*flags: Key) -> Defaults:
    """Flags that are false by default."""
    return dict.fromkeys(flags, False)


def unset(*keys: Key) -> Defaults:
    """Keys that are null by default: a rule derives them, or they change nothing."""
    return dict.fromkeys(keys)


def without(defaults: Defaults, *keys: Key) -> Defaults:
    """Defaults without some keys."""
    return {key: value for key, value in defaults.items() if key not in keys}


@dataclass(frozen=True, eq=False)
class Family:
    """A family of models: a function that composes the architecture, and its data.

    Attributes:
        model_type: name in transformers; empty for the textbook decoder.
        title: display name.
        source: URL of the architecture's definition.
        defaults: every key of the family with its default (None: derived by a rule).
        compose: makes the stages and stacks of a configuration.
        rules: derived values, and relations that values must satisfy.
        names: names that mean one key here and another key in other families.
        architectures: class names in a ``config.json``.
        required: keys without a default.
        notes: remarks on the count, for readers.
        windows: each layer's attention window in tokens, 0 for none.
    """

    model_type: str
    title: str
    source: str
    defaults: Defaults
    compose: Callable[[Config], Items]
    rules: tuple[Rule, ...] = (ATTENTION_HEADS,)
    names: Mapping[str, Key] = field(default_factory=dict)
    architectures: tuple[str, ...] = ()
    required: tuple[Key, ...] = ()
    notes: tuple[Note, ...] = ()
    windows: Callable[[Config], PerLayer[int]] | None = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """Keys that a configuration of the family may have."""
        return (k.MODEL_TYPE, k.TEXT_PART_OF, *self.required, *self.defaults)

    @cached_property
    def vocabulary(self) -> Mapping[str, Key]:
        """Keys by name and alias."""
        return {**{name: key for key in self.keys for name in key.names}, **self.names}

    def read(self, section: Section, *, ignore_unknown: bool = False) -> ParsedConfig:
        """Parse the entries of a configuration.

        Raises:
            ConfigError: a key is unknown, or a value is not of its kind.
        """
        return ParsedConfig(
            section, self.vocabulary, model_type=self.model_type, ignore_unknown=ignore_unknown
        )

    def configure(self, parsed: ParsedConfig, base: Config | None = None) -> Config:
        """Check a parsed configuration and fill in defaults and derived values.

        Raises:
            ConfigError: a key is missing, or two values contradict each other.
        """
        rules = (*self.rules, EXPERTS_IN_USE)
        return resolve(parsed, base, required=self.required, defaults=self.defaults, rules=rules)

    def build(self, config: Config, parsed: ParsedConfig) -> Architecture:
        """Build the architecture of a configuration.

        Args:
            config: checked configuration.
            parsed: its source, for the line numbers of errors.

        Raises:
            ConfigError: a required size is null, or too many layers differ.
        """
        try:
            items = self.compose(config)
            if self.windows:
                items = assign_windows(items, self.windows(config), config.count(L))
            built = Architecture(items, tuple(config.sizes.items()), self._notes(config))
            for symbol in built.symbols:
                if symbol not in built.sizes:
                    raise missing_value(config.name_of(symbol))
        except TooManyLayers as error:
            line = parsed.line(k.NUM_LAYERS)
            raise error.at(line=parsed.first_line if line is None else line) from None
        except ConfigError as error:
            raise error.at(line=parsed.first_line) from None
        return built

    def _notes(self, config: Config) -> tuple[str, ...]:
        notes = (*self.notes, TEXT_ONLY) if config.is_explicit(k.TEXT_PART_OF) else self.notes
        return tuple(note.text for note in notes if note.key is None or config.has(note.key))


def text_part(
    of: Family,
    model_type: str,
    title: str,
    wrapper: str,
    *,
    defaults: Defaults | None = None,
    removed: tuple[Key, ...] = (),
    **changes: Any,
) -> Family:
    """Text decoder of a multimodal model that is like another family.

    Args:
        of: the other family.
        model_type: that of the text decoder.
        title: display name.
        wrapper: class of the multimodal model.
        defaults: defaults that differ from the other family's.
        removed: keys of the other family that this one does not have.
        changes: other fields that differ.
    """
    page = model_type.removesuffix("_text")
    return replace(
        of,
        model_type=model_type,
        title=title,
        source=f"https://huggingface.co/docs/transformers/model_doc/{page}",
        architectures=(wrapper,),
        defaults={**without(of.defaults, *removed), **(defaults or {})},
        **changes,
    )
