"""Decoders whose MLP has no gate, with layer norms or RMS norms."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import UNTIED_NOTE
from sphinx_llmsize.architecture.families.common_layers import (
    gqa,
    gqa_with_qk_norm,
    uniform_decoder,
)
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, text_part
from sphinx_llmsize.architecture.positions import Positions
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import ValueKind, make_key
from sphinx_llmsize.config.known_names import known_activation
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none
from sphinx_llmsize.config.symbols import V_O, F, T, V
from sphinx_llmsize.translation import N_

ACTIVATION = make_key(
    "activation hidden_act", N_("the activation function of the FFN"), ValueKind.NAME
)

XIELU = "xielu"
"""Activation with learned numbers."""
APERTUS_ACTIVATION = known_activation(ACTIVATION, XIELU)


def starcoder2(config: Config) -> Items:
    """GQA and an MLP, each after a layer norm; one key sets all biases."""
    bias = config.flag(k.BIAS)
    attention, feed_forward = parts.grouped_query_attention(bias=bias), parts.mlp(bias=bias)
    return uniform_decoder(config, attention, feed_forward, norm=parts.layer_norm)


def persimmon(config: Config) -> Items:
    """Fused QKV projection with optional QK norms, and an MLP; biases everywhere."""
    norms = parts.qk_norms(bias=True) if config.flag(k.QK_NORM) else ()
    attention = parts.fused_attention(bias=True, norms=norms)
    return uniform_decoder(config, attention, parts.mlp(bias=True), norm=parts.layer_norm)


def nemotron(config: Config) -> Items:
    """GQA and an MLP, each after a layer norm; separate keys set their biases."""
    feed_forward = parts.mlp(bias=config.flag(k.MLP_BIAS))
    return uniform_decoder(config, gqa(config), feed_forward, norm=parts.layer_norm)


def arcee(config: Config) -> Items:
    """Llama's layers, except that the MLP has no gate."""
    return uniform_decoder(config, gqa(config), parts.mlp(bias=config.flag(k.MLP_BIAS)))


def cosmos3_edge(config: Config) -> Items:
    """Arcee's layers; the LM head is never tied."""
    layer = parts.pre_norm(parts.rms_norm, gqa(config), parts.mlp(bias=config.flag(k.MLP_BIAS)))
    return parts.decoder(config, layer, tied=False)


def nanochat(config: Config) -> Items:
    """Norms without weights: on the embeddings, on queries and keys, in every layer."""
    norm = parts.plain_norm
    embeddings = (parts.token_embedding(), norm("embedding_norm", N_("Embedding norm")))
    attention = gqa(config, norms=parts.plain_qk_norms())
    return uniform_decoder(config, attention, parts.mlp(), norm=norm, embeddings=embeddings)


def apertus(config: Config) -> Items:
    """GQA with QK norms, and an MLP with the learned activation xIELU."""
    return parts.decoder(config, _apertus_layer(config))


def _apertus_layer(config: Config) -> Block:
    """Layer of Apertus; with another activation, it has no learned numbers."""
    feed_forward = parts.mlp()
    if config[ACTIVATION] == XIELU:
        feed_forward = parts.insert(feed_forward, xielu(), before="ffn_down")
    return parts.pre_norm(parts.rms_norm, gqa_with_qk_norm(config), feed_forward)


def apertus1p5(config: Config) -> Items:
    """Apertus's layers; the LM head may have no rows for the tokens of images and audio."""
    rows = V_O if config.has(V_O) and not config.flag(k.TIE_EMBEDDINGS) else V
    return parts.decoder(config, _apertus_layer(config), head_rows=rows)


def xielu() -> Stage:
    """Activation xIELU with two learned numbers (https://arxiv.org/abs/2411.13010)."""
    numbers = tuple(
        parts.vector(f"xielu.{name}", ONE, "mlp_activation", label=name)
        for name in ("alpha_p", "alpha_n")
    )
    return Stage("activation", N_("xIELU activation"), Group.FEED_FORWARD, (T, F), numbers)


