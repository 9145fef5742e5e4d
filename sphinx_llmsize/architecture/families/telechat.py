"""TeleChat and TeleChat2, with biases on output and down projections; TeleChat-52B's layers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.chatglm import IS_RMS_NORM, LINEAR_BIASES
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.translation import N_

DEFAULT_FFN_DIM = 12_288
"""Default feed-forward dimension in TeleChat's own code."""
HAS_EMBEDDING_NORM = k.flag("has_embedding_norm embed_layernorm", N_("a norm on the embeddings"))
FFN_DIM_52B = k.make_key(
    "telechat_52b_ffn_dim n_inner",
    N_("FFN dimension of TeleChat-52B, which has other layers"),
    optional=True,
)


def telechat(config: Config) -> Items:
    """A projection for Q and a fused one for K and V; a gated MLP.

    A file with ``n_inner`` is of TeleChat-52B, which has other layers.
    """
    if config.has(FFN_DIM_52B):
        return telechat_52b(config)
    attention = parts.attention(
        (
            *parts.linear("q_proj", D, parts.QUERY_WIDTH, "attn_q", label="q"),
            *parts.linear("kv_proj", D, 2 * parts.KEY_WIDTH, "attn_kv", label="kv"),
        ),
        parts.linear("o_proj", parts.QUERY_WIDTH, D, "attn_o", bias=True),
        qkv_width=parts.QUERY_WIDTH + 2 * parts.KEY_WIDTH,
    )
    embedding_norm = (parts.embedding_norm(bias=False),) if config.flag(HAS_EMBEDDING_NORM) else ()
    embeddings = (parts.token_embedding(), *embedding_norm)
    feed_forward = parts.gated_mlp(down_bias=True)
    # sublayers are added to the norms' outputs or to their inputs
    frame = parts.add_to_norms if config.flag(k.ADD_TO_NORMS) else parts.pre_norm
    return parts.uniform_decoder(
        config, attention, feed_forward, frame=frame, embeddings=embeddings
    )


def telechat_52b(config: Config) -> Items:
    """TeleChat-52B: fused projections for Q, K and V, and for gate and up."""
    bias = config.flag(LINEAR_BIASES)
    attention, feed_forward = parts.fused_attention(bias=bias), parts.fused_gated_mlp(bias=bias)
    norm = parts.rms_norm if config.flag(IS_RMS_NORM) else parts.layer_norm
    return parts.uniform_decoder(config, attention, feed_forward, norm=norm)


def _derive_ffn_dim(settings: k.Settings) -> k.Settings:
    """Feed-forward dimension of TeleChat-52B, or the default of the other models."""
    return {k.FFN_DIM: settings[FFN_DIM_52B] or DEFAULT_FFN_DIM}


def _check_52b(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that TeleChat-52B has the keys that set its biases and type of norm."""
    names = {LINEAR_BIASES: "add_bias_linear", IS_RMS_NORM: "use_RMSNorm"}
    missing_names = [name for key, name in names.items() if settings[key] is None]
    if settings[FFN_DIM_52B] is not None and missing_names:
        hint = N_("write the key, or {other} instead of {key}")
        raise parsed.missing(missing_names, hint, FFN_DIM_52B, k.FFN_DIM)


TELECHAT = Family(
    model_type="telechat",
    title="TeleChat",
    source="https://huggingface.co/Tele-AI/TeleChat-12B",
    architectures=("TelechatForCausalLM", "TeleChat2ForCausalLM", "TeleChatForCausalLM"),
    defaults={
        **sizes(D=4096, L=30, H=32, H_kv=None, F=None, V=160_256),
        **off(HAS_EMBEDDING_NORM, k.ADD_TO_NORMS),
        k.TIE_EMBEDDINGS: True,
        **unset(FFN_DIM_52B, LINEAR_BIASES, IS_RMS_NORM),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.Rule(derive=_derive_ffn_dim, check=_check_52b)),
    compose=telechat,
    names={"n_embed": k.HIDDEN_DIM, "n_inner": FFN_DIM_52B, "use_RMSNorm": IS_RMS_NORM},
    positions=parts.Positions.ROTARY,
)
