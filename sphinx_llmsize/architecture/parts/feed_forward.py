"""Feed-forward networks: MLPs and mixtures of experts."""

from __future__ import annotations

from itertools import takewhile

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage, Step, stages_of
from sphinx_llmsize.architecture.tensors import ExpertCount, Role, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import E_S, F_E, F_S, D, E, F, K, T
from sphinx_llmsize.translation import N_

ROUTED_EXPERTS = ExpertCount(E, K)
"""E experts, of which each token uses k."""


def gated_mlp(*, bias: bool = False, down_bias: bool | None = None, width: Size = F) -> Block:
    """Three matrices: gate and up side by side, then down (Shazeer 2020, arXiv:2002.05202).

    Args:
        bias: biases on gate and up.
        down_bias: a bias on down; defaults to ``bias``.
        width: dimensions between the matrices.
    """
    gate_and_up = _gate_and_up(width, "mlp_gate", "mlp_up", bias=bias)
    with_bias = bias if down_bias is None else down_bias
    return _mlp_stages(N_("FFN gate and up"), gate_and_up, width, bias=with_bias)


def fused_gated_mlp(*, bias: bool = False, width: Size = F) -> Block:
    """A gated MLP with one matrix D × 2·width for gate and up (Phi-3, GLM)."""
    gate_and_up = linear("gate_up_proj", D, 2 * width, "mlp_gate_up", bias=bias)
    return _mlp_stages(N_("FFN gate and up"), gate_and_up, width, bias=bias)


def mlp(*, bias: bool = False, width: Size = F) -> Block:
    """Two matrices: up and down (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762)."""
    up = linear("up_proj", D, width, "mlp_up", bias=bias)
    return _mlp_stages(N_("FFN up"), up, width, bias=bias)


def _gate_and_up(
    width: Size,
    gate: str,
    up: str,
    *,
    bias: bool,
    expert_count: ExpertCount | None = None,
    inputs: Size = D,
) -> tuple[Tensor, ...]:
    """Two matrices inputs × width; ``gate`` and ``up`` are their component ids."""
    return (
        *linear(
            "gate_proj", inputs, width, gate, bias=bias, label=N_("gate"), expert_count=expert_count
        ),
        *linear("up_proj", inputs, width, up, bias=bias, label=N_("up"), expert_count=expert_count),
    )


def _mlp_stages(label: str, up: tuple[Tensor, ...], width: Size, *, bias: bool) -> Block:
    """Stages of an MLP: the tensors ``up``, then a matrix width × D."""
    down = linear("down_proj", width, D, "mlp_down", bias=bias)
    return (
        Stage("ffn_up", label, Group.FEED_FORWARD, (T, width), up),
        Stage("ffn_down", N_("FFN down"), Group.FEED_FORWARD, (T, D), down),
    )


def mixture_of_experts(
    experts: Block, *, router: tuple[Tensor, ...] | None = None, shared: Block = ()
) -> Block:
    """A router that sends each token to k of E experts, plus shared experts for all tokens.

    Shazeer et al. 2017, https://arxiv.org/abs/1701.06538; with shared experts Dai et al. 2024,
    https://arxiv.org/abs/2401.06066.

    Args:
        experts: :func:`gated_experts` or :func:`plain_experts`.
        router: tensors of the router; a matrix D × E by default.
        shared: :func:`shared_expert`; none by default.
    """
    tensors = router or linear_router()
    stage = Stage("router", N_("Router"), Group.EXPERTS, (T, E), tensors)
    routed = with_router(stage, experts)
    return (Parallel((routed, shared), is_sum=True),) if shared else routed


def with_router(router: Stage, block: Block) -> Block:
    """A block with a router in parallel to the steps before its experts, which read both.

    If the block begins with experts, they read the router and its input.
    """
    before = tuple(takewhile(lambda step: not _has_experts(step), block))
    return (Parallel(((router,), before)), *block[len(before) :])


def _has_experts(step: Step) -> bool:
    """True if a stage within the step has tensors of experts."""
    return any(stage.expert_count for stage in stages_of((step,)))


def linear_router(*, bias: bool = False) -> tuple[Tensor, ...]:
    """A matrix D × E: one column for each expert."""
    return linear("router", D, E, "router", bias=bias)


