"""Cached elements of random small models equal those in transformers' caches.

Each model runs once, on fewer or more tokens than its windows have. Full sliding windows are
compared as whole windows, although transformers drops one token before the next one arrives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from differential.cache_elements import NOT_YET_COMPRESSED, cached_elements
from differential.draw import COMPARED_TYPES, configurations, space_of, without_shrinking
from differential.runnable import build_to_run, first_pass, runnable, tokens_of
from differential.spaces.deepseek_v4 import KINDS
from sphinx_llmsize import load
from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.cost import cache_elements
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.config.symbols import P_PROMPT
from sphinx_llmsize.errors import ConfigError

MODELS = 4
"""Models of each type; running a model takes longer than building it."""
NOT_COMPARED = {
    "openai-gpt": "transformers has no cache for it",
    "xlm": "transformers does not return its cache",
    "blt": "not counted, as the text decides the number of patches; transformers cannot make it",
}
"""Types whose caches cannot be measured, and why."""
WITHOUT_WINDOWS = {
    "gpt_neo": "local attention is a mask",
    "minimax": "the sliding window is a mask",
    "reformer": "attention in chunks, all states cached",
}
"""Types that cache more tokens than their windows have, and why."""
CHANGED_KEYS = {
    # self-attention would otherwise cache the keys of cross-attention
    "big_bird": {"add_cross_attention": False},
    # an encoder fills a cache that nothing reads
    "gemma3_text": {"use_bidirectional_attention": False},
}
"""Values in place of drawn ones, with which transformers caches entries that no token uses."""
PROMPTS = {"cpmant": P_PROMPT}
"""Number of prompt vectors that pass through the model before the tokens."""


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """More threads don't make models as small as these faster."""
    torch.set_num_threads(1)


@pytest.mark.parametrize("model_type", [t for t in COMPARED_TYPES if t not in NOT_COMPARED])
def test_same_as_transformers(model_type: str, tally: Counter[str]) -> None:
    @settings(without_shrinking(MODELS), derandomize=True)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        config = data.draw(configurations(model_type))
        tokens = tokens_of(model_type, data.draw(st.integers(1, 40)))
        theirs, changed = run(model_type, config, tokens, tally)
        ours = counted(changed, tokens, tally)
        tally["compared"] += 1
        tally[f"compared {model_type}"] += 1
        assert ours == theirs, f"{tokens} tokens of {model_type} {config}"

    compare()
    assert tally[f"compared {model_type}"] >= MODELS // 2, "too few could be run"


def run(
    model_type: str, config: dict[str, Any], tokens: int, tally: Counter[str]
) -> tuple[int, dict[str, Any]]:
    """Elements in transformers' caches, and the configuration that was run.

    A configuration that fails is drawn again.
    """
    ids = torch.arange(tokens)[None] % 200 + 5
    try:
        drawn = {"vocab_size": 320, **config, **CHANGED_KEYS.get(model_type, {})}
        config = runnable(model_type, drawn)
        model = build_to_run(model_type, config, space_of(model_type))
        return cached_elements(model, ids), {**config, "model_type": model_type}
    except Exception as error:
        tally[f"not runnable {model_type}: {type(error).__name__} {str(error)[:200]}"] += 1
        return assume(False)


def counted(config: dict[str, Any], tokens: int, tally: Counter[str]) -> int:
    """Our count; configurations with values that do not fit each other are drawn again."""
    try:
        architecture = load(config).architecture
    except ConfigError as error:
        tally[f"refused {config['model_type']}: {error}"] += 1
        return assume(False)
    prompt = PROMPTS.get(config["model_type"])
    context = tokens + (architecture.count(prompt) if prompt else 0)
    placed_stages = architecture.placed_stages()
    if config["model_type"] in WITHOUT_WINDOWS:
        placed_stages = map(without_windows, placed_stages)
    return cache_elements(architecture, placed_stages, context)


def without_windows(placed: PlacedStage) -> PlacedStage:
    """The stage in a stack of layers without sliding windows."""
    return replace(placed, stack=placed.stack and replace(placed.stack, windows=()))


@pytest.mark.parametrize("tokens", [1, 3, 7, 8, 23])
def test_buffers_are_smaller_than_we_say(tokens: int) -> None:
    sliding, sparse, heavy = KINDS
    config = {
        "layer_types": [sliding, sparse, heavy],
        "compress_rates": {sparse: 3, heavy: 8},
        **{"num_hidden_layers": 3, "hidden_size": 32, "num_attention_heads": 2, "head_dim": 16},
        **{"q_lora_rank": 8, "qk_rope_head_dim": 8, "o_groups": 1, "o_lora_rank": 8},
        **{"n_routed_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 8},
        **{"index_n_heads": 2, "index_head_dim": 8, "vocab_size": 320, "num_hash_layers": 0},
    }
    model = build_to_run("deepseek_v4", config, space_of("deepseek_v4"))
    output = model(**first_pass(model, torch.arange(tokens)[None], cache=True))
    buffers = (
        tensor
        for layer in output.cache.layers
        for name in NOT_YET_COMPRESSED
        for tensor in getattr(layer, name, {}).values()
    )
    buffered = sum(tensor.numel() for tensor in buffers if tensor is not None)
    architecture = load({"model_type": "deepseek_v4", **config}).architecture
    largest = sum(
        architecture.count(product(placed.uses, *shape))
        for placed in architecture.placed_stages()
        for shape in placed.stage.buffers
    )
    assert 0 < buffered < largest
