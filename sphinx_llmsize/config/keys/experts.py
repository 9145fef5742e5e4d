"""Keys of models with a mixture of experts."""

from __future__ import annotations

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import ValueKind, flag, make_key, size_key
from sphinx_llmsize.translation import N_

NUM_EXPERTS = size_key(
    s.E,
    "num_experts num_local_experts n_routed_experts moe_num_experts",
    kind=ValueKind.WHOLE,
    optional=True,
)
EXPERTS_PER_TOKEN = size_key(
    s.K,
    "num_experts_per_token num_experts_per_tok experts_per_token "
    "moe_topk moe_k top_k top_k_experts",
    optional=True,
)
EXPERT_DIM = size_key(
    s.F_E, "expert_dim moe_intermediate_size expert_ffn_hidden_size", optional=True
)
NUM_SHARED_EXPERTS = size_key(
    s.E_S,
    "num_shared_experts n_shared_experts moe_num_shared_experts",
    kind=ValueKind.WHOLE,
    optional=True,
)
SHARED_EXPERT_DIM = size_key(
    s.F_S,
    "shared_expert_dim shared_expert_intermediate_size shared_intermediate_size "
    "moe_shared_expert_intermediate_size",
    kind=ValueKind.WHOLE,
    optional=True,
)
HAS_EXPERTS = flag("has_experts enable_moe_block is_moe", N_("experts beside each layer's FFN"))
FIRST_DENSE_LAYERS = make_key(
    "num_first_dense_layers first_k_dense_replace num_dense_layers",
    N_("layers at the start that have an FFN in place of experts"),
    ValueKind.WHOLE,
)
EXPERT_LAYER_STEP = make_key(
    "expert_layer_step decoder_sparse_step expert_layer_period moe_layer_freq "
    "interleave_moe_layer_step moe_layer_interval",
    N_("one layer in this many has experts"),
)
EXPERT_LAYER_OFFSET = make_key(
    "expert_layer_offset", N_("the first layer that has experts, from 0"), ValueKind.WHOLE
)
DENSE_LAYERS = make_key(
    "dense_layers mlp_only_layers",
    N_("numbers of the layers that have an FFN in place of experts, from 0"),
    ValueKind.LAYERS,
    optional=True,
)
MTP_LAYERS = make_key(
    "num_next_token_layers num_nextn_predict_layers num_mtp_modules num_mtp_layers "
    "mtp_num_hidden_layers",
    N_("multi-token-prediction layers in the released weights, which are not counted"),
    ValueKind.WHOLE,
    optional=True,
)
