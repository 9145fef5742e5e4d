"""xLSTM's matrix memory."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.states import state_products
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.tensors import Role, Shape
from sphinx_llmsize.config.symbols import D, H, T
from sphinx_llmsize.translation import N_


def mlstm(*, query: Size, value: Size, head_dims: tuple[Size, Size], bias: bool) -> Block:
    """A memory that each head adds value × key to, with an input, a forget and an output gate.

    Beck et al. 2024, https://arxiv.org/abs/2405.04517, section 2.3; as in xLSTM 7B.

    Args:
        query: width of all heads' queries together, and of all keys.
        value: width of all heads' values together.
        head_dims: of one head's keys and of its values.
        bias: biases on all projections; the gates of the heads always have them.
    """
    widths = {"q": query, "k": query, "v": value, "output_gate": value}
    projections = tuple(
        tensor
        for name, width in widths.items()
        for tensor in linear(f"{name}_proj", D, width, "ssm", label=name[0], bias=bias)
    )
    gates = tuple(
        tensor
        for name in (N_("input"), N_("forget"))
        for tensor in linear(f"{name}_gate", D, H, "ssm", label=name, bias=True)
    )
    scale = vector("head_norm.weight", value, "ssm", label=N_("scale") if bias else "")
    shift = vector("head_norm.bias", value, "ssm", Role.BIAS, N_("bias"))
    norm = (scale, shift) if bias else (scale,)
    output = linear("out_proj", value, D, "ssm", bias=bias)
    projected = (T, 2 * query + 2 * value)
    return (
        Parallel(
            (
                (
                    Stage(
                        "mixer_input",
                        N_("QKV and output gate"),
                        Group.MIXER,
                        projected,
                        projections,
                    ),
                ),
                (Stage("gates", N_("Input and forget gates"), Group.MIXER, (T, 2 * H), gates),),
            )
        ),
        Stage(
            "memory",
            N_("Matrix memory"),
            Group.MIXER,
            (T, value),
            computes=state_products(*head_dims, H),
            caches=_memory(*head_dims),
        ),
        Stage("head_norm", N_("Norm of each head"), Group.MIXER, (T, value), norm),
        Stage("mixer_output", N_("Output projection"), Group.MIXER, (T, D), output),
    )


def _memory(key_dim: Size, value_dim: Size) -> tuple[Shape, ...]:
    """For each head the matrix, the vector that normalizes it, and how far both are scaled."""
    return ((H, key_dim, value_dim), (H, key_dim), (H,))
