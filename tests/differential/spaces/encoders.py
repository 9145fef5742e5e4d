"""Encoders with projected or additional embeddings, layer groups or adapters."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.bert import encoder_space

WIDTHS = st.sampled_from([16, 32, 64])


def without_cross_attention(space: Space) -> Space:
    """Space of an encoder that cannot be made a decoder."""
    values = {
        k: v for k, v in space.values.items() if k not in ("add_cross_attention", "is_decoder")
    }
    return replace(space, values=values)


DISTILBERT = without_cross_attention(encoder_space("distilbert"))
ALBERT = encoder_space(
    "albert",
    embedding_size=WIDTHS,
    num_hidden_groups=st.integers(1, 3),
    inner_group_num=st.integers(1, 3),
)
XMOD = encoder_space(
    "xmod",
    languages=st.lists(st.sampled_from(["en_XX", "de_DE", "fr_XX"]), max_size=3),
    adapter_reduction_factor=st.sampled_from([1, 2, 3]),
)
ROC_BERT = encoder_space(
    "roc_bert",
    shape_vocab_size=st.integers(5, 50),
    pronunciation_vocab_size=st.integers(5, 50),
    shape_embed_dim=WIDTHS,
    pronunciation_embed_dim=WIDTHS,
    concat_input=st.booleans(),
)

MPNET = without_cross_attention(encoder_space("mpnet"))
NOMIC_BERT = without_cross_attention(encoder_space("nomic_bert"))

SPACES = {
    "mpnet": replace(
        MPNET,
        values={
            "architectures": MPNET.values["architectures"],
            "relative_attention_num_buckets": st.sampled_from([8, 16, 32]),
        },
        rules=((r"relative_attention_bias", "embedding"), *MPNET.rules),
    ),
    "nomic_bert": replace(
        NOMIC_BERT,
        rules=(
            (r"layernorm", "norms"),
            (r"self_attn\.", "attention"),
            (r"mlp\.", "feed-forward"),
            *NOMIC_BERT.rules,
        ),
    ),
    "albert": without_cross_attention(ALBERT),
    "electra": encoder_space("electra", embedding_size=WIDTHS),
    "roformer": encoder_space("roformer", embedding_size=WIDTHS),
    "rembert": encoder_space("rembert", input_embedding_size=WIDTHS, output_embedding_size=WIDTHS),
    "distilbert": replace(
        DISTILBERT,
        values={k: v for k, v in DISTILBERT.values.items() if k != "type_vocab_size"}
        | {
            "dim": st.sampled_from([32, 64]),
            "n_layers": st.integers(1, 5),
            "n_heads": st.sampled_from([1, 2, 4]),
            "hidden_dim": st.integers(1, 40),
        },
        always=("dim", "n_layers", "n_heads"),
        never=("hidden_size", "num_hidden_layers", "num_attention_heads"),
        rules=((r"ffn\.", "feed-forward"), *DISTILBERT.rules),
    ),
    "bert-generation": encoder_space("bert-generation"),
    "roc_bert": replace(
        ROC_BERT,
        rules=((r"map_inputs_layer", "projection"), *ROC_BERT.rules),
        kinds={
            **ROC_BERT.kinds,
            "shape_embedding": "embedding",
            "pronunciation_embedding": "embedding",
        },
    ),
    "xmod": replace(XMOD, rules=((r"adapter_modules", "adapters"), *XMOD.rules)),
}
