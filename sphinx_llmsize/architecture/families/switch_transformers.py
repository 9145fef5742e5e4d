"""Switch Transformers and NLLB-MoE: encoder-decoders with experts in some layers."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Number, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.bart import BART, encoder_decoder, stack_sizes
from sphinx_llmsize.architecture.families.t5 import T5, final_norm, self_attention
from sphinx_llmsize.architecture.family import Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import every, same
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import NO_OTHER_HEADS
from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import F_DEC, F_ENC, H_DEC, H_ENC, L_DEC, L_ENC, D, E, F
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

ENCODER_STEP = k.make_key(
    "encoder_sparse_step",
    N_("one encoder layer in how many has experts, 0 for none"),
    k.ValueKind.WHOLE,
    optional=True,
)
DECODER_STEP = k.make_key(
    "decoder_sparse_step",
    N_("one decoder layer in how many has experts, 0 for none"),
    k.ValueKind.WHOLE,
    optional=True,
)
SPARSE_ENCODER_LAYERS = k.make_key(
    "num_sparse_encoder_layers", N_("encoder layers with experts"), k.ValueKind.WHOLE
)
SPARSE_DECODER_LAYERS = k.make_key(
    "num_sparse_decoder_layers", N_("decoder layers with experts"), k.ValueKind.WHOLE
)
ROUTER_BIAS = k.flag("router_bias", N_("a bias on the router"))
DROPPED_NOTE = CountNote(N_("FLOPs assume that no expert drops tokens beyond its capacity."))


def switch_transformers(config: Config) -> Items:
    """T5 with experts in some layers; a token uses one of E.

    Fedus et al. 2021, https://arxiv.org/abs/2101.03961
    """
    attention, mlp = self_attention(), parts.mlp()
    moe = experts(config, per_token=ONE)
    cross = parts.cross_attention(width=parts.QUERY_WIDTH)

    def decoder_layer(feed_forward: Block) -> Block:
        return parts.pre_norm_decoder(parts.rms_norm, attention, cross, feed_forward)

    positions = (parts.relative_positions(),)
    after = (final_norm(),)
    encoder_moe = parts.pre_norm(parts.rms_norm, attention, moe)
    encoder_step, decoder_step = config.count(ENCODER_STEP), config.count(DECODER_STEP)
    encoder = parts.encoder_stack(
        parts.pre_norm(parts.rms_norm, attention, mlp),
        before=positions,
        after=after,
        sparse=_sparse_layers(encoder_moe, encoder_step, config.count(L_ENC), start=1),
    )
    decoder = parts.decoder_stack(
        decoder_layer(mlp),
        before=positions,
        after=after,
        sparse=_sparse_layers(decoder_layer(moe), decoder_step, config.count(L_DEC), start=1),
    )
    tied = config.flag(k.TIE_EMBEDDINGS)
    return parts.sequence_to_sequence(config, encoder, decoder, shared=True, tied=tied)


def nllb_moe(config: Config) -> Items:
    """NLLB with experts in some layers; a token uses two of E.

    NLLB team 2022, https://arxiv.org/abs/2207.04672, section 6.2
    """
    norm, mlp = parts.layer_norm, parts.mlp(bias=True)
    moe = experts(config, per_token=Number(2), bias=True)
    attention, cross = parts.multi_head_attention(bias=True), parts.cross_attention(bias=True)
    after = (norm("final_norm", N_("Final norm")),)
    encoder_moe = parts.pre_norm(norm, attention, moe)
    decoder_moe = parts.pre_norm_decoder(norm, attention, cross, moe)
    encoder_step, decoder_step = config.count(ENCODER_STEP), config.count(DECODER_STEP)
    encoder = parts.encoder_stack(
        parts.pre_norm(norm, attention, mlp),
        after=after,
        sizes=stack_sizes(parts.ENCODER, config, H_ENC, F_ENC),
        sparse=_sparse_layers(
            encoder_moe, encoder_step, config.count(L_ENC), start=encoder_step - 1
        ),
    )
    decoder = parts.decoder_stack(
        parts.pre_norm_decoder(norm, attention, cross, mlp),
        after=after,
        sizes=stack_sizes(parts.DECODER, config, H_DEC, F_DEC),
        sparse=_sparse_layers(
            decoder_moe, decoder_step, config.count(L_DEC), start=decoder_step - 1
        ),
    )
    return encoder_decoder(config, encoder, decoder)


def experts(config: Config, *, per_token: Size, bias: bool = False) -> Block:
    """A router and E experts, each an MLP of two matrices; a token uses ``per_token`` of them."""
    mlps = parts.plain_experts(width=F, bias=bias, expert_count=ExpertCount(E, per_token))
    router = parts.linear("router", D, E, "router", bias=config.flag(ROUTER_BIAS))
    return parts.mixture_of_experts(mlps, router=router)


def _sparse_layers(block: Block, step: int, layers: int, *, start: int) -> parts.SparseLayers:
    """Experts in layer ``start``, counted from 0, and every ``step``-th after it.

    All layers have experts if the step is 1, and none if it is 0.

    Args:
        block: block of a layer with experts.
        step: interval of the layers with experts.
        layers: number of layers of the encoder or decoder.
        start: first layer with experts, if the step is more than 1.
    """
    if step > 1:
        kinds = every(step, parts.MOE, others=parts.DENSE, start=start)
    else:
        kinds = same(parts.MOE if step == 1 else parts.DENSE)
    return parts.SparseLayers(block, kinds, layers)


def _derive_steps(settings: k.Settings) -> k.Settings:
    """Steps: number of layers divided by number of layers with experts, as in transformers.

    If no layers are to have experts, transformers' step is the number of all layers, so that layer
    1, counted from 0, still has some.
    """

    def step(layers: k.Key, sparse: k.Key) -> int:
        return k.int_of(settings, layers) // (k.int_of(settings, sparse) or 1)

    return {
        ENCODER_STEP: step(k.NUM_ENCODER_LAYERS, SPARSE_ENCODER_LAYERS),
        DECODER_STEP: step(k.NUM_DECODER_LAYERS, SPARSE_DECODER_LAYERS),
    }


def _check_tied(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Reject untied embeddings, with which transformers builds tables that nothing uses."""
    if settings[k.TIE_EMBEDDINGS] is False:
        message = N_("{key} false is not supported in this family")
        raise parsed.error(message, k.TIE_EMBEDDINGS, hint=N_("remove it"), problem=Problem.VALUE)


