"""OLMo Hybrid: pre-norm layers of gated delta nets, post-norm layers of attention."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.families.olmo import jointly_normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import among, every, layered
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, known, only_these, whole
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.translation import _

STEP = 4
NAMES = parts.mixer_names(parts.LINEAR_ATTENTION)


def olmo_hybrid(config: Config) -> tuple[Item, ...]:
    """Attention in every fourth layer (or the last of fewer), gated delta nets in the others."""
    attention = jointly_normed_attention(config)

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.FULL_ATTENTION:
            return parts.post_norm(parts.rms_norm, attention, parts.gated_mlp())
        return parts.mixer_pre_norm(parts.rms_norm, parts.gated_delta_net(), parts.gated_mlp())

    layers = config.count(L)
    fourth = every(STEP, parts.FULL_ATTENTION, others=parts.LINEAR_ATTENTION, start=STEP - 1)
    last = among((layers - 1,), parts.FULL_ATTENTION, others=parts.LINEAR_ATTENTION)
    mixer = parts.mixer_kinds(config, NAMES, otherwise=fourth if layers >= STEP else last)
    return parts.decoder(config, layered(layers, block, mixer=mixer), norm=parts.rms_norm)


def linear_heads(settings: Settings) -> Settings:
    """Linear-attention heads: H of them, keys 3/4·D wide together, values twice as wide."""
    hidden, heads = known(settings, k.HIDDEN_DIM), known(settings, k.NUM_HEADS)
    key_heads = whole(settings, k.LINEAR_KEY_HEADS) or heads
    key_dim = whole(settings, k.LINEAR_KEY_DIM) or int(0.75 * hidden / key_heads)
    return {
        k.LINEAR_KEY_HEADS: heads,
        k.LINEAR_VALUE_HEADS: heads,
        k.LINEAR_KEY_DIM: key_dim,
        k.LINEAR_VALUE_DIM: 2 * key_dim,
    }


def check_both_kinds(settings: Settings, parsed: ParsedConfig) -> None:
    """OLMo Hybrid has layers of both kinds."""
    names = settings[k.LAYER_TYPES]
    kinds = {NAMES.get(str(name)) for name in names} if isinstance(names, tuple) else set()
    if len(kinds) == 1 or (not kinds and settings[k.NUM_LAYERS] == 1):
        raise parsed.error(
            _("OLMo Hybrid has layers of linear and of full attention, not of one kind only"),
            k.LAYER_TYPES,
            k.NUM_LAYERS,
            hint=_("give at least one of each"),
        )


OLMO_HYBRID = Family(
    model_type="olmo_hybrid",
    title="OLMo Hybrid",
    source="https://huggingface.co/docs/transformers/model_doc/olmo_hybrid",
    architectures=("OlmoHybridForCausalLM",),
    defaults={
        **sizes(D=3840, L=32, H=30, H_kv=None, d_h=None, V=100_352),
        **sizes(H_lk=None, H_lv=None, d_lk=None, d_lv=None, W=4, F=11_008),
        k.LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(
        ATTENTION_HEADS,
        Rule(linear_heads, check_both_kinds),
        k.one_for_each_layer(k.LAYER_TYPES),
        only_these(k.LAYER_TYPES, NAMES),
    ),
    compose=olmo_hybrid,
)
