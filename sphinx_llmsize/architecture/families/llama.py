"""LLaMA, Llama 2, Llama 3 and everything released with ``model_type: llama``."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.common_layers import gated_mlp, gqa, uniform_decoder
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, int_of, int_or_none
from sphinx_llmsize.translation import N_

DEFAULT_FFN_DIM = 11_008
DEFAULT_MULTIPLE_OF = 256


def llama(config: Config) -> Items:
    """Pre-norm layers of GQA and a gated MLP, each with optional biases."""
    return uniform_decoder(config, gqa(config), gated_mlp(config))


def ffn_dim(settings: Settings) -> Settings:
    """Feed-forward width in LLaMA's own code (``llama/model.py``, FeedForward).

    ``int(2 · 4·D / 3)``, times ``ffn_dim_multiplier`` if it is set, rounded up to a multiple of
    ``multiple_of``: 11,008 for D = 4,096 and 256. Without either key, transformers' default.
    """
    factor, multiple = settings[k.FFN_DIM_MULTIPLIER], int_or_none(settings, k.MULTIPLE_OF)
    if multiple is None and factor is None:
        return {k.FFN_DIM: DEFAULT_FFN_DIM}
    multiple = multiple or DEFAULT_MULTIPLE_OF
    width = 2 * 4 * int_of(settings, k.HIDDEN_DIM) // 3
    if isinstance(factor, (int, float)):
        width = int(factor * width)
    return {k.FFN_DIM: max(1, -(-width // multiple)) * multiple}


def check_ffn_dim(settings: Settings, parsed: ParsedConfig) -> None:
    """A configured width equals the derived one, if both are given."""
    sources, width = (k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER), int_or_none(settings, k.FFN_DIM)
    derives = any(settings[key] is not None for key in sources)
    if width and derives and (derived := ffn_dim(settings)[k.FFN_DIM]) != width:
        message = N_("{key} is {width}, but multiple_of and ffn_dim_multiplier make it {derived}")
        hint = N_("write '{key}: null' to derive it, or remove the others")
        raise parsed.error(
            message, *sources, k.FFN_DIM, key=k.FFN_DIM, width=width, derived=derived, hint=hint
        )


LLAMA = Family(
    model_type="llama",
    title="Llama",
    source="https://arxiv.org/abs/2302.13971",
    architectures=("LlamaForCausalLM", "LLaMAForCausalLM"),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=None, V=32_000, P=2048),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
        **unset(k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER),
    },
    compose=llama,
    rules=(ATTENTION_HEADS, Rule(ffn_dim, check_ffn_dim)),
)
