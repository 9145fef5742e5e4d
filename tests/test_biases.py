"""Flags on biases: each adds those that its name says, in every family that has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from families import MODELS

from sphinx_llmsize import load
from sphinx_llmsize.architecture.biases import biased_components
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.model import Model

QKV = {"attn_q", "attn_k", "attn_v"}


def biased(model: Model, *groups: Group) -> set[str]:
    """The components of matrices with biases, in all stages or those of some groups."""
    return set(biased_components(model.architecture.placed_stages(*groups)))


def are_only_in(*groups: Group) -> Callable[[Model, Model], bool]:
    """True for biases in stages of these groups, which have none without the flag."""

    def holds(without: Model, model: Model) -> bool:
        added = biased(model) - biased(without)
        return bool(added) and added <= biased(model, *groups) and not biased(without, *groups)

    return holds


def are_on_qkv(without: Model, model: Model) -> bool:
    return biased(model) - biased(without) == QKV


def are_on_all(without: Model, model: Model) -> bool:
    """True for biases on all matrices of all layers, of which none has one without the flag."""
    placed_in_layers = [p for p in model.architecture.placed_stages() if p.stack]
    matrices = [t for p in placed_in_layers for t in p.stage.tensors if t.role is Role.WEIGHT]
    biases = [t for p in placed_in_layers for t in p.stage.tensors if t.role is Role.BIAS]
    with_bias = {t.name.removesuffix(".bias") for t in biases}
    names = {t.name.removesuffix(".weight") for t in matrices if t.is_matrix}
    return names <= with_bias and not biased(without)


NAMED = {
    k.ATTENTION_BIAS: are_only_in(Group.ATTENTION),
    k.MLP_BIAS: are_only_in(Group.FEED_FORWARD, Group.EXPERTS),
    k.QKV_BIAS: are_on_qkv,
    k.BIAS: are_on_all,
}
"""Keys that several families have, each with a test of what its name says of two models."""


def without_and_with(model: Model, key: Key) -> tuple[Model, Model]:
    return with_values(model, {key: False}), with_values(model, {key: True})


@pytest.mark.parametrize("key", NAMED, ids=lambda key: key.name)
def test_names_of_flags_on_biases_are_true_in_all_families(key: Key) -> None:
    models = {name: load(config) for name, config in MODELS.items()}
    with_key = {name: model for name, model in models.items() if key in dict(model.config.settings)}
    assert len(with_key) > 2
    pairs = {name: without_and_with(model, key) for name, model in with_key.items()}
    assert [name for name, pair in pairs.items() if not NAMED[key](*pair)] == []


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("internlm-7b?bias=false", "attention_bias"),
        ("internlm2-1.8b?bias=true", "attention_bias"),
        ("internlm3-8b?bias=true", "output_and_ffn_bias"),
        ("bigbird-roberta-large?use_bias=false", "qkv_bias"),
        ("bigbird-pegasus-large-arxiv?use_bias=true", "attention_bias"),
        ("ernie-4.5-21b-a3b?use_bias=true", "bias_outside_experts"),
        ("falcon-h1-7b?mamba_proj_bias=true", "mixer_input_bias"),
        ("lfm2-1.2b?conv_bias=true", "convolution_bias"),
        ("xlstm-7b?use_bias=true", "projection_and_norm_bias"),
    ],
)
def test_names_in_files_mean_the_biases_that_the_family_has(name: str, key: str) -> None:
    (change,) = load(name).changes
    assert change.key.name == key
