"""XLM: post-norm layers and language embeddings."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import CLASSIFIER, classifier, usual_summary
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

V_LANG = Symbol("V_lang", N_("languages"))
NUM_LANGUAGES = k.size_key(V_LANG, "num_languages n_langs")
LANGUAGE_EMBEDDING = k.flag("language_embedding use_lang_emb", N_("an embedding of the language"))
IS_CAUSAL = k.flag("causal", N_("causal attention"))
ADAPTIVE_SOFTMAX = k.flag("adaptive_softmax asm", N_("an adaptive softmax in place of the LM head"))
"""An LM head whose matrices for rarer tokens are narrower."""


def xlm(config: Config) -> Items:
    """A norm on the sum of the embeddings, then post-norm layers with biases."""
    feed_forward = parts.mlp(bias=True, width=4 * D)
    attention = parts.multi_head_attention(bias=True)
    if not config.flag(IS_CAUSAL):
        attention = parts.without_cache(attention)
    block = parts.post_norm(parts.layer_norm, attention, feed_forward)
    embeddings: Block = (parts.token_embedding(), parts.position_embedding())
    if config.flag(LANGUAGE_EMBEDDING) and config.count(V_LANG) > 1:
        embeddings += (parts.further_embedding("language", N_("Language embedding"), V_LANG),)
    embeddings += (parts.embedding_norm(),)
    return parts.decoder(config, block, norm=None, embeddings=embeddings, head_bias=True)


XLM = Family(
    model_type="xlm",
    title="XLM",
    source="https://arxiv.org/abs/1901.07291",
    architectures=("XLMWithLMHeadModel",),
    defaults={
        **sizes(D=2048, L=12, H=16, V=30_145, P=512),
        NUM_LANGUAGES: 1,
        LANGUAGE_EMBEDDING: True,
        **off(IS_CAUSAL, ADAPTIVE_SOFTMAX),
        **dict.fromkeys((k.TIE_EMBEDDINGS, k.SUMMARY_PROJECTION, k.SUMMARY_TO_LABELS), True),
    },
    compose=xlm,
    heads={
        Task.HIDDEN_STATES: (),
        Task.SEQUENCE_CLASS: CLASSIFIER,
        Task.TOKEN_CLASSES: (classifier(),),
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.unsupported_flag(ADAPTIVE_SOFTMAX),
        usual_summary(to_labels=True),
    ),
    names={"emb_dim": k.HIDDEN_DIM, "n_words": k.VOCAB_SIZE},
)