SWITCH_TRANSFORMERS = variant(
    T5,
    "switch_transformers",
    "Switch Transformers",
    "SwitchTransformersForConditionalGeneration",
    "https://arxiv.org/abs/2101.03961",
    defaults={
        **sizes(D=768, H=12, d_h=64, V=32_128, L_enc=12, L_dec=12, F=2048, E=8),
        SPARSE_ENCODER_LAYERS: 3,
        SPARSE_DECODER_LAYERS: 3,
        **unset(ENCODER_STEP, DECODER_STEP),
        **off(ROUTER_BIAS),
        k.NUM_BUCKETS: 32,
        k.TIE_EMBEDDINGS: True,
    },
    removed=(*T5.defaults,),
    compose=switch_transformers,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.AS_MANY_DECODER_LAYERS_RULE,
        k.Rule(derive=_derive_steps),
        k.Rule(check=_check_tied),
    ),
    names={},
    heads=NO_OTHER_HEADS,
    notes=(DROPPED_NOTE,),
)
NLLB_MOE = variant(
    BART,
    "nllb-moe",
    "NLLB-MoE",
    "NllbMoeForConditionalGeneration",
    "https://arxiv.org/abs/2207.04672",
    defaults={**sizes(V=128_112, E=128), ENCODER_STEP: 4, DECODER_STEP: 4, **off(ROUTER_BIAS)},
    compose=nllb_moe,
    tasks=(Task.OTHER_SEQUENCE, Task.HIDDEN_STATES),
    heads=NO_OTHER_HEADS,
    positions=parts.Positions.ABSOLUTE,
)
