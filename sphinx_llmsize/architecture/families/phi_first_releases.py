"""First releases of Phi-1, Phi-1.5 and Phi-2, with a fused QKV projection."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.algebra import round_up
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.gpt2 import ffn_width
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import N_

VOCAB_MULTIPLE = k.make_key(
    "vocab_multiple_of pad_vocab_size_multiple",
    N_("the vocabulary size is rounded up to a multiple of this"),
)
BLOCK_LAYOUT = k.make_key(
    "block_layout architecture",
    N_("modules of each layer; only the published layout is supported"),
    k.ValueKind.SECTION,
    optional=True,
)
PUBLISHED_LAYOUT: dict[str, tuple[object, ...]] = {
    "block_cls": ("parallel",),
    "mixer": (Section(()),),  # empty
    "mlp.mlp_cls": ("mlp", "fused_mlp"),
}
"""Supported values of each entry of ``architecture``: those of the released files."""


def phi_msft(config: Config) -> Items:
    """Attention and MLP in parallel, with biases everywhere."""
    attention = parts.fused_attention(bias=True, width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH)
    feed_forward = parts.mlp(bias=True, width=ffn_width(config))
    return parts.uniform_decoder(
        config, attention, feed_forward, frame=parts.parallel, norm=parts.layer_norm, head_bias=True
    )


def _replace_vocab_size(settings: k.Settings) -> k.Settings:
    """V rounded up to a multiple of ``pad_vocab_size_multiple``."""
    vocab_size = k.int_of(settings, k.VOCAB_SIZE)
    return {k.VOCAB_SIZE: round_up(vocab_size, k.int_of(settings, VOCAB_MULTIPLE))}


def _check_layout(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the layers are built of the published modules."""
    layout = settings[BLOCK_LAYOUT]
    if not isinstance(layout, Section):
        return
    for name, value in _flat_entries(layout.entries):
        if value not in PUBLISHED_LAYOUT.get(name, ()):
            message = N_("{key}: {name} is not as in the published models")
            hint = N_("only parallel blocks without sizes of their own are counted")
            raise parsed.error(message, BLOCK_LAYOUT, name=name, hint=hint, problem=Problem.VALUE)


def _flat_entries(entries: tuple[Entry, ...]) -> Iterator[tuple[str, object]]:
    """Yield names and values; the names of entries inside ``mlp`` begin with ``mlp.``."""
    for entry in entries:
        if entry.key == "mlp" and isinstance(entry.value, Section):
            yield from ((f"mlp.{option.key}", option.value) for option in entry.value.entries)
        else:
            yield entry.key, entry.value


PHI_MSFT = Family(
    model_type="phi-msft",
    title="Phi (first release)",
    source="https://huggingface.co/microsoft/phi-2",
    architectures=("PhiForCausalLM",),
    defaults={
        **sizes(D=1024, L=20, H=16, H_kv=None, F=None, V=50_304),
        VOCAB_MULTIPLE: 64,
        k.TIE_EMBEDDINGS: False,
    },
    compose=phi_msft,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.FFN_FOUR_TIMES_HIDDEN_RULE,
        k.Rule(replace=_replace_vocab_size),
    ),
    positions=parts.Positions.ROTARY,
)
MIXFORMER = variant(
    PHI_MSFT,
    "mixformer-sequential",
    "Phi-1.5 (first release)",
    "MixFormerSequentialForCausalLM",
    "https://huggingface.co/microsoft/phi-1_5",
    defaults={BLOCK_LAYOUT: None},
    rules=(*PHI_MSFT.rules, k.Rule(check=_check_layout)),
)
