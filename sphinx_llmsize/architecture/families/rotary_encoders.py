"""GTE (two implementations), Jina Embeddings v3 and EuroBERT: encoders with rotary positions."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    ENCODER_TASKS,
    bert_heads,
    post_norm_encoder,
    post_norm_layer_without_cache,
)
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.families.roberta import XLM_ROBERTA
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import BERT_HEADS, classifier, dense_layer, with_head
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import V_T, D, T
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

NORM_KIND = k.make_key("norm_kind layer_norm_type", N_("layer_norm or rms_norm"), k.ValueKind.NAME)
CLASSIFIER_POOLING = k.make_key(
    "classifier_pooling",
    N_("vectors that the classifier of sequences reads: bos, mean, or late (all of them)"),
    k.ValueKind.NAME,
)


def gte(config: Config, positions: Block = (), *, norm_bias: bool = True) -> Items:
    """BERT's layers with a gated MLP, which has a bias only on its down projection.

    Zhang et al. 2024, https://arxiv.org/abs/2407.19669.

    Args:
        config: the configuration.
        positions: embeddings of learned positions; none by default.
        norm_bias: norms have a bias; false also for RMS norms, whose weights are those of layer
            norms without a bias.
    """
    norm = parts.layer_norm_of(D, bias=norm_bias)
    attention = parts.without_cache(parts.multi_head_attention(bias=True))
    feed_forward = parts.gated_mlp(down_bias=True)
    token_head = parts.masked_token_head(tied=config.flag(k.TIE_EMBEDDINGS))
    token_types = (parts.token_type_embedding(),) if config.has(V_T) else ()
    return (
        parts.token_embedding(),
        *positions,
        *token_types,
        parts.embedding_norm(bias=norm_bias),
        *parts.equal_layers(parts.post_norm(norm, attention, feed_forward)),
        *parts.encoder_head(config, token_head=token_head, pooled=()),
    )


def new(config: Config) -> Items:
    """GTE in its authors' code on the Hub, optionally with learned positions or RMS norms."""
    is_absolute = config[k.POSITION_KIND] == "absolute"
    positions = (parts.position_embedding(),) if is_absolute else ()
    return gte(config, positions, norm_bias=config[NORM_KIND] == "layer_norm")


def jina_embeddings_v3(config: Config) -> Items:
    """XLM-RoBERTa with rotary positions in place of learned ones.

    Sturua et al. 2024, https://arxiv.org/abs/2409.10173
    """
    embeddings = (parts.token_embedding(), parts.token_type_embedding())
    return post_norm_encoder(
        config,
        embeddings=embeddings,
        heads=bert_heads(config),
        layer=post_norm_layer_without_cache(),
    )


def eurobert(config: Config) -> Items:
    """Llama's layers with attention in both directions, and a head for the task.

    Boizard et al. 2025, https://arxiv.org/abs/2503.05500
    """
    tied, bias = config.flag(k.TIE_EMBEDDINGS), config.flag(k.MLP_BIAS)
    layers = parts.uniform_decoder(
        config, parts.without_cache(parts.gqa(config)), parts.gated_mlp_of(config)
    )
    vectors = T if config[CLASSIFIER_POOLING] == "late" else ONE
    # heads that depend on the configuration; those that don't are in ``EUROBERT.heads``
    heads: dict[Task, Block] = {
        Task.MASKED_TOKENS: (parts.lm_head(tied=tied, bias=bias),),
        Task.SEQUENCE_CLASS: (dense_layer(vectors=vectors), classifier(vectors=vectors)),
    }
    return with_head(layers, heads.get(task_of(config), ()))


GTE = Family(
    model_type="gte",
    title="GTE",
    source="https://arxiv.org/abs/2407.19669",
    architectures=("GteModel",),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=250_048, V_t=1),
        k.TIE_EMBEDDINGS: True,
    },
    compose=gte,
    tasks=ENCODER_TASKS,
    heads=BERT_HEADS,
    positions=parts.Positions.ROTARY,
)
NEW = variant(
    GTE,
    "new",
    "GTE",
    "NewModel NewForMaskedLM NewForSequenceClassification NewForMultipleChoice "
    "NewForTokenClassification NewForQuestionAnswering",
    "https://huggingface.co/Alibaba-NLP/new-impl",
    defaults={**sizes(V=30_528, P=2048), k.POSITION_KIND: "rope", NORM_KIND: "layer_norm"},
    compose=new,
    rules=(
        *GTE.rules,
        k.one_of(k.POSITION_KIND, "rope", "absolute"),
        k.one_of(NORM_KIND, "layer_norm", "rms_norm"),
    ),
    positions=lambda config: parts.Positions.ROTARY if config[k.POSITION_KIND] == "rope" else None,
)
JINA_EMBEDDINGS_V3 = variant(
    XLM_ROBERTA,
    "jina_embeddings_v3",
    "Jina Embeddings v3",
    "JinaEmbeddingsV3Model",
    "https://arxiv.org/abs/2409.10173",
    defaults=sizes(D=1024, L=24, H=16, F=4096, V=250_002, V_t=1),
    removed=(k.MAX_POSITIONS, k.IS_DECODER, k.ADD_CROSS_ATTENTION),
    compose=jina_embeddings_v3,
    tasks=ENCODER_TASKS,
    positions=parts.Positions.ROTARY,
)
EUROBERT = variant(
    LIKE_LLAMA,
    "eurobert",
    "EuroBERT",
    "EuroBertModel",
    "https://arxiv.org/abs/2503.05500",
    defaults={**sizes(D=768, L=12, H=12, F=3072, V=128_256), CLASSIFIER_POOLING: "late"},
    rules=(k.ATTENTION_HEADS_RULE, k.one_of(CLASSIFIER_POOLING, "bos", "mean", "late")),
    compose=eurobert,
    tasks=(*ENCODER_TASKS, Task.SEQUENCE_CLASS),
    heads={Task.TOKEN_CLASSES: (classifier(),)},
)
