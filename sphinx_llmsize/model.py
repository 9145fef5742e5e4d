"""Models with their parameter counts, made from configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sphinx_llmsize.architecture import cost
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import forward
from sphinx_llmsize.architecture.families import family_named
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.tasks import Task, class_name, note_on_class, task_of
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.notebook_display import NotebookDisplay
from sphinx_llmsize.sources.preset_files import Preset
from sphinx_llmsize.translation import N_, _


@dataclass(frozen=True)
class Change:
    """A changed key of a model's configuration.

    Attributes:
        key: the key.
        value: its value after the change.
        factor: factor by which a size was multiplied; None if the value itself was written.
        followers: sizes that were multiplied by the same factor, as they usually change with it.
        constant: sizes that usually change with it, but have the same value as before.
    """

    key: Key
    value: Setting
    factor: Fraction | None = None
    followers: tuple[Key, ...] = ()
    constant: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Model(NotebookDisplay):
    """A model and its exact parameter counts.

    Attributes:
        name: display name, one line without control characters; empty for a model without one.
        config: checked configuration.
        model_type: family's name in transformers; empty for the textbook decoder.
        architecture: tensors, stages and stacks.
        preset: the released model that this is, or that its changes were made to; else None.
        changes: changed keys of the base model, as the author wrote them.
        marked_title: name with the changes, which an interactive page writes again for other
            sizes; empty on all other pages.
    """

    name: str
    config: Config
    model_type: str
    architecture: Architecture
    preset: Preset | None = None
    changes: tuple[Change, ...] = ()
    marked_title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", printable(self.name))

    def __hash__(self) -> int:
        # cheap, since caches of views hash models often; few models share name and total
        return hash((self.name, self.total))

    @property
    def plain(self) -> Model:
        """The model itself; of a model with traced sizes, the one without them."""
        return self

    @property
    def label(self) -> str:
        """The name in a sentence; ``this model`` if there is no name."""
        return self.name or _("this model")

    @property
    def family(self) -> Family:
        """Family of the architecture."""
        return family_named(self.model_type)

    @cached_property
    def total(self) -> int:
        """Number of parameters; tied tensors count once, buffers don't count."""
        count = self.architecture.count
        return sum(count(placed.parameters) for placed in self.architecture.placed_stages())

    @cached_property
    def active(self) -> int:
        """Number of parameters that one token uses; of routed experts, only those selected."""
        count = self.architecture.count
        return sum(count(placed.active) for placed in self.architecture.placed_stages())

    @cached_property
    def non_embedding(self) -> int:
        """Number of parameters without embeddings and LM head.

        This is the convention of scaling laws (Kaplan et al. 2020, arXiv:2001.08361), published as
        "non-embedding" in the model cards of Pythia and Qwen.
        """
        return self.total - self.parameters_in(Group.EMBEDDING, Group.HEAD)

    def flops(self, tokens: int) -> int:
        """FLOPs of all matrix products in a forward pass over ``tokens`` tokens.

        The convention is that of ``torch.utils.flop_counter``: a multiply-add is two FLOPs, and
        attention scores are full T × T matrices. Convolutions, which torch counts too, are not
        matrix products. All sequences are assumed to have ``tokens`` entries: an encoder's text
        too, and BLT's patches, as if each were one byte. Unlike in views,
        ``tokens`` may be more than the model has positions for.

        Raises:
            ValueError: ``tokens`` is negative.
        """
        _check_tokens(tokens)
        return cost.flops(self.architecture, self.architecture.placed_stages(), forward(tokens))

    def cache_elements(self, tokens: int) -> int:
        """Elements cached after ``tokens`` tokens: KV cache, latents and recurrent states.

        Multiply by the bytes of one element for the memory. Layers with a sliding window cache no
        more than the window. Buffers of DeepSeek-V4's compressors aren't counted. Unlike in views,
        ``tokens`` may be more than the model has positions for.

        Raises:
            ConfigError: the cache's size depends on the text, as in BLT.
            ValueError: ``tokens`` is negative.
        """
        _check_tokens(tokens)
        if self.architecture.has_unknown_lengths:
            raise ConfigError(_(cost.UNKNOWN_CACHE, name=self.label), Problem.NUMBER)
        return cost.cache_elements(self.architecture, self.architecture.placed_stages(), tokens)

    @property
    def components(self) -> dict[str, int]:
        """Parameters by component (``attn_q``, ``mlp_up``, ``norms`` …); they sum to the total.

        A tied LM head counts 0. Each access makes a new dict.
        """
        counts: dict[str, int] = {}
        for placed in self.architecture.placed_stages():
            for tensor in placed.stage.tensors:
                number = self.architecture.count(placed.layers * tensor.parameters)
                counts[tensor.component] = counts.get(tensor.component, 0) + number
        return counts

    @cached_property
    def keys(self) -> Mapping[str, Key]:
        """Configuration keys by name and alias, including keys that only rules set."""
        by_own_names = {name: key for key, _value in self.config.settings for name in key.names}
        # last, since a name may mean another key in this family
        return {**by_own_names, **self.family.vocabulary}

    @property
    def class_name(self) -> str:
        """Class in transformers or on the Hub that is counted; empty for the textbook decoder."""
        return class_name(self.config)

    @property
    def preset_note(self) -> str:
        """Note on the released model, such as its published size; empty for a changed preset."""
        if not self.preset or self.changes:
            return ""
        if self.preset.note or not self.preset.with_vision_tower:
            return self.preset.note
        return N_(
            "The text decoder only; with its vision tower the released model has {number} "
            "parameters.",
            number=self.preset.with_vision_tower,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the parameter count, for readers."""
        # the family's first class is the published one, which readers of a preset expect; the LM
        # head of a decoder is in the table anyway
        is_expected = self.preset is not None or task_of(self.config) is Task.CONTINUATION
        is_usual = is_expected and self.class_name in self.family.architectures[:1]
        class_note = "" if is_usual else note_on_class(self.config)
        return tuple(filter(None, (*self.architecture.notes, self.preset_note, class_note)))

    def parameters_in(self, *groups: Group) -> int:
        """Number of parameters in the stages of these groups, one or more."""
        count = self.architecture.count
        return sum(count(p.parameters) for p in self.architecture.placed_stages(*groups))


def _check_tokens(tokens: int) -> None:
    """Raise ValueError for a negative number of tokens."""
    if tokens < 0:
        raise ValueError(f"the number of tokens is negative: {tokens}")
