"""BART, PLBART, mBART and Blenderbot small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, F_DEC, F_ENC, H_DEC, H_ENC, D, F, H, P
from sphinx_llmsize.translation import N_

RESERVED_POSITIONS = 2
"""Rows of BART's position table that no position uses: fairseq counts from the padding's."""
Stacks = tuple[tuple[Item, ...], tuple[Item, ...]]


def bart(config: Config) -> tuple[Item, ...]:
    """Post-norm layers; two positions more than there are, and a norm on the embeddings."""
    before = (parts.position_embedding(P + RESERVED_POSITIONS), parts.embedding_norm())
    return both_stacks(config, *post_norm_stacks(config, before))


def blenderbot_small(config: Config) -> tuple[Item, ...]:
    """BART with as many positions as there are."""
    return both_stacks(
        config, *post_norm_stacks(config, (parts.position_embedding(), parts.embedding_norm()))
    )


def mbart(config: Config) -> tuple[Item, ...]:
    """BART with pre-norm layers, and a norm after each stack as well as before."""
    before = (parts.position_embedding(P + RESERVED_POSITIONS), parts.embedding_norm())
    return both_stacks(config, *pre_norm_stacks(config, before))


def in_encoder(config: Config) -> Mapping[Symbol, Size]:
    """The encoder's sizes, for the symbols of a model with one stack."""
    return {H: H_ENC, F: F_ENC, D_H: _head_dim(config, H_ENC, "encoder")}


def in_decoder(config: Config) -> Mapping[Symbol, Size]:
    """The decoder's."""
    return {H: H_DEC, F: F_DEC, D_H: _head_dim(config, H_DEC, "decoder")}


def _head_dim(config: Config, heads: Symbol, stack: str) -> Size:
    name = f"{D_H.name},{stack[:3]}"
    return Quantity(
        name,
        N_("{size} of the {part}", size=D_H.meaning, part=stack),
        config.count(D) // config.count(heads),
    )


def post_norm_stacks(config: Config, before: Block) -> Stacks:
    """Encoder and decoder of the original transformer, with biases."""
    own, cross = parts.multi_head_attention(bias=True), parts.cross_attention(bias=True)
    return (
        parts.encoder_stack(
            parts.post_norm(parts.layer_norm, own, parts.mlp(bias=True)),
            before=before,
            sizes=in_encoder(config),
        ),
        parts.decoder_stack(
            parts.post_norm_decoder(parts.layer_norm, own, cross, parts.mlp(bias=True)),
            before=before,
            sizes=in_decoder(config),
        ),
    )


def pre_norm_stacks(config: Config, before: Block, *, bias: bool = True) -> Stacks:
    """The same with each norm moved to the front, and one after each stack."""
    own, cross = parts.multi_head_attention(bias=bias), parts.cross_attention(bias=bias)
    after = (parts.layer_norm("final_norm", N_("Final norm")),)
    return (
        parts.encoder_stack(
            parts.pre_norm(parts.layer_norm, own, parts.mlp(bias=True)),
            before=before,
            after=after,
            sizes=in_encoder(config),
        ),
        parts.decoder_stack(
            parts.pre_norm_decoder(parts.layer_norm, own, cross, parts.mlp(bias=True)),
            before=before,
            after=after,
            sizes=in_decoder(config),
        ),
    )


def both_stacks(
    config: Config,
    encoder: tuple[Item, ...],
    decoder: tuple[Item, ...],
    *,
    tied_alone: bool | None = None,
) -> tuple[Item, ...]:
    """One token embedding for both stacks and the LM head, or one for each."""
    tied = config.flag(k.TIE_EMBEDDINGS)
    return parts.sequence_to_sequence(
        config, encoder, decoder, shared=tied, tied=tied, tied_alone=tied_alone
    )


def classes_of(name: str) -> tuple[str, ...]:
    """The classes of transformers that are counted."""
    return (f"{name}ForConditionalGeneration", f"{name}Model", f"{name}ForCausalLM")


BART = Family(
    model_type="bart",
    title="BART",
    source="https://arxiv.org/abs/1910.13461",
    architectures=classes_of("Bart"),
    defaults={
        **sizes(D=1024, V=50_265, P=1024),
        **sizes(L_enc=12, L_dec=12, H_enc=16, H_dec=16, F_enc=4096, F_dec=4096),
        k.ARCHITECTURES: None,
        k.TIE_EMBEDDINGS: True,
    },
    compose=bart,
    rules=(k.HEADS_OF_BOTH, parts.SEQUENCE_TASKS),
)

PLBART = replace(
    BART,
    model_type="plbart",
    title="PLBART",
    source="https://arxiv.org/abs/2103.06333",
    architectures=classes_of("PLBart"),
    defaults={
        **BART.defaults,
        **sizes(D=768, V=50_005, L_enc=6, L_dec=6, H_enc=12, H_dec=12, F_enc=3072, F_dec=3072),
    },
)

BLENDERBOT_SMALL = replace(
    BART,
    model_type="blenderbot-small",
    title="Blenderbot small",
    source="https://arxiv.org/abs/2004.13637",
    architectures=classes_of("BlenderbotSmall"),
    defaults={**BART.defaults, **sizes(D=512, P=512, L_enc=8, L_dec=8, F_enc=2048, F_dec=2048)},
    compose=blenderbot_small,
)

MBART = replace(
    BART,
    model_type="mbart",
    title="mBART",
    source="https://arxiv.org/abs/2001.08210",
    architectures=classes_of("MBart"),
    compose=mbart,
)

FAMILIES = (BART, PLBART, BLENDERBOT_SMALL, MBART)
