"""Random small configurations of a family, in transformers' names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Union

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from transformers import CONFIG_MAPPING

from differential import spaces
from differential.built import Rules, default_keys
from sphinx_llmsize.architecture.families import MODEL_TYPES, family_named
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.keys import LAYER_TYPES

COMPARED_TYPES = tuple(name for name in MODEL_TYPES if name in CONFIG_MAPPING)
"""Families that transformers implements; ``tests/test_remote_code.py`` tests the others."""
Draw = Callable[[st.SearchStrategy[Any]], Any]
Values = Union[st.SearchStrategy[Any], Callable[[Draw, dict[str, Any]], Any]]
"""A strategy, or a function of the values drawn before."""


@dataclass(frozen=True)
class Space:
    """Values to draw for the keys of one ``model_type``.

    Attributes:
        values: values by transformers' name of the key; they replace those of :data:`USUAL`.
        always: keys that are drawn in every configuration; others may be left to their default.
        never: keys that are not drawn.
        auto: class of transformers to build: CausalLM, Base, MaskedLM, Seq2SeqLM, or the whole
            name of a class that has no Auto class.
        rules: patterns of tensor names, tried before :data:`~differential.built.RULES`.
        kinds: kinds of our components that differ from those of ``built.kind_of_component``.
    """

    values: Mapping[str, Values] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    auto: str = "CausalLM"
    rules: Rules = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


USUAL: dict[Key, Values] = {
    k.HIDDEN_DIM: st.sampled_from([32, 64, 96, 128]),
    k.NUM_LAYERS: st.integers(1, 9),
    k.NUM_HEADS: st.sampled_from([1, 2, 4, 8]),
    k.NUM_KV_HEADS: lambda draw, config: draw(st.sampled_from(divisors(heads_of(config)))),
    k.HEAD_DIM: st.sampled_from([8, 16, 24, 32]),
    k.FFN_DIM: st.integers(1, 40).map(lambda n: 8 * n),
    k.VOCAB_SIZE: st.integers(300, 400),
    k.MAX_POSITIONS: st.sampled_from([64, 100, 128]),
    k.NUM_EXPERTS: st.sampled_from([4, 8, 16]),
    k.EXPERTS_PER_TOKEN: st.sampled_from([1, 2, 4]),
    k.EXPERT_DIM: st.integers(1, 20).map(lambda n: 8 * n),
    k.NUM_SHARED_EXPERTS: st.integers(1, 3),
    k.SHARED_EXPERT_DIM: st.integers(1, 20).map(lambda n: 8 * n),
    k.FIRST_DENSE_LAYERS: st.integers(0, 4),
    k.EXPERT_LAYER_STEP: st.integers(1, 3),
    k.DENSE_LAYERS: st.lists(st.integers(0, 8), max_size=3, unique=True),
    k.Q_LORA_RANK: st.sampled_from([8, 12, 24]),
    k.KV_LORA_RANK: st.sampled_from([8, 16, 24]),
    k.NOPE_HEAD_DIM: st.sampled_from([8, 16]),
    k.ROPE_HEAD_DIM: st.sampled_from([4, 8]),
    k.V_HEAD_DIM: st.sampled_from([8, 12, 16]),
    k.STATE_DIM: st.sampled_from([8, 16, 32]),
    k.CONV_WIDTH: st.integers(2, 5),
    k.EXPAND: st.integers(1, 3),
    k.SLIDING_WINDOW: st.integers(2, 20),
    k.ATTENTION_CHUNK: st.integers(2, 20),
    k.MAX_WINDOW_LAYERS: st.integers(0, 8),
    k.WINDOW_PATTERN: st.integers(1, 5),
    k.DENSE_WINDOW_PATTERN: st.integers(1, 3),
    k.NO_ROPE_INTERVAL: st.integers(1, 5),
    k.ROTARY_LAYERS: lambda draw, config: draw(layer_list(config, 0, 1)),
}
ALWAYS = (k.NUM_LAYERS, k.HIDDEN_DIM, k.NUM_HEADS)
"""Keys that are always drawn: their defaults are large, or seldom fit the other values."""


def space_of(model_type: str) -> Space:
    """Space of a type, from a file in ``spaces/`` or the usual one."""
    for module in iter_modules(spaces.__path__):
        found = import_module(f"{spaces.__name__}.{module.name}").SPACES.get(model_type)
        if found is not None:
            return found
    return Space()


def divisors(number: int) -> list[int]:
    """Divisors of a number."""
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


def layer_list(config: dict[str, Any], *values: Any) -> st.SearchStrategy[list[Any]]:
    """Strategy for a list with one of these values for each layer of a drawn configuration."""
    layers = next(config[name] for name in k.NUM_LAYERS.names if name in config)
    return st.lists(st.sampled_from(values), min_size=layers, max_size=layers)


def one_per_layer(*values: Any) -> Values:
    """Function that draws a list with one of these values for each layer."""
    return lambda draw, config: draw(layer_list(config, *values))


ATTENTION_LAYER_TYPES = one_per_layer("full_attention", "sliding_attention")
FFN_LAYER_TYPES = one_per_layer("dense", "sparse")


def heads_of(config: dict[str, Any]) -> int:
    """Number of heads in a drawn configuration."""
    return int(next(config[name] for name in k.NUM_HEADS.names if name in config))


def without_shrinking(examples: int) -> settings:
    """Hypothesis settings for so many examples; to shrink a failing one would build many models."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def configurations(draw: Draw, model_type: str) -> dict[str, Any]:
    """Configuration of the type; keys that are not drawn have the family's default."""
    space, family = space_of(model_type), family_named(model_type)
    config: dict[str, Any] = {}
    known = default_keys(model_type)

    def add(name: str, values: Values, *, always: bool) -> None:
        if always or name in space.always or draw(st.booleans()):
            is_strategy = isinstance(values, st.SearchStrategy)
            config[name] = draw(values) if is_strategy else values(draw, config)

    for key in family.keys:
        name = next((name for name in key.names[::-1] if name in known), "")
        usual = USUAL.get(key, st.booleans() if key.kind is ValueKind.FLAG else None)
        if key is LAYER_TYPES and k.LISTED_WINDOWS_RULE in family.rules:
            usual = ATTENTION_LAYER_TYPES
        if usual is not None and name and name not in {*space.never, *space.values}:
            # a default number of key/value heads need not divide the drawn number of heads
            has_kv_default = key is k.NUM_KV_HEADS and family.defaults.get(key) is not None
            add(name, usual, always=key in ALWAYS or has_kv_default)
    for name, values in space.values.items():
        add(name, values, always=False)
    return config
