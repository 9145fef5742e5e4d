"""Griffin's recurrent block: a gated linear recurrence after a short convolution.

De et al. 2024, https://arxiv.org/abs/2402.19427, section 2.4.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.convolution import causal_convolution
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D, H, T
from sphinx_llmsize.translation import N_


def recurrent_block(*, width: Size, block: Size) -> Block:
    """Two branches D → width, one with convolution and recurrence; their product back to D.

    Args:
        width: of the recurrence.
        block: of each of the H blocks on the diagonal of its gates.
    """
    branches = (
        *linear("gate_proj", D, width, "ssm", bias=True, label=N_("gate")),
        *linear("in_proj", D, width, "ssm", bias=True, label="x"),
    )
    out = linear("out_proj", width, D, "ssm", bias=True)
    return (
        Stage("mixer_input", N_("Input and gate"), Group.MIXER, (T, 2 * width), branches),
        causal_convolution(width, bias=True),
        Stage(
            "recurrence",
            N_("Linear recurrence"),
            Group.MIXER,
            (T, width),
            _gates(width, block),
            caches=((width,),),
        ),
        Stage("mixer_output", N_("Output projection"), Group.MIXER, (T, D), out),
    )


def _gates(width: Size, block: Size) -> tuple[Tensor, ...]:
    """An input and a recurrence gate, both block-diagonal, and how fast each channel forgets."""
    gates = tuple(
        Tensor(f"{name}_gate.{kind}", (H, *shape), "ssm", name, role)
        for name in (N_("input"), N_("recurrence"))
        for kind, shape, role in (
            ("weight", (block, block), Role.WEIGHT),
            ("bias", (block,), Role.BIAS),
        )
    )
    return (*gates, vector("decay", width, "ssm", label=N_("decay")))
