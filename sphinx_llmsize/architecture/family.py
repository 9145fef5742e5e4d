"""What a family of models has to say: its keys, its defaults, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sphinx_llmsize.architecture.pieces import Architecture, Item
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.resolve import resolve
from sphinx_llmsize.config.rules import Rule
from sphinx_llmsize.config.vocabulary import Key


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
        architectures: class names that stand in a ``config.json``.
        required: keys without a default.
        notes: what a reader must know about what is counted.
    """

    model_type: str
    title: str
    source: str
    defaults: Mapping[Key, Setting]
    compose: Callable[[Config], tuple[Item, ...]]
    rules: tuple[Rule, ...]
    architectures: tuple[str, ...] = ()
    required: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()

    def configure(self, given: Given, base: Config | None = None) -> Config:
        """A checked configuration from what a text gives.

        Raises:
            ConfigError: a key is missing, has no meaning here, or does not fit another.
        """
        return resolve(
            given, base, required=self.required, defaults=self.defaults, rules=self.rules
        )

    def build(self, config: Config) -> Architecture:
        """The architecture that a configuration of this family describes."""
        return Architecture(self.compose(config), tuple(config.sizes.items()), self.notes)
