"""State-space models (Mamba and Mamba-2), causal convolutions, and matmuls of recurrent states."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage, beside_input
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config.symbols import D_INNER, G_M, H_M, R_DT, D, S, T, W
from sphinx_llmsize.translation import N_

ATTENTION_NAMES = (N_("keys"), N_("values"), N_("queries"))
"""Factors in linear attention: keys and values change the state, queries read it."""
STATE_SPACE_NAMES = ("B", "x", "C")
"""Mamba's symbols for the same (Dao & Gu 2024, https://arxiv.org/abs/2405.21060)."""


def mamba(*, bias: bool, conv_bias: bool, norms: bool = False) -> Block:
    """Mamba: D_inner channels, each with a state of S numbers.

    Gu & Dao 2023, https://arxiv.org/abs/2312.00752

    Args:
        bias: biases on the projections from D and to D.
        conv_bias: a bias on the convolution.
        norms: norms on Δ, B and C (Jamba).
    """
    state_space = _state_space(
        D_INNER,
        (
            Tensor("A_log", (D_INNER, S), "ssm", "A", Role.SCALE),
            vector("D", D_INNER, "ssm", label=N_("skip")),
        ),
    )
    return (
        _input_projection(2 * D_INNER, bias=bias),
        # the gate, half of the projection, bypasses these stages and multiplies their result
        beside_input(
            causal_convolution(D_INNER, bias=conv_bias),
            beside_input(*_selection(D_INNER, norms=norms)),  # the states read both
            state_space,
        ),
        mixer_output(D_INNER, bias=bias),
    )


def mamba2(
    *,
    bias: bool,
    conv_bias: bool,
    output_bias: bool | None = None,
    width: Size = D_INNER,
    norm: bool = True,
) -> Block:
    """Mamba-2: H_m heads in G_m groups; the heads of a group share B and C.

    Dao & Gu 2024, https://arxiv.org/abs/2405.21060

    Args:
        bias: biases on the projections from D and to D.
        conv_bias: a bias on the convolution.
        output_bias: a bias on the projection to D; defaults to ``bias``.
        width: dimensions of all heads together.
        norm: a gated norm before the projection to D.
    """
    convolved = width + 2 * G_M * S
    state_space = _state_space(
        width,
        (
            vector("A_log", H_M, "ssm", label="A"),
            vector("D", H_M, "ssm", label=N_("skip")),
            vector("dt_bias", H_M, "ssm", Role.BIAS, "Δ"),
        ),
    )
    norms = (gated_norm(scales=width, width=width),) if norm else ()
    return (
        _input_projection(2 * width + 2 * G_M * S + H_M, bias=bias),
        # the gate bypasses the convolution and the states, Δ bypasses the convolution only
        beside_input(
            beside_input(causal_convolution(convolved, bias=conv_bias)),
            state_space,
        ),
        *norms,
        mixer_output(width, bias=bias if output_bias is None else output_bias),
    )


def gated_norm(*, scales: Size, width: Size) -> Stage:
    """A norm after the states, whose result is multiplied by a gate from another branch.

    Args:
        scales: number of scales: those of one head if all heads share them.
        width: dimensions of the input.
    """
    weight = vector("gated_norm.weight", scales, "ssm")
    return Stage("gated_norm", N_("Gated norm"), Group.MIXER, (T, width), (weight,))


def mixer_output(width: Size, *, bias: bool = False, name: str = "out_proj") -> Stage:
    """The projection from a mixer back to D: a matrix width × D."""
    tensors = linear(name, width, D, "ssm", bias=bias)
    return Stage("mixer_output", N_("Output projection"), Group.MIXER, (T, D), tensors)


def causal_convolution(width: Size, *, bias: bool) -> Stage:
    """A convolution of each channel over a token and the W - 1 tokens before it: width × W."""
    weight = Tensor("conv.weight", (width, W), "ssm", role=Role.FILTER)
    shift = (vector("conv.bias", width, "ssm", Role.BIAS),) if bias else ()
    return Stage(
        "convolution",
        N_("Causal convolution"),
        Group.MIXER,
        (T, width),
        (weight, *shift),
        caches=((W, width),),  # in the published code, although W - 1 tokens would be enough
    )


