"""A model with its numbers, and the one function that loads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Union

from sphinx_llmsize.architecture import cost
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import forward
from sphinx_llmsize.architecture.families import family_named
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.find_family import family_of, text_decoder
from sphinx_llmsize.architecture.layers import TooManyLayers
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import MODEL_TYPE, NUM_LAYERS
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.files import read_file
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.sources.mapping import section_of
from sphinx_llmsize.sources.presets import Preset, find_preset, unknown_model
from sphinx_llmsize.translation import _

ConfigSource = Union[Mapping[str, object], str, Path]


@dataclass(frozen=True)
class Model:
    """A model, counted to the last parameter.

    Attributes:
        name: what it is called on the page.
        config: its checked configuration.
        model_type: of its family; empty for the textbook decoder.
        architecture: its tensors, stages and stacks.
        preset: the released model it is, or is a change of.
        changes: the keys in which it differs from the preset, with their values.
    """

    name: str
    config: Config
    model_type: str
    architecture: Architecture
    preset: Preset | None = None
    changes: tuple[tuple[Key, Setting], ...] = ()

    def __hash__(self) -> int:
        # asked at every use of a model; these two tell most of them apart
        return hash((self.name, self.total))

    @property
    def family(self) -> Family:
        """The family whose architecture it has."""
        return family_named(self.model_type)

    @cached_property
    def total(self) -> int:
        """All parameters; tied tensors once, buffers not at all."""
        count = self.architecture.count
        return sum(count(place.parameters) for place in self.architecture.places())

    @cached_property
    def active(self) -> int:
        """The parameters that one token uses; all of them in a model without experts.

        Of the experts those that a token is sent to, of all else everything.
        """
        count = self.architecture.count
        return sum(count(place.active) for place in self.architecture.places())

    @cached_property
    def non_embedding(self) -> int:
        """The parameters without the embeddings and the LM head.

        That is the count of the scaling laws (Kaplan et al. 2020, arXiv:2001.08361) and what
        Pythia's and Qwen's model cards publish as "non-embedding".
        """
        return self.total - self.in_groups(Group.EMBEDDING, Group.HEAD)

    def flops(self, tokens: int) -> int:
        """The FLOPs of all matrix products of a forward pass of so many tokens.

        As ``torch.utils.flop_counter`` counts them: a multiplication and an addition are two,
        and the scores are whole T × T matrices.
        """
        return cost.flops(self.architecture, self.architecture.places(), forward(tokens))

    def cache_elements(self, tokens: int) -> int:
        """How many numbers are kept after so many tokens to generate the next one.

        They are the KV cache, latents and recurrent states; times the bytes of a number they
        are its memory. In layers with a sliding window, no more than that.
        """
        return cost.cache_elements(self.architecture, self.architecture.places(), tokens)

    @property
    def components(self) -> dict[str, int]:
        """Parameters by component (``attn_q``, ``mlp_up``, ``norms`` …); they sum to the total.

        A tied LM head is there, with 0. The dict is yours to change.
        """
        counts: dict[str, int] = {}
        for place in self.architecture.places():
            for tensor in place.stage.tensors:
                number = self.architecture.count(place.layers * tensor.parameters)
                counts[tensor.component] = counts.get(tensor.component, 0) + number
        return counts

    @cached_property
    def keys(self) -> Mapping[str, Key]:
        """Every key of its configuration by each of its names, derived ones too."""
        derived = {name: key for key, _ in self.config.settings for name in key.names}
        return {**derived, **self.family.vocabulary}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about what is counted."""
        of_release = self.preset.note if self.preset and not self.changes else ""
        return tuple(filter(None, (*self.architecture.notes, of_release)))

    def in_groups(self, *groups: Group) -> int:
        """The parameters of all stages of these groups."""
        places = self.architecture.places()
        return sum(self.architecture.count(p.parameters) for p in places if p.stage.group in groups)


