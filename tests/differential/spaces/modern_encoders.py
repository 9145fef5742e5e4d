"""ModernBERT, GTE, Jina Embeddings v3, EuroBERT and ESM: with and without a masked-LM head."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Space, Values
from differential.spaces.bert import KINDS, RULES, classes

MORE_RULES = (
    (r"\.norm\.", "norms"),
    (r"contact_head", "contacts"),
    (r"^head\.|lm_head\.|^decoder\.", "head"),
    (r"norm", "norms"),
    (r"attn\.", "attention"),
    (r"mlp\.", "feed-forward"),
    *RULES,
)


def masked_lm_space(name: str, *always: str, **values: Values) -> Space:
    """Space of an encoder: the bare model, or with its head for masked tokens.

    Args:
        name: prefix of the classes.
        always: keys that are drawn in every configuration.
        values: values by key.
    """
    return Space(
        values={
            "architectures": classes(f"{name}Model", f"{name}ForMaskedLM"),
            "pad_token_id": st.just(1),
            **values,
        },
        always=("pad_token_id", *always),
        never=("is_decoder", "add_cross_attention"),
        auto="Base",
        rules=MORE_RULES,
        kinds={**KINDS, "contact_head": "contacts"},
    )


SPACES = {
    "modernbert": masked_lm_space(
        "ModernBert",
        layer_types=ATTENTION_LAYER_TYPES,
        local_attention=st.integers(2, 12).map(lambda n: 2 * n),
        decoder_bias=st.booleans(),
        classifier_bias=st.booleans(),
    ),
    "gte": masked_lm_space("Gte", type_vocab_size=st.integers(0, 3)),
    "jina_embeddings_v3": masked_lm_space("JinaEmbeddingsV3", type_vocab_size=st.integers(1, 3)),
    "eurobert": masked_lm_space(
        "EuroBert", classifier_pooling=st.sampled_from(["bos", "mean", "late"])
    ),
    "esm": masked_lm_space(
        "Esm",
        "vocab_size",
        "mask_token_id",
        vocab_size=st.integers(300, 400),
        position_embedding_type=st.sampled_from(["absolute", "rotary"]),
        mask_token_id=st.just(4),
    ),
}
