"""MPNet, NomicBERT, RoCBert and X-MOD: BERT with other positions, embeddings or adapters."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    ENCODER_TASKS,
    bert_attention,
    bert_heads,
    post_norm_encoder,
    post_norm_layer,
    post_norm_layer_without_cache,
    summed_embeddings,
)
from sphinx_llmsize.architecture.families.roberta import ROBERTA
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Group, Residual, Stage, side_by_side
from sphinx_llmsize.architecture.task_heads import BERT_HEADS, ROBERTA_HEADS
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, T
from sphinx_llmsize.translation import N_


def mpnet(config: Config) -> Items:
    """BERT without token types, with T5's relative positions shared by all layers."""
    return (
        parts.token_embedding(),
        parts.position_embedding(),
        parts.embedding_norm(),
        # the id "position" is taken by the position embedding
        replace(parts.relative_positions(), id="relative_position"),
        *parts.equal_layers(post_norm_layer_without_cache()),
        *bert_heads(config),
    )


def nomic_bert(config: Config) -> Items:
    """BERT with rotary positions and a gated MLP, without biases on projections; no pooler."""
    attention = parts.without_cache(parts.multi_head_attention(width=parts.QUERY_WIDTH))
    return post_norm_encoder(
        config,
        embeddings=(parts.token_embedding(), parts.token_type_embedding()),
        heads=bert_heads(config, pooled=()),
        layer=parts.post_norm(parts.layer_norm, attention, parts.gated_mlp()),
    )


V_SHAPE = Symbol("V_shape", N_("character shapes"))
V_SOUND = Symbol("V_sound", N_("pronunciations"))
D_SHAPE = Symbol("D_shape", N_("shape embedding dimension"))
D_SOUND = Symbol("D_sound", N_("pronunciation embedding dimension"))
NUM_SHAPES = k.size_key(V_SHAPE, "num_shapes shape_vocab_size")
NUM_PRONUNCIATIONS = k.size_key(V_SOUND, "num_pronunciations pronunciation_vocab_size")
SHAPE_DIM = k.size_key(D_SHAPE, "shape_dim shape_embed_dim")
PRONUNCIATION_DIM = k.size_key(D_SOUND, "pronunciation_dim pronunciation_embed_dim")
USES_SHAPE = k.flag("uses_shapes enable_shape", N_("embeddings of shapes"))
USES_PRONUNCIATION = k.flag(
    "uses_pronunciations enable_pronunciation", N_("embeddings of pronunciations")
)
CONCATENATES_EMBEDDINGS = k.flag(
    "concatenates_embeddings concat_input", N_("concatenated embeddings")
)


def roc_bert(config: Config) -> Items:
    """BERT with additional embeddings of each character's shape and pronunciation.

    If ``concatenates_embeddings`` is true, they are concatenated with the token embedding and
    projected to D; positions and token types are added before the norm. Otherwise the norm comes
    first, and its output is averaged with the two embeddings.
    """
    shape = parts.further_embedding("shape", N_("Shape embedding"), V_SHAPE, D_SHAPE)
    sound = parts.further_embedding(
        "pronunciation", N_("Pronunciation embedding"), V_SOUND, D_SOUND
    )
    embeddings, norm = summed_embeddings(), parts.embedding_norm()
    if config.flag(CONCATENATES_EMBEDDINGS):
        tokens, *others = embeddings
        concatenated = side_by_side((tokens,), (shape,), (sound,))
        first_steps = (*concatenated, _concatenation_projection(config), *others, norm)
    else:
        first_steps = (*embeddings, norm, shape, sound)
    return (
        *first_steps,
        *parts.equal_layers(post_norm_layer(config)),
        *bert_heads(config, sentence_relation=False),
    )


def _concatenation_projection(config: Config) -> Stage:
    """Projection of the concatenated embeddings to D.

    The tables of shapes and pronunciations exist even if unused; its input then lacks them.
    """
    width: Size = D
    if config.flag(USES_SHAPE):
        width += D_SHAPE
    if config.flag(USES_PRONUNCIATION):
        width += D_SOUND
    return parts.embedding_projection(width, bias=True)


LANGUAGES = k.make_key("languages", N_("languages that have an adapter"), k.ValueKind.NAMES)
ADAPTER_REDUCTION = k.make_key(
    "adapter_reduction adapter_reduction_factor",
    N_("hidden_dim divided by the adapter dimension"),
    k.ValueKind.POSITIVE,
)
ADAPTER_NORM = k.flag("has_adapter_norm adapter_layer_norm", N_("a norm before the adapters"))


