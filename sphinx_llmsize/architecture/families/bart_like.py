"""Pegasus, Marian and others: BART's layers with other embeddings around them."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.bart import (
    BART,
    bart,
    bigbird_pegasus,
    both_stacks,
    classes_of,
    m2m_100,
    pegasus,
    post_norm_stacks,
)
from sphinx_llmsize.architecture.family import Note
from sphinx_llmsize.architecture.parts.embeddings import (
    lm_head,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder_decoder import decoder_embedding, unused_embedding
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.pieces import Group, Item, Stage, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.encoder_decoder import (
    DECODER_FFN_DIM,
    ENCODER_FFN_DIM,
    L_DEC,
    NUM_DECODER_HEADS,
    NUM_DECODER_LAYERS,
    NUM_ENCODER_HEADS,
    NUM_ENCODER_LAYERS,
)
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import Rule, Settings
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.config.vocabulary import (
    BIAS,
    HIDDEN_DIM,
    MAX_POSITIONS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    T,
    V,
)

V_DEC = Symbol("V_dec", "vocabulary size of the decoder")
P_PROMPT = Symbol("P_prompt", "tokens of the prompt")
D_PROMPT = Symbol("D_prompt", "inner dimension of the prompt's MLP")

DECODER_VOCAB_SIZE = size_key(V_DEC, "decoder_vocab_size", optional=True)
SHARED_EMBEDDINGS = flag(
    "shares_embeddings",
    "encoder and decoder have one token embedding",
    "share_encoder_decoder_embeddings",
)
USE_PROMPT = flag("has_prompt", "learned prompts in every layer", "use_prompt")
PROMPT_LENGTH = size_key(P_PROMPT, "num_prompt_tokens", "prompt_length")
PROMPT_DIM = size_key(D_PROMPT, "prompt_dim", "prompt_mid_dim")


def marian(config: Config) -> tuple[Item, ...]:
    """Post-norm layers after a stored table of sines; one vocabulary for both sides, or two."""
    shared, tied = config.flag(SHARED_EMBEDDINGS), config.flag(TIE_EMBEDDINGS)
    source, target = post_norm_stacks((position_embedding(),))
    task = task_of(config, Task.OTHER_SEQUENCE)
    own = decoder_embedding(shared=False, tokens=V_DEC)
    if task is Task.CONTINUATION:
        return (own, *target, lm_head(tied=tied))
    if (shared and tied) or task is Task.ENCODER_STATES:
        return both_stacks(config, source, target)
    unused = (unused_embedding(),) if shared else ()
    body = (*unused, token_embedding(), *source, own, *target)
    head = with_sizes((lm_head(tied=tied),), {} if shared else {V: V_DEC})
    return body if task is Task.HIDDEN_STATES else (*body, *head)


def mvp(config: Config) -> tuple[Item, ...]:
    """BART; for tuning, with prompts that attention reads before the text."""
    task = task_of(config, Task.OTHER_SEQUENCE)
    if not config.flag(USE_PROMPT) or task is Task.CONTINUATION:
        return bart(config)
    return (
        prompt("decoder_prompt", "Prompts of the decoder"),
        prompt("cross_prompt", "Prompts of the cross-attention"),
        *bart(config),
    )


def prompt(id: str, label: str) -> Stage:
    """One vector for each token, from which an MLP makes keys and values for all layers.

    Li & Liang 2021, https://arxiv.org/abs/2101.00190
    """
    width = 2 * L_DEC * D
    tensors = (
        Tensor("prompt_embedding.weight", (P_PROMPT, D), "prompt", "tokens"),
        *linear("prompt_up", D, D_PROMPT, "prompt", bias=True, label="up"),
        *linear("prompt_down", D_PROMPT, width, "prompt", bias=True, label="down"),
    )
    return Stage(id, label, Group.EMBEDDING, (T,), tensors, inner=(P_PROMPT, width))


def _one_vocabulary(settings: Settings) -> Settings:
    return {DECODER_VOCAB_SIZE: settings[VOCAB_SIZE]}


MARIAN = replace(
    BART,
    model_type="marian",
    title="Marian",
    source="https://arxiv.org/abs/1804.00344",
    architectures=("MarianMTModel", "MarianModel", "MarianForCausalLM"),
    defaults={
        **BART.defaults,
        VOCAB_SIZE: 58_101,
        DECODER_VOCAB_SIZE: None,
        SHARED_EMBEDDINGS: True,
    },
    compose=marian,
    rules=(*BART.rules, Rule(_one_vocabulary)),
)
PEGASUS = replace(
    BART,
    model_type="pegasus",
    title="PEGASUS",
    source="https://arxiv.org/abs/1912.08777",
    architectures=classes_of("Pegasus"),
    compose=pegasus,
)
BLENDERBOT = replace(
    BART,
    model_type="blenderbot",
    title="Blenderbot",
    source="https://arxiv.org/abs/2004.13637",
    architectures=classes_of("Blenderbot"),
    defaults={
        **BART.defaults,
        HIDDEN_DIM: 2560,
        NUM_ENCODER_LAYERS: 2,
        NUM_DECODER_LAYERS: 24,
        NUM_ENCODER_HEADS: 32,
        NUM_DECODER_HEADS: 32,
        ENCODER_FFN_DIM: 10_240,
        DECODER_FFN_DIM: 10_240,
        VOCAB_SIZE: 8008,
        MAX_POSITIONS: 128,
    },
    compose=pegasus,
)
BIGBIRD_PEGASUS = replace(
    BART,
    model_type="bigbird_pegasus",
    title="BigBird-Pegasus",
    source="https://arxiv.org/abs/2007.14062",
    architectures=classes_of("BigBirdPegasus"),
    defaults={
        **BART.defaults,
        NUM_ENCODER_LAYERS: 16,
        NUM_DECODER_LAYERS: 16,
        VOCAB_SIZE: 96_103,
        MAX_POSITIONS: 4096,
        BIAS: False,
    },
    compose=bigbird_pegasus,
)
MVP = replace(
    BART,
    model_type="mvp",
    title="MVP",
    source="https://arxiv.org/abs/2206.12131",
    architectures=classes_of("Mvp"),
    defaults={
        **BART.defaults,
        VOCAB_SIZE: 50_267,
        USE_PROMPT: False,
        PROMPT_LENGTH: 100,
        PROMPT_DIM: 800,
    },
    compose=mvp,
    notes=(
        Note(
            "Of the prompts those of the decoder are counted, which are what transformers "
            "builds; the released weights also have prompts of the encoder.",
            USE_PROMPT,
        ),
    ),
)
M2M_100 = replace(
    BART,
    model_type="m2m_100",
    title="M2M-100 and NLLB",
    source="https://arxiv.org/abs/2010.11125",
    architectures=("M2M100ForConditionalGeneration", "M2M100Model"),
    defaults={**BART.defaults, VOCAB_SIZE: 128_112},
    compose=m2m_100,
)

FAMILIES = (MARIAN, PEGASUS, BLENDERBOT, BIGBIRD_PEGASUS, MVP, M2M_100)
