"""Feed-forward networks: MLPs and mixtures of experts."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.tensors import ExpertCount, Role, Tensor
from sphinx_llmsize.config.symbols import F_E, F_S, D, E, F, K, T
from sphinx_llmsize.translation import N_


def gated_mlp(*, bias: bool = False, width: Size = F) -> Block:
    """Three matrices: gate and up side by side, then down (Shazeer 2020, arXiv:2002.05202)."""
    gate = linear("gate_proj", D, width, "mlp_gate", bias=bias, label=N_("gate"))
    up = linear("up_proj", D, width, "mlp_up", bias=bias, label=N_("up"))
    return _feed_forward(N_("FFN gate and up"), (*gate, *up), width, bias=bias)


def fused_gated_mlp(*, bias: bool = False, width: Size = F) -> Block:
    """A gated MLP whose gate and up are one matrix (Phi-3, GLM)."""
    both = linear("gate_up_proj", D, 2 * width, "mlp_gate_up", bias=bias)
    return _feed_forward(N_("FFN gate and up"), both, width, bias=bias)


def mlp(*, bias: bool = False, width: Size = F) -> Block:
    """Two matrices: up and down (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762)."""
    up = linear("up_proj", D, width, "mlp_up", bias=bias)
    return _feed_forward(N_("FFN up"), up, width, bias=bias)


def _feed_forward(label: str, up: tuple[Tensor, ...], width: Size, *, bias: bool) -> Block:
    down = linear("down_proj", width, D, "mlp_down", bias=bias)
    return (
        Stage("ffn_up", label, Group.FEED_FORWARD, (T, width), up),
        Stage("ffn_down", N_("FFN down"), Group.FEED_FORWARD, (T, D), down),
    )


ROUTED = ExpertCount(E, K)


def mixture_of_experts(
    experts: Block, *, router: tuple[Tensor, ...] | None = None, shared: Block = ()
) -> Block:
    """A router, the experts it chooses from and, beside them, those that all tokens use.

    Args:
        experts: :func:`gated_experts`, or any stages with copies.
        router: its tensors, where it is more than a matrix D × E.
        shared: :func:`shared_expert`.
    """
    chooses = Stage("router", N_("Router"), Group.EXPERTS, (T, E), router or linear_router())
    routed = (chooses, *experts)
    return (Parallel((routed, shared)),) if shared else routed


def linear_router(*, bias: bool = False) -> tuple[Tensor, ...]:
    """One matrix, a column for each expert."""
    return linear("router", D, E, "router", bias=bias)


def corrected_router() -> tuple[Tensor, ...]:
    """A matrix D × E, and a bias for the choice of experts where that is a parameter.

    It balances the load without a loss (Wang et al. 2024, https://arxiv.org/abs/2408.15664).
    """
    correction = vector("router.correction_bias", E, "router", Role.BIAS, N_("correction"))
    return (*linear_router(), correction)


def gated_experts(
    *, width: Size = F_E, bias: bool = False, expert_count: ExpertCount = ROUTED
) -> Block:
    """Experts that are gated MLPs."""
    gate = linear(
        "gate_proj", D, width, "experts", bias=bias, label=N_("gate"), expert_count=expert_count
    )
    up = linear(
        "up_proj", D, width, "experts", bias=bias, label=N_("up"), expert_count=expert_count
    )
    return _experts(
        N_("Experts: gate and up"), (*gate, *up), width, bias=bias, expert_count=expert_count
    )


def plain_experts(
    *, width: Size = F_E, bias: bool = False, expert_count: ExpertCount = ROUTED, inputs: Size = D
) -> Block:
    """Experts that are plain MLPs.

    Args:
        width: of each.
        bias: biases on both projections.
        copies: how many there are.
        inputs: what they map from and to, where that is a latent (:func:`through_latent`).
    """
    up = linear(
        "up_proj", inputs, width, "experts", bias=bias, label=N_("up"), expert_count=expert_count
    )
    return _experts(
        N_("Experts: up"), up, width, bias=bias, expert_count=expert_count, inputs=inputs
    )


def through_latent(experts: Block, latent: Size, *, bias: bool = False) -> Block:
    """Experts between a projection of D to a latent and one back (Nemotron 3 Super).

    Args:
        experts: which map from the latent and to it.
        latent: its width.
        bias: biases on the two projections.
    """
    down = linear("latent_down_proj", D, latent, "moe_latent_proj", bias=bias)
    up = linear("latent_up_proj", latent, D, "moe_latent_proj", bias=bias)
    return (
        Stage("experts_latent", N_("Experts: to latent"), Group.EXPERTS, (T, latent), down),
        *experts,
        Stage("experts_output", N_("Experts: from latent"), Group.EXPERTS, (T, D), up),
    )


def shared_expert(*, width: Size = F_S, gate: bool = False, bias: bool = False) -> Block:
    """A gated MLP that every token uses.

    Args:
        width: of all shared experts together.
        gate: a gate of D × 1 scales its output (Qwen1.5-MoE).
        bias: biases on its projections.
    """
    tensors = (
        *linear("gate_proj", D, width, "shared_experts", label=N_("gate"), bias=bias),
        *linear("up_proj", D, width, "shared_experts", label=N_("up"), bias=bias),
    )
    down = linear("down_proj", width, D, "shared_experts", bias=bias)
    scale = linear("shared_gate", D, ONE, "shared_expert_gate", label=N_("gate"))
    expert = (
        Stage("shared_up", N_("Shared expert: gate and up"), Group.EXPERTS, (T, width), tensors),
        Stage("shared_down", N_("Shared expert: down"), Group.EXPERTS, (T, D), down),
    )
    gated = Stage("shared_gate", N_("Shared expert: output gate"), Group.EXPERTS, (T, D), scale)
    return (*expert, gated) if gate else expert


def plain_shared_expert(*, width: Size = F_S, bias: bool = False) -> Block:
    """A plain MLP that every token uses."""
    up = linear("up_proj", D, width, "shared_experts", label=N_("up"), bias=bias)
    down = linear("down_proj", width, D, "shared_experts", bias=bias)
    return (
        Stage("shared_up", N_("Shared expert: up"), Group.EXPERTS, (T, width), up),
        Stage("shared_down", N_("Shared expert: down"), Group.EXPERTS, (T, D), down),
    )


def _experts(
    label: str,
    up: tuple[Tensor, ...],
    width: Size,
    *,
    bias: bool,
    expert_count: ExpertCount,
    inputs: Size = D,
) -> Block:
    down = linear("down_proj", width, inputs, "experts", bias=bias, expert_count=expert_count)
    return (
        Stage("experts_up", label, Group.EXPERTS, (T, expert_count.per_token, width), up),
        Stage("experts_down", N_("Experts: down"), Group.EXPERTS, (T, inputs), down),
    )
