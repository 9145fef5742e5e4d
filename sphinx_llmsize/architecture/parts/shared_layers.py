"""Transformer layers that a model applies several times with the same weights.

Zamba (https://arxiv.org/abs/2405.16712) and Zamba2 (https://arxiv.org/abs/2411.15242).
"""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.algebra import Number, Quantity, Size, Symbol
from sphinx_llmsize.architecture.layers import Kinds, layer_stacks
from sphinx_llmsize.architecture.parts.decoders import decoder
from sphinx_llmsize.architecture.parts.layer_kinds import HYBRID, MAMBA, SHARED_LAYER, mixer_kinds
from sphinx_llmsize.architecture.parts.norms import rms_norm, rms_norm_of
from sphinx_llmsize.architecture.parts.self_attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    attention,
    qkv_projections,
)
from sphinx_llmsize.architecture.parts.weights import linear
from sphinx_llmsize.architecture.stacks import Item, LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Residual, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, L, T
from sphinx_llmsize.translation import N_

D_A = Symbol("D_a", N_("input width of the shared attention"))
R_A = Symbol("R_a", N_("rank of the adapters"))
ZAMBA_KIND_BY_NAME = {"mamba": MAMBA, "linear_attention": MAMBA, "hybrid": HYBRID}
"""Kinds of Zamba's layers by their names in ``layer_types``."""
SHARED_RESULT = "shared_linear"
"""Id of the stage that projects the result of a layer with shared weights."""
ADAPTERS = {"qkv": "attention_adapters", "ffn_up": "ffn_adapter"}
"""Ids of the adapters that are added to stages of a layer with shared weights."""


def shared_transformer(width: Size, feed_forward: Block) -> Block:
    """Attention that reads the layer's input and the embedding, then a feed-forward network.

    Args:
        width: dimensions of input and embedding together.
        feed_forward: feed-forward network from D to D.
    """
    qkv = qkv_projections(inputs=width)
    output = linear("o_proj", QUERY_WIDTH, D, "attn_o")
    return (
        rms_norm_of(width)("attention_norm", N_("Attention norm")),
        *attention(qkv, output, qkv_width=QUERY_WIDTH + 2 * KEY_WIDTH),
        rms_norm("ffn_norm", N_("FFN norm")),
        *feed_forward,
    )


def shared_linear() -> Stage:
    """A matrix D × D on the shared layer's result, separate for each layer that uses it."""
    tensors = linear("shared_linear", D, D, "shared_block_linear")
    return Stage(SHARED_RESULT, N_("Shared layer's result"), Group.RESIDUAL, (T, D), tensors)


def attention_adapters(width: Size) -> Block:
    """Low-rank additions to Q, K and V, separate for each layer that uses shared weights."""
    tensors = tuple(tensor for name in "qkv" for tensor in _adapter(name, name, width, width))
    output = (T, 3 * width)
    return (Stage(ADAPTERS["qkv"], N_("Adapters of Q, K and V"), Group.ATTENTION, output, tensors),)


def ffn_adapter(width: Size) -> Stage:
    """A low-rank addition to gate and up of a feed-forward network of ``width`` dimensions."""
    tensors = _adapter("ffn", N_("FFN"), D, 2 * width)
    return Stage(
        ADAPTERS["ffn_up"],
        N_("Adapter of gate and up"),
        Group.FEED_FORWARD,
        (T, 2 * width),
        tensors,
    )


def decoder_with_shared_layers(
    config: Config, mixer: Residual, before: Block, shared: Block, kinds: Kinds, *, sets: int
) -> tuple[Item, ...]:
    """A decoder of Mamba layers, some of which also apply a transformer layer with shared weights.

    Args:
        config: the configuration.
        mixer: norm and Mamba mixer of every layer, with separate weights in each.
        before: stages before ``mixer`` in a layer that uses shared weights, such as adapters, with
            separate weights for each use. Their output is added to the input of ``mixer`` only,
            not to the residual stream.
        shared: block with shared weights; it is not in the layers but in stacks of its own before
            them, whose ``passes`` count its uses.
        kinds: kind of each layer, HYBRID if it uses shared weights; ``layer_types`` overrides it.
        sets: number of sets of shared weights, used in turn.
    """

    def block(layer: LayerKind) -> Block:
        if layer == HYBRID:
            return (Residual((Residual(before), *mixer.steps)),)
        return (mixer,)

    kinds = mixer_kinds(config, ZAMBA_KIND_BY_NAME, otherwise=kinds)
    layers = layer_stacks(config.count(L), block, layer=kinds)
    uses = kinds.counts(range(config.count(L)))[HYBRID]
    # without tied embeddings transformers ties no weights at all
    stored_sets = min(sets, uses) if config.flag(k.TIE_EMBEDDINGS) else uses
    stacks = shared_stacks(shared, stored_sets, uses) if uses else ()
    return decoder(config, (*stacks, *layers), norm=rms_norm)


def shared_stacks(block: Block, sets: int, uses: int) -> Iterator[Stack]:
    """Yield a stack for the sets of shared weights that are used equally often.

    There are two if ``uses`` is not a multiple of ``sets``: the first sets are used once more.

    Args:
        block: block with one set of shared weights.
        sets: number of sets, used in turn.
        uses: number of layers that use a set.
    """
    least, remainder = divmod(uses, sets)
    sets_by_times = {least + 1: remainder, least: sets - remainder}
    for times, count in sets_by_times.items():
        if count:
            layers = Quantity(
                f"L_shared,{times}" if remainder else "L_shared",
                N_("sets of shared weights, used {number} times each", number=times),
                count,
            )
            yield Stack(f"shared{times}", layers, block, (SHARED_LAYER,), passes=Number(times))


def _adapter(name: str, label: str, rows: Size, columns: Size) -> tuple[Tensor, ...]:
    """Two matrices: rows × R_a and R_a × columns."""
    return (
        *linear(f"{name}_adapter_down", rows, R_A, "adapters", label=N_("{name} down", name=label)),
        *linear(f"{name}_adapter_up", R_A, columns, "adapters", label=N_("{name} up", name=label)),
    )
