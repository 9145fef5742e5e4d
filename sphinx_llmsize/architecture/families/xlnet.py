"""XLNet: Transformer-XL's attention, and a mask embedding."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.transformer_xl_attention import transformer_xl_attention
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.stages import Group, Source, Stage
from sphinx_llmsize.architecture.task_heads import (
    CLASSIFIER,
    classifier,
    dense_layer,
    usual_summary,
)
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, T
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_


def xlnet(config: Config) -> Items:
    """Post-norm layers of Transformer-XL's attention and an MLP; also a mask embedding."""
    block = parts.post_norm(parts.layer_norm, transformer_xl_attention(), parts.mlp(bias=True))
    vector = parts.table("mask_embedding.weight", (D,), "mask_embedding")
    label = N_("Mask embedding")
    mask = Stage("mask", label, Group.EMBEDDING, (T, D), (vector,), source=Source.NONE)
    embeddings = (parts.token_embedding(), mask)
    return parts.decoder(config, block, norm=None, embeddings=embeddings, head_bias=True)


XLNET = Family(
    model_type="xlnet",
    title="XLNet",
    source="https://arxiv.org/abs/1906.08237",
    architectures=("XLNetLMHeadModel",),
    defaults={
        **sizes(D=1024, L=24, H=16, d_h=None, F=4096, V=32_000),
        **dict.fromkeys((k.TIE_EMBEDDINGS, k.SUMMARY_PROJECTION), True),
        k.SUMMARY_TO_LABELS: False,
    },
    compose=xlnet,
    heads={
        Task.HIDDEN_STATES: (),
        Task.SEQUENCE_CLASS: (dense_layer(), *CLASSIFIER),
        Task.TOKEN_CLASSES: (classifier(),),
    },
    rules=(k.heads_fill_hidden(), k.ATTENTION_HEADS_RULE, usual_summary(to_labels=False)),
    names={"d_inner": k.FFN_DIM, "n_token": k.VOCAB_SIZE},
    has_special_mask=True,  # tokens are predicted in random orders
    positions=parts.Positions.RELATIVE,
)
