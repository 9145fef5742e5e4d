"""Families whose modelling code is on the Hub: their tensors, derived by hand from that code.

The tests in ``tests/differential`` can't compare a family that transformers doesn't have, nor
InternLM3 with biases on Q, K and V only, which transformers doesn't build.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.architecture.count_notes import TEXT_ONLY

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


TIED: dict[str, Shapes] = {"token_embedding": {"wte.weight": (100, 64)}, "lm_head": {}}


def embeddings(d: int) -> dict[str, Shapes]:
    """Embedding and LM head of 100 tokens, which are not tied, of a model with this D."""
    return {
        "token_embedding": {"embed_tokens.weight": (100, d)},
        "lm_head": {"lm_head.weight": (100, d)},
    }


def gated(d: int, f: int) -> dict[str, Shapes]:
    """A gated FFN without biases."""
    return {
        "mlp_gate": {"*.gate_proj.weight": (f, d)},
        "mlp_up": {"*.up_proj.weight": (f, d)},
        "mlp_down": {"*.down_proj.weight": (d, f)},
    }


def norms(d: int) -> dict[str, Shapes]:
    """RMSNorms before attention and MLP, and before the LM head."""
    names = ("*.input_layernorm.weight", "*.post_attention_layernorm.weight", "norm.weight")
    return {"norms": dict.fromkeys(names, (d,))}


def grouped(d: int, kv_width: int) -> dict[str, Shapes]:
    """Attention without biases; its keys and values have this width in all heads together."""
    return {
        "attn_q": {"*.q_proj.weight": (d, d)},
        "attn_k": {"*.k_proj.weight": (kv_width, d)},
        "attn_v": {"*.v_proj.weight": (kv_width, d)},
        "attn_o": {"*.o_proj.weight": (d, d)},
    }


EMBEDDINGS, GATED, NORMS, GROUPED = embeddings(64), gated(64, 96), norms(64), grouped(64, 32)
"""Parts of a model with D = 64, F = 96, four heads and two key/value heads."""
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
SIZES: dict[str, object] = {
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 96,
    "vocab_size": 100,
}
GROUPED_SIZES = {**SIZES, "num_key_value_heads": 2}
SMALL: dict[str, object] = {
    "hidden_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "intermediate_size": 80,
    "vocab_size": 100,
}

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
    "mimo": RemoteCode(
        source="https://huggingface.co/XiaomiMiMo/MiMo-7B-Base/blob/main/modeling_mimo.py",
        config={**GROUPED_SIZES, "head_dim": 12, "attention_bias": True},
        layers=3,
        tensors={
            **LLAMA,
            "attn_q": {"*.q_proj.weight": (48, 64), "*.q_proj.bias": (48,)},
            "attn_k": {"*.k_proj.weight": (24, 64), "*.k_proj.bias": (24,)},
            "attn_v": {"*.v_proj.weight": (24, 64), "*.v_proj.bias": (24,)},
            "attn_o": {"*.o_proj.weight": (64, 48)},
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
    "RefinedWeb": RemoteCode(
        source="https://huggingface.co/tiiuae/falcon-40b/blob/main/modeling_falcon.py",
        config={
            "hidden_size": 48,
            "n_layer": 2,
            "n_head": 6,
            "n_head_kv": 2,
            "vocab_size": 100,
            "parallel_attn": True,
            "bias": True,
        },
        layers=2,
        tensors={
            "token_embedding": {"word_embeddings.weight": (100, 48)},
            "attn_qkv": {"*.query_key_value.weight": (80, 48), "*.query_key_value.bias": (80,)},
            "attn_o": {"*.dense.weight": (48, 48), "*.dense.bias": (48,)},
            "mlp_up": {"*.dense_h_to_4h.weight": (192, 48), "*.dense_h_to_4h.bias": (192,)},
            "mlp_down": {"*.dense_4h_to_h.weight": (48, 192), "*.dense_4h_to_h.bias": (48,)},
            "norms": {
                "*.ln_attn.weight": (48,),
                "*.ln_attn.bias": (48,),
                "*.ln_mlp.weight": (48,),
                "*.ln_mlp.bias": (48,),
                "ln_f.weight": (48,),
                "ln_f.bias": (48,),
            },
            "lm_head": {},
        },
    ),
    "RefinedWebModel": RemoteCode(
        source="https://huggingface.co/tiiuae/falcon-7b/blob/main/modeling_falcon.py",
        config={
            "hidden_size": 48,
            "n_layer": 3,
            "n_head": 6,
            "vocab_size": 100,
            "multi_query": True,
            "parallel_attn": True,
        },
        layers=3,
        tensors={
            "token_embedding": {"word_embeddings.weight": (100, 48)},
            "attn_qkv": {"*.query_key_value.weight": (64, 48)},
            "attn_o": {"*.dense.weight": (48, 48)},
            "mlp_up": {"*.dense_h_to_4h.weight": (192, 48)},
            "mlp_down": {"*.dense_4h_to_h.weight": (48, 192)},
            "norms": {
                "*.input_layernorm.weight": (48,),
                "*.input_layernorm.bias": (48,),
                "ln_f.weight": (48,),
                "ln_f.bias": (48,),
            },
            "lm_head": {},
        },
    ),
    "stablelm_epoch": RemoteCode(
        source="https://huggingface.co/stabilityai/stablelm-2-1_6b/blob/main/modeling_stablelm_epoch.py",
        config={
            **SMALL,
            "use_qkv_bias": True,
        },
        layers=3,
        tensors={
            **embeddings(48),
            "attn_q": {"*.q_proj.weight": (48, 48), "*.q_proj.bias": (48,)},
            "attn_k": {"*.k_proj.weight": (16, 48), "*.k_proj.bias": (16,)},
            "attn_v": {"*.v_proj.weight": (16, 48), "*.v_proj.bias": (16,)},
            "attn_o": {"*.o_proj.weight": (48, 48)},
            **gated(48, 80),
            "norms": {
                "*.input_layernorm.weight": (48,),
                "*.input_layernorm.bias": (48,),
                "*.post_attention_layernorm.weight": (48,),
                "*.post_attention_layernorm.bias": (48,),
                "norm.weight": (48,),
                "norm.bias": (48,),
            },
        },
    ),
    "phi-msft": RemoteCode(
        source="https://huggingface.co/microsoft/phi-2/blob/main/modeling_phi.py",
        config={
            "n_embd": 48,
            "n_layer": 3,
            "n_head": 6,
            "n_head_kv": 2,
            "n_inner": 80,
            "vocab_size": 100,
        },
        layers=3,
        tensors={
            "token_embedding": {"wte.weight": (128, 48)},
            "attn_qkv": {"*.mixer.Wqkv.weight": (80, 48), "*.mixer.Wqkv.bias": (80,)},
            "attn_o": {"*.mixer.out_proj.weight": (48, 48), "*.mixer.out_proj.bias": (48,)},
            "mlp_up": {"*.mlp.fc1.weight": (80, 48), "*.mlp.fc1.bias": (80,)},
            "mlp_down": {"*.mlp.fc2.weight": (48, 80), "*.mlp.fc2.bias": (48,)},
            "norms": {
                "*.ln.weight": (48,),
                "*.ln.bias": (48,),
                "lm_head.ln.weight": (48,),
                "lm_head.ln.bias": (48,),
            },
            "lm_head": {"lm_head.linear.weight": (128, 48)},
            "lm_head_bias": {"lm_head.linear.bias": (128,)},
        },
    ),
    "mixformer-sequential": RemoteCode(
        source="https://huggingface.co/microsoft/phi-1_5/blob/main/modeling_mixformer_sequential.py",
        config={
            "n_embd": 48,
            "n_layer": 2,
            "n_head": 6,
            "vocab_size": 192,
            "architecture": {
                "block_cls": "parallel",
                "mixer": {},
                "mlp": {"mlp_cls": "fused_mlp"},
            },
        },
        layers=2,
        tensors={
            "token_embedding": {"layers.0.wte.weight": (192, 48)},
            "attn_qkv": {"*.mixer.Wqkv.weight": (144, 48), "*.mixer.Wqkv.bias": (144,)},
            "attn_o": {"*.mixer.out_proj.weight": (48, 48), "*.mixer.out_proj.bias": (48,)},
            "mlp_up": {"*.mlp.fc1.weight": (192, 48), "*.mlp.fc1.bias": (192,)},
            "mlp_down": {"*.mlp.fc2.weight": (48, 192), "*.mlp.fc2.bias": (48,)},
            "norms": {
                "*.ln.weight": (48,),
                "*.ln.bias": (48,),
                "layers.3.ln.weight": (48,),
                "layers.3.ln.bias": (48,),
            },
            "lm_head": {"layers.3.linear.weight": (192, 48)},
            "lm_head_bias": {"layers.3.linear.bias": (192,)},
        },
    ),
    "exaone": RemoteCode(
        source="https://huggingface.co/LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct/blob/main/modeling_exaone.py",
        config={
            "hidden_size": 48,
            "num_layers": 3,
            "num_attention_heads": 6,
            "num_key_value_heads": 2,
            "intermediate_size": None,
            "vocab_size": 100,
        },
        layers=3,
        tensors={
            **embeddings(48),
            **grouped(48, 16),
            "mlp_gate": {"*.mlp.c_fc_0.weight": (192, 48)},
            "mlp_up": {"*.mlp.c_fc_1.weight": (192, 48)},
            "mlp_down": {"*.mlp.c_proj.weight": (48, 192)},
            "norms": {"*.ln_1.weight": (48,), "*.ln_2.weight": (48,), "ln_f.weight": (48,)},
        },
    ),
    "grok-1": RemoteCode(
        source="https://huggingface.co/hpcai-tech/grok-1/blob/main/modeling_grok1.py",
        config={
            **SMALL,
            "num_experts": 5,
            "residual_moe": True,
            "moe_intermediate_size": 24,
        },
        layers=3,
        tensors={
            "token_embedding": {"embed_tokens.weight": (100, 48)},
            **grouped(48, 16),
            "router": {"*.moe_block.gate.weight": (5, 48)},
            "experts": {
                "*.moe_block.experts.linear_v.weight": (5, 24, 48),
                "*.moe_block.experts.linear.weight": (5, 24, 48),
                "*.moe_block.experts.linear_1.weight": (5, 48, 24),
            },
            # only Grok-2 has an MLP, and experts of another width
            **gated(48, 80),
            "norms": {
                "*.pre_attn_norm.scale": (48,),
                "*.post_attn_norm.scale": (48,),
                "*.pre_moe_norm.scale": (48,),
                "*.post_moe_norm.scale": (48,),
                "norm.scale": (48,),
            },
            "lm_head": {},
        },
    ),
    "arctic": RemoteCode(
        source="https://huggingface.co/Snowflake/snowflake-arctic-base/blob/main/modeling_arctic.py",
        config={
            **SMALL,
            "num_local_experts": 5,
            "moe_layer_frequency": 2,
            "parallel_attn_mlp_res": True,
        },
        layers=3,
        tensors={
            **embeddings(48),
            **grouped(48, 16),
            "mlp_gate": {
                "0.block_sparse_moe.mlp.w1.weight": (80, 48),
                "1.residual_mlp.w1.weight": (48, 48),
                "2.block_sparse_moe.mlp.w1.weight": (80, 48),
            },
            "mlp_up": {
                "0.block_sparse_moe.mlp.w3.weight": (80, 48),
                "1.residual_mlp.w3.weight": (48, 48),
                "2.block_sparse_moe.mlp.w3.weight": (80, 48),
            },
            "mlp_down": {
                "0.block_sparse_moe.mlp.w2.weight": (48, 80),
                "1.residual_mlp.w2.weight": (48, 48),
                "2.block_sparse_moe.mlp.w2.weight": (48, 80),
            },
            "router": {"1.block_sparse_moe.gate.weight": (5, 48)},
            "experts": {
                "1.block_sparse_moe.experts.w1.weight": (5, 80, 48),
                "1.block_sparse_moe.experts.w3.weight": (5, 80, 48),
                "1.block_sparse_moe.experts.w2.weight": (5, 48, 80),
            },
            "norms": {
                "*.input_layernorm.weight": (48,),
                "*.post_attention_layernorm.weight": (48,),
                "1.residual_layernorm.weight": (48,),
                "norm.weight": (48,),
            },
        },
    ),
    "kimi_k2": RemoteCode(
        source="https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/modeling_deepseek.py",
        config={
            **SIZES,
            "q_lora_rank": 12,
            "kv_lora_rank": 20,
            "qk_nope_head_dim": 8,
            "qk_rope_head_dim": 6,
            "v_head_dim": 10,
            "moe_intermediate_size": 24,
            "n_routed_experts": 5,
            "num_experts_per_tok": 2,
            "n_shared_experts": 1,
            "first_k_dense_replace": 1,
        },
        layers=3,
        tensors={
            **EMBEDDINGS,
            "attn_q_a": {"*.q_a_proj.weight": (12, 64)},
            "attn_q_b": {"*.q_b_proj.weight": (56, 12)},
            "attn_kv_a": {"*.kv_a_proj_with_mqa.weight": (26, 64)},
            "attn_kv_b": {"*.kv_b_proj.weight": (72, 20)},
            "attn_o": {"*.o_proj.weight": (64, 40)},
            "mla_norm": {"*.q_a_layernorm.weight": (12,), "*.kv_a_layernorm.weight": (20,)},
            "mlp_gate": {"0.mlp.gate_proj.weight": (96, 64)},
            "mlp_up": {"0.mlp.up_proj.weight": (96, 64)},
            "mlp_down": {"0.mlp.down_proj.weight": (64, 96)},
            "router": {"1.mlp.gate.weight": (5, 64), "2.mlp.gate.weight": (5, 64)},
            "experts": {
                "1.mlp.experts": (5, 3, 24, 64),
                "2.mlp.experts": (5, 3, 24, 64),
            },
            "shared_experts": {
                "1.mlp.shared_experts": (3, 24, 64),
                "2.mlp.shared_experts": (3, 24, 64),
            },
            **NORMS,
        },
    ),
    "bailing_moe": RemoteCode(
        source="https://github.com/inclusionAI/Ling/blob/master/models/modeling_bailing_moe.py",
        config={
            **SMALL,
            "moe_intermediate_size": 24,
            "num_experts": 5,
            "num_shared_experts": 2,
            "first_k_dense_replace": 1,
        },
        layers=3,
        tensors={
            **embeddings(48),
            "attn_qkv": {"*.attention.query_key_value.weight": (80, 48)},
            "attn_o": {"*.attention.dense.weight": (48, 48), "*.attention.dense.bias": (48,)},
            "mlp_gate": {"0.mlp.gate_proj.weight": (80, 48)},
            "mlp_up": {"0.mlp.up_proj.weight": (80, 48)},
            "mlp_down": {"0.mlp.down_proj.weight": (48, 80)},
            "router": {"1.mlp.gate.weight": (5, 48), "2.mlp.gate.weight": (5, 48)},
            "experts": {
                "1.mlp.experts": (5, 3, 24, 48),
                "2.mlp.experts": (5, 3, 24, 48),
            },
            "shared_experts": {
                "1.mlp.shared_experts": (3, 48, 48),
                "2.mlp.shared_experts": (3, 48, 48),
            },
            **norms(48),
        },
    ),
    "bailing_moe_v2": RemoteCode(
        source="https://github.com/inclusionAI/Ling-V2/blob/main/models/modeling_bailing_moe_v2.py",
        config={
            **SMALL,
            "num_hidden_layers": 2,
            "head_dim": 12,
            "moe_intermediate_size": 24,
            "num_experts": 9,
            "use_qkv_bias": True,
        },
        layers=2,
        tensors={
            **embeddings(48),
            "attn_qkv": {
                "*.attention.query_key_value.weight": (120, 48),
                "*.attention.query_key_value.bias": (120,),
            },
            "qk_norm": {
                "*.attention.query_layernorm.weight": (12,),
                "*.attention.key_layernorm.weight": (12,),
            },
            "attn_o": {"*.attention.dense.weight": (48, 72)},
            "mlp_gate": {"0.mlp.gate_proj.weight": (80, 48)},
            "mlp_up": {"0.mlp.up_proj.weight": (80, 48)},
            "mlp_down": {"0.mlp.down_proj.weight": (48, 80)},
            "router": {"1.mlp.gate.weight": (9, 48)},
            "experts": {"1.mlp.experts": (9, 3, 24, 48)},
            "shared_experts": {"1.mlp.shared_experts": (3, 24, 48)},
            **norms(48),
        },
    ),
    "openelm": RemoteCode(
        source="https://huggingface.co/apple/OpenELM-270M/blob/main/modeling_openelm.py",
        config={
            "model_dim": 64,
            "num_transformer_layers": 3,
            "head_dim": 8,
            "num_gqa_groups": 2,
            "qkv_multipliers": [0.5, 1.0],
            "num_query_heads": [4, 6, 8],
            "num_kv_heads": [2, 3, 4],
            "ffn_multipliers": [0.7, 1.9],
            "ffn_dim_divisor": 32,
            "normalize_qk_projections": True,
            "tie_word_embeddings": False,
            "vocab_size": 100,
        },
        layers=3,
        tensors={
            **EMBEDDINGS,
            "attn_qkv": {
                "0.attn.qkv_proj.weight": (64, 64),
                "1.attn.qkv_proj.weight": (96, 64),
                "2.attn.qkv_proj.weight": (128, 64),
            },
            "attn_o": {
                "0.attn.out_proj.weight": (64, 32),
                "1.attn.out_proj.weight": (64, 48),
                "2.attn.out_proj.weight": (64, 64),
            },
            "qk_norm": {"*.attn.q_norm.weight": (8,), "*.attn.k_norm.weight": (8,)},
            # 0.7 · 64 would be rounded to 32, more than a tenth too small
            "mlp_gate_up": {
                "0.ffn.proj_1.weight": (2 * 64, 64),
                "1.ffn.proj_1.weight": (2 * 96, 64),
                "2.ffn.proj_1.weight": (2 * 128, 64),
            },
            "mlp_down": {
                "0.ffn.proj_2.weight": (64, 64),
                "1.ffn.proj_2.weight": (64, 96),
                "2.ffn.proj_2.weight": (64, 128),
            },
            "norms": {
                "*.attn_norm.weight": (64,),
                "*.ffn_norm.weight": (64,),
                "norm.weight": (64,),
            },
        },
    ),
    "deci": RemoteCode(
        source="https://huggingface.co/Deci/DeciLM-7B/blob/main/modeling_decilm.py",
        config={
            "hidden_size": 48,
            "num_hidden_layers": 3,
            "num_attention_heads": 6,
            "num_key_value_heads_per_layer": [3, 1, 2],
            "intermediate_size": 80,
            "vocab_size": 100,
        },
        layers=3,
        tensors={
            **embeddings(48),
            "attn_q": {"*.q_proj.weight": (48, 48)},
            "attn_k": {
                "0.k_proj.weight": (24, 48),
                "1.k_proj.weight": (8, 48),
                "2.k_proj.weight": (16, 48),
            },
            "attn_v": {
                "0.v_proj.weight": (24, 48),
                "1.v_proj.weight": (8, 48),
                "2.v_proj.weight": (16, 48),
            },
            "attn_o": {"*.o_proj.weight": (48, 48)},
            **gated(48, 80),
            **norms(48),
        },
    ),
    "nemotron-nas": RemoteCode(
        source="https://huggingface.co/nvidia/Llama-3_3-Nemotron-Super-49B-v1/blob/main/modeling_decilm.py",
        config={
            "hidden_size": 384,
            "num_hidden_layers": 5,
            "num_attention_heads": 8,
            "block_configs": [
                {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 3.0}},
                {"attention": {"no_op": True}, "ffn": {"ffn_mult": 1.5}},
                {"attention": {"replace_with_linear": True}, "ffn": {"ffn_mult": 4}},
                {"attention": {"n_heads_in_group": 4}, "ffn": {"replace_with_linear": True}},
                {"attention": {"no_op": True}, "ffn": {"no_op": True}},
            ],
            "vocab_size": 100,
        },
        layers=5,
        tensors={
            **embeddings(384),
            "attn_q": {"0.q_proj.weight": (384, 384), "3.q_proj.weight": (384, 384)},
            "attn_k": {"0.k_proj.weight": (192, 384), "3.k_proj.weight": (96, 384)},
            "attn_v": {"0.v_proj.weight": (192, 384), "3.v_proj.weight": (96, 384)},
            "attn_o": {"0.o_proj.weight": (384, 384), "3.o_proj.weight": (384, 384)},
            "attn_linear": {"2.self_attn.linear_attn.weight": (384, 384)},
            "mlp_linear": {"3.mlp.linear_mlp.weight": (384, 384)},
            # 2/3 of 1.5 · 384 is 384, which is rounded up to 512
            "mlp_gate": {
                "0.gate_proj.weight": (768, 384),
                "1.gate_proj.weight": (512, 384),
                "2.gate_proj.weight": (1024, 384),
            },
            "mlp_up": {
                "0.up_proj.weight": (768, 384),
                "1.up_proj.weight": (512, 384),
                "2.up_proj.weight": (1024, 384),
            },
            "mlp_down": {
                "0.down_proj.weight": (384, 768),
                "1.down_proj.weight": (384, 512),
                "2.down_proj.weight": (384, 1024),
            },
            "norms": {
                "0.input_layernorm.weight": (384,),
                "2.input_layernorm.weight": (384,),
                "3.input_layernorm.weight": (384,),
                "0.post_attention_layernorm.weight": (384,),
                "1.post_attention_layernorm.weight": (384,),
                "2.post_attention_layernorm.weight": (384,),
                "3.post_attention_layernorm.weight": (384,),
                "norm.weight": (384,),
            },
        },
    ),
    "new": RemoteCode(
        source="https://huggingface.co/Alibaba-NLP/new-impl/blob/main/modeling.py",
        config={
            **SIZES,
            "architectures": ["NewForMaskedLM"],
            "type_vocab_size": 2,
            "position_embedding_type": "absolute",
            "max_position_embeddings": 50,
        },
        layers=3,
        tensors={
            "token_embedding": {"word_embeddings.weight": (100, 64)},
            "position_embedding": {"position_embeddings.weight": (50, 64)},
            "token_type_embedding": {"token_type_embeddings.weight": (2, 64)},
            "embedding_norm": {"LayerNorm.weight": (64,), "LayerNorm.bias": (64,)},
            # qkv_proj is one matrix 64 × 192
            "attn_q": {"*.qkv_proj.weight": (64, 64), "*.qkv_proj.bias": (64,)},
            "attn_k": {"*.qkv_proj.weight": (64, 64), "*.qkv_proj.bias": (64,)},
            "attn_v": {"*.qkv_proj.weight": (64, 64), "*.qkv_proj.bias": (64,)},
            "attn_o": {"*.o_proj.weight": (64, 64), "*.o_proj.bias": (64,)},
            # up_gate_proj is one matrix 64 × 192
            "mlp_gate": {"*.up_gate_proj.weight": (96, 64)},
            "mlp_up": {"*.up_gate_proj.weight": (96, 64)},
            "mlp_down": {"*.down_proj.weight": (64, 96), "*.down_proj.bias": (64,)},
            "norms": {
                "*.attn_ln.weight": (64,),
                "*.attn_ln.bias": (64,),
                "*.mlp_ln.weight": (64,),
                "*.mlp_ln.bias": (64,),
            },
            "lm_head": {"lm_head.dense.weight": (64, 64), "lm_head.dense.bias": (64,)},
            "lm_head_bias": {
                "lm_head.norm.weight": (64,),
                "lm_head.norm.bias": (64,),
                "lm_head.decoder.bias": (100,),
            },
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
    with_tower = [TEXT_ONLY.text in load(file).notes for file in files]
    assert with_tower == [False, False, True]


@pytest.mark.parametrize("kind", ["RWForCausalLM", "DeciLMForCausalLM", "DeepseekV3ForCausalLM"])
def test_class_of_several_types_means_the_first(kind: str) -> None:
    types = {
        "RWForCausalLM": "RefinedWeb",
        "DeciLMForCausalLM": "deci",
        "DeepseekV3ForCausalLM": "deepseek_v3",
    }
    per_layer = {"num_key_value_heads_per_layer": [1, 2, 3], "num_key_value_heads": None}
    extra = per_layer if kind == "DeciLMForCausalLM" else {}
    assert load({"architectures": [kind], **SMALL, **extra}).model_type == types[kind]


def test_class_of_ling_2_decides_the_default_of_its_norms() -> None:
    config = {**SMALL, "model_type": "bailing_moe", "moe_intermediate_size": 24}
    components = load({**config, "architectures": ["BailingMoeV2ForCausalLM"]}).components
    assert components["qk_norm"] == 3 * 2 * 8
    assert "qk_norm" not in load({**config, "architectures": ["BailingMoeForCausalLM"]}).components


@pytest.mark.parametrize(
    ("config", "same"),
    [
        ({"model_type": "minicpmv"}, {"model_type": "llama"}),
        ({"model_type": "minicpmv", "version": 2.6}, {"model_type": "qwen2"}),
        ({"model_type": "minicpmv", "version": 4.0}, {"model_type": "llama"}),
        (
            {"model_type": "minicpmv", "version": 4.5, "head_dim": 12},
            {"model_type": "qwen3", "head_dim": 12},
        ),
        ({"model_type": "minicpmo", "version": 2.6}, {"model_type": "qwen2"}),
        (
            {"model_type": "minicpmv", "hidden_size": 2304},
            {"model_type": "llama", "hidden_size": 2304, "tie_word_embeddings": True},
        ),
    ],
)
def test_text_decoders_of_minicpm_v(config: dict[str, object], same: dict[str, object]) -> None:
    """Its classes contain ``MiniCPMForCausalLM``, ``LlamaForCausalLM``, ``Qwen2ForCausalLM`` …"""
    assert load({**SMALL, **config}).components == load({**SMALL, **same}).components
