"""LLaMA, Llama 2, Llama 3 and everything released under ``model_type: llama``."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, known, whole
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

DEFAULT_FFN_DIM = 11_008
DEFAULT_MULTIPLE_OF = 256


def llama(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of grouped-query attention and a gated MLP."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    block = parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp(bias=config.flag(k.MLP_BIAS)))
    return parts.decoder(config, block, norm=parts.rms_norm)


def ffn_dim(settings: Settings) -> Settings:
    """The feed-forward width as LLaMA's own code has it (``llama/model.py``, FeedForward).

    ``int(2 · 4·D / 3)``, times ``ffn_dim_multiplier`` where there is one, rounded up to a
    multiple of ``multiple_of``: 11,008 for D = 4,096 and 256. Without either key it is
    transformers' default.
    """
    factor, multiple = settings[k.FFN_DIM_MULTIPLIER], whole(settings, k.MULTIPLE_OF)
    if multiple is None and factor is None:
        return {k.FFN_DIM: DEFAULT_FFN_DIM}
    multiple = multiple or DEFAULT_MULTIPLE_OF
    width = 2 * 4 * known(settings, k.HIDDEN_DIM) // 3
    if isinstance(factor, (int, float)):
        width = int(factor * width)
    return {k.FFN_DIM: max(1, -(-width // multiple)) * multiple}


def check_ffn_dim(settings: Settings, parsed: ParsedConfig) -> None:
    """A width that is both given and derived must be one width.

    Raises:
        ConfigError: ``ffn_dim`` contradicts ``multiple_of`` or ``ffn_dim_multiplier``.
    """
    width, source = whole(settings, k.FFN_DIM), parsed.line(k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER)
    derives = any(settings[key] is not None for key in (k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER))
    if width and derives and (derived := ffn_dim(settings)[k.FFN_DIM]) != width:
        raise ConfigError(
            _(
                "{key} is {width}, but multiple_of and ffn_dim_multiplier make it {derived}",
                key=parsed.name(k.FFN_DIM),
                width=width,
                derived=derived,
            ),
            Problem.SHAPE,
            hint=_(
                "write '{key}: null' to have it derived, or remove the others",
                key=parsed.name(k.FFN_DIM),
            ),
            line=source if source is not None else parsed.line(k.FFN_DIM),
        )


LLAMA = Family(
    model_type="llama",
    title="Llama",
    source="https://arxiv.org/abs/2302.13971",
    architectures=("LlamaForCausalLM", "LLaMAForCausalLM"),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=None, V=32_000, P=2048),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
        k.MULTIPLE_OF: None,
        k.FFN_DIM_MULTIPLIER: None,
    },
    compose=llama,
    rules=(ATTENTION_HEADS, Rule(ffn_dim, check_ffn_dim)),
)

FAMILIES = (LLAMA,)