def xmod(config: Config) -> Items:
    """RoBERTa with an adapter (a small MLP) for each language in every layer."""
    attention, cross = bert_attention(config)
    norm, mlp = parts.layer_norm, parts.mlp(bias=True)
    if config.flag(k.NORM_FIRST):
        layer = parts.pre_norm_decoder(norm, attention, cross, mlp)
        block = (*layer, *adapters(config))
        final_norm: Block = (norm("final_norm", N_("Final norm")),)
    else:
        layer = parts.post_norm_decoder(norm, attention, cross, mlp)
        block = parts.insert(layer, *adapters(config), before="ffn_norm")
        final_norm = ()
    return (
        *summed_embeddings(),
        parts.embedding_norm(),
        *parts.equal_layers(block),
        *final_norm,
        *bert_heads(config),
    )


def adapters(config: Config) -> Block:
    """Adapters of all languages, D → D_a → D, with a residual connection after an optional norm.

    Pfeiffer et al. 2022, https://arxiv.org/abs/2205.06266, section 3.1
    """
    count = len(set(config.names(LANGUAGES)))
    reduction = config[ADAPTER_REDUCTION]
    assert isinstance(reduction, (int, float))
    width = Quantity("D_a", N_("adapter dimension"), int(config.count(D) // reduction))
    languages = Quantity("n_lang", N_("languages that have an adapter"), count)
    norm: Block = ()
    if config.flag(ADAPTER_NORM):
        norm = (parts.layer_norm("adapter_norm", N_("Adapter norm")),)
    down = _adapter("adapter_down", N_("down"), languages, D, width)
    up = _adapter("adapter_up", N_("up"), languages, width, D)
    return (*norm, Residual((down, up)))


def _adapter(id: str, name: str, languages: Size, rows: Size, columns: Size) -> Stage:
    """A matrix rows × columns and a bias per language; a text uses those of its own language."""
    # no FLOPs for the tensor of all languages: ``computes`` has those of one language
    tensors = (
        Tensor("adapter.weight", (languages, rows, columns), "adapters", applications=ZERO),
        Tensor("adapter.bias", (languages, columns), "adapters", role=Role.BIAS),
    )
    return Stage(
        id,
        N_("Adapter: {name}", name=name),
        Group.FEED_FORWARD,
        (T, columns),
        tensors,
        computes=(MatMul(N_("of the language"), T, rows, columns),),
    )


MPNET = Family(
    model_type="mpnet",
    title="MPNet",
    source="https://arxiv.org/abs/2004.09297",
    architectures=("MPNetModel",),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=30_527, P=512, B=32),
        k.TIE_EMBEDDINGS: True,
    },
    compose=mpnet,
    heads=ROBERTA_HEADS,
    tasks=ENCODER_TASKS,
    reserved_positions=2,
)
NOMIC_BERT = Family(
    model_type="nomic_bert",
    title="NomicBERT",
    source="https://arxiv.org/abs/2402.01613",
    architectures=("NomicBertModel",),
    defaults={
        **sizes(D=768, L=12, H=12, d_h=None, F=3072, V=30_528, V_t=2),
        k.TIE_EMBEDDINGS: True,
    },
    compose=nomic_bert,
    heads=BERT_HEADS,
    tasks=ENCODER_TASKS,
    positions=parts.Positions.ROTARY,
)
ROC_BERT = variant(
    BERT,
    "roc_bert",
    "RoCBert",
    "RoCBertModel",
    "https://aclanthology.org/2022.acl-long.65/",
    defaults={
        NUM_SHAPES: 24_858,
        SHAPE_DIM: 512,
        USES_SHAPE: True,
        NUM_PRONUNCIATIONS: 910,
        PRONUNCIATION_DIM: 768,
        USES_PRONUNCIATION: True,
        CONCATENATES_EMBEDDINGS: True,
    },
    compose=roc_bert,
)
XMOD = variant(
    ROBERTA,
    "xmod",
    "X-MOD",
    "XmodModel",
    "https://arxiv.org/abs/2205.06266",
    defaults={
        k.VOCAB_SIZE: 30_522,
        LANGUAGES: ("en_XX",),
        ADAPTER_REDUCTION: 2,
        **off(ADAPTER_NORM, k.NORM_FIRST),
    },
    compose=xmod,
)
