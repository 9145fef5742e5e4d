"""Molmo 2: Qwen3's layers, optionally with OLMo 2's norms, and token vectors for inputs only."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Items, off, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import V
from sphinx_llmsize.translation import N_

V_X = Symbol("V_x", N_("further token vectors, which the LM head does not have"))
FURTHER_TOKENS = k.size_key(V_X, "num_further_tokens additional_vocab_size", kind=k.ValueKind.WHOLE)
QK_NORM_TYPE = k.make_key(
    "qk_norm_type",
    N_("qwen3: norms of each head; olmo: norms of all heads together"),
    k.ValueKind.NAME,
)


def molmo2(config: Config) -> Items:
    """GQA with QK norms, a gated MLP; the token embedding has more rows than the LM head."""
    if config[QK_NORM_TYPE] == "olmo":
        norms = parts.qk_norms(query=parts.QUERY_WIDTH, key=parts.KEY_WIDTH)
    else:
        norms = parts.qk_norms()
    frame = parts.output_norm if config.flag(k.NORM_AFTER) else parts.pre_norm
    attention = parts.gqa(config, output_bias=False, norms=norms)
    layer = frame(parts.rms_norm, attention, parts.gated_mlp())
    rows = V + V_X if config.has(V_X) else V
    return parts.decoder(config, layer, embeddings=(parts.token_embedding(rows=rows),), tied=False)


MOLMO2 = variant(
    LIKE_LLAMA,
    "molmo2_text",
    "Molmo 2",
    "Molmo2ForConditionalGeneration",
    defaults={
        **sizes(L=36, H_kv=8, d_h=128, F=12_288, V=151_936),
        FURTHER_TOKENS: 128,
        QK_NORM_TYPE: "qwen3",
        **off(k.NORM_AFTER),
    },
    removed=(k.TIE_EMBEDDINGS, k.MLP_BIAS),
    compose=molmo2,
    rules=(k.ROUNDED_HEAD_DIM_RULE, k.one_of(QK_NORM_TYPE, "qwen3", "olmo")),
)
