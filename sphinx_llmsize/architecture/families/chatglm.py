"""ChatGLM-6B, ChatGLM2, ChatGLM3 and the first release of GLM-4-9B."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import TEXT_ONLY, CountNote
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

LINEAR_BIASES = k.flag("linear_biases add_bias_linear", N_("biases on all projections of a layer"))
IS_RMS_NORM = k.flag("rms_norm rmsnorm", N_("RMS norms instead of layer norms"))
FINAL_NORM = k.flag("final_norm post_layer_norm", N_("a norm after the last layer"))
GROUPED_QUERIES = k.flag(
    "grouped_queries multi_query_attention", N_("fewer key/value heads than query heads")
)
POSITIONS_2D = k.flag("positions_2d position_encoding_2d", N_("the layers of ChatGLM-6B"))
PREFIX_LENGTH = k.make_key(
    "prefix_length pre_seq_len", N_("tokens of a trained prefix"), optional=True
)


def chatglm(config: Config) -> Items:
    """Decoder of ChatGLM2 and later, with fused input projections; or that of ChatGLM-6B."""
    if config.flag(POSITIONS_2D):
        return chatglm_6b(config)
    bias = config.flag(LINEAR_BIASES)
    attention = parts.fused_attention(
        bias=bias or config.flag(k.QKV_BIAS),
        output_bias=bias,
        width=parts.QUERY_WIDTH,
        kv_width=parts.KEY_WIDTH,
    )
    norm = parts.rms_norm if config.flag(IS_RMS_NORM) else parts.layer_norm
    frame = parts.add_to_norms if config.flag(k.ADD_TO_NORMS) else parts.pre_norm
    layer = frame(norm, attention, parts.fused_gated_mlp(bias=bias))
    final_norm = norm if config.flag(FINAL_NORM) else None
    # tie_embeddings is of ChatGLM-6B only
    return parts.decoder(config, layer, norm=final_norm, tied=False)


def chatglm_6b(config: Config) -> Items:
    """ChatGLM-6B: GPT-2's layers; sublayers are added to the norms' outputs, not their inputs."""
    attention, feed_forward = parts.fused_attention(bias=True), parts.mlp(bias=True)
    return parts.uniform_decoder(
        config, attention, feed_forward, frame=parts.add_to_norms, norm=parts.layer_norm
    )


def _derive_ties(settings: k.Settings) -> k.Settings:
    """Tied embeddings by default in ChatGLM-6B, the model with 2D positions."""
    return {k.TIE_EMBEDDINGS: settings[POSITIONS_2D]}


def _replace_kv_heads(settings: k.Settings) -> k.Settings:
    """H_kv = H if ``grouped_queries`` is false, whatever ``num_kv_heads`` is."""
    if settings[GROUPED_QUERIES]:
        return {}
    return {k.NUM_KV_HEADS: settings[k.NUM_HEADS]}


def _check_prefix(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that there is no trained prefix."""
    if settings[PREFIX_LENGTH] is not None:
        message = N_("a trained prefix ({key}) is not supported")
        hint = N_("remove {key} for the model without it")
        raise parsed.error(message, PREFIX_LENGTH, hint=hint, problem=Problem.VALUE)


CHATGLM = Family(
    model_type="chatglm",
    title="ChatGLM",
    source="https://arxiv.org/abs/2406.12793",
    architectures=("ChatGLMModel", "ChatGLMForConditionalGeneration"),
    defaults={
        **sizes(D=4096, L=28, H=32, H_kv=1, d_h=128, F=13_696, V=65_024),
        **off(POSITIONS_2D, GROUPED_QUERIES, LINEAR_BIASES, k.QKV_BIAS, k.ADD_TO_NORMS),
        IS_RMS_NORM: True,
        FINAL_NORM: True,
        **unset(PREFIX_LENGTH, k.OTHER_PARTS, k.TIE_EMBEDDINGS),
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.heads_fill_hidden(),
        k.Rule(derive=_derive_ties, check=_check_prefix, replace=_replace_kv_heads),
    ),
    compose=chatglm,
    names={
        "padded_vocab_size": k.VOCAB_SIZE,
        "kv_channels": k.HEAD_DIM,
        "multi_query_group_num": k.NUM_KV_HEADS,
        "inner_hidden_size": k.FFN_DIM,
    },
    notes=(CountNote(TEXT_ONLY.text, k.OTHER_PARTS),),
    positions=parts.Positions.ROTARY,
    has_special_mask=True,  # a prefix LM
)
