"""Components of matrices with biases, by the names that most families have for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.tensors import Role, Tensor

COMMON_COMPONENTS = {
    "attn_qkv": ("attn_q", "attn_k", "attn_v"),
    "attn_qk": ("attn_q", "attn_k"),
    "attn_kv": ("attn_k", "attn_v"),
    "mlp_gate_up": ("mlp_gate", "mlp_up"),
    # two matrices with a latent between them
    "attn_q_a": ("attn_q",),
    "attn_q_b": ("attn_q",),
}
"""The usual components that each rarer one stands for: a fused matrix, or one beside a latent."""


def common_components(component: str) -> tuple[str, ...]:
    """The components that most families have in place of this one; itself if they have it too."""
    return COMMON_COMPONENTS.get(component, (component,))


def biased_components(placed_stages: Iterable[PlacedStage]) -> Iterator[str]:
    """The components of matrices with a bias."""
    for placed in placed_stages:
        tensors = placed.stage.tensors
        matrices = {_module_name(tensor) for tensor in tensors if tensor.role is Role.WEIGHT}
        for tensor in tensors:
            if tensor.role is Role.BIAS and _module_name(tensor) in matrices:
                components = common_components(tensor.component)
                component_of_bias = f"attn_{tensor.label}"
                if component_of_bias in components:  # of a fused matrix, only this part has a bias
                    components = (component_of_bias,)
                yield from components


def _module_name(tensor: Tensor) -> str:
    """The name of a tensor without ``.weight`` or ``.bias``."""
    return tensor.name.rpartition(".")[0]
