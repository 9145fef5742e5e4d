"""What a family of models has to say: its keys, its defaults, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sphinx_llmsize.architecture.pieces import Architecture, Item
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.resolve import Given, Settings, resolve
from sphinx_llmsize.config.vocabulary import (
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    Key,
)
from sphinx_llmsize.errors import ConfigError, Problem


def _nothing(settings: Settings) -> Settings:
    return {}


@dataclass(frozen=True, eq=False)
class Family:
    """A family: one row of a paper's architecture table, as data and one function.

    Attributes:
        model_type: as transformers names it; empty for the textbook decoder.
        title: for people.
        source: where the architecture is defined.
        defaults: every key the family knows, with what it takes when the key is absent
            (None: derived from the others).
        compose: the stages and stacks that a configuration means.
        architectures: class names that stand in a ``config.json``.
        required: keys without a default.
        derive: values that follow from others, beyond those of attention heads.
        notes: what a reader must know about what is counted.
    """

    model_type: str
    title: str
    source: str
    defaults: Mapping[Key, Setting]
    compose: Callable[[Config], tuple[Item, ...]]
    architectures: tuple[str, ...] = ()
    required: tuple[Key, ...] = ()
    derive: Callable[[Settings], Settings] = _nothing
    notes: tuple[str, ...] = field(default=())

    @property
    def keys(self) -> tuple[Key, ...]:
        """Every key that the family knows."""
        return (*self.required, *self.defaults)

    def configure(self, given: Given, base: Config | None = None) -> Config:
        """A checked configuration from what a text gives.

        Raises:
            ConfigError: a key is missing, has no meaning here, or does not fit another.
        """
        return resolve(
            given,
            base,
            required=self.required,
            defaults=self.defaults,
            derive=lambda settings: {**self.derive(settings), **_heads(settings)},
            check=_check_heads,
        )

    def build(self, config: Config) -> Architecture:
        """The architecture that a configuration of this family describes."""
        return Architecture(self.compose(config), tuple(config.sizes.items()), self.notes)


def _heads(settings: Settings) -> Settings:
    """What attention heads are when nothing else is said."""
    heads, hidden = settings[NUM_HEADS], settings[HIDDEN_DIM]
    assert isinstance(heads, int)
    assert isinstance(hidden, int)
    return {NUM_KV_HEADS: heads, HEAD_DIM: hidden // heads}


def _check_heads(settings: Settings, given: Given) -> None:
    """Heads divide the hidden dimension, key/value heads divide the heads.

    Raises:
        ConfigError: they do not.
    """
    hidden, heads = settings[HIDDEN_DIM], settings[NUM_HEADS]
    kv_heads, head_dim = settings.get(NUM_KV_HEADS), settings.get(HEAD_DIM)
    if isinstance(hidden, int) and isinstance(heads, int) and head_dim is None and hidden % heads:
        key = NUM_HEADS if NUM_HEADS in given.entries else HIDDEN_DIM
        way_out = "give head_dim, or " if HEAD_DIM in settings else ""
        raise ConfigError(
            f"{heads:,} heads do not divide {given.name(HIDDEN_DIM)} {hidden:,}",
            Problem.SHAPE,
            hint=f"{way_out}choose {given.name(NUM_HEADS)} so that it divides",
            line=given.line(key),
        )
    if isinstance(heads, int) and isinstance(kv_heads, int) and heads % kv_heads:
        key = NUM_KV_HEADS if NUM_KV_HEADS in given.entries else NUM_HEADS
        raise ConfigError(
            f"{kv_heads:,} key/value heads do not divide {heads:,} heads",
            Problem.SHAPE,
            hint=f"choose {given.name(NUM_KV_HEADS)} so that it divides",
            line=given.line(key),
        )
