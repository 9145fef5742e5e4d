"""Keys common to most models, and keys of encoder-decoders and of residual streams.

Each key has a plain name, and the names in Hugging Face configurations as its aliases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import Key, ValueKind, flag, make_key, size_key
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none, same_as
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig
    from sphinx_llmsize.errors import ConfigError

MODEL_TYPE = make_key(
    "model_type", N_("the model's family, by its name in transformers"), ValueKind.NAME
)
TEXT_PART_OF = make_key(
    "text_part_of",
    N_("the multimodal model whose text decoder is described"),
    ValueKind.SECTION,
    optional=True,
)
OTHER_PARTS = make_key(
    "other_parts vision_config visual audio eva_config",
    N_("a vision or audio tower beside the text decoder, which is not counted"),
    ValueKind.SECTION,
    optional=True,
)
ARCHITECTURES = make_key(
    "architectures",
    N_("the class in transformers, which determines the head"),
    ValueKind.NAMES,
    optional=True,
)
NUM_LABELS = size_key(s.N_LABELS, "num_labels", optional=True)
LABEL_NAMES = make_key(
    "label_names id2label", N_("names of the labels"), ValueKind.SECTION, optional=True
)
SUMMARY_PROJECTION = flag("summary_use_proj", N_("a projection of the summary of a sequence"))
SUMMARY_TO_LABELS = flag(
    "summary_proj_to_labels", N_("a summary of a sequence projected to the labels")
)
HIDDEN_DIM = size_key(s.D, "hidden_dim hidden_size n_embd d_model dim")
NUM_LAYERS = size_key(s.L, "num_layers num_hidden_layers n_layer n_layers")
NUM_HEADS = size_key(s.H, "num_heads num_attention_heads n_head n_heads attention_heads")
NUM_KV_HEADS = size_key(
    s.H_KV, "num_kv_heads num_key_value_heads n_head_kv n_kv_heads", optional=True
)
HEAD_DIM = size_key(s.D_H, "head_dim d_head d_kv dim_head", optional=True)
FFN_DIM = size_key(
    s.F,
    "ffn_dim intermediate_size n_inner d_ff dim_ff dff ffn_hidden_size feed_forward_size",
    optional=True,
)
VOCAB_SIZE = size_key(s.V, "vocab_size n_vocab")
ESSENTIAL_SIZES = (HIDDEN_DIM, NUM_LAYERS, NUM_HEADS, VOCAB_SIZE)
"""Sizes that a configuration must contain unless the family has a default for them."""
MAX_POSITIONS = size_key(s.P, "max_positions max_position_embeddings n_positions")
TIE_EMBEDDINGS = flag(
    "tie_embeddings tie_word_embeddings", N_("the LM head uses the token embedding's weights")
)
ATTENTION_BIAS = flag("attention_bias", N_("biases in attention"))
QKV_BIAS = flag(
    "qkv_bias use_qkv_bias add_qkv_bias", N_("biases on the query, key and value projections")
)
MLP_BIAS = flag("mlp_bias", N_("biases in the FFN"))
BIAS = flag("bias use_bias enable_bias", N_("biases on all projections of a layer"))
LM_HEAD_BIAS = flag("lm_head_bias", N_("a bias on the LM head"))
QK_NORM = flag("qk_norm qk_layernorm use_qk_norm", N_("norms on queries and keys"))
NORM_FIRST = flag(
    "norm_first do_layer_norm_before pre_norm",
    N_("norms before attention and FFN, not after"),
)
NORM_AFTER = flag("post_norm norm_after swin_norm", N_("norms after attention and FFN, not before"))
ADD_TO_NORMS = flag(
    "add_to_norms apply_residual_connection_post_layernorm",
    N_("residual additions to the norms' outputs"),
)
SANDWICH_NORM = flag(
    "sandwich_norm use_sandwich_norm use_post_norm",
    N_("norms before and after attention and FFN"),
)
PARALLEL_RESIDUAL = flag(
    "parallel_residual use_parallel_residual", N_("attention and FFN in parallel")
)
ADD_CROSS_ATTENTION = flag("add_cross_attention", N_("layers that also attend to an encoder"))
IS_DECODER = flag("is_decoder", N_("causal attention"))
MULTIPLE_OF = make_key(
    "multiple_of",
    N_("LLaMA: ffn_dim is 8/3 of hidden_dim, rounded up to a multiple of this"),
    optional=True,
)
FFN_MULTIPLE_OF = make_key(
    "ffn_multiple_of block_multiple_of ffn_round_up_to_multiple_of",
    N_("the FFN dimension is rounded up to a multiple of this"),
)
FFN_DIM_MULTIPLIER = make_key(
    "ffn_dim_multiplier",
    N_("LLaMA: a factor on the 8/3 of hidden_dim before rounding to multiple_of"),
    ValueKind.POSITIVE,
    optional=True,
)

# Encoder-decoders: separate sizes for the two stacks
NUM_ENCODER_LAYERS = size_key(
    s.L_ENC, "num_encoder_layers num_layers num_hidden_layers encoder_layers"
)
NUM_DECODER_LAYERS = size_key(s.L_DEC, "num_decoder_layers decoder_layers", optional=True)
NUM_ENCODER_HEADS = size_key(
    s.H_ENC,
    "num_encoder_heads num_attention_heads num_encoder_attention_heads encoder_attention_heads",
)
NUM_DECODER_HEADS = size_key(
    s.H_DEC, "num_decoder_heads num_decoder_attention_heads decoder_attention_heads"
)
ENCODER_FFN_DIM = size_key(s.F_ENC, "encoder_ffn_dim")
DECODER_FFN_DIM = size_key(s.F_DEC, "decoder_ffn_dim")

# Several residual streams: hyper-connections (https://arxiv.org/abs/2409.19606), AltUp
# (https://arxiv.org/abs/2301.13310) and Laurel (https://arxiv.org/abs/2411.07501)
RESIDUAL_STREAMS = size_key(s.N_HC, "num_residual_streams hc_mult hc_count")
STREAM_RANK = size_key(s.R_HC, "stream_mixing_rank hc_lowrank")
ALTUP_STREAMS = size_key(s.N_A, "num_altup_streams altup_num_inputs")
LAUREL_RANK = size_key(s.R_L, "laurel_rank")


def _check_heads(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that each stack's number of heads divides D."""
    hidden = int_or_none(settings, HIDDEN_DIM)
    for key in (NUM_ENCODER_HEADS, NUM_DECODER_HEADS):
        heads = int_or_none(settings, key)
        if hidden and heads and hidden % heads:
            raise heads_do_not_divide(parsed, key, heads, hidden)


def heads_do_not_divide(parsed: ParsedConfig, key: Key, heads: int, hidden: int) -> ConfigError:
    """Error for a number of heads that does not divide the hidden dimension."""
    message = N_("{heads} heads do not divide {key} {hidden}")
    hint = _("choose {key} so that it divides", key=parsed.name(key))
    # {key} is the hidden dimension in the message, but the number of heads in the hint
    error = parsed.error(message, key, HIDDEN_DIM, heads=heads, key=HIDDEN_DIM, hidden=hidden)
    return error.with_hint(hint)


AS_MANY_DECODER_LAYERS_RULE = same_as(NUM_ENCODER_LAYERS, NUM_DECODER_LAYERS)
"""The decoder has as many layers as the encoder by default."""

HEADS_OF_BOTH_STACKS_RULE = Rule(check=_check_heads)
"""The numbers of encoder heads and decoder heads both divide D."""