def load(model: ConfigSource, config: ConfigSource | None = None) -> Model:
    """A model by its name, by its configuration, or by both.

    ``load("llama-7b")`` is a released model, ``load("llama-7b", {"num_layers": 40})`` the
    same with one key changed, ``load("mine", {...})`` and ``load("mine", "config.json")``
    a model of your own; a mapping or :class:`~pathlib.Path` may also stand alone.

    Args:
        model: a preset's name, a name of your choice, or a configuration.
        config: a configuration as a mapping, or the path of a file with one.

    Raises:
        UnknownModel: the name is no preset's and there is no configuration.
        ConfigError: the configuration cannot be used; it says why.
        TypeError: what is given is neither a name nor a configuration.
    """
    if isinstance(model, Path):
        return from_file(model.stem, model)
    if isinstance(model, Mapping):
        return load("model", model)
    if not isinstance(model, str):
        raise TypeError(f"a name, a mapping or a path, not {type(model).__name__}")
    if config is None:
        return released(model)
    if not isinstance(config, Mapping):
        return from_file(model, Path(config))
    section = section_of(config)
    if find_preset(model):
        return changed(released(model), section)
    # what names its family in transformers' words may hold transformers' other words too
    return described(model, section, ignore_unknown=MODEL_TYPE.name in config)


def from_file(name: str, path: Path) -> Model:
    """The model that a configuration file describes.

    Raises:
        ConfigError: the file cannot be read or used; ``file`` and ``line`` say where.
    """
    section = read_file(path)
    try:
        return described(name, section, ignore_unknown=path.suffix.lower() == ".json")
    except ConfigError as error:
        raise error.at(file=str(path)) from None


@lru_cache(maxsize=1024)
def released(name: str) -> Model:
    """The released model of that name.

    Raises:
        UnknownModel: there is none.
    """
    preset = find_preset(name)
    if preset is None:
        raise unknown_model(name)
    model = described(preset.title, preset.section, ignore_unknown=True)
    return Model(preset.title, model.config, model.model_type, model.architecture, preset)


@lru_cache(maxsize=1024)
def described(name: str, section: Section, *, ignore_unknown: bool = False) -> Model:
    """A model as a configuration describes it.

    Args:
        name: what to call it.
        section: its configuration.
        foreign: keys that resemble no known one are passed over, as a ``config.json`` needs.

    Raises:
        ConfigError: the configuration cannot be used.
    """
    section = text_decoder(section)
    family = family_of(section)
    parsed = family.read(section, ignore_unknown=ignore_unknown)
    config = family.configure(parsed)
    return Model(name, config, family.model_type, _built(family, config, parsed))


@lru_cache(maxsize=1024)
def changed(model: Model, section: Section) -> Model:
    """A model with some keys changed.

    Raises:
        ConfigError: a change cannot be used, or would make it of another family.
    """
    family = model.family
    parsed = family.read(section)
    if parsed.settings.get(MODEL_TYPE, family.model_type) != family.model_type:
        is_now = f"of model_type {family.model_type}" if family.model_type else "a textbook decoder"
        raise ConfigError(
            _("{name} is {is_now}, which cannot be changed", name=model.name, is_now=is_now),
            Problem.VALUE,
            hint=_("remove model_type, or choose another name for a model of your own"),
            line=parsed.line(MODEL_TYPE),
        )
    config = family.configure(parsed, model.config)
    before = dict(model.config.settings)
    changes = tuple((k, config[k]) for k in parsed.settings if config[k] != before.get(k))
    architecture = _built(family, config, parsed)
    return Model(model.name, config, model.model_type, architecture, model.preset, changes)


def _built(family: Family, config: Config, parsed: ParsedConfig) -> Architecture:
    """The architecture; what is missing for it is missing from the beginning of the text."""
    try:
        return family.build(config)
    except ConfigError as error:
        line = parsed.line(NUM_LAYERS) if isinstance(error, TooManyLayers) else None
        raise error.at(line=parsed.first_line if line is None else line) from None
