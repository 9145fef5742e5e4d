"""Random values for text decoders of multimodal models."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, layer_list

HEAD_DIM = st.sampled_from([8, 16, 24, 32])
IMAGE_TOKENS = {"<image>": 5, "IMGIMGA": 6}
"""Part of Chameleon's vocabulary."""
WIDTH = st.integers(1, 9).map(lambda n: 8 * n)
TIED = {"tie_word_embeddings": st.booleans()}
"""For configurations without the key: it stands beside them, in the multimodal model's."""


def three_axes(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
    """Rotary positions on three axes that together have half of a head's dimensions."""
    half = config.setdefault("head_dim", 16) // 2
    return {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [half - 2, 1, 1]}


def dense_or_sparse(draw: Draw, config: dict[str, Any]) -> list[str]:
    """An MLP or experts in each layer."""
    return draw(layer_list(config, "dense", "sparse"))


SMALL = Space({"pad_token_id": st.just(0)}, always=("pad_token_id",))
"""For padding tokens beyond the small vocabularies."""

SPACES = {
    "qwen2_vl_text": Space({**TIED, "head_dim": HEAD_DIM}),
    "qwen2_5_vl_text": Space(TIED),
    "qwen2_5_omni_text": Space({"head_dim": HEAD_DIM}),
    "qwen3_vl_text": Space(TIED),
    "qwen3_omni_moe_text": Space({**TIED, "head_dim": HEAD_DIM}),
    "glm4v_text": Space(TIED),
    "glm_ocr_text": Space({**TIED, "head_dim": HEAD_DIM}),
    "glm4v_moe_text": Space({"head_dim": HEAD_DIM}),
    "granite_docling_text": SMALL,
    "mistral4": SMALL,
    "hunyuan_vl_text": Space(
        {"head_dim": HEAD_DIM, "rope_parameters": three_axes},
        always=("head_dim", "rope_parameters"),
    ),
    "molmo2_text": Space(
        {
            "additional_vocab_size": st.integers(0, 9),
            "qk_norm_type": st.sampled_from(["qwen3", "olmo"]),
            "norm_after": st.booleans(),
        }
    ),
    "deepseek_ocr2_text": Space(
        {"mlp_layer_types": dense_or_sparse, "num_experts_per_tok": st.sampled_from([1, 2, 4])},
        always=("mlp_layer_types",),
    ),
    "muse_spark_text": Space(
        {
            "mlp_layer_types": dense_or_sparse,
            "moe_hidden_size": st.integers(1, 9).map(lambda n: 8 * n),
        },
        rules=(
            (r"expert_norm", "norms"),
            (r"expert_proj", "moe_latent_proj"),
            (r"residual_gate", "residual_scale"),
        ),
    ),
    "ernie4_5_vl_moe_text": Space(
        {
            "mlp_layer_types": dense_or_sparse,
            "moe_intermediate_size": st.tuples(WIDTH, WIDTH).map(list),
            "moe_num_shared_experts": st.integers(0, 3),
            # as its rotary positions on three axes need it
            "head_dim": st.just(128),
        },
        rules=((r"moe_statics", "router"),),
    ),
    "chameleon": Space(
        {"vocabulary_map": st.just(IMAGE_TOKENS), "swin_norm": st.booleans()},
        always=("vocabulary_map",),
    ),
    "phi4_multimodal": SMALL,
    "voxtral_realtime_text": Space(rules=((r"ada_rms_norm", "time_scale"),)),
    "cosmos3_edge_text": Space({"rope_parameters": three_axes}, always=("rope_parameters",)),
}
