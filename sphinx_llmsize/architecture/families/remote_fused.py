"""The first Qwen and Jais: a fused QKV projection with biases, as in GPT-2."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import TEXT_ONLY, CountNote
from sphinx_llmsize.architecture.families.gpt2 import ffn_width
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.known_names import known_activation
from sphinx_llmsize.translation import N_

NO_BIAS = k.flag("no_bias", N_("biases only on queries, keys and values"))
GATE_UP_DIM = k.make_key(
    "gate_up_dim", N_("width of gate and up together: twice the FFN dimension")
)
ACTIVATION = k.make_key(
    "activation_function",
    N_("activation of the FFN; it has a gate if this is swiglu"),
    k.ValueKind.NAME,
    part="feed_forward",
)
POSITION_TYPE = k.make_key(
    "position_embedding_type",
    N_("learned positions, or alibi, which has no weights"),
    k.ValueKind.NAME,
)


def qwen(config: Config) -> Items:
    """Llama's layers with a fused QKV projection; by default only Q, K and V have biases."""
    bias = not config.flag(NO_BIAS)
    attention = parts.fused_attention(bias=True, output_bias=bias)
    return parts.uniform_decoder(config, attention, parts.gated_mlp(bias=bias))


def jais(config: Config) -> Items:
    """GPT-2's layers; all released models have a gated MLP (SwiGLU) and ALiBi."""
    make_mlp = parts.gated_mlp if config[ACTIVATION] == "swiglu" else parts.mlp
    positions = () if config[POSITION_TYPE] == "alibi" else (parts.position_embedding(),)
    return parts.uniform_decoder(
        config,
        parts.fused_attention(bias=True),
        make_mlp(bias=True, width=ffn_width(config)),
        norm=parts.layer_norm,
        embeddings=(parts.token_embedding(), *positions),
    )


QWEN = Family(
    model_type="qwen",
    title="Qwen",
    source="https://arxiv.org/abs/2309.16609",
    architectures=("QWenLMHeadModel",),
    defaults={
        **sizes(D=4096, L=32, H=32, d_h=128, F=None, V=151_936),
        GATE_UP_DIM: 22_016,
        NO_BIAS: True,
        k.OTHER_PARTS: None,  # files of Qwen-VL and Qwen-Audio have this model_type too
        k.TIE_EMBEDDINGS: False,
    },
    rules=(k.ATTENTION_HEADS_RULE, k.heads_fill_hidden(), k.ffn_dim_half_of(GATE_UP_DIM)),
    compose=qwen,
    names={
        "kv_channels": k.HEAD_DIM,
        "padded_vocab_size": k.VOCAB_SIZE,
        # in other families, these two are the width of the FFN
        "intermediate_size": GATE_UP_DIM,
        "ffn_hidden_size": GATE_UP_DIM,
    },
    notes=(CountNote(TEXT_ONLY.text, k.OTHER_PARTS),),  # on models with other parts only
    positions=parts.Positions.ROTARY,
)
JAIS = Family(
    model_type="jais",
    title="Jais",
    source="https://arxiv.org/abs/2308.16149",
    architectures=("JAISLMHeadModel",),
    defaults={
        **sizes(D=768, L=12, H=12, F=None, V=50_257, P=1024),
        ACTIVATION: "gelu_new",
        POSITION_TYPE: "learned",
        k.TIE_EMBEDDINGS: True,
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.FFN_FOUR_TIMES_HIDDEN_RULE,
        k.one_of(POSITION_TYPE, "learned", "alibi"),
        known_activation(ACTIVATION, "swiglu"),
    ),
    compose=jais,
    positions=lambda config: parts.Positions.ALIBI if config[POSITION_TYPE] == "alibi" else None,
)
