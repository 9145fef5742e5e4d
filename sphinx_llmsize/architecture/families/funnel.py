"""Funnel Transformer: blocks of layers, each on a sequence half as long as the previous block's.

Dai et al. 2020, https://arxiv.org/abs/2006.03236
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sphinx_llmsize.algebra import ONE, Number, Quantity, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.albert import discriminator
from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS
from sphinx_llmsize.architecture.families.transformer_xl_attention import funnel_attention
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.stacks import LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.task_heads import UNPOOLED_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import L_DEC, T_SEEN, D, Length, T
from sphinx_llmsize.config.tasks import Task, class_name, task_of
from sphinx_llmsize.translation import N_

BLOCKS = k.make_key(
    "block_sizes", N_("layers with distinct weights of each block"), k.ValueKind.WHOLE_OR_LIST
)
REPEATS = k.make_key(
    "block_repeats",
    N_("number of times that each block's layers are applied"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)
ATTENTION_TYPE = k.make_key(
    "attention_type",
    N_("product with relative positions: relative_shift or factorized"),
    k.ValueKind.NAME,
)
SEPARATE_FIRST = k.flag("separate_cls", N_("pooling without the first token"))
DROP_LAST = k.flag("truncate_seq", N_("pooling without the last token, unless the first is pooled"))
POOL_QUERIES_ONLY = k.flag("pool_q_only", N_("pooling of queries only in a block's first layer"))
POOLING = LayerKind("pool", N_("pooling"))
AGAIN = LayerKind("again", N_("repeated"))
DECODER = LayerKind("decoder", N_("decoder"))
FACTORIZED = "factorized"
MAX_BLOCKS = 20
"""Maximum number of blocks; a sequence would be pooled to one token long before."""


def funnel(config: Config) -> Items:
    """Blocks of layers; most classes then have a decoder on the original length."""
    task = task_of(config)
    # classes for whole sequences are built on FunnelBaseModel, which has no decoder
    is_sequence_task = task in (Task.SEQUENCE_CLASS, Task.CHOICE)
    has_decoder = not is_sequence_task and class_name(config) != "FunnelBaseModel"
    decoder_items = decoder(config) if has_decoder else ()
    heads: dict[Task, Block] = {
        Task.MASKED_TOKENS: (parts.lm_head(tied=config.flag(k.TIE_EMBEDDINGS), bias=True),),
        Task.PRETRAINING: discriminator(),
    }
    return (
        parts.token_embedding(),
        parts.embedding_norm(),
        *blocks(config),
        *decoder_items,
        *heads.get(task, ()),
    )


def decoder(config: Config) -> Items:
    """Layers on the first block's output plus the last's, repeated to the original length."""
    label = N_("Repeated for each token, plus first block")
    length = length_in_block(config, len(config.counts(BLOCKS)))
    upsampling = Stage("upsampling", label, Group.RESIDUAL, (T, D), input_length=length)
    return (upsampling, Stack("decoder", L_DEC, layer(config, T), (DECODER,)))


def blocks(config: Config) -> Iterator[Stack]:
    """Yield the stacks of each block.

    The first layer of each block but the first pools its input, so it has a stack of its own.
    """
    counts = config.counts(BLOCKS)
    repeats = config.counts(REPEATS) or (1,) * len(counts)
    for number, (count, times) in enumerate(zip(counts, repeats, strict=True), start=1):
        length = length_in_block(config, number)
        has_pooling_layer = number > 1
        if has_pooling_layer:
            first = Stack(
                f"pooling{number}",
                _layer_count(number, 1, ",pool"),
                pooling_layer(config, number),
                (_block_kind(number), POOLING),
            )
            yield first
            if times > 1:  # the layer is repeated before the next one, without pooling again
                yield _pooling_layer_again(config, number, times - 1, length, first.id)
        other_layers = count - 1 if has_pooling_layer else count
        if other_layers:
            yield Stack(
                f"usual{number}",
                _layer_count(number, other_layers),
                layer(config, length),
                (_block_kind(number),),
                passes=Number(times) if times > 1 else ONE,
            )


def pooling_layer(config: Config, number: int) -> Block:
    """Pooling at the start of a block, and its first layer, which may read keys before pooling."""
    length, length_before = length_in_block(config, number), length_in_block(config, number - 1)
    label = N_("Pooling to half the length")
    pooling = Stage("pooling", label, Group.RESIDUAL, (length, D), input_length=length_before)
    keys = length_before if config.flag(POOL_QUERIES_ONLY) else None
    return (pooling, *layer(config, length, keys=keys))


def _pooling_layer_again(
    config: Config, number: int, times: int, length: Size, repeats: str
) -> Stack:
    """Stack for the repetitions of a block's first layer, in which it no longer pools.

    Args:
        config: the configuration.
        number: the block's number, from 1.
        times: number of repetitions.
        length: number of vectors after pooling.
        repeats: id of the stack of the layer.
    """
    block = parts.map_stages(layer(config, length), _without_weights)
    layers = _layer_count(number, times, ",again")
    kinds = (_block_kind(number), AGAIN)
    return Stack(f"again{number}", layers, block, kinds, repeats=repeats)


def length_in_block(config: Config, number: int) -> Length:
    """Number of vectors in a block, by its number from 1: half as many as in the block before."""
    return T if number == 1 else pooled_length(config, 2 ** (number - 1))


def pooled_length(config: Config, rate: int) -> Length:
    """Length after pooling in steps of two until each vector stands for ``rate`` tokens.

    T / rate, rounded up; if the first token isn't pooled and no other is dropped for it,
    (T - 1) / rate, rounded up, plus one vector for the first token.
    """
    is_longer = config.flag(SEPARATE_FIRST) and not config.flag(DROP_LAST)
    added = 2 * rate - 2 if is_longer else rate - 1  # a Length is (T + added) / rate, rounded down
    label = N_("vectors after pooling, one for every {number} tokens", number=rate)
    return Length(f"T_{rate}", label, rate, added=added)


def layer(config: Config, queries: Size, *, keys: Size | None = None) -> Block:
    """A post-norm layer with Transformer-XL's attention and an MLP.

    Args:
        config: the configuration.
        queries: number of vectors that the layer outputs.
        keys: number of vectors that it reads, if it pools the queries only; else ``queries``.
    """
    # T stands for the queries and T_SEEN for the keys until with_sizes() replaces them
    # transformers computes more relative positions if only the queries are pooled
    distances = 2 * T if keys is None else 2 * T + T_SEEN
    is_factorized = config[ATTENTION_TYPE] == FACTORIZED
    attention = funnel_attention(distances, factorized=is_factorized)
    block = parts.post_norm(parts.layer_norm, attention, parts.mlp(bias=True))
    return parts.with_sizes(block, {T: queries, T_SEEN: queries if keys is None else keys})


def _block_kind(number: int) -> LayerKind:
    """Kind of the layers of a block, by its number from 1."""
    return LayerKind(f"block{number}", N_("block-{number}", number=number))


def _layer_count(number: int, count: int, suffix: str = "") -> Quantity:
    """Number of layers of a block; its symbol is ``L_`` with the block's number and a suffix."""
    if count == 1:
        meaning = N_("layer of block {number}", number=number)
    else:
        meaning = N_("layers of block {number}", number=number)
    return Quantity(f"L_{number}{suffix}", meaning, count)


