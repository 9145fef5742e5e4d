"""Families whose modelling code is on the Hub: their tensors, derived by hand from that code.

The tests in ``tests/differential`` can't compare a family that transformers doesn't have, nor
InternLM3 with biases on Q, K and V only, which transformers doesn't build.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import pytest

from sphinx_llmsize import load

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


FAMILIES = {
    "internlm3": RemoteCode(
        source="https://huggingface.co/internlm/internlm3-8b-instruct/blob/main/modeling_internlm3.py",
        config={
            "hidden_size": 64,
            "num_hidden_layers": 3,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 12,
            "intermediate_size": 96,
            "vocab_size": 100,
            "qkv_bias": True,
        },
        layers=3,
        tensors={
            "token_embedding": {"embed_tokens.weight": (100, 64)},
            "attn_q": {"*.q_proj.weight": (48, 64), "*.q_proj.bias": (48,)},
            "attn_k": {"*.k_proj.weight": (24, 64), "*.k_proj.bias": (24,)},
            "attn_v": {"*.v_proj.weight": (24, 64), "*.v_proj.bias": (24,)},
            "attn_o": {"*.o_proj.weight": (64, 48)},
            "mlp_gate": {"*.gate_proj.weight": (96, 64)},
            "mlp_up": {"*.up_proj.weight": (96, 64)},
            "mlp_down": {"*.down_proj.weight": (64, 96)},
            "norms": {
                "*.input_layernorm.weight": (64,),
                "*.post_attention_layernorm.weight": (64,),
                "norm.weight": (64,),
            },
            "lm_head": {"lm_head.weight": (100, 64)},
        },
    ),
    "new": RemoteCode(
        source="https://huggingface.co/Alibaba-NLP/new-impl/blob/main/modeling.py",
        config={
            "architectures": ["NewForMaskedLM"],
            "hidden_size": 64,
            "num_hidden_layers": 3,
            "num_attention_heads": 4,
            "intermediate_size": 96,
            "vocab_size": 100,
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
"""Cases by ``model_type``."""


@pytest.mark.parametrize("model_type", FAMILIES)
def test_components(model_type: str) -> None:
    case = FAMILIES[model_type]
    assert load({"model_type": model_type, **case.config}).components == case.components
