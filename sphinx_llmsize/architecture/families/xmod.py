"""X-MOD: RoBERTa with adapters for each language."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import bert_attention, bert_heads, summed_embeddings
from sphinx_llmsize.architecture.families.roberta import ROBERTA, ROBERTA_TASKS
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind, flag
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import D, T
from sphinx_llmsize.translation import N_

LANGUAGES = Key("languages", N_("languages that have an adapter"), kind=Kind.NAMES)
ADAPTER_REDUCTION = Key(
    "adapter_reduction",
    N_("how many times narrower than the hidden dimension an adapter is"),
    ("adapter_reduction_factor",),
    Kind.RATIO,
)
ADAPTER_NORM = flag("has_adapter_norm", N_("a norm before the adapters"), "adapter_layer_norm")


def xmod(config: Config) -> tuple[Item, ...]:
    """RoBERTa with a small MLP for each language in every layer."""
    attention, cross = bert_attention(config)
    feed_forward = (*parts.mlp(bias=True), *adapters(config))
    arranged = parts.pre_norm_decoder if config.flag(k.NORM_FIRST) else parts.post_norm_decoder
    block = arranged(parts.layer_norm, attention, cross, feed_forward)
    last = (parts.layer_norm("final_norm", N_("Final norm")),) if config.flag(k.NORM_FIRST) else ()
    return (
        *summed_embeddings(),
        parts.embedding_norm(),
        *parts.equal_layers(block),
        *last,
        *bert_heads(config),
    )


def adapters(config: Config) -> Block:
    """For each language a matrix to fewer dimensions and one back (X-MOD, section 3.1)."""
    languages = len(set(config.names(LANGUAGES)))
    reduction = config[ADAPTER_REDUCTION]
    assert isinstance(reduction, (int, float))
    width = Quantity("D_a", N_("adapter dimension"), int(config.count(D) // reduction))
    each = Quantity("n_lang", N_("languages that have an adapter"), languages)
    norm = (
        (parts.layer_norm("adapter_norm", N_("Adapter norm")),) if config.flag(ADAPTER_NORM) else ()
    )
    return (
        *norm,
        _adapter(N_("down"), each, D, width),
        _adapter(N_("up"), each, width, D),
    )


def _adapter(name: str, languages: Size, rows: Size, columns: Size) -> Stage:
    """Weights for every language, of which a text passes those of its own."""
    tensors = (
        Tensor("adapter.weight", (languages, rows, columns), "adapters", applications=ZERO),
        Tensor("adapter.bias", (languages, columns), "adapters", role=Role.BIAS),
    )
    return Stage(
        f"adapter_{name}",
        N_("Adapter: {name}", name=name),
        Group.FEED_FORWARD,
        (T, columns),
        tensors,
        computes=(MatMul(N_("of the language"), T, rows, columns),),
    )


XMOD = replace(
    ROBERTA,
    model_type="xmod",
    title="X-MOD",
    source="https://arxiv.org/abs/2205.06266",
    architectures=("XmodModel", "XmodForMaskedLM", "XmodForCausalLM"),
    defaults={
        **ROBERTA.defaults,
        k.VOCAB_SIZE: 30_522,
        LANGUAGES: ("en_XX",),
        ADAPTER_REDUCTION: 2,
        ADAPTER_NORM: False,
        k.NORM_FIRST: False,
    },
    compose=xmod,
    rules=(ATTENTION_HEADS, ROBERTA_TASKS),
)

FAMILIES = (XMOD,)
