"""Different models: plain decoders, Llamas and GPT-2s of many widths and depths."""

from __future__ import annotations

from itertools import cycle, islice
from typing import NamedTuple

HEAD_DIM = 64


class Configuration(NamedTuple):
    """A model's name and the keys that an author would write for it."""

    name: str
    keys: dict[str, int | str]

    @property
    def body(self) -> list[str]:
        """The keys as YAML."""
        return [f"{key}: {value}" for key, value in self.keys.items()]


def configurations(count: int) -> list[Configuration]:
    """This number of different configurations, alternating between the families."""
    families = islice(cycle((textbook, llama, gpt2)), count)
    return [
        Configuration(f"Model {number}", family(number))
        for number, family in enumerate(families, start=1)
    ]


def textbook(number: int) -> dict[str, int | str]:
    """The four keys of a plain decoder."""
    heads = 4 + number
    return {
        "hidden_dim": HEAD_DIM * heads,
        "num_layers": 6 + number,
        "num_heads": heads,
        "vocab_size": 32_000 + number,
    }


def llama(number: int) -> dict[str, int | str]:
    """A Llama with four query heads to each key/value head."""
    heads = 4 * (2 + number)
    return {
        "model_type": "llama",
        "hidden_size": HEAD_DIM * heads,
        "intermediate_size": 3 * HEAD_DIM * heads,
        "num_hidden_layers": 8 + number,
        "num_attention_heads": heads,
        "num_key_value_heads": heads // 4,
        "vocab_size": 128_000 + number,
    }


def gpt2(number: int) -> dict[str, int | str]:
    """A GPT-2, with biases, learned positions and a tied head."""
    heads = 8 + number
    return {
        "model_type": "gpt2",
        "n_embd": HEAD_DIM * heads,
        "n_layer": 12 + number,
        "n_head": heads,
        "n_positions": 1024,
        "vocab_size": 50_257,
    }
