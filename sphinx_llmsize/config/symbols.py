"""Symbols of sizes in shapes and formulas, as used in papers.

An underscore begins a subscript: ``H_kv`` is H with subscript kv.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.translation import N_


@dataclass(frozen=True)
class Length(Symbol):
    """Length of a sequence, which depends on the input.

    Attributes:
        rate: tokens per entry of the sequence; tokens of an incomplete entry are dropped.
        depends_on_text: the text decides where entries begin, so their number isn't known.
        limit: largest length, however many tokens there are; None for no limit.
        added: number added to the tokens before the division by ``rate``: ``rate - 1`` makes an
            incomplete entry count.
    """

    rate: int = 1
    depends_on_text: bool = False
    limit: int | None = None
    added: int = 0

    __hash__ = Symbol.__hash__  # the dataclass would otherwise hash all fields

    def of(self, tokens: int) -> int:
        """Length for a number of tokens."""
        length = (tokens + self.added) // self.rate
        return length if self.limit is None else min(length, self.limit)

    @property
    def equals_tokens(self) -> bool:
        """True if the length is the number of tokens."""
        return self.rate == 1 and self.limit is None


FIRST_LETTERS_IN_ORDER = "NnLTECGkKVPBMXDRHdFSW"
"""First letters of symbols in the order of factors in a product: ``3·E·D·F_e``."""

SUBSCRIPTS_IN_ORDER = ("q", "kv", "enc", "dec")
"""Subscripts that aren't in alphabetical order: those of queries and of the encoder come first."""


def factor_order(name: str) -> tuple[int, int, str]:
    """Sort key for the names of symbols as factors in a product; unlisted letters come last."""
    position = FIRST_LETTERS_IN_ORDER.find(name[:1])
    letter = position if position >= 0 else len(FIRST_LETTERS_IN_ORDER)
    return (letter, *_subscript_order(name))


def summand_order(name: str) -> tuple[str, int, str]:
    """Sort key for the names of symbols in the summands of a sum: ``R_q + R_kv``."""
    return (name[:1], *_subscript_order(name))


def _subscript_order(name: str) -> tuple[int, str]:
    """Sort key for the names of symbols with the same letter."""
    subscript = name.partition("_")[2].partition(",")[0]
    is_listed = subscript in SUBSCRIPTS_IN_ORDER
    return (SUBSCRIPTS_IN_ORDER.index(subscript) + 1 if is_listed else 0, name)


# Sizes of most models
D = Symbol("D", N_("hidden dimension"))
L = Symbol("L", N_("layers"))
H = Symbol("H", N_("attention heads"))
H_KV = Symbol("H_kv", N_("key/value heads"))
D_H = Symbol("d_h", N_("head dimension"))
F = Symbol("F", N_("FFN dimension"))
V = Symbol("V", N_("vocabulary size"))
P = Symbol("P", N_("positions"))
T = Length("T", N_("tokens in the sequence"))
T_SEEN = Length("T_k", N_("tokens that a token attends to"))
T_SOURCE = Length("T_src", N_("tokens in the encoder's sequence"))
BATCH = Symbol("b", N_("sequences in a batch"))

# Mixtures of experts
E = Symbol("E", N_("experts"))
K = Symbol("k", N_("experts per token"))
F_E = Symbol("F_e", N_("FFN dimension of an expert"))
E_S = Symbol("E_s", N_("shared experts"))
F_S = Symbol("F_s", N_("FFN dimension of the shared expert"))

# Multi-head latent attention
R_Q = Symbol("R_q", N_("latent dimension of the queries"))
R_KV = Symbol("R_kv", N_("latent dimension of keys and values"))
D_NOPE = Symbol("d_nope", N_("head dimension without positions"))
D_ROPE = Symbol("d_rope", N_("head dimension with rotary positions"))
D_V = Symbol("d_v", N_("head dimension of the values"))

# State-space and linear-attention mixers
S = Symbol("S", N_("state dimension"))
W = Symbol("W", N_("width of the convolution"))
X = Symbol("X", N_("expansion factor of Mamba"))
R_DT = Symbol("R_dt", N_("rank of Δ"))
G_M = Symbol("G_m", N_("groups of state-space heads"))
H_M = Symbol("H_m", N_("state-space heads"))
D_M = Symbol("d_m", N_("dimension of a state-space head"))
D_INNER = Symbol("D_inner", N_("inner dimension of Mamba"))
H_L = Symbol("H_l", N_("heads of the linear attention"))
D_L = Symbol("d_l", N_("head dimension of the linear attention"))
H_LK = Symbol("H_lk", N_("key heads of the linear attention"))
H_LV = Symbol("H_lv", N_("value heads of the linear attention"))
D_LK = Symbol("d_lk", N_("dimension of a key head of the linear attention"))
D_LV = Symbol("d_lv", N_("dimension of a value head of the linear attention"))