def _without_weights(stage: Stage) -> Stage:
    """A stage that is applied again: its products are counted again, its weights aren't."""
    return replace(stage, tensors=(), computes=stage.matmuls)


def _check_blocks(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that each block has layers and, if ``block_repeats`` is set, at least one repeat."""
    counts, repeats = k.ints_of(settings, BLOCKS), k.ints_of(settings, REPEATS)
    if not 0 < len(counts) <= MAX_BLOCKS or 0 in counts:
        message = N_("{key} needs 1 to {most} blocks, each with one or more layers")
        raise parsed.error(message, BLOCKS, most=MAX_BLOCKS, hint=N_("such as [4, 4, 4]"))
    if 0 in repeats:
        message = N_("{key} needs numbers of at least 1")
        raise parsed.error(message, REPEATS, hint=N_("such as [1, 2, 2]"))
    if repeats and len(repeats) != len(counts):
        message = N_("{key} has {number} entries for {blocks} blocks")
        raise parsed.error(
            message,
            REPEATS,
            BLOCKS,
            number=len(repeats),
            blocks=len(counts),
            hint=N_("give one for each block"),
        )


POOLING_NOTE = CountNote(
    N_(
        "FLOPs assume pooling before each block except the first; a sequence of one or two "
        "vectors may not be pooled."
    )
)
FUNNEL = Family(
    model_type="funnel",
    title="Funnel Transformer",
    source="https://arxiv.org/abs/2006.03236",
    architectures=("FunnelModel",),
    defaults={
        **sizes(D=768, H=12, d_h=64, F=3072, V=30_522, L_dec=2),
        BLOCKS: (4, 4, 4),
        REPEATS: None,
        ATTENTION_TYPE: "relative_shift",
        **dict.fromkeys((SEPARATE_FIRST, DROP_LAST, POOL_QUERIES_ONLY, k.TIE_EMBEDDINGS), True),
    },
    compose=funnel,
    rules=(k.Rule(check=_check_blocks), k.one_of(ATTENTION_TYPE, "relative_shift", FACTORIZED)),
    tasks=(*ENCODER_TASKS, Task.PRETRAINING),
    heads=UNPOOLED_HEADS,
    names={"d_inner": k.FFN_DIM},
    notes=(POOLING_NOTE,),
    positions=parts.Positions.RELATIVE,
)
