"""ModernBERT, an encoder with sliding windows and a gated MLP, and its decoder (Ettin)."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.layers import first, layer_stacks
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Residual, Stage
from sphinx_llmsize.architecture.task_heads import CHOICE, CLASSIFIER, NO_OTHER_HEADS, classifier
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, L, T
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

LOCAL_ATTENTION = k.make_key(
    "local_attention",
    N_("tokens in an attention window with half of them on each side"),
    k.ValueKind.WINDOW,
    optional=True,
)
NORM_BIAS = k.flag("norm_bias", N_("a bias in every norm"))
TRANSFORM_BIAS = k.flag(
    "head_transform_bias classifier_bias", N_("a bias on the transform before the LM head")
)


def window_tokens(config: Config) -> int:
    """Tokens in the decoder's windows: ``sliding_window``, or half of ``local_attention``.

    The latter is the encoder's window; the decoder masks its second half, the later tokens.
    """
    return parts.sliding_window(config) or parts.window_from(LOCAL_ATTENTION)(config) // 2


def modernbert(config: Config) -> Items:
    """One matrix for Q, K and V; every head begins with the transform of the masked LM's head.

    Warner et al. 2024, https://arxiv.org/abs/2412.13663
    """
    fused = parts.fused_attention(bias=config.flag(k.ATTENTION_BIAS))
    transform = head_transform(config)
    heads: dict[Task, Block] = {
        Task.MASKED_TOKENS: (*transform, lm_head(config)),
        Task.SEQUENCE_CLASS: (*parts.with_sizes(transform, {T: ONE}), *CLASSIFIER),
        Task.CHOICE: (*parts.with_sizes(transform, {T: ONE}), *CHOICE),
        Task.TOKEN_CLASSES: (*transform, classifier()),
        Task.ANSWER_SPAN: (*transform, classifier()),
    }
    return (*layers(config, parts.without_cache(fused)), *heads.get(task_of(config), ()))


def modernbert_decoder(config: Config) -> Items:
    """Separate projections of Q, K and V, causal attention, and a transform before the LM head."""
    attention = parts.multi_head_attention(bias=config.flag(k.ATTENTION_BIAS))
    return (*layers(config, attention), *head_transform(config), lm_head(config))


def layers(config: Config, attention: Block) -> Items:
    """Embedding, pre-norm layers, of which the first has no attention norm, and a final norm."""
    norm = norm_of(config)

    def block(kind: LayerKind) -> Block:
        layer = parts.pre_norm(norm, attention, parts.fused_gated_mlp(bias=config.flag(k.MLP_BIAS)))
        if kind != parts.FIRST:
            return layer
        _attention_with_norm, feed_forward = layer
        return (Residual(attention), feed_forward)

    return (
        parts.token_embedding(),
        parts.embedding_norm(bias=config.flag(NORM_BIAS)),
        *layer_stacks(config.count(L), block, kind=first(1, parts.FIRST, then=parts.LATER)),
        norm("final_norm", N_("Final norm")),
    )


def norm_of(config: Config) -> parts.Norm:
    """Layer norms with or without a bias."""
    return parts.layer_norm if config.flag(NORM_BIAS) else parts.layer_norm_without_bias


def head_transform(config: Config) -> Block:
    """A matrix D × D and a norm."""
    transform = parts.linear("head_transform", D, D, "lm_head", bias=config.flag(TRANSFORM_BIAS))
    return (
        Stage("head_transform", N_("Head transform"), Group.HEAD, (T, D), transform),
        replace(norm_of(config)("head_norm", N_("Head norm")), group=Group.HEAD),
    )


def lm_head(config: Config) -> Stage:
    """LM head, with a bias by default."""
    return parts.lm_head(tied=config.flag(k.TIE_EMBEDDINGS), bias=config.flag(k.LM_HEAD_BIAS))


MODERNBERT_DECODER = Family(
    model_type="modernbert-decoder",
    title="ModernBERT decoder",
    source="https://arxiv.org/abs/2507.11412",
    architectures=("ModernBertDecoderForCausalLM",),
    defaults={
        **sizes(D=768, L=22, H=12, F=1152, V=50_368),
        LOCAL_ATTENTION: 128,
        k.SLIDING_WINDOW: None,
        k.WINDOW_PATTERN: 3,
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: True,
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, NORM_BIAS, TRANSFORM_BIAS),
        k.LM_HEAD_BIAS: True,
    },
    compose=modernbert_decoder,
    heads={Task.HIDDEN_STATES: ()},
    names={"decoder_bias": k.LM_HEAD_BIAS, "global_attn_every_n_layers": k.WINDOW_PATTERN},
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(
        otherwise=parts.pattern_layers(start=0), size=window_tokens
    ),
    positions=parts.Positions.ROTARY,
)
MODERNBERT = variant(
    MODERNBERT_DECODER,
    "modernbert",
    "ModernBERT",
    "ModernBertModel",
    "https://arxiv.org/abs/2412.13663",
    compose=modernbert,
    tasks=(
        *ENCODER_TASKS,
        Task.SEQUENCE_CLASS,
        Task.CHOICE,
        Task.TOKEN_CLASSES,
        Task.ANSWER_SPAN,
    ),
    heads=NO_OTHER_HEADS,
    windows=parts.windows_by_layer_types(
        otherwise=parts.pattern_layers(start=0), size=parts.window_from(LOCAL_ATTENTION)
    ),
)