def short_convolution(*, bias: bool) -> Block:
    """LFM2's operator: a convolution between two gates, all projected from D by one matrix.

    Liquid AI 2025, https://arxiv.org/abs/2511.23404

    Args:
        bias: biases on the convolution and on both projections.
    """
    inputs = linear("in_proj", D, 3 * D, "ssm", bias=bias)
    return (
        Stage("mixer_input", N_("Gates and values"), Group.MIXER, (T, 3 * D), inputs),
        beside_input(causal_convolution(D, bias=bias)),  # the second gate bypasses it
        mixer_output(D, bias=bias),
    )


def state_products(
    key_dim: Size,
    value_dim: Size,
    heads: Size = ONE,
    *,
    corrected: bool = False,
    names: tuple[str, str, str] = ATTENTION_NAMES,
) -> tuple[MatMul, ...]:
    """Matrix products of a recurrence with a state of key_dim × value_dim for each head.

    Each token adds the outer product of its key and value to the state and reads the state with
    its query: 2·key_dim·value_dim FLOPs each (Yang et al. 2023, https://arxiv.org/abs/2312.06635,
    section 2). Decay is element-wise, not a product. Chunked implementations use more FLOPs.

    Args:
        key_dim: dimensions of a head's keys.
        value_dim: dimensions of a head's values.
        heads: number of heads.
        corrected: the delta rule, which first reads the state with the key (Yang et al. 2024,
            https://arxiv.org/abs/2406.06484, section 2.2).
        names: labels of keys, values and queries.
    """
    keys, values, queries = names
    products = (
        MatMul(N_("{keys} × {values}", keys=keys, values=values), key_dim, T, value_dim, heads),
        MatMul(N_("{queries} × states", queries=queries), T, key_dim, value_dim, heads),
    )
    if not corrected:
        return products
    return (MatMul(N_("{keys} × states", keys=keys), T, key_dim, value_dim, heads), *products)


def _input_projection(width: Size, *, bias: bool) -> Stage:
    """The projection from D to all inputs of a mixer: a matrix D × width."""
    tensors = linear("in_proj", D, width, "ssm", bias=bias)
    return Stage("mixer_input", N_("Input projection"), Group.MIXER, (T, width), tensors)


def _selection(width: Size, *, norms: bool) -> Block:
    """Step sizes Δ, B and C, of which only Δ is projected to ``width`` channels."""
    shape = (T, R_DT + 2 * S)
    selection = linear("x_proj", width, R_DT + 2 * S, "ssm")
    steps = linear("dt_proj", R_DT, width, "ssm", bias=True)
    norm_stages = (_selection_norms(),) if norms else ()
    return (
        Stage("selection", N_("Input-dependent Δ, B and C"), Group.MIXER, shape, selection),
        *norm_stages,
        beside_input(Stage("time_steps", N_("Δ projection"), Group.MIXER, (T, width), steps)),
    )


def _selection_norms() -> Stage:
    """Norms on Δ (R_dt dimensions), on B and on C (S dimensions each)."""
    scales = (
        vector("dt_norm.weight", R_DT, "ssm", label="Δ"),
        vector("b_norm.weight", S, "ssm", label="B"),
        vector("c_norm.weight", S, "ssm", label="C"),
    )
    label = N_("Norms of Δ, B and C")
    return Stage("selection_norms", label, Group.MIXER, (T, R_DT + 2 * S), scales)


def _state_space(width: Size, tensors: tuple[Tensor, ...]) -> Stage:
    """The recurrence of ``width`` channels, with states of S numbers and these weights."""
    return Stage(
        "state_space",
        N_("Selective SSM"),
        Group.MIXER,
        (T, width),
        tensors,
        intermediate=(width, S),
        computes=state_products(S, width, names=STATE_SPACE_NAMES),
        caches=((width, S),),
    )
