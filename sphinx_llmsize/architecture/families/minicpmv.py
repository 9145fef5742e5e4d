"""MiniCPM-V and MiniCPM-o: text decoders with the layers of Llama, Qwen2 or Qwen3, by version."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import TEXT_ONLY
from sphinx_llmsize.architecture.family import Family, Items, off, unset, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

VERSION = k.make_key(
    "minicpmv_version version",
    N_("version of MiniCPM-V, which determines the text decoder"),
    k.ValueKind.POSITIVE_OR_TEXT,
    optional=True,
)
VISION_ENCODER = k.make_key(
    "vision_encoder",
    N_("name of the vision tower, which is not counted"),
    k.ValueKind.NAME,
    optional=True,
)
TIED_VERSION = 2.0
"""Version with tied embeddings."""
LLAMA3_VERSION = 2.5
"""Version with the layers of Llama 3."""
QWEN2_VERSION = 2.6
"""Version with the layers of Qwen2."""
QWEN3_VERSION = 4.5
"""Version with the layers of Qwen3."""
VERSIONS = (TIED_VERSION, LLAMA3_VERSION, QWEN2_VERSION, 4.0, QWEN3_VERSION)
"""All published versions."""
HIDDEN_DIM_OF_2_0 = 2304
"""D of MiniCPM-V 2.0."""


def minicpmv(config: Config) -> Items:
    """Llama's layers; version 2.6 adds biases on Q, K and V, version 4.5 norms on Q and K."""
    if config[VERSION] == QWEN2_VERSION:
        attention = parts.grouped_query_attention(bias=True, output_bias=False)
    elif config[VERSION] == QWEN3_VERSION:
        attention = parts.gqa_with_qk_norm(config)
    else:
        attention = parts.gqa(config)
    return parts.uniform_decoder(config, attention, parts.gated_mlp_of(config))


def _derive_version_and_ties(settings: k.Settings) -> k.Settings:
    """Defaults of ``version``, and of ``tie_word_embeddings``, which follows from the version.

    The files of versions 2.0 and 2.5 have no ``version``; their values of D differ.
    """
    is_2_0 = settings[k.HIDDEN_DIM] == HIDDEN_DIM_OF_2_0
    default = TIED_VERSION if is_2_0 else LLAMA3_VERSION
    version = _version(settings) or default
    return {VERSION: version, k.TIE_EMBEDDINGS: version == TIED_VERSION}


def _version(settings: k.Settings) -> float | None:
    """Version as a number, even if it is written as text; None if it is null."""
    version = settings[VERSION]
    return float(version) if isinstance(version, (int, float, str)) else None


def _replace_version(settings: k.Settings) -> k.Settings:
    """The version as a number."""
    return {VERSION: _version(settings)}


def _check_version(settings: k.Settings, parsed: ParsedConfig) -> None:
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
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.Rule(derive=_derive_version_and_ties, check=_check_version, replace=_replace_version),
    ),
    compose=minicpmv,
    positions=parts.Positions.ROTARY,
    notes=(TEXT_ONLY,),
)
MINICPMO = variant(
    MINICPMV, "minicpmo", "MiniCPM-o", "MiniCPMO", "https://arxiv.org/abs/2408.01800"
)
