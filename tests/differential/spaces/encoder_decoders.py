"""Encoder-decoders: every supported class, encoders and decoders of different sizes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from differential.draw import Space, Values
from differential.spaces.bert import classes
from sphinx_llmsize.architecture.families import family_named

LAYERS = st.integers(1, 4)
HEADS = st.sampled_from([1, 2, 4, 8])
WIDTH = st.integers(1, 40).map(lambda n: 8 * n)

T5_RULES = (
    (r"relative_attention_bias", "embedding"),
    (r"layer_norm", "norms"),
    (r"Attention\.", "attention"),
    (r"DenseReluDense|DenseActDense", "feed-forward"),
)


def t5_space(model_type: str, **values: Values) -> Space:
    """Space of a T5.

    ``tie_word_embeddings`` is not drawn: where it is false, released weights have a separate LM
    head, but transformers 5 ties the head nevertheless.
    """
    names = family_named(model_type).architectures
    return Space(
        values={
            "architectures": classes(*(name for name in names if "WithLMHead" not in name)),
            "num_layers": LAYERS,
            "num_decoder_layers": LAYERS,
            "num_hidden_layers": LAYERS,
            "relative_attention_num_buckets": st.sampled_from([8, 16, 32]),
            "feed_forward_proj": st.sampled_from(["relu", "gated-gelu", "gated-silu", "gelu"]),
            "is_gated_act": st.booleans(),
            **values,
        },
        always=("num_layers",),
        never=("tie_word_embeddings",),
        auto="Seq2SeqLM",
        rules=T5_RULES,
    )


BART_RULES = (
    (r"prompt", "prompt"),
    (r"norm", "norms"),
    (r"attn", "attention"),
    (r"fc1|fc2", "feed-forward"),
    (r"lm_head", "head"),
    (r"embed|shared", "embedding"),
)


def bart_space(model_type: str, **values: Values) -> Space:
    """Space of a BART."""
    return Space(
        values={
            "architectures": classes(*family_named(model_type).architectures),
            "encoder_layers": LAYERS,
            "decoder_layers": LAYERS,
            "encoder_attention_heads": HEADS,
            "decoder_attention_heads": HEADS,
            "encoder_ffn_dim": WIDTH,
            "decoder_ffn_dim": WIDTH,
            **values,
        },
        always=(
            "encoder_layers",
            "decoder_layers",
            "encoder_attention_heads",
            "decoder_attention_heads",
        ),
        auto="Seq2SeqLM",
        rules=BART_RULES,
        kinds={"embedding_norm": "norms"},
    )


MARIAN = bart_space(
    "marian",
    decoder_vocab_size=st.integers(300, 400),
    share_encoder_decoder_embeddings=st.booleans(),
    pad_token_id=st.just(0),
)

NLLB_MOE = bart_space(
    "nllb-moe",
    encoder_sparse_step=st.integers(0, 4),
    decoder_sparse_step=st.integers(0, 4),
)

PROPHETNET = Space(
    values={
        "architectures": classes(*family_named("prophetnet").architectures),
        "num_encoder_layers": LAYERS,
        "num_decoder_layers": LAYERS,
        "num_encoder_attention_heads": HEADS,
        "num_decoder_attention_heads": HEADS,
        "encoder_ffn_dim": WIDTH,
        "decoder_ffn_dim": WIDTH,
        "ngram": st.integers(1, 3),
        "num_buckets": st.sampled_from([8, 16, 32]),
        "add_cross_attention": st.booleans(),
    },
    always=(
        "num_encoder_layers",
        "num_decoder_layers",
        "num_encoder_attention_heads",
        "num_decoder_attention_heads",
    ),
    auto="Seq2SeqLM",
    rules=(
        (r"norm", "norms"),
        (r"attn", "attention"),
        (r"feed_forward", "feed-forward"),
        (r"lm_head", "head"),
        (r"embeddings", "embedding"),
    ),
    kinds={"embedding_norm": "norms", "ngram_embedding": "embedding"},
)
TROCR = Space(
    values={
        "decoder_layers": LAYERS,
        "decoder_attention_heads": HEADS,
        "decoder_ffn_dim": WIDTH,
        "cross_attention_hidden_size": st.sampled_from([None, 24, 64]),
    },
    always=("decoder_layers", "decoder_attention_heads"),
    rules=BART_RULES,
)

LED = bart_space(
    "led",
    max_encoder_position_embeddings=st.sampled_from([64, 128]),
    max_decoder_position_embeddings=st.sampled_from([64, 100]),
    attention_window=st.sampled_from([16, 32]),
)

SPACES = {
    "t5": t5_space("t5"),
    "mt5": t5_space("mt5"),
    "umt5": t5_space("umt5"),
    "longt5": t5_space(
        "longt5", encoder_attention_type=st.sampled_from(["local", "transient-global"])
    ),
    "switch_transformers": t5_space(
        "switch_transformers",
        num_heads=HEADS,
        num_sparse_encoder_layers=st.integers(0, 4),
        num_sparse_decoder_layers=st.integers(0, 4),
        d_ff=WIDTH,
    ),
    "nllb-moe": replace(NLLB_MOE, rules=((r"experts\.", "experts"), *NLLB_MOE.rules)),
    **{
        model_type: bart_space(model_type)
        for model_type in (
            "bart",
            "plbart",
            "blenderbot-small",
            "mbart",
            "pegasus",
            "blenderbot",
            "bigbird_pegasus",
            "m2m_100",
        )
    },
    "marian": replace(MARIAN, always=(*MARIAN.always, "pad_token_id")),
    "mvp": bart_space(
        "mvp",
        use_prompt=st.booleans(),
        prompt_length=st.integers(1, 9),
        prompt_mid_dim=st.integers(1, 40),
    ),
    "led": LED,
    "prophetnet": PROPHETNET,
    "trocr": TROCR,
}
