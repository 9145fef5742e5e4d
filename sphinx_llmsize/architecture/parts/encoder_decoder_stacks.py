"""Stacks of an encoder and of a decoder in one model, optionally with experts in some layers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture.layer_counts import meaning_of_count
from sphinx_llmsize.architecture.layers import Kinds, layer_stacks
from sphinx_llmsize.architecture.parts.block_edits import Sizes, with_sizes, without_cache
from sphinx_llmsize.architecture.parts.layer_kinds import DECODER, DENSE, ENCODER, MOE
from sphinx_llmsize.architecture.stacks import Interleaved, Item, LayerKind, Stack, map_blocks
from sphinx_llmsize.architecture.stages import Block, stages_of
from sphinx_llmsize.config.symbols import L_DEC, L_ENC, T_SEEN, T_SOURCE, T
from sphinx_llmsize.translation import N_


@dataclass(frozen=True)
class SparseLayers:
    """Experts in some layers of an encoder or decoder.

    Attributes:
        block: block of a layer with experts.
        kinds: kind of each layer, dense or MoE.
        layers: number of layers.
    """

    block: Block
    kinds: Kinds
    layers: int


def encoder_stack(
    block: Block,
    *,
    before: Block = (),
    after: Block = (),
    sizes: Sizes | None = None,
    sparse: SparseLayers | None = None,
) -> tuple[Item, ...]:
    """The encoder's layers, and the stages before and after them.

    Args:
        block: block of each layer without experts.
        before: stages between the token embedding and the layers.
        after: stages after the layers.
        sizes: the encoder's sizes, by the symbols that they replace in all stages.
        sparse: layers with experts; None if there are none.
    """
    # each of the T_src source tokens attends to all of them
    own_sizes = {T: T_SOURCE, T_SEEN: T_SOURCE, **(sizes or {})}
    if sparse:
        sparse = replace(sparse, block=without_cache(sparse.block))
    layers = _layers(ENCODER, L_ENC, without_cache(block), sparse, own_sizes)
    return _with_stages(ENCODER, layers, before, after, own_sizes)


def decoder_stack(
    block: Block,
    *,
    before: Block = (),
    after: Block = (),
    sizes: Sizes | None = None,
    sparse: SparseLayers | None = None,
) -> tuple[Item, ...]:
    """The decoder's layers, and the stages around them; see :func:`encoder_stack`."""
    layers = _layers(DECODER, L_DEC, block, sparse, sizes or {})
    return _with_stages(DECODER, layers, before, after, sizes or {})


def _with_stages(
    part: LayerKind, layers: tuple[Item, ...], before: Block, after: Block, sizes: Sizes
) -> tuple[Item, ...]:
    """Layers of the encoder or decoder with the stages around them, which get its sizes."""
    return (
        *_stages_of_part(part, with_sizes(before, sizes)),
        *layers,
        *_stages_of_part(part, with_sizes(after, sizes)),
    )


def encoder_alone(encoder: tuple[Item, ...]) -> tuple[Item, ...]:
    """An encoder without a decoder: the length of its only sequence is T, not T_src."""
    return map_blocks(encoder, lambda block: with_sizes(block, {T_SOURCE: T}))


def _layers(
    part: LayerKind,
    layers: Symbol,
    block: Block,
    sparse: SparseLayers | None,
    sizes: Sizes,
) -> tuple[Item, ...]:
    """Stacks of the encoder or decoder.

    Args:
        part: :data:`ENCODER` or :data:`DECODER`.
        layers: symbol for the number of its layers.
        block: block of each layer without experts.
        sparse: layers with experts; None if there are none.
        sizes: sizes of the encoder or decoder, by the symbols that they replace.
    """
    if sparse is None:
        return (Stack(part.id, layers, with_sizes(block, sizes), (part,)),)
    blocks = {DENSE: with_sizes(block, sizes), MOE: with_sizes(sparse.block, sizes)}
    items = layer_stacks(sparse.layers, lambda ffn: blocks[ffn], ffn=sparse.kinds)
    return tuple(_item_of_part(item, part, layers) for item in items)


def _item_of_part(item: Item, part: LayerKind, layers: Symbol) -> Item:
    """Add "encoder" or "decoder" to the ids, kinds and symbols of one stack or of several."""
    if isinstance(item, Interleaved):
        stacks = tuple(_stack_of_part(stack, part, layers) for stack in item.stacks)
        return Interleaved(part.id, stacks)
    assert isinstance(item, Stack)
    return _stack_of_part(item, part, layers)


def _stack_of_part(stack: Stack, part: LayerKind, layers: Symbol) -> Stack:
    """Stack of a part's layers; ``layers`` is the symbol for the number of all its layers.

    If the stack has only the layers of some kinds, their subscripts are added to the symbol.
    """
    if not stack.kinds:
        return replace(stack, id=part.id, layers=layers, kinds=(part,))
    kinds = (part, *stack.kinds)
    symbol = ",".join((layers.name, *(kind.subscript for kind in stack.kinds)))
    count = len(stack.numbers)
    number = Quantity(symbol, meaning_of_count(kinds, count), count)
    return replace(stack, id=f"{part.id}_{stack.id}", kinds=kinds, layers=number)


def _stages_of_part(part: LayerKind, block: Block) -> Block:
    """Add "encoder" or "decoder" to the ids and labels of stages."""
    return tuple(
        replace(
            stage,
            id=f"{part.id}_{stage.id}",
            label=N_("{stage} ({part})", stage=stage.label, part=part.label),
        )
        for stage in stages_of(block)
    )