# Indexers
H_I = Symbol("H_i", N_("heads of the indexer"))
D_I = Symbol("d_i", N_("head dimension of the indexer"))

# Embeddings
D_E = Symbol("D_e", N_("embedding dimension"))
V_T = Symbol("V_t", N_("token types"))
V_O = Symbol("V_o", N_("rows of the LM head"))
V_P = Symbol("V_p", N_("vocabulary size of the per-layer embeddings"))
D_P = Symbol("d_p", N_("dimension of the per-layer embeddings"))
B = Symbol("B", N_("buckets of relative positions"))
P_PROMPT = Symbol("P_prompt", N_("tokens of a prompt"))
N_LABELS = Symbol("N_labels", N_("labels of the classifier"))

# Encoder-decoders
L_ENC = Symbol("L_enc", N_("encoder layers"))
L_DEC = Symbol("L_dec", N_("decoder layers"))
H_ENC = Symbol("H_enc", N_("attention heads of the encoder"))
H_DEC = Symbol("H_dec", N_("attention heads of the decoder"))
F_ENC = Symbol("F_enc", N_("FFN dimension of the encoder"))
F_DEC = Symbol("F_dec", N_("FFN dimension of the decoder"))

# Full-attention layers with separate head sizes
D_G = Symbol("d_g", N_("head dimension in full-attention layers"))
H_G = Symbol("H_g", N_("key/value heads in full-attention layers"))

# Latent attention in sliding-window layers
H_W = Symbol("H_w", N_("attention heads of sliding layers"))
R_QW = Symbol("R_q,w", N_("latent dimension of the queries of sliding layers"))
R_KVW = Symbol("R_kv,w", N_("latent dimension of keys and values of sliding layers"))
D_NOPE_W = Symbol("d_nope,w", N_("head dimension without positions in sliding layers"))
D_ROPE_W = Symbol("d_rope,w", N_("head dimension with rotary positions in sliding layers"))
D_VW = Symbol("d_v,w", N_("head dimension of the values of sliding layers"))

# N-gram embeddings
D_N = Symbol("d_n", N_("dimension of the n-gram embeddings of a token"))
W_N = Symbol("W_n", N_("width of the convolution on n-gram embeddings"))

# Residual streams
N_HC = Symbol("n_hc", N_("residual streams"))
R_HC = Symbol("R_hc", N_("rank of the mixing of residual streams"))
N_A = Symbol("n_a", N_("residual streams of AltUp"))
R_L = Symbol("R_l", N_("rank of the Laurel branch"))

# Sliding windows
W_A = Symbol("w", N_("tokens in an attention window"))
W_C = Symbol("w_c", N_("tokens in a chunk of attention"))

READING_ORDER = (
    *(T, D, D_E, V, V_T, P, L, L_ENC, L_DEC),
    *(H, H_ENC, H_DEC, H_KV, D_H, H_G, D_G, H_W, W_A, W_C),
    *(R_Q, R_QW, R_KV, R_KVW, D_NOPE, D_NOPE_W, D_ROPE, D_ROPE_W, D_V, D_VW, H_I, D_I),
    *(F, F_ENC, F_DEC, E, K, F_E, E_S, F_S),
    *(D_INNER, X, S, W, R_DT, H_M, D_M, G_M, H_L, D_L, H_LK, H_LV, D_LK, D_LV),
)
"""Symbols as readers look for them: the model, its attention, its FFN and experts, its mixers."""
_POSITIONS = {symbol.name: position for position, symbol in enumerate(READING_ORDER)}


def reading_order(symbol: Symbol) -> tuple[int, bool]:
    """Sort key for symbols in a list; those that only one family has come last.

    A symbol with an index of its own comes after the one without it: ``L_Mamba`` after ``L``, and
    ``H_kv,3`` after ``H_kv``.
    """
    base = symbol.name
    while base and base not in _POSITIONS:
        base = re.sub(r"[,_]?[^,_]*$", "", base)
    return _POSITIONS.get(base, len(_POSITIONS)), base != symbol.name
