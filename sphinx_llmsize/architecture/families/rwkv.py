"""RWKV-4: time mixing and channel mixing in place of attention and MLP."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.gpt2 import ffn_width
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.translation import N_

D_A = Symbol("D_a", N_("width of the time mixing"))
TIME_MIX_DIM = k.size_key(D_A, "time_mix_dim attention_hidden_size", optional=True)


def rwkv(config: Config) -> Items:
    """Pre-norm layers of time mixing and channel mixing, after a norm on the embeddings."""
    width = D_A if config.is_explicit(D_A) else D
    block = parts.mixer_pre_norm(
        parts.layer_norm, parts.time_mix(width), parts.channel_mix(ffn_width(config))
    )
    embeddings = (parts.token_embedding(), parts.embedding_norm())
    return parts.decoder(config, block, norm=parts.layer_norm, embeddings=embeddings)


RWKV = Family(
    model_type="rwkv",
    title="RWKV-4",
    source="https://arxiv.org/abs/2305.13048",
    architectures=("RwkvForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, V=50_277, P=1024),
        **unset(TIME_MIX_DIM, k.FFN_DIM),
        k.TIE_EMBEDDINGS: False,
    },
    compose=rwkv,
    rules=(k.FFN_FOUR_TIMES_HIDDEN_RULE,),
    names={"context_length": k.MAX_POSITIONS},
)
