"""DBRX: fine-grained experts, fused QKV projection with grouped heads."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import F
from sphinx_llmsize.translation import N_

HIDDEN_SIZE_COPY = k.make_key("hidden_size_copy", N_("d_model again"), optional=True)
KV_HEADS_COPY = k.make_key("num_kv_heads_copy", N_("attn_config.kv_n_heads again"), optional=True)
OWN_NAMES = {HIDDEN_SIZE_COPY: "d_model", KV_HEADS_COPY: "attn_config.kv_n_heads"}
"""DBRX's own name of each size, from which transformers reads it.

``hidden_size`` and ``num_key_value_heads`` are ignored or reach only part of the model, so they
must agree.
"""


def dbrx(config: Config) -> Items:
    """Fused GQA and experts in every layer, each after a layer norm without a bias."""
    attention = parts.fused_attention(bias=False, kv_width=parts.KEY_WIDTH)
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return parts.uniform_decoder(config, attention, experts, norm=parts.layer_norm_without_bias)


def equal_copy(copy: k.Key, key: k.Key) -> k.Rule:
    """Rule: ``copy`` must equal ``key``, from which transformers takes the size.

    If ``copy`` is null, it gets the value of ``key``.
    """

    def check(settings: k.Settings, parsed: ParsedConfig) -> None:
        if settings[copy] not in (None, settings[key]):
            message = N_("{key} is {value}, but DBRX takes this size from {name}")
            raise parsed.error(
                message,
                copy,
                value=settings[copy],
                name=OWN_NAMES[copy],
                hint=N_("write {name}"),
            )

    return k.Rule(check=check, derive=lambda settings: {copy: settings[key]})


DBRX = Family(
    model_type="dbrx",
    title="DBRX",
    source="https://github.com/databricks/dbrx",
    architectures=("DbrxForCausalLM",),
    defaults={
        **sizes(D=2048, L=24, H=16, H_kv=1, d_h=None, F=3584, V=32_000, E=4, k=1),
        k.TIE_EMBEDDINGS: False,
        **unset(*OWN_NAMES),
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        equal_copy(HIDDEN_SIZE_COPY, k.HIDDEN_DIM),
        equal_copy(KV_HEADS_COPY, k.NUM_KV_HEADS),
    ),
    names={
        "hidden_size": HIDDEN_SIZE_COPY,
        "num_key_value_heads": KV_HEADS_COPY,
        "attn_config.kv_n_heads": k.NUM_KV_HEADS,
        "ffn_config.ffn_hidden_size": k.FFN_DIM,
        "ffn_config.moe_num_experts": k.NUM_EXPERTS,
        "ffn_config.moe_top_k": k.EXPERTS_PER_TOKEN,
    },
    compose=dbrx,
    positions=parts.Positions.ROTARY,
)
