"""The words of a configuration: every key, its other names, its symbol and its meaning.

Plain names and Hugging Face names are one vocabulary; each row is the only place that
knows the key. The configuration reference of the documentation is generated from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.algebra import Symbol

D = Symbol("D", "hidden dimension")
L = Symbol("L", "layers")
H = Symbol("H", "attention heads")
H_KV = Symbol("H_kv", "key/value heads")
D_H = Symbol("d_h", "head dimension")
F = Symbol("F", "feed-forward dimension")
V = Symbol("V", "vocabulary size")
P = Symbol("P", "positions")
T = Symbol("T", "tokens in the sequence")


class Kind(Enum):
    """What a key's value is."""

    COUNT = "a whole number ≥ 1"
    FLAG = "true or false"
    RATIO = "a number > 0"
    NAME = "a name"


@dataclass(frozen=True)
class Key:
    """A configuration key.

    ``optional`` keys may be null, which means the same as leaving them out: the value
    is then derived from the others, as the model's own code does.
    """

    name: str
    meaning: str
    aliases: tuple[str, ...] = ()
    kind: Kind = Kind.COUNT
    symbol: Symbol | None = None
    optional: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every spelling of the key, the plain one first."""
        return (self.name, *self.aliases)


def _size(symbol: Symbol, name: str, *aliases: str, optional: bool = False) -> Key:
    return Key(name, symbol.meaning, aliases, symbol=symbol, optional=optional)


MODEL_TYPE = Key("model_type", "the family of the model, as transformers names it", kind=Kind.NAME)
HIDDEN_DIM = _size(D, "hidden_dim", "hidden_size", "n_embd", "d_model", "dim")
NUM_LAYERS = _size(L, "num_layers", "num_hidden_layers", "n_layer", "n_layers")
NUM_HEADS = _size(H, "num_heads", "num_attention_heads", "n_head", "n_heads")
NUM_KV_HEADS = _size(
    H_KV, "num_kv_heads", "num_key_value_heads", "n_head_kv", "n_kv_heads", optional=True
)
HEAD_DIM = _size(D_H, "head_dim", "d_head", "d_kv", optional=True)
FFN_DIM = _size(F, "ffn_dim", "intermediate_size", "n_inner", "d_ff", optional=True)
VOCAB_SIZE = _size(V, "vocab_size", "n_vocab")
MAX_POSITIONS = _size(P, "max_positions", "max_position_embeddings", "n_positions")
TIE_EMBEDDINGS = Key(
    "tie_embeddings",
    "the LM head uses the token embedding's weights",
    ("tie_word_embeddings",),
    Kind.FLAG,
)
ATTENTION_BIAS = Key("attention_bias", "biases on the attention projections", kind=Kind.FLAG)
MLP_BIAS = Key("mlp_bias", "biases on the feed-forward projections", kind=Kind.FLAG)
ADD_CROSS_ATTENTION = Key(
    "add_cross_attention", "layers that attend to an encoder as well", kind=Kind.FLAG
)
MULTIPLE_OF = Key(
    "multiple_of",
    "LLaMA: ffn_dim is 8/3 of hidden_dim, rounded up to a multiple of this",
    optional=True,
)
FFN_DIM_MULTIPLIER = Key(
    "ffn_dim_multiplier",
    "LLaMA: a factor on the 8/3 of hidden_dim before rounding to multiple_of",
    kind=Kind.RATIO,
    optional=True,
)

KEYS: tuple[Key, ...] = (
    MODEL_TYPE,
    HIDDEN_DIM,
    NUM_LAYERS,
    NUM_HEADS,
    NUM_KV_HEADS,
    HEAD_DIM,
    FFN_DIM,
    VOCAB_SIZE,
    MAX_POSITIONS,
    TIE_EMBEDDINGS,
    ATTENTION_BIAS,
    MLP_BIAS,
    ADD_CROSS_ATTENTION,
    MULTIPLE_OF,
    FFN_DIM_MULTIPLIER,
)

KEY_OF_NAME: dict[str, Key] = {name: key for key in KEYS for name in key.names}
KEY_OF_SYMBOL: dict[Symbol, Key] = {key.symbol: key for key in KEYS if key.symbol}

WITHOUT_SIZE: frozenset[str] = frozenset(
    [
        "_name_or_path",
        "activation_function",
        "architectures",
        "attention_dropout",
        "attn_implementation",
        "attn_pdrop",
        "auto_map",
        "bos_token_id",
        "dtype",
        "embd_pdrop",
        "eos_token_id",
        "hidden_act",
        "initializer_range",
        "layer_norm_epsilon",
        "model_max_length",
        "n_ctx",
        "name",
        "norm_eps",
        "pad_token_id",
        "pretraining_tp",
        "reorder_and_upcast_attn",
        "resid_pdrop",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "scale_attn_by_inverse_layer_idx",
        "scale_attn_weights",
        "summary_activation",
        "summary_first_dropout",
        "summary_proj_to_labels",
        "summary_type",
        "summary_use_proj",
        "task_specific_params",
        "torch_dtype",
        "transformers_version",
        "use_cache",
        "use_scaled_rope",
    ]
)
"""Keys of real configurations that no tensor's shape depends on: read past without a word."""
