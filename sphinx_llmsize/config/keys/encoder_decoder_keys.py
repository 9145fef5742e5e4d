"""Keys of encoder-decoders, whose two stacks have sizes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.config.rule import Rule, Settings, same_as, whole
from sphinx_llmsize.config.symbols import F_DEC, F_ENC, H_DEC, H_ENC, L_DEC, L_ENC
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig


NUM_ENCODER_LAYERS = size_key(
    L_ENC, "num_encoder_layers", "num_layers", "num_hidden_layers", "encoder_layers"
)
NUM_DECODER_LAYERS = size_key(L_DEC, "num_decoder_layers", "decoder_layers", optional=True)
NUM_ENCODER_HEADS = size_key(
    H_ENC,
    "num_encoder_heads",
    "num_attention_heads",
    "num_encoder_attention_heads",
    "encoder_attention_heads",
)
NUM_DECODER_HEADS = size_key(
    H_DEC, "num_decoder_heads", "num_decoder_attention_heads", "decoder_attention_heads"
)
ENCODER_FFN_DIM = size_key(F_ENC, "encoder_ffn_dim")
DECODER_FFN_DIM = size_key(F_DEC, "decoder_ffn_dim")


def _check_heads(settings: Settings, parsed: ParsedConfig) -> None:
    for key in (NUM_ENCODER_HEADS, NUM_DECODER_HEADS):
        hidden, heads = whole(settings, HIDDEN_DIM), whole(settings, key)
        if hidden and heads and hidden % heads:
            raise ConfigError(
                _(
                    "{heads} heads do not divide {key} {hidden}",
                    heads=heads,
                    key=parsed.name(HIDDEN_DIM),
                    hidden=hidden,
                ),
                Problem.SHAPE,
                hint=_("choose {key} so that it divides", key=parsed.name(key)),
                line=parsed.line(key, HIDDEN_DIM),
            )


AS_MANY_DECODER_LAYERS = same_as(NUM_ENCODER_LAYERS, NUM_DECODER_LAYERS)
"""The decoder has as many layers as the encoder, unless told."""

HEADS_OF_BOTH = Rule(check=_check_heads)
"""The heads of encoder and decoder each divide D."""
