"""FLOPs of a forward pass and of a generated token; ``differential/`` compares them with torch."""

from __future__ import annotations

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.cost import ForwardPass, flops, forward, next_token
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.model import Model

TINY_T5 = {
    "model_type": "t5",
    "architectures": ["T5ForConditionalGeneration"],
    "d_model": 8,
    "d_kv": 4,
    "num_heads": 2,
    "d_ff": 16,
    "num_layers": 1,
    "num_decoder_layers": 1,
    "vocab_size": 10,
}
TINY_BART = {
    "model_type": "bart",
    "d_model": 8,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 24,
    "vocab_size": 10,
}


def total(model: Model, run: ForwardPass) -> int:
    return flops(model.architecture, model.architecture.placed_stages(), run)


def of_stages(model: Model, run: ForwardPass, *ids: str, stack: str = "") -> int:
    def is_selected(placed: PlacedStage) -> bool:
        in_stack = not stack or (placed.stack is not None and placed.stack.id == stack)
        return placed.stage.id in ids and in_stack

    return flops(model.architecture, filter(is_selected, model.architecture.placed_stages()), run)


def test_gpt2_as_torch_counts_it() -> None:
    assert total(load("gpt2"), forward(5)) == 1_236_241_920


def test_a_matrix_costs_two_flops_per_parameter_and_token() -> None:
    model = load("llama-7b")
    assert of_stages(model, forward(3), "ffn_down") == 2 * 3 * 32 * 11_008 * 4096


def test_scores_cost_two_products_for_all_pairs_of_tokens() -> None:
    model = load("llama-7b")
    assert of_stages(model, forward(10), "scores") == 32 * 2 * 2 * 10 * 10 * 4096


def test_grouped_keys_do_not_reduce_the_cost_of_scores() -> None:
    """32 query heads; 8 key/value heads that they share."""
    assert of_stages(load("llama-3-8b"), forward(10), "scores") == 32 * 4 * 10 * 10 * 4096


def test_only_the_experts_of_a_token_cost_flops() -> None:
    sparse, all_of_them = load("mixtral-8x7b"), load("mixtral-8x7b", {"num_experts_per_tok": 8})
    experts = ("experts_up", "experts_down")
    used = of_stages(sparse, forward(4), *experts)
    assert used == 32 * 2 * 4 * 2 * 3 * 4096 * 14_336
    assert of_stages(all_of_them, forward(4), *experts) == used * 8 // 2
    assert of_stages(sparse, forward(4), "router") == of_stages(all_of_them, forward(4), "router")


@pytest.mark.parametrize("name", ["gpt2", "llama-3-8b", "mixtral-8x7b"])
def test_each_token_of_context_adds_the_same_cost(name: str) -> None:
    model = load(name)
    one, two, hundred = (total(model, next_token(context)) for context in (1, 2, 100))
    assert hundred == one + 99 * (two - one)
    assert total(model, forward(1)) == one


def test_a_window_bounds_the_cost_of_the_next_token() -> None:
    model = load({"model_type": "mistral", "sliding_window": 16})
    costs = [total(model, next_token(context)) for context in (15, 16, 17, 1000)]
    assert costs[0] < costs[1] == costs[2] == costs[3]


def test_layers_that_share_weights_all_cost_flops() -> None:
    """ALBERT: twelve layers with the same weights."""
    model = load({"model_type": "albert", "num_hidden_layers": 12})
    half = load({"model_type": "albert", "num_hidden_layers": 6})
    assert of_stages(model, forward(2), "ffn_up") == 12 * 2 * 2 * 4096 * 16_384
    assert of_stages(half, forward(2), "ffn_up") == 6 * 2 * 2 * 4096 * 16_384
    assert model.total == half.total


def test_groups_of_layers_used_unequally_often() -> None:
    """8 layers with the weights of 3 groups: two groups have three layers, one has two."""
    model = load({"model_type": "albert", "num_hidden_layers": 8, "num_hidden_groups": 3})
    assert of_stages(model, forward(2), "ffn_up") == 8 * 2 * 2 * 4096 * 16_384


def test_a_shared_block_costs_flops_in_every_layer_that_uses_it() -> None:
    """Zamba: one set of weights, in 13 of 76 layers."""
    model = load({"model_type": "zamba"})
    placed_stages = [placed for placed in model.architecture.placed_stages() if placed.stack]
    kinds = {placed.stack.id: placed.stack.kinds for placed in placed_stages if placed.stack}
    (stack,) = (id for id, found in kinds.items() if parts.SHARED_LAYER in found)
    one_layer = 2 * 3 * 3712 * 14_848
    assert of_stages(model, forward(1), "ffn_up", "ffn_down", stack=stack) == 13 * one_layer


def test_t5_by_hand() -> None:
    attention, mlp, head = 4 * 2 * 8 * 8, 2 * 2 * 8 * 16, 2 * 8 * 10
    tokens, scores = 3, 2 * 2 * 8 * 3 * 3
    encoder = tokens * (attention + mlp) + scores
    decoder = tokens * (2 * attention + mlp) + 2 * scores
    assert total(load(TINY_T5), forward(tokens)) == encoder + decoder + tokens * head


def test_bart_scores_do_not_depend_on_the_number_of_heads() -> None:
    model = load(TINY_BART)
    scores = 2 * 2 * 3 * 3 * 8
    for stack in ("encoder", "decoder"):
        assert of_stages(model, forward(3), "scores", stack=stack) == scores


def test_the_next_token_does_not_run_the_encoder() -> None:
    model = load(TINY_BART)
    encoder = [p for p in model.architecture.placed_stages() if p.stack and p.stack.id == "encoder"]
    assert flops(model.architecture, encoder, forward(3)) > 0
    assert flops(model.architecture, encoder, next_token(3)) == 0
    assert of_stages(model, next_token(3), "cross_kv") == 0
    assert of_stages(model, next_token(3), "cross_scores") == 2 * 2 * 3 * 8


def test_a_state_costs_the_same_for_every_token() -> None:
    """Mamba: write and read a state of D_inner × S, without any T²."""
    model = load({"model_type": "mamba", "hidden_size": 8, "state_size": 4, "num_hidden_layers": 2})
    assert of_stages(model, forward(5), "state_space") == 2 * 5 * (2 * 16 * 4 + 2 * 16 * 4)
    assert total(model, next_token(5)) == total(model, next_token(500))
    assert total(model, forward(10)) == 10 * total(model, forward(1))


def test_a_pooler_reads_one_token() -> None:
    model = load({"model_type": "bert", "architectures": ["BertModel"]})
    assert of_stages(model, forward(9), "pooler") == 2 * 768 * 768


def test_lookups_and_convolutions_cost_no_flops() -> None:
    model = load({"model_type": "mamba"})
    assert of_stages(model, forward(9), "embedding", "convolution") == 0
