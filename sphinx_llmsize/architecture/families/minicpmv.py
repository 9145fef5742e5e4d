"""MiniCPM-V and MiniCPM-o: text decoders with the layers of Llama, Qwen2 or Qwen3, by version."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import gated_mlp, gqa, uniform_decoder
from sphinx_llmsize.architecture.family import Family, Items, off, unset
from sphinx_llmsize.architecture.notes import TEXT_ONLY
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import ValueKind, make_key
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

VERSION = make_key(
    "minicpmv_version version",
    N_("version of MiniCPM-V, which determines the text decoder"),
    ValueKind.NUMBER,
    optional=True,
)
VISION_ENCODER = make_key(
    "vision_encoder",
    N_("name of the vision tower, which is not counted"),
    ValueKind.NAME,
    optional=True,
)
WITH_TIED_EMBEDDINGS, LIKE_LLAMA3, LIKE_QWEN2, LIKE_QWEN3 = 2.0, 2.5, 2.6, 4.5
"""Versions of MiniCPM-V, by their text decoders."""
VERSIONS = (WITH_TIED_EMBEDDINGS, LIKE_LLAMA3, LIKE_QWEN2, 4.0, LIKE_QWEN3)
"""All published versions."""
HIDDEN_DIM_OF_2_0 = 2304
"""D of MiniCPM-V 2.0."""


def minicpmv(config: Config) -> Items:
    """Llama's layers; version 2.6 adds biases on Q, K and V, version 4.5 norms on Q and K."""
    if config[VERSION] == LIKE_QWEN2:
        attention = parts.grouped_query_attention(bias=True, output_bias=False)
    else:
        attention = gqa(config, norms=parts.head_norms() if config[VERSION] == LIKE_QWEN3 else ())
    return uniform_decoder(config, attention, gated_mlp(config))


def _derive_version_and_ties(settings: Settings) -> Settings:
    """Defaults of ``version`` and, from it, of ``tie_word_embeddings``.

    Without ``version``, D distinguishes the published models of versions 2.0 and 2.5.
    """
    is_2_0 = settings[k.HIDDEN_DIM] == HIDDEN_DIM_OF_2_0
    version = _version(settings) or (WITH_TIED_EMBEDDINGS if is_2_0 else LIKE_LLAMA3)
    return {VERSION: version, k.TIE_EMBEDDINGS: version == WITH_TIED_EMBEDDINGS}


def _version(settings: Settings) -> float | None:
    """Version as a number, since some files have it as text; None without a version."""
    version = settings[VERSION]
    return float(version) if isinstance(version, (int, float, str)) else None


def _version_as_number(settings: Settings) -> Settings:
    """The version, as a number even if it is written as text."""
    return {VERSION: _version(settings)}


def _check_version(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that the version is null or a published one."""
    if _version(settings) not in (None, *VERSIONS):
        message, hint = N_("{key} is none of {versions}"), N_("choose among {versions}")
        versions = ", ".join(map(str, VERSIONS))
        raise parsed.error(message, VERSION, versions=versions, hint=hint, problem=Problem.VALUE)


MINICPMV = Family(
    model_type="minicpmv",
    title="MiniCPM-V",
    source="https://arxiv.org/abs/2408.01800",
    architectures=("MiniCPMV",),
    required=(k.HIDDEN_DIM, k.NUM_LAYERS, k.NUM_HEADS, k.FFN_DIM, k.VOCAB_SIZE),
    defaults={
        **off(k.ATTENTION_BIAS, k.MLP_BIAS),
        **unset(k.NUM_KV_HEADS, k.HEAD_DIM, VERSION, VISION_ENCODER, k.TIE_EMBEDDINGS),
    },
    rules=(ATTENTION_HEADS, Rule(_derive_version_and_ties, _check_version, _version_as_number)),
    compose=minicpmv,
    notes=(TEXT_ONLY,),
)
MINICPMO = replace(MINICPMV, model_type="minicpmo", title="MiniCPM-o", architectures=("MiniCPMO",))
