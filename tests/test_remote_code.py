"""Families whose modelling code is on the Hub: their tensors, derived by hand from that code.

The tests in ``tests/differential`` can't compare a family that transformers doesn't have, nor
InternLM3 with biases on Q, K and V only, which transformers doesn't build.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.architecture.notes import TEXT_ONLY

Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class RemoteCode:
    """A small configuration and its tensors.

    Attributes:
        source: URL of the modelling code.
        config: sizes that are all different, so that a swapped dimension changes the count.
        layers: number of layers.
        tensors: shape of each tensor by component and by name; ``*`` is the number of the layer.
    """

    source: str
    config: dict[str, object]
    layers: int
    tensors: dict[str, Shapes]

    @property
    def components(self) -> dict[str, int]:
        """Parameters by component."""
        return {name: self._parameters(shapes) for name, shapes in self.tensors.items()}

    def _parameters(self, shapes: Shapes) -> int:
        return sum(prod(s) * (self.layers if "*" in name else 1) for name, s in shapes.items())


GATED = {
    "mlp_gate": {"*.gate_proj.weight": (96, 64)},
    "mlp_up": {"*.up_proj.weight": (96, 64)},
    "mlp_down": {"*.down_proj.weight": (64, 96)},
}
"""A gated MLP without biases of a model with D = 64 and F = 96."""
TIED: dict[str, Shapes] = {"token_embedding": {"wte.weight": (100, 64)}, "lm_head": {}}
EMBEDDINGS = {
    "token_embedding": {"embed_tokens.weight": (100, 64)},
    "lm_head": {"lm_head.weight": (100, 64)},
}
NORMS = {
    "norms": {
        "*.input_layernorm.weight": (64,),
        "*.post_attention_layernorm.weight": (64,),
        "norm.weight": (64,),
    }
}
LAYER_NORMS = {
    "norms": {
        "*.ln_1.weight": (64,),
        "*.ln_1.bias": (64,),
        "*.ln_2.weight": (64,),
        "*.ln_2.bias": (64,),
        "ln_f.weight": (64,),
        "ln_f.bias": (64,),
    }
}
LLAMA = {**EMBEDDINGS, **GATED, **NORMS}
GROUPED = {
    "attn_q": {"*.q_proj.weight": (64, 64)},
    "attn_k": {"*.k_proj.weight": (32, 64)},
    "attn_v": {"*.v_proj.weight": (32, 64)},
    "attn_o": {"*.o_proj.weight": (64, 64)},
}
"""Attention with D = 64, four heads and two key/value heads."""
SIZES: dict[str, object] = {
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 96,
    "vocab_size": 100,
}
GROUPED_SIZES = {**SIZES, "num_key_value_heads": 2}

FAMILIES = {
    "internlm3": RemoteCode(
        source="https://huggingface.co/internlm/internlm3-8b-instruct/blob/main/modeling_internlm3.py",
        config={**GROUPED_SIZES, "head_dim": 12, "qkv_bias": True},
        layers=3,
        tensors={
            **LLAMA,
            "attn_q": {"*.q_proj.weight": (48, 64), "*.q_proj.bias": (48,)},
            "attn_k": {"*.k_proj.weight": (24, 64), "*.k_proj.bias": (24,)},
            "attn_v": {"*.v_proj.weight": (24, 64), "*.v_proj.bias": (24,)},
            "attn_o": {"*.o_proj.weight": (64, 48)},
        },
    ),
    "internlm": RemoteCode(
        source="https://huggingface.co/internlm/internlm-7b/blob/main/modeling_internlm.py",
        config=SIZES,
        layers=3,
        tensors={
            **LLAMA,
            "attn_q": {"*.q_proj.weight": (64, 64), "*.q_proj.bias": (64,)},
            "attn_k": {"*.k_proj.weight": (64, 64), "*.k_proj.bias": (64,)},
            "attn_v": {"*.v_proj.weight": (64, 64), "*.v_proj.bias": (64,)},
            "attn_o": {"*.o_proj.weight": (64, 64), "*.o_proj.bias": (64,)},
        },
    ),
    "internlm2": RemoteCode(
        source="https://huggingface.co/internlm/internlm2-7b/blob/main/modeling_internlm2.py",
        config=GROUPED_SIZES,
        layers=3,
        tensors={
            **LLAMA,
            "attn_qkv": {"*.wqkv.weight": (128, 64), "*.wqkv.bias": (128,)},
            "attn_o": {"*.wo.weight": (64, 64), "*.wo.bias": (64,)},
        },
    ),
    "baichuan": RemoteCode(
        source="https://huggingface.co/baichuan-inc/Baichuan2-13B-Base/blob/main/modeling_baichuan.py",
        config=SIZES,
        layers=3,
        tensors={
            **LLAMA,
            "attn_qkv": {"*.W_pack.weight": (192, 64)},
            "attn_o": {"*.o_proj.weight": (64, 64)},
        },
    ),
    "Yi": RemoteCode(
        source="https://huggingface.co/01-ai/Yi-6B/blob/94a5f8d/modeling_yi.py",
        config=GROUPED_SIZES,
        layers=3,
        tensors={**LLAMA, **GROUPED},
    ),
    "aquila": RemoteCode(
        source="https://huggingface.co/BAAI/Aquila2-7B/blob/main/modeling_aquila.py",
        config=GROUPED_SIZES,
        layers=3,
        tensors={**LLAMA, **GROUPED},
    ),
    "solar": RemoteCode(
        source="https://huggingface.co/upstage/solar-pro-preview-instruct/blob/main/modeling_solar.py",
        config=GROUPED_SIZES,
        layers=3,
        tensors={**LLAMA, **GROUPED},
    ),
    "telechat3": RemoteCode(
        source="https://huggingface.co/Tele-AI/TeleChat3-36B-Thinking/blob/main/modeling_telechat3.py",
        config={**GROUPED_SIZES, "head_dim": None},
        layers=3,
        tensors={**LLAMA, **GROUPED},
    ),
    "orion": RemoteCode(
        source="https://huggingface.co/OrionStarAI/Orion-14B-Base/blob/main/modeling_orion.py",
        config=GROUPED_SIZES,
        layers=3,
        tensors={**EMBEDDINGS, **GATED, **LAYER_NORMS, **GROUPED},
    ),
    "telechat": RemoteCode(
        source="https://github.com/Tele-AI/Telechat/blob/master/models/12B-V2/modeling_telechat.py",
        config={
            **GROUPED_SIZES,
            "n_inner": None,
            "embed_layernorm": True,
            "tie_word_embeddings": False,
        },
        layers=3,
        tensors={
            **LLAMA,
            "embedding_norm": {"word_embeddings_layernorm.weight": (64,)},
            "attn_q": {"*.query.weight": (64, 64)},
            "attn_kv": {"*.key_value.weight": (64, 64)},
            "attn_o": {"*.dense.weight": (64, 64), "*.dense.bias": (64,)},
            "mlp_down": {"*.down_proj.weight": (64, 96), "*.down_proj.bias": (64,)},
        },
    ),
    "telechat: TeleChat-52B": RemoteCode(
        source="https://huggingface.co/Tele-AI/TeleChat-52B/blob/main/modeling_telechat.py",
        config={
            "n_embd": 64,
            "n_layer": 3,
            "n_head": 4,
            "n_inner": 96,
            "vocab_size": 100,
            "add_bias_linear": False,
            "use_RMSNorm": True,
            "tie_word_embeddings": False,
        },
        layers=3,
        tensors={
            **EMBEDDINGS,
            **NORMS,
            "attn_qkv": {"*.c_attn.weight": (64, 192)},
            "attn_o": {"*.attn.c_proj.weight": (64, 64)},
            "mlp_gate_up": {"*.c_fc.weight": (64, 192)},
            "mlp_down": {"*.mlp.c_proj.weight": (96, 64)},
        },
    ),
    "plamo": RemoteCode(
        source="https://huggingface.co/pfnet/plamo-13b/blob/main/modeling_plamo.py",
        config={**SIZES, "num_key_value_heads": 4, "n_shared_head": 3},
        layers=3,
        tensors={
            **EMBEDDINGS,
            **GATED,
            **GROUPED,
            "norms": {"*.norm.weight": (64,), "norm.weight": (64,)},
        },
    ),
    "minicpm": RemoteCode(
        source="https://huggingface.co/openbmb/MiniCPM-MoE-8x2B/blob/main/modeling_minicpm.py",
        config={**GROUPED_SIZES, "num_experts": 5, "num_experts_per_tok": 2},
        layers=3,
        tensors={
            **TIED,
            **NORMS,
            **GROUPED,
            "router": {"*.gate.weight": (5, 64)},
            "experts": {
                "*.experts.w1.weight": (5, 96, 64),
                "*.experts.w2.weight": (5, 64, 96),
                "*.experts.w3.weight": (5, 96, 64),
            },
        },
    ),
    "xverse": RemoteCode(
        source="https://huggingface.co/xverse/XVERSE-MoE-A4.2B/blob/main/modeling_xverse.py",
        config={**SIZES, "num_experts": 5, "moe_top_k": 2, "num_shared_experts": 3},
        layers=3,
        tensors={
            **EMBEDDINGS,
            **NORMS,
            "attn_q": {"*.q_proj.weight": (64, 64)},
            "attn_k": {"*.k_proj.weight": (64, 64)},
            "attn_v": {"*.v_proj.weight": (64, 64)},
            "attn_o": {"*.o_proj.weight": (64, 64)},
            "router": {"*.router.weight": (5, 64)},
            "experts": {
                "*.experts.gate_proj.weight": (5, 96, 64),
                "*.experts.up_proj.weight": (5, 96, 64),
                "*.experts.down_proj.weight": (5, 64, 96),
            },
            "shared_experts": {
                "*.shared_experts.gate_proj.weight": (288, 64),
                "*.shared_experts.up_proj.weight": (288, 64),
                "*.shared_experts.down_proj.weight": (64, 288),
            },
        },
    ),
    "deepseek": RemoteCode(
        source="https://huggingface.co/deepseek-ai/deepseek-moe-16b-base/blob/main/modeling_deepseek.py",
        config={
            **GROUPED_SIZES,
            "num_hidden_layers": 5,
            "first_k_dense_replace": 1,
            "moe_layer_freq": 2,
            "n_routed_experts": 6,
            "num_experts_per_tok": 2,
            "n_shared_experts": 3,
            "moe_intermediate_size": 20,
        },
        layers=5,
        tensors={
            **EMBEDDINGS,
            **NORMS,
            **GROUPED,
            "mlp_gate": {f"{layer}.gate_proj.weight": (96, 64) for layer in (0, 1, 3)},
            "mlp_up": {f"{layer}.up_proj.weight": (96, 64) for layer in (0, 1, 3)},
            "mlp_down": {f"{layer}.down_proj.weight": (64, 96) for layer in (0, 1, 3)},
            "router": {f"{layer}.gate.weight": (6, 64) for layer in (2, 4)},
            "experts": {f"{layer}.experts": (3, 6, 64, 20) for layer in (2, 4)},
            "shared_experts": {f"{layer}.shared_experts": (3, 64, 60) for layer in (2, 4)},
        },
    ),
    "qwen": RemoteCode(
        source="https://huggingface.co/Qwen/Qwen-7B/blob/main/modeling_qwen.py",
        config={**SIZES, "kv_channels": 16, "intermediate_size": 192, "no_bias": False},
        layers=3,
        tensors={
            **EMBEDDINGS,
            **NORMS,
            "attn_qkv": {"*.c_attn.weight": (192, 64), "*.c_attn.bias": (192,)},
            "attn_o": {"*.c_proj.weight": (64, 64), "*.c_proj.bias": (64,)},
            "mlp_gate": {"*.w2.weight": (96, 64), "*.w2.bias": (96,)},
            "mlp_up": {"*.w1.weight": (96, 64), "*.w1.bias": (96,)},
            "mlp_down": {"*.mlp.c_proj.weight": (64, 96), "*.mlp.c_proj.bias": (64,)},
        },
    ),
    "chatglm": RemoteCode(
        source="https://huggingface.co/THUDM/chatglm3-6b/blob/main/modeling_chatglm.py",
        config={
            "architectures": ["ChatGLMModel"],
            "hidden_size": 64,
            "num_layers": 3,
            "num_attention_heads": 4,
            "kv_channels": 16,
            "ffn_hidden_size": 96,
            "padded_vocab_size": 100,
            "multi_query_attention": True,
            "multi_query_group_num": 2,
            "add_qkv_bias": True,
            "pre_seq_len": None,
        },
        layers=3,
        tensors={
            **EMBEDDINGS,
            **NORMS,
            "attn_qkv": {"*.query_key_value.weight": (128, 64), "*.query_key_value.bias": (128,)},
            "attn_o": {"*.dense.weight": (64, 64)},
            "mlp_gate_up": {"*.dense_h_to_4h.weight": (192, 64)},
            "mlp_down": {"*.dense_4h_to_h.weight": (64, 96)},
        },
    ),
    "chatglm: ChatGLM-6B": RemoteCode(
        source="https://huggingface.co/THUDM/chatglm-6b/blob/main/modeling_chatglm.py",
        config={
            "architectures": ["ChatGLMModel"],
            "hidden_size": 64,
            "num_layers": 3,
            "num_attention_heads": 4,
            "kv_channels": 16,
            "inner_hidden_size": 96,
            "vocab_size": 100,
            "position_encoding_2d": True,
        },
        layers=3,
        tensors={
            **TIED,
            **LAYER_NORMS,
            "attn_qkv": {"*.query_key_value.weight": (192, 64), "*.query_key_value.bias": (192,)},
            "attn_o": {"*.dense.weight": (64, 64), "*.dense.bias": (64,)},
            "mlp_up": {"*.dense_h_to_4h.weight": (96, 64), "*.dense_h_to_4h.bias": (96,)},
            "mlp_down": {"*.dense_4h_to_h.weight": (64, 96), "*.dense_4h_to_h.bias": (64,)},
        },
    ),
    "jais": RemoteCode(
        source="https://huggingface.co/inceptionai/jais-13b/blob/main/modeling_jais.py",
        config={
            "n_embd": 64,
            "n_layer": 3,
            "n_head": 4,
            "n_inner": 96,
            "vocab_size": 100,
            "n_positions": 50,
            "activation_function": "swiglu",
        },
        layers=3,
        tensors={
            **TIED,
            "position_embedding": {"wpe.weight": (50, 64)},
            **LAYER_NORMS,
            "attn_qkv": {"*.c_attn.weight": (64, 192), "*.c_attn.bias": (192,)},
            "attn_o": {"*.c_proj.weight": (64, 64), "*.c_proj.bias": (64,)},
            "mlp_gate": {"*.c_fc2.weight": (64, 96), "*.c_fc2.bias": (96,)},
            "mlp_up": {"*.c_fc.weight": (64, 96), "*.c_fc.bias": (96,)},
            "mlp_down": {"*.mlp.c_proj.weight": (96, 64), "*.mlp.c_proj.bias": (64,)},
        },
    ),
}
"""Cases by ``model_type``, which a colon ends where a family has several."""


@pytest.mark.parametrize("name", FAMILIES)
def test_components(name: str) -> None:
    case, model_type = FAMILIES[name], name.partition(":")[0]
    assert load({"model_type": model_type, **case.config}).components == case.components


def test_first_release_of_qwen() -> None:
    sizes = {"n_embd": 64, "n_layer": 3, "n_head": 4, "padded_vocab_size": 100, "vocab_size": 100}
    early = load(
        {
            **sizes,
            "architectures": ["QWenLMHeadModel"],
            "n_inner": None,
            "ffn_hidden_size": 192,
            "kv_channels": 16,
        }
    )
    later = FAMILIES["qwen"].config
    assert early.total == load({"model_type": "qwen", **later, "no_bias": True}).total


@pytest.mark.parametrize(
    ("model_type", "key"),
    [
        ("qwen", "visual"),
        ("qwen", "audio"),
        ("chatglm", "vision_config"),
        ("chatglm", "eva_config"),
    ],
)
def test_vision_and_audio_towers_are_not_counted(model_type: str, key: str) -> None:
    files = [{"model_type": model_type, "architectures": None, key: value} for value in ({}, None)]
    files.append({"model_type": model_type, key: {"width": 1664}})
    assert [load(file).notes for file in files] == [(), (), (TEXT_ONLY.text,)]
