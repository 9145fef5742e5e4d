"""ModernBERT, GTE, Jina Embeddings v3, EuroBERT and ESM: with and without a masked-LM head."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Space, Values
from differential.spaces.bert import KINDS, RULES, classes

MORE_RULES = (
    (r"\.norm\.", "norms"),
    (r"contact_head", "contacts"),
    (r"\.bottleneck\..*dense", "bottleneck"),
    (r"(key_conv_attn|conv_kernel|conv_out)_layer|encoder\.conv\.conv", "mixer"),
    (r"^generator_(?!.*LayerNorm)", "head"),
    (r"^head\.|lm_head\.|^decoder\.(?!layers)", "head"),
    (r"norm", "norms"),
    (r"\.ffn\.linear", "feed-forward"),
    (r"embed_proj|embedding_transformation", "projection"),
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
        kinds={**KINDS, "contact_head": "contacts", "relative_embedding": "embedding"},
    )


DEBERTA: dict[str, Values] = {
    "type_vocab_size": st.integers(0, 3),
    "embedding_size": st.sampled_from([16, 32, 64]),
    "pooler_hidden_size": st.sampled_from([16, 32]),
    "relative_attention": st.booleans(),
    "max_relative_positions": st.sampled_from([-1, 5, 64]),
    "pos_att_type": st.sampled_from([["c2p"], ["p2c"], ["c2p", "p2c"], "p2c|c2p", " C2P", []]),
    "position_biased_input": st.booleans(),
    "legacy": st.booleans(),
}

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
    "longformer": masked_lm_space(
        "Longformer",
        "max_position_embeddings",
        type_vocab_size=st.integers(1, 3),
        attention_window=st.sampled_from([16, 32]),
    ),
    "deberta": masked_lm_space(
        "Deberta", **DEBERTA, talking_head=st.booleans(), share_att_key=st.booleans()
    ),
    "deberta-v2": masked_lm_space(
        "DebertaV2",
        **DEBERTA,
        share_att_key=st.booleans(),
        position_buckets=st.sampled_from([-1, 4, 8]),
        norm_rel_ebd=st.sampled_from(["none", "layer_norm", "Layer_Norm|none"]),
        conv_kernel_size=st.sampled_from([0, 3, 5]),
        conv_groups=st.sampled_from([1, 2, 4]),
    ),
    "mobilebert": masked_lm_space(
        "MobileBert",
        "hidden_size",
        type_vocab_size=st.integers(1, 3),
        hidden_size=st.sampled_from([64, 128]),
        embedding_size=st.sampled_from([16, 32, 64]),
        intra_bottleneck_size=st.sampled_from([32, 64]),
        num_feedforward_networks=st.integers(1, 4),
        normalization_type=st.sampled_from(["no_norm", "layer_norm"]),
    ),
    "convbert": masked_lm_space(
        "ConvBert",
        type_vocab_size=st.integers(1, 3),
        embedding_size=st.sampled_from([16, 32, 64]),
        head_ratio=st.integers(1, 4),
        conv_kernel_size=st.sampled_from([3, 5, 9]),
        num_groups=st.sampled_from([1, 2, 4]),
    ),
    "funnel": masked_lm_space(
        "Funnel",
        "d_inner",
        "num_decoder_layers",
        "block_sizes",
        "block_repeats",
        architectures=classes(
            "FunnelModel", "FunnelBaseModel", "FunnelForMaskedLM", "FunnelForPreTraining"
        ),
        d_inner=st.sampled_from([32, 72]),
        num_decoder_layers=st.integers(1, 3),
        block_sizes=st.lists(st.integers(1, 4), min_size=1, max_size=4),
        block_repeats=lambda draw, config: draw(
            st.lists(st.integers(1, 3), min_size=(n := len(config["block_sizes"])), max_size=n)
        ),
        attention_type=st.sampled_from(["relative_shift", "factorized"]),
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
