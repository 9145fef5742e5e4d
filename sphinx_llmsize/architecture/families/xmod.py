"""X-MOD: RoBERTa with adapters for each language."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, Size
from sphinx_llmsize.architecture.families.bert import bert_attention, bert_heads, summed_embeddings
from sphinx_llmsize.architecture.families.roberta import ROBERTA, ROBERTA_TASKS
from sphinx_llmsize.architecture.matmul import MatMul
from sphinx_llmsize.architecture.parts.blocks import post_norm_decoder, pre_norm_decoder
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import embedding_norm
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind, flag
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import NORM_FIRST, VOCAB_SIZE, D, T
from sphinx_llmsize.translation import N_

LANGUAGES = Key("languages", "languages that have an adapter", kind=Kind.NAMES)
ADAPTER_REDUCTION = Key(
    "adapter_reduction",
    "how many times narrower than the hidden dimension an adapter is",
    ("adapter_reduction_factor",),
    Kind.RATIO,
)
ADAPTER_NORM = flag("has_adapter_norm", "a norm before the adapters", "adapter_layer_norm")


def xmod(config: Config) -> tuple[Item, ...]:
    """RoBERTa with a small MLP for each language in every layer."""
    attention, cross = bert_attention(config)
    feed_forward = (*mlp(bias=True), *adapters(config))
    arranged = pre_norm_decoder if config.flag(NORM_FIRST) else post_norm_decoder
    block = arranged(layer_norm, attention, cross, feed_forward)
    last = (layer_norm("final_norm", "Final norm"),) if config.flag(NORM_FIRST) else ()
    return (
        *summed_embeddings(),
        embedding_norm(),
        *equal_layers(block),
        *last,
        *bert_heads(config),
    )


def adapters(config: Config) -> Block:
    """For each language a matrix to fewer dimensions and one back (X-MOD, section 3.1)."""
    languages = len(set(config.names(LANGUAGES)))
    reduction = config[ADAPTER_REDUCTION]
    assert isinstance(reduction, (int, float))
    width = Quantity("D_a", "adapter dimension", int(config.count(D) // reduction))
    each = Quantity("n_lang", "languages that have an adapter", languages)
    norm = (layer_norm("adapter_norm", "Adapter norm"),) if config.flag(ADAPTER_NORM) else ()
    return (
        *norm,
        _adapter("down", each, D, width),
        _adapter("up", each, width, D),
    )


def _adapter(name: str, languages: Size, rows: Size, columns: Size) -> Stage:
    """Weights for every language, of which a text passes those of its own."""
    tensors = (
        Tensor("adapter.weight", (languages, rows, columns), "adapters", times=ZERO),
        Tensor("adapter.bias", (languages, columns), "adapters", role=Role.BIAS),
    )
    return Stage(
        f"adapter_{name}",
        N_("Adapter: {name}", name=name),
        Group.FEED_FORWARD,
        (T, columns),
        tensors,
        computes=(MatMul("of the language", T, rows, columns),),
    )


XMOD = replace(
    ROBERTA,
    model_type="xmod",
    title="X-MOD",
    source="https://arxiv.org/abs/2205.06266",
    architectures=("XmodModel", "XmodForMaskedLM", "XmodForCausalLM"),
    defaults={
        **ROBERTA.defaults,
        VOCAB_SIZE: 30_522,
        LANGUAGES: ("en_XX",),
        ADAPTER_REDUCTION: 2,
        ADAPTER_NORM: False,
        NORM_FIRST: False,
    },
    compose=xmod,
    rules=(ATTENTION_HEADS, ROBERTA_TASKS),
)

FAMILIES = (XMOD,)
