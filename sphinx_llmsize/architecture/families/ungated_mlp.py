"""Decoders whose MLP has no gate, with layer norms or RMS norms."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import UNTIED_NOTE
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.known_names import known_activation
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import V_O, F, T, V
from sphinx_llmsize.translation import N_

ACTIVATION = k.make_key(
    "activation hidden_act",
    N_("the activation function of the FFN"),
    k.ValueKind.NAME,
    part="feed_forward",
)

XIELU = "xielu"
"""Activation with learned numbers."""
APERTUS_ACTIVATION = known_activation(ACTIVATION, XIELU)


def starcoder2(config: Config) -> Items:
    """GQA and an MLP, each after a layer norm; one key sets all biases."""
    bias = config.flag(k.BIAS)
    attention, feed_forward = parts.grouped_query_attention(bias=bias), parts.mlp(bias=bias)
    return parts.uniform_decoder(config, attention, feed_forward, norm=parts.layer_norm)


def persimmon(config: Config) -> Items:
    """Fused QKV projection with optional QK norms, and an MLP; biases everywhere."""
    norms = parts.qk_norms(bias=True) if config.flag(k.QK_NORM) else ()
    attention = parts.fused_attention(bias=True, norms=norms)
    return parts.uniform_decoder(config, attention, parts.mlp(bias=True), norm=parts.layer_norm)


def nemotron(config: Config) -> Items:
    """GQA and an MLP, each after a layer norm; separate keys set their biases."""
    feed_forward = parts.mlp(bias=config.flag(k.MLP_BIAS))
    return parts.uniform_decoder(config, parts.gqa(config), feed_forward, norm=parts.layer_norm)


def arcee(config: Config) -> Items:
    """Llama's layers, except that the MLP has no gate."""
    return parts.uniform_decoder(config, parts.gqa(config), parts.mlp(bias=config.flag(k.MLP_BIAS)))


def cosmos3_edge(config: Config) -> Items:
    """Arcee's layers; the LM head is never tied."""
    layer = parts.pre_norm(
        parts.rms_norm, parts.gqa(config), parts.mlp(bias=config.flag(k.MLP_BIAS))
    )
    return parts.decoder(config, layer, tied=False)


def nanochat(config: Config) -> Items:
    """Norms without weights: on the embeddings, on queries and keys, in every layer."""
    norm = parts.plain_norm
    embeddings = (parts.token_embedding(), norm("embedding_norm", N_("Embedding norm")))
    attention = parts.gqa(config, norms=parts.plain_qk_norms())
    return parts.uniform_decoder(config, attention, parts.mlp(), norm=norm, embeddings=embeddings)


def apertus(config: Config) -> Items:
    """GQA with QK norms, and an MLP with the learned activation xIELU."""
    return parts.decoder(config, _apertus_layer(config))


def _apertus_layer(config: Config) -> Block:
    """Layer of Apertus; with another activation, it has no learned numbers."""
    feed_forward = parts.mlp()
    if config[ACTIVATION] == XIELU:
        feed_forward = parts.insert(feed_forward, xielu(), before="ffn_down")
    return parts.pre_norm(parts.rms_norm, parts.gqa_with_qk_norm(config), feed_forward)


def apertus1p5(config: Config) -> Items:
    """Apertus's layers; the LM head may have no rows for the tokens of images and audio."""
    rows = V_O if config.has(V_O) and not config.flag(k.TIE_EMBEDDINGS) else V
    return parts.decoder(config, _apertus_layer(config), head_rows=rows)


def xielu() -> Stage:
    """Activation xIELU with two learned numbers (https://arxiv.org/abs/2411.13010)."""
    numbers = tuple(
        parts.vector(f"xielu.{name}", ONE, "mlp_activation", label=label)
        for name, label in (
            ("alpha_p", N_("α for positive inputs")),
            ("alpha_n", N_("α for negative inputs")),
        )
    )
    return Stage("activation", N_("xIELU activation"), Group.FEED_FORWARD, (T, F), numbers)


def _check_output_vocab(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the LM head has no more rows than there are tokens."""
    rows, tokens = (k.int_or_none(settings, key) for key in (k.OUTPUT_VOCAB_SIZE, k.VOCAB_SIZE))
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
    positions=parts.Positions.ROTARY,
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
    positions=parts.Positions.ROTARY,
)
NEMOTRON = variant(
    LIKE_LLAMA,
    "nemotron",
    "Nemotron-4",
    "NemotronForCausalLM",
    "https://arxiv.org/abs/2402.16819",
    defaults=sizes(D=6144, H=48, F=24_576, V=256_000),
    compose=nemotron,
)
JAIS2 = variant(
    NEMOTRON,
    "jais2",
    "Jais 2",
    "Jais2ForCausalLM",
    "https://huggingface.co/inceptionai/Jais-2-8B-Chat",
    defaults={**sizes(D=3328, H=26, F=26_624, V=150_272), k.ATTENTION_BIAS: True, k.MLP_BIAS: True},
)
ARCEE = variant(
    LIKE_LLAMA,
    "arcee",
    "Arcee Foundation Model",
    "ArceeForCausalLM",
    "https://huggingface.co/arcee-ai/AFM-4.5B",
    defaults=sizes(D=2560, F=18_432),
    compose=arcee,
)
NANOCHAT = variant(
    LIKE_LLAMA,
    "nanochat",
    "nanochat",
    "NanoChatForCausalLM",
    "https://github.com/karpathy/nanochat",
    defaults=sizes(D=768, L=12, H=6, F=8192, V=50_304),
    removed=(k.MLP_BIAS,),
    compose=nanochat,
)
APERTUS = variant(
    LIKE_LLAMA,
    "apertus",
    "Apertus",
    "ApertusForCausalLM",
    "https://arxiv.org/abs/2509.14233",
    defaults={**sizes(F=14_336, V=131_072), ACTIVATION: XIELU},
    removed=(k.MLP_BIAS,),
    rules=(k.ATTENTION_HEADS_RULE, APERTUS_ACTIVATION),
    compose=apertus,
)
APERTUS1P5 = variant(
    APERTUS,
    "apertus1p5_text",
    "Apertus 1.5 (text decoder)",
    "Apertus1p5TextForCausalLM",
    defaults={k.VOCAB_SIZE: 266_752, k.OUTPUT_VOCAB_SIZE: None},
    rules=(k.ATTENTION_HEADS_RULE, APERTUS_ACTIVATION, k.Rule(check=_check_output_vocab)),
    compose=apertus1p5,
)
COSMOS3_EDGE = variant(
    ARCEE,
    "cosmos3_edge_text",
    "Cosmos 3 Edge",
    "Cosmos3EdgeForConditionalGeneration",
    defaults=sizes(D=2048, L=28, H=16, H_kv=8, d_h=128, F=9216, V=131_072),
    compose=cosmos3_edge,
    notes=(UNTIED_NOTE,),
)
