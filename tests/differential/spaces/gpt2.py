"""GPT, GPT-2 and StarCoder."""

from __future__ import annotations

from differential.built import Rules
from differential.draw import Space

RULES: Rules = ((r"ln_cross", "norms"),)

SPACES = {
    "gpt2": Space(rules=RULES),
    "gpt-sw3": Space(rules=RULES),
    "gpt_bigcode": Space(rules=RULES),
    "openai-gpt": Space(rules=((r"tokens_embed|positions_embed", "embedding"),)),
}