def _check_output_vocab(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that the LM head has no more rows than there are tokens.

    Raises:
        ConfigError: it has more.
    """
    rows, tokens = (int_or_none(settings, key) for key in (k.OUTPUT_VOCAB_SIZE, k.VOCAB_SIZE))
    if rows and tokens and rows > tokens:
        message = N_("{key} is {rows}, but {other} is {tokens}")
        hint = N_("leave {key} out: the LM head then has a row for each token")
        keys = (k.OUTPUT_VOCAB_SIZE, k.VOCAB_SIZE)
        raise parsed.error(message, *keys, rows=rows, tokens=tokens, hint=hint)


STARCODER2 = Family(
    model_type="starcoder2",
    title="StarCoder2",
    source="https://arxiv.org/abs/2402.19173",
    architectures=("Starcoder2ForCausalLM",),
    defaults={
        **sizes(D=3072, L=30, H=24, H_kv=2, d_h=None, F=12_288, V=49_152, w=None),
        k.BIAS: True,
        k.TIE_EMBEDDINGS: True,
    },
    compose=starcoder2,
    windows=parts.windows_in_all_layers,
    positions=Positions.ROTARY,
)
PERSIMMON = Family(
    model_type="persimmon",
    title="Persimmon",
    source="https://huggingface.co/docs/transformers/model_doc/persimmon",
    architectures=("PersimmonForCausalLM",),
    defaults={
        **sizes(D=4096, L=36, H=64, F=16_384, V=262_144),
        k.QK_NORM: True,
        k.TIE_EMBEDDINGS: False,
    },
    compose=persimmon,
    positions=Positions.ROTARY,
)
NEMOTRON = Family(
    model_type="nemotron",
    title="Nemotron-4",
    source="https://arxiv.org/abs/2402.16819",
    architectures=("NemotronForCausalLM",),
    defaults={
        **sizes(D=6144, L=32, H=48, H_kv=None, d_h=None, F=24_576, V=256_000),
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=nemotron,
    positions=Positions.ROTARY,
)
JAIS2 = replace(
    NEMOTRON,
    model_type="jais2",
    title="Jais 2",
    source="https://huggingface.co/inceptionai/Jais-2-8B-Chat",
    architectures=("Jais2ForCausalLM",),
    defaults={
        **NEMOTRON.defaults,
        **sizes(D=3328, H=26, F=26_624, V=150_272),
        k.ATTENTION_BIAS: True,
        k.MLP_BIAS: True,
    },
)
ARCEE = Family(
    model_type="arcee",
    title="Arcee Foundation Model",
    source="https://huggingface.co/arcee-ai/AFM-4.5B",
    architectures=("ArceeForCausalLM",),
    defaults={
        **sizes(D=2560, L=32, H=32, H_kv=None, d_h=None, F=18_432, V=32_000),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
    },
    compose=arcee,
    positions=Positions.ROTARY,
)
NANOCHAT = Family(
    model_type="nanochat",
    title="nanochat",
    source="https://github.com/karpathy/nanochat",
    architectures=("NanoChatForCausalLM",),
    defaults={
        **sizes(D=768, L=12, H=6, H_kv=None, d_h=None, F=8192, V=50_304),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=nanochat,
    positions=Positions.ROTARY,
)
APERTUS = Family(
    model_type="apertus",
    title="Apertus",
    source="https://arxiv.org/abs/2509.14233",
    architectures=("ApertusForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=14_336, V=131_072),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
        ACTIVATION: XIELU,
    },
    rules=(ATTENTION_HEADS, APERTUS_ACTIVATION),
    compose=apertus,
    positions=Positions.ROTARY,
)
APERTUS1P5 = text_part(
    APERTUS,
    "apertus1p5_text",
    "Apertus 1.5 (text decoder)",
    "Apertus1p5TextForCausalLM",
    defaults={k.VOCAB_SIZE: 266_752, k.OUTPUT_VOCAB_SIZE: None},
    rules=(ATTENTION_HEADS, APERTUS_ACTIVATION, Rule(check=_check_output_vocab)),
    compose=apertus1p5,
)
COSMOS3_EDGE = text_part(
    ARCEE,
    "cosmos3_edge_text",
    "Cosmos 3 Edge",
    "Cosmos3EdgeForConditionalGeneration",
    defaults=sizes(D=2048, L=28, H=16, H_kv=8, d_h=128, F=9216, V=131_072),
    compose=cosmos3_edge,
    notes=(UNTIED_NOTE,),
)
