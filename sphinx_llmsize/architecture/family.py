"""Families of models: keys, defaults, rules, and the function that composes the architecture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.auto_map import check_auto_map
from sphinx_llmsize.architecture.classes import class_rule
from sphinx_llmsize.architecture.count_notes import (
    POSITIONS_AFTER_PADDING,
    CountNote,
    notes_on_count,
)
from sphinx_llmsize.architecture.layers import PerLayer, TooManyLayers, assign_windows
from sphinx_llmsize.architecture.positions import LayerPositions
from sphinx_llmsize.architecture.side_inputs import with_side_inputs
from sphinx_llmsize.architecture.skipped_size_check import check_skipped_sizes
from sphinx_llmsize.architecture.stacks import Item, placed_stages_of
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import DECODER_HEADS, labels_rule, with_head
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config, Setting, missing_value
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.resolve import resolve
from sphinx_llmsize.config.rule import Rule
from sphinx_llmsize.config.symbols import E, L
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

Defaults = Mapping[Key, Setting]
"""Default value of each key; None means that a rule derives it, or that the key has no value."""
Items = tuple[Item, ...]
"""Stages and stacks, in the order in which tokens pass through them."""
COMMON_KEYS = (k.MODEL_TYPE, k.TEXT_PART_OF, k.ARCHITECTURES, k.NUM_LABELS, k.LABEL_NAMES)
"""Keys of every family."""
RULES_OF_ALL_FAMILIES = (k.EXPERTS_IN_USE_RULE, k.FFN_TYPES_RULE, k.INDEXER_NAMES_RULE)
"""Rules that every family has besides its own."""
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
        defaults: every key of the family that need not be written, with its default.
        compose: function that makes the stages and stacks of a configuration.
        rules: derived values, and relations that values must satisfy.
        names: keys of this family by further names: aliases in this family only, or names that mean
            another key elsewhere.
        architectures: classes of the published models, by their names in a ``config.json``; the
            first is the default.
        tasks: tasks for which ``compose`` makes the head.
        heads: heads for other tasks, which replace the one that ``compose`` makes.
        default_labels: number of labels of a classifier by default.
        required: keys that must be written.
        notes: remarks on the count, for readers.
        windows: function that returns each layer's attention window in tokens, 0 for none; None if
            no model of the family has windows. If the model has no KV cache, half of each window
            is on either side of the token.
        has_sparse_pattern: True if tokens attend to blocks or hash buckets of tokens, which
            ``windows`` can't express; or a function that returns this for a configuration.
        positions: kind of positions in all attention, or a function that returns it for each layer
            of a configuration; None if unknown, or if tensors show it.
        reserved_positions: number of rows at the start of the position table that no token uses,
            since positions begin after the padding token's; usually its id is 1.
        has_special_mask: True if attention is neither causal nor bidirectional, as in a prefix LM.
    """

    model_type: str
    title: str
    source: str
    defaults: Defaults
    compose: Callable[[Config], Items]
    rules: tuple[Rule, ...] = (k.ATTENTION_HEADS_RULE,)
    names: Mapping[str, Key] = field(default_factory=dict)
    architectures: tuple[str, ...] = ()
    tasks: tuple[Task, ...] = (Task.CONTINUATION,)
    heads: Mapping[Task, Block] = field(default_factory=lambda: DECODER_HEADS)
    default_labels: int = 2
    required: tuple[Key, ...] = ()
    notes: tuple[CountNote, ...] = ()
    windows: Callable[[Config], PerLayer[int]] | None = None
    has_sparse_pattern: bool | Callable[[Config], bool] = False
    positions: LayerPositions | Callable[[Config], LayerPositions] = None
    reserved_positions: int = 0
    has_special_mask: bool = False

    @property
    def keys(self) -> tuple[Key, ...]:
        """Keys that a configuration of the family may have."""
        return (*COMMON_KEYS, *self.required, *self.defaults)

    @cached_property
    def vocabulary(self) -> Mapping[str, Key]:
        """Keys by name and alias."""
        return {**{name: key for key in self.keys for name in key.names}, **self.names}

    def name_of(self, key: Key) -> str:
        """Name of a key in this family: the plain name, unless that means another key here."""
        names = (*key.names, *self.names)
        return next(name for name in names if self.vocabulary.get(name) == key)

    @cached_property
    def _all_rules(self) -> tuple[Rule, ...]:
        """Rules of the family, and those of all families."""
        tasks = {*self.tasks, *self.heads}
        classes = class_rule(self.model_type, self.architectures, tasks)
        labels = labels_rule(self.default_labels)
        return (*self.rules, *RULES_OF_ALL_FAMILIES, classes, labels)

    def read(self, section: Section, *, is_config_json: bool = False) -> ParsedConfig:
        """Parse the entries of a configuration.

        Raises:
            ConfigError: a key is unknown, a value is not of its kind, or ``auto_map`` names code of
                another architecture.
        """
        check_auto_map(section, self.model_type, self.architectures)
        return ParsedConfig(
            section, self.vocabulary, model_type=self.model_type, is_config_json=is_config_json
        )

    def configure(self, parsed: ParsedConfig, base: Config | None = None) -> Config:
        """Check a parsed configuration and fill in defaults and derived values.

        Args:
            parsed: the parsed configuration.
            base: configuration that it changes; None if it is complete by itself.

        Raises:
            ConfigError: a key is missing, or two values contradict each other.
        """
        return resolve(
            parsed, base, required=self.required, defaults=self.defaults, rules=self._all_rules
        )

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
            if (task := task_of(config)) in self.heads:
                items = with_head(items, self.heads[task])
            items = with_side_inputs(items)
            if self.windows:
                two_sided = not any(placed.stage.caches for placed in placed_stages_of(items))
                windows, layers = self.windows(config), config.count(L)
                items = assign_windows(items, windows, layers, two_sided=two_sided)
            tensors = [each for placed in placed_stages_of(items) for each in placed.stage.tensors]
            reserved = (POSITIONS_AFTER_PADDING,) if self.reserved_positions else ()
            notes = notes_on_count((*self.notes, *reserved), config, tensors)
            architecture = Architecture(items, tuple(config.sizes.items()), notes)
            for symbol in architecture.symbols:
                if symbol not in architecture.sizes:
                    raise missing_value(config.name_of(symbol))
            self._check_experts(architecture, parsed)
        except TooManyLayers as error:
            line = parsed.line(k.NUM_LAYERS)
            raise error.at(line=parsed.first_line if line is None else line) from None
        except ConfigError as error:
            # for errors without a line; that of ``_check_experts`` keeps its own
            raise error.at(line=parsed.first_line) from None
        check_skipped_sizes(parsed, self.model_type, config, architecture)
        return architecture

    def _check_experts(self, architecture: Architecture, parsed: ParsedConfig) -> None:
        """Check that E is not 0 if there are layers with experts."""
        if E in architecture.symbols and not architecture.sizes[E]:
            key = next(key for key in self.keys if key.symbol == E)
            hint = N_("give their number, or make all layers dense")
            raise parsed.error(N_("{key} is 0, but there are layers with experts"), key, hint=hint)


def variant(
    base: Family,
    model_type: str,
    title: str,
    class_names: str,
    source: str = "",
    *,
    defaults: Defaults | None = None,
    removed: tuple[Key, ...] = (),
    **changes: Any,
) -> Family:
    """Family that is like another.

    Args:
        base: the other family.
        model_type: name in transformers.
        title: display name.
        class_names: classes of the published models, separated by spaces.
        source: URL of the architecture's definition; by default the page in the documentation of
            transformers, which has both parts of a multimodal model.
        defaults: defaults that differ from the other family's.
        removed: keys of the other family that this one does not have.
        changes: other fields that differ.
    """
    page = model_type.removesuffix("_text")
    return replace(
        base,
        model_type=model_type,
        title=title,
        source=source or f"https://huggingface.co/docs/transformers/model_doc/{page}",
        architectures=tuple(class_names.split()),
        defaults={**without(base.defaults, *removed), **(defaults or {})},
        **changes,
    )
