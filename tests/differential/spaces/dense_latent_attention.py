"""Dense models with latent attention, also with queries that have no latent."""

from __future__ import annotations

from differential.draw import Space
from differential.spaces.deepseek import MAYBE_NO_QUERY_LATENT

SPACES = {
    "youtu": Space(values={"q_lora_rank": MAYBE_NO_QUERY_LATENT}),
    "minicpm3": Space(values={"q_lora_rank": MAYBE_NO_QUERY_LATENT}),
}
