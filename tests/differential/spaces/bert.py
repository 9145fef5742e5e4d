"""BERT and RoBERTa: every supported class, decoders with and without cross-attention."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, Values
from sphinx_llmsize.architecture.families import family_named


def classes(*names: str) -> st.SearchStrategy[list[str]]:
    """Strategy for ``architectures`` in a ``config.json``: a list with one of these classes."""
    return st.sampled_from(names).map(lambda name: [name])


def same_as(name: str) -> Values:
    """Function that returns the value drawn for another key, or False if it was not drawn."""

    def values(draw: Draw, config: dict[str, Any]) -> bool:
        return bool(config.get(name))

    return values


RULES = (
    (r"seq_relationship|sop_classifier|discriminator_predictions", "relation"),
    (r"(lm_head|cls|predictions|vocab_)", "head"),
    (r"LayerNorm|layer_norm|\.ln\.", "norms"),
    (r"embeddings_project|embedding_hidden_mapping_in", "projection"),
    (r"embeddings\.", "embedding"),
    (r"attention\.", "attention"),
    (r"(intermediate|output)\.dense", "feed-forward"),
)
KINDS = {
    "sentence_relation": "relation",
    "discriminator": "relation",
    "embedding_projection": "projection",
    "task_type_embedding": "embedding",
}


def encoder_space(model_type: str, **values: Values) -> Space:
    """Space of an encoder: its classes, and the values common to all encoders."""
    return Space(
        values={
            "architectures": classes(*family_named(model_type).architectures),
            "type_vocab_size": st.integers(1, 4),
            "add_cross_attention": st.booleans(),
            "is_decoder": same_as("add_cross_attention"),
            **values,
        },
        always=("is_decoder",),
        never=("add_cross_attention",),
        auto="Base",
        rules=RULES,
        kinds=KINDS,
    )


SPACES = {
    **{
        model_type: encoder_space(model_type)
        for model_type in (
            "bert",
            "megatron-bert",
            "roberta",
            "xlm-roberta",
            "camembert",
            "data2vec-text",
            "roberta-prelayernorm",
            "xlm-roberta-xl",
        )
    },
    "ernie": encoder_space("ernie", task_type_vocab_size=st.integers(1, 5)),
    "big_bird": encoder_space("big_bird", attention_type=st.just("original_full")),
}
