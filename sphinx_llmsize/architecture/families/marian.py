"""Marian: BART's layers, with one vocabulary for both languages or two."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bart import BART, both_stacks, post_norm_stacks
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rule import same_as
from sphinx_llmsize.config.symbols import V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

V_DEC = Symbol("V_dec", N_("vocabulary size of the decoder"))
DECODER_VOCAB_SIZE = size_key(V_DEC, "decoder_vocab_size", optional=True)
SHARED_EMBEDDINGS = flag(
    "shares_embeddings",
    N_("encoder and decoder share the token embedding"),
    "share_encoder_decoder_embeddings",
)


def marian(config: Config) -> tuple[Item, ...]:
    """BART's layers after a stored table of sines; an embedding for each language if not shared."""
    shared, tied = config.flag(SHARED_EMBEDDINGS), config.flag(k.TIE_EMBEDDINGS)
    source, target = post_norm_stacks(config, (parts.position_embedding(),))
    task = task_of(config, Task.OTHER_SEQUENCE)
    own = parts.decoder_embedding(shared=False, tokens=V_DEC)
    if task is Task.CONTINUATION:
        # transformers' head has the encoder's vocabulary; if tied, it is the decoder's embedding
        head = parts.with_sizes((parts.lm_head(tied=tied),), {V: V_DEC} if tied else {})
        return (own, *target, *head)
    if (shared and tied) or task is Task.ENCODER_STATES:
        return both_stacks(config, source, target)
    unused = (parts.unused_embedding(),) if shared else ()
    body = (*unused, parts.token_embedding(), *source, own, *target)
    head = parts.with_sizes((parts.lm_head(tied=tied),), {} if shared else {V: V_DEC})
    return body if task is Task.HIDDEN_STATES else (*body, *head)


MARIAN = replace(
    BART,
    model_type="marian",
    title="Marian",
    source="https://arxiv.org/abs/1804.00344",
    architectures=("MarianMTModel", "MarianModel", "MarianForCausalLM"),
    defaults={
        **BART.defaults,
        k.VOCAB_SIZE: 58_101,
        DECODER_VOCAB_SIZE: None,
        SHARED_EMBEDDINGS: True,
    },
    compose=marian,
    rules=(*BART.rules, same_as(k.VOCAB_SIZE, DECODER_VOCAB_SIZE)),
)

FAMILIES = (MARIAN,)
