"""T5, mT5, UMT5 and LongT5: bias-free pre-norm encoder-decoders with relative positions."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset, variant
from sphinx_llmsize.architecture.stages import Block, Parallel, Residual, Stage
from sphinx_llmsize.architecture.task_heads import SEQUENCE_HEADS, TOKEN_HEADS
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.known_names import known_activation
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

FEED_FORWARD_KIND = k.make_key(
    "feed_forward_kind feed_forward_proj",
    N_("the activation of the FFN; gated-… adds a gate"),
    k.ValueKind.NAME,
    part="feed_forward",
)
GATED = "gated-"
"""Prefix of the name of an activation with a gate."""
HAS_GATED_FFN = k.flag(
    "has_gated_ffn is_gated_act",
    N_("the FFN has a gate, whatever feed_forward_kind says"),
    optional=True,
)
ENCODER_ATTENTION = k.make_key(
    "encoder_attention encoder_attention_type", N_("local or transient-global"), k.ValueKind.NAME
)
ENCODER_DEPTH = k.make_key(
    "encoder_depth", N_("layers of the encoder, with a decoder of num_layers"), optional=True
)
"""``num_hidden_layers``; unlike ``num_layers``, it never changes the decoder."""
UNTIED_HEAD_NOTE = CountNote(
    N_(
        "The LM head is untied, as in the released weights; transformers 5 ties it to the token "
        "embedding."
    ),
    component="lm_head",
)


def t5(config: Config) -> Items:
    """Encoder and decoder; all layers of a stack share one table of relative positions."""
    return _t5(config, before=(parts.relative_positions(),))


def umt5(config: Config) -> Items:
    """T5 with a table of relative positions in every layer."""
    return _t5(config, scores=(parts.position_biases(),))


def longt5(config: Config) -> Items:
    """T5 with local attention in the encoder; ``transient-global`` adds summaries of blocks.

    All tokens attend to these summaries, which have positions and a norm of their own.
    """
    if config[ENCODER_ATTENTION] != "transient-global":
        return t5(config)
    summary_positions = replace(
        parts.relative_positions(), id="global_position", label=N_("Global positions")
    )
    summary_norm = parts.rms_norm("global_norm", N_("Norm of the summaries"))
    before = (parts.relative_positions(), summary_positions)
    # the residual connection of a layer, with the norm of the summaries beside its own norm
    norm, *attention = parts.attention_residual(parts.rms_norm, self_attention()).steps
    norms = Parallel(((summary_norm,), (norm,)))
    layer = (
        Residual((norms, *attention)),
        parts.ffn_residual(parts.rms_norm, feed_forward(config)),
    )
    encoder = parts.encoder_stack(layer, before=before, after=(final_norm(),))
    return _t5(config, before=(parts.relative_positions(),), encoder=encoder)


def _t5(
    config: Config, *, before: Block = (), scores: tuple[Tensor, ...] = (), encoder: Items = ()
) -> Items:
    """T5, or a variant.

    Args:
        config: the configuration.
        before: stages before the layers of the encoder, and of the decoder.
        scores: position biases in each layer.
        encoder: the encoder; by default layers of :func:`encoder_layer`.
    """
    cross = parts.cross_attention(width=parts.QUERY_WIDTH)
    layer = parts.pre_norm_decoder(
        parts.rms_norm, self_attention(scores), cross, feed_forward(config)
    )
    default_encoder = parts.encoder_stack(
        encoder_layer(config, scores), before=before, after=(final_norm(),)
    )
    return parts.sequence_to_sequence(
        config,
        encoder or default_encoder,
        parts.decoder_stack(layer, before=before, after=(final_norm(),)),
        shared=True,
        tied=config.flag(k.TIE_EMBEDDINGS),
    )


def encoder_layer(config: Config, scores: tuple[Tensor, ...] = ()) -> Block:
    """Pre-norm layer of multi-head attention and an MLP."""
    return parts.pre_norm(parts.rms_norm, self_attention(scores), feed_forward(config))


def self_attention(scores: tuple[Tensor, ...] = ()) -> Block:
    """Multi-head attention, H·d_h wide, without biases on projections.

    Args:
        scores: position biases; none if they are shared by all layers.
    """
    return parts.multi_head_attention(width=parts.QUERY_WIDTH, scores=scores)


def feed_forward(config: Config) -> Block:
    """MLP (T5) or gated MLP (T5 1.1)."""
    is_gated_by_name = str(config[FEED_FORWARD_KIND]).startswith(GATED)
    is_gated = is_gated_by_name if config[HAS_GATED_FFN] is None else config.flag(HAS_GATED_FFN)
    return parts.gated_mlp() if is_gated else parts.mlp()


def _replace_layers(settings: k.Settings) -> k.Settings:
    """Numbers of layers of both stacks.

    Both are ``num_layers`` by default; ``num_hidden_layers`` replaces the encoder's, and
    ``num_decoder_layers`` the decoder's. ``num_hidden_layers`` becomes the same number, since it is
    another name for the encoder's.
    """
    layers = settings[k.NUM_ENCODER_LAYERS]
    encoder = settings[ENCODER_DEPTH] or layers
    decoder = settings[k.NUM_DECODER_LAYERS] or layers
    return {k.NUM_ENCODER_LAYERS: encoder, ENCODER_DEPTH: encoder, k.NUM_DECODER_LAYERS: decoder}


def final_norm() -> Stage:
    """RMS norm after a stack."""
    return parts.rms_norm("final_norm", N_("Final norm"))


T5 = Family(
    model_type="t5",
    title="T5",
    source="https://arxiv.org/abs/1910.10683",
    architectures=("T5ForConditionalGeneration", "T5WithLMHeadModel"),
    defaults={
        **sizes(D=512, H=8, d_h=64, V=32_128, L_enc=6, L_dec=None, F=2048),
        **unset(ENCODER_DEPTH, HAS_GATED_FFN),
        k.IS_DECODER: False,
        FEED_FORWARD_KIND: "relu",
        k.NUM_BUCKETS: 32,
        k.TIE_EMBEDDINGS: True,
    },
    names={"num_hidden_layers": ENCODER_DEPTH},
    compose=t5,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.Rule(replace=_replace_layers),
        k.unsupported_flag(k.IS_DECODER),
        known_activation(FEED_FORWARD_KIND, prefix=GATED),
    ),
    tasks=(Task.OTHER_SEQUENCE, Task.HIDDEN_STATES, Task.ENCODER_STATES),
    heads={**SEQUENCE_HEADS, **TOKEN_HEADS},
    notes=(UNTIED_HEAD_NOTE,),
)
MT5 = variant(
    T5,
    "mt5",
    "mT5",
    "MT5ForConditionalGeneration",
    "https://arxiv.org/abs/2010.11934",
    defaults={**sizes(H=6, V=250_112, L_enc=8, F=1024), FEED_FORWARD_KIND: "gated-gelu"},
)
UMT5 = variant(
    MT5,
    "umt5",
    "umT5",
    "UMT5ForConditionalGeneration",
    "https://arxiv.org/abs/2304.09151",
    compose=umt5,
)
LONGT5 = variant(
    T5,
    "longt5",
    "LongT5",
    "LongT5ForConditionalGeneration",
    "https://arxiv.org/abs/2112.07916",
    defaults={ENCODER_ATTENTION: "local"},
    rules=(*T5.rules, k.one_of(ENCODER_ATTENTION, "local", "transient-global")),
    compose=longt5,
    has_sparse_pattern=True,
)
