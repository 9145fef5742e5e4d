"""OPT, XGLM, BioGPT and CTRL: pre-norm decoders with biases everywhere, by default."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import DECODER_HEADS, NO_OTHER_HEADS, with_head
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_E, D, P
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

NORM_WEIGHTS = k.flag("norm_weights layer_norm_elementwise_affine", N_("weights in norms"))
NO_FINAL_NORM = k.flag("no_final_norm _remove_final_layer_norm", N_("no norm after the layers"))
LEARNED_POSITIONS = parts.position_embedding(P + 2)
"""Table of P + 2 rows: fairseq reserves the first two for padding."""


def opt(config: Config) -> Items:
    """GPT-3's layers; OPT-350M has post-norm layers and a smaller embedding dimension."""
    norm = parts.layer_norm if config.flag(NORM_WEIGHTS) else parts.plain_norm
    bias, is_pre_norm = config.flag(k.BIAS), config.flag(k.NORM_FIRST)
    frame = parts.pre_norm if is_pre_norm else parts.post_norm
    block = frame(norm, parts.multi_head_attention(bias=bias), parts.mlp(bias=bias))
    final_norm = norm if is_pre_norm and not config.flag(NO_FINAL_NORM) else None
    head = DECODER_HEADS.get(task_of(config))  # None for the LM head
    if config[D_E] in (None, config[D]):
        embeddings: Block = (parts.token_embedding(), LEARNED_POSITIONS)
        items = parts.decoder(config, block, norm=final_norm, embeddings=embeddings)
        return items if head is None else with_head(items, head)
    embeddings = (parts.token_embedding(D_E), parts.embedding_projection(D_E), LEARNED_POSITIONS)
    *body, _lm_head = parts.decoder(config, block, norm=final_norm, embeddings=embeddings)
    if head is None:
        head = (parts.lm_head(tied=config.flag(k.TIE_EMBEDDINGS), width=D_E),)
    # every head reads vectors of the embedding's width
    return (*body, parts.head_projection(D_E), *parts.with_sizes(head, {D: D_E}))


def block_with_biases(cross: Block = ()) -> Block:
    """Pre-norm layer of multi-head attention and an MLP, with biases everywhere."""
    attention = parts.multi_head_attention(bias=True)
    return parts.pre_norm_decoder(parts.layer_norm, attention, cross, parts.mlp(bias=True))


def biogpt(config: Config) -> Items:
    """Learned positions, then pre-norm layers with biases everywhere."""
    embeddings = (parts.token_embedding(), LEARNED_POSITIONS)
    return parts.decoder(config, block_with_biases(), norm=parts.layer_norm, embeddings=embeddings)


def xglm(config: Config) -> Items:
    """BioGPT's layers with sinusoidal positions, which have no weights."""
    cross = parts.cross_attention(bias=True) if config.flag(k.ADD_CROSS_ATTENTION) else ()
    return parts.decoder(config, block_with_biases(cross), norm=parts.layer_norm)


def ctrl(config: Config) -> Items:
    """BioGPT's layers, a bias on the LM head, and sinusoidal positions, which have no weights."""
    return parts.decoder(config, block_with_biases(), norm=parts.layer_norm, head_bias=True)


OPT = Family(
    model_type="opt",
    title="OPT",
    source="https://arxiv.org/abs/2205.01068",
    architectures=("OPTForCausalLM",),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=50_272, P=2048, D_e=None),
        k.TIE_EMBEDDINGS: True,
        k.BIAS: True,
        k.NORM_FIRST: True,
        NORM_WEIGHTS: True,
        NO_FINAL_NORM: False,
    },
    compose=opt,
    tasks=(Task.CONTINUATION, *DECODER_HEADS),
    heads=NO_OTHER_HEADS,
)
BIOGPT = Family(
    model_type="biogpt",
    title="BioGPT",
    source="https://arxiv.org/abs/2210.10341",
    architectures=("BioGptForCausalLM",),
    defaults={**sizes(D=1024, L=24, H=16, F=4096, V=42_384, P=1024), k.TIE_EMBEDDINGS: True},
    compose=biogpt,
)
XGLM = variant(
    BIOGPT,
    "xglm",
    "XGLM",
    "XGLMForCausalLM",
    "https://arxiv.org/abs/2112.10668",
    defaults={**sizes(V=256_008, P=2048), k.ADD_CROSS_ATTENTION: False},
    compose=xglm,
    positions=parts.Positions.ABSOLUTE,
)
CTRL = variant(
    BIOGPT,
    "ctrl",
    "CTRL",
    "CTRLLMHeadModel",
    "https://arxiv.org/abs/1909.05858",
    defaults=sizes(D=1280, L=48, F=8192, V=246_534, P=256),
    compose=ctrl,
    positions=parts.Positions.ABSOLUTE,
)
