"""The words that most configurations share: each key, its other names, its symbol.

Plain names and Hugging Face names are one vocabulary; each row is the only place that
knows the key. What only some families have stands beside this file, or with the family.
"""

from __future__ import annotations

from sphinx_llmsize.config.key import Key, Kind, size_key
from sphinx_llmsize.config.symbols import D_H, H_KV, D, F, H, L, P, V
from sphinx_llmsize.translation import N_

DISPLAY_FIRST = (D, L, H, H_KV, D_H)
DISPLAY_LAST = (V, P)
"""Where a model is described by its sizes, those between them are the family's."""


MODEL_TYPE = Key(
    "model_type", N_("the family of the model, as transformers names it"), kind=Kind.NAME
)
TEXT_PART_OF = Key(
    "text_part_of",
    N_("the model of more than text whose text decoder is described"),
    kind=Kind.NAME,
    optional=True,
)
ARCHITECTURES = Key(
    "architectures",
    N_("the class of transformers that the weights are of, which tells what head there is"),
    kind=Kind.NAMES,
    optional=True,
)
HIDDEN_DIM = size_key(D, "hidden_dim", "hidden_size", "n_embd", "d_model", "dim")
NUM_LAYERS = size_key(L, "num_layers", "num_hidden_layers", "n_layer", "n_layers")
NUM_HEADS = size_key(H, "num_heads", "num_attention_heads", "n_head", "n_heads", "attention_heads")
NUM_KV_HEADS = size_key(
    H_KV, "num_kv_heads", "num_key_value_heads", "n_head_kv", "n_kv_heads", optional=True
)
HEAD_DIM = size_key(D_H, "head_dim", "d_head", "d_kv", "dim_head", optional=True)
FFN_DIM = size_key(
    F,
    "ffn_dim",
    "intermediate_size",
    "n_inner",
    "d_ff",
    "dim_ff",
    "dff",
    "ffn_hidden_size",
    "feed_forward_size",
    optional=True,
)
VOCAB_SIZE = size_key(V, "vocab_size", "n_vocab")
ESSENTIAL_SIZES = (HIDDEN_DIM, NUM_LAYERS, NUM_HEADS, VOCAB_SIZE)
"""Sizes that nothing derives, and that no program takes null for."""
MAX_POSITIONS = size_key(P, "max_positions", "max_position_embeddings", "n_positions")
TIE_EMBEDDINGS = Key(
    "tie_embeddings",
    N_("the LM head uses the token embedding's weights"),
    ("tie_word_embeddings",),
    Kind.FLAG,
)
ATTENTION_BIAS = Key("attention_bias", N_("biases on the attention projections"), kind=Kind.FLAG)
QKV_BIAS = Key(
    "qkv_bias",
    N_("biases on the query, key and value projections"),
    ("use_qkv_bias", "add_qkv_bias"),
    Kind.FLAG,
)
MLP_BIAS = Key("mlp_bias", N_("biases on the feed-forward projections"), kind=Kind.FLAG)
BIAS = Key("bias", N_("biases on all projections"), ("use_bias", "enable_bias"), Kind.FLAG)
LM_HEAD_BIAS = Key("lm_head_bias", N_("a bias on the LM head"), kind=Kind.FLAG)
QK_NORM = Key(
    "qk_norm", N_("norms on queries and keys"), ("qk_layernorm", "use_qk_norm"), Kind.FLAG
)
NORM_FIRST = Key(
    "norm_first",
    N_("norms before attention and feed-forward, not after"),
    ("do_layer_norm_before", "pre_norm"),
    Kind.FLAG,
)
SANDWICH_NORM = Key(
    "sandwich_norm",
    N_("norms after attention and feed-forward too"),
    ("use_sandwich_norm", "use_post_norm"),
    Kind.FLAG,
)
PARALLEL_RESIDUAL = Key(
    "parallel_residual",
    N_("attention and feed-forward side by side"),
    ("use_parallel_residual",),
    Kind.FLAG,
)
ADD_CROSS_ATTENTION = Key(
    "add_cross_attention", N_("layers that attend to an encoder as well"), kind=Kind.FLAG
)
IS_DECODER = Key("is_decoder", N_("tokens attend to none after them"), kind=Kind.FLAG)
MULTIPLE_OF = Key(
    "multiple_of",
    N_("LLaMA: ffn_dim is 8/3 of hidden_dim, rounded up to a multiple of this"),
    optional=True,
)
FFN_MULTIPLE_OF = Key(
    "ffn_multiple_of",
    N_("the feed-forward dimension is rounded up to a multiple of this"),
    ("block_multiple_of", "ffn_round_up_to_multiple_of"),
)
FFN_DIM_MULTIPLIER = Key(
    "ffn_dim_multiplier",
    N_("LLaMA: a factor on the 8/3 of hidden_dim before rounding to multiple_of"),
    kind=Kind.RATIO,
    optional=True,
)