def corrected_router() -> tuple[Tensor, ...]:
    """A matrix D × E and a learned bias of E numbers, which only affects the choice of experts.

    The bias balances the load without an auxiliary loss (Wang et al. 2024,
    https://arxiv.org/abs/2408.15664).
    """
    correction = vector("router.correction_bias", E, "router", Role.BIAS, N_("correction"))
    return (*linear_router(), correction)


def gated_experts(
    *,
    width: Size = F_E,
    bias: bool = False,
    expert_count: ExpertCount = ROUTED_EXPERTS,
    inputs: Size = D,
) -> Block:
    """Experts that are gated MLPs of ``width`` dimensions; see :func:`plain_experts`."""
    up = _gate_and_up(
        width, "experts", "experts", bias=bias, expert_count=expert_count, inputs=inputs
    )
    label = N_("Experts: gate and up")
    return _expert_stages(label, up, width, bias=bias, expert_count=expert_count, inputs=inputs)


def plain_experts(
    *,
    width: Size = F_E,
    bias: bool = False,
    expert_count: ExpertCount = ROUTED_EXPERTS,
    inputs: Size = D,
) -> Block:
    """Experts that are MLPs of two matrices.

    Args:
        width: dimensions inside an expert.
        bias: biases on both projections.
        expert_count: all experts, and experts per token.
        inputs: dimensions of an expert's input and output (:func:`through_latent`).
    """
    up = linear(
        "up_proj", inputs, width, "experts", bias=bias, label=N_("up"), expert_count=expert_count
    )
    label = N_("Experts: up")
    return _expert_stages(label, up, width, bias=bias, expert_count=expert_count, inputs=inputs)


def through_latent(experts: Block, latent: Size, *, bias: bool = False) -> Block:
    """Experts between a projection from D to ``latent`` and one back (Nemotron 3 Super).

    Args:
        experts: experts with inputs of ``latent`` dimensions.
        latent: number of dimensions.
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
        width: dimensions of all shared experts together.
        gate: scale the output by a gate, a projection D × 1 (Qwen1.5-MoE).
        bias: biases on the projections.
    """
    tensors = _gate_and_up(width, "shared_experts", "shared_experts", bias=bias)
    expert = _shared_expert_stages(N_("Shared expert: gate and up"), tensors, width, bias=bias)
    scale = linear("shared_gate", D, ONE, "shared_expert_gate", label=N_("gate"))
    gated = Stage("shared_gate", N_("Shared expert: output gate"), Group.EXPERTS, (T, D), scale)
    return (Parallel((expert, (gated,))),) if gate else expert


def width_of_shared_experts(config: Config, width: Size) -> Size:
    """Dimensions of all shared experts together: E_s times those of one, or of a single one."""
    return width if config[E_S] == 1 else E_S * width


def plain_shared_expert(*, bias: bool) -> Block:
    """An MLP of two matrices, F_s wide, that every token uses."""
    up = linear("up_proj", D, F_S, "shared_experts", label=N_("up"), bias=bias)
    return _shared_expert_stages(N_("Shared expert: up"), up, F_S, bias=bias)


def _shared_expert_stages(label: str, up: tuple[Tensor, ...], width: Size, *, bias: bool) -> Block:
    """Stages of a shared expert: the tensors ``up``, then a matrix width × D."""
    down = linear("down_proj", width, D, "shared_experts", bias=bias)
    return (
        Stage("shared_up", label, Group.EXPERTS, (T, width), up),
        Stage("shared_down", N_("Shared expert: down"), Group.EXPERTS, (T, D), down),
    )


def _expert_stages(
    label: str,
    up: tuple[Tensor, ...],
    width: Size,
    *,
    bias: bool,
    expert_count: ExpertCount,
    inputs: Size,
) -> Block:
    """Stages of routed experts: the tensors ``up``, then a matrix width × inputs."""
    down = linear("down_proj", width, inputs, "experts", bias=bias, expert_count=expert_count)
    return (
        Stage("experts_up", label, Group.EXPERTS, (T, expert_count.per_token, width), up),
        Stage("experts_down", N_("Experts: down"), Group.EXPERTS, (T, inputs), down),
    )
