"""Models that transformers builds on torch's meta device, and their parameters by kind."""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore")

import torch
import transformers
from transformers import AutoConfig

transformers.logging.set_verbosity_error()

Rules = tuple[tuple[str, str], ...]
"""Pairs of a regular expression of tensor names and their kind; the first match decides."""

RULES: Rules = (
    (r"shared_expert", "shared"),
    (r"router|\.gate\.(weight|bias|wg)|gate_inv|\.gate\.wg", "router"),
    (r"experts\.", "experts"),
    (r"norm|(^|\.)ln_|layernorm|\.ln\b|_ln\b", "norms"),
    (r"lm_head|embed_out|output_projection|predictions|(^|\.)cls\.|pooler", "head"),
    (r"mamba|ssm|conv|linear_attn|A_log|dt_bias|mixer|temporal_block", "mixer"),
    (r"attn|attention", "attention"),
    (r"mlp|ffn|feed_forward|fc1|fc2|intermediate|output\.dense", "feed-forward"),
    (r"embed|wte|wpe|shared\.weight", "embedding"),
)

KIND_OF_COMPONENT: dict[str, str] = {
    "token_embedding": "embedding",
    "position_embedding": "embedding",
    "token_type_embedding": "embedding",
    "norms": "norms",
    "qk_norm": "norms",
    "mla_norm": "norms",
    "embedding_norm": "norms",
    "lm_head": "head",
    "lm_head_bias": "head",
    "pooler": "head",
    "router": "router",
    "experts": "experts",
    "shared_experts": "shared",
    "shared_expert_gate": "shared",
    "ssm": "mixer",
}
"""Kind of each component; those of ``attn_…`` and ``mlp_…`` follow from the name."""


def kind_of_component(component: str) -> str:
    """Kind of tensors that a component of ours is compared with."""
    if component.startswith("attn_"):
        return "attention"
    if component.startswith("mlp_"):
        return "feed-forward"
    return KIND_OF_COMPONENT.get(component, component)


@lru_cache(maxsize=256)
def default_keys(model_type: str) -> frozenset[str]:
    """Keys of transformers' configuration of this type."""
    return frozenset(AutoConfig.for_model(model_type).to_dict())


def build(
    model_type: str, config: Mapping[str, Any], auto: str = "CausalLM", device: str = "meta"
) -> torch.nn.Module:
    """Model of a configuration, with tied tensors, by default on the meta device.

    The class is that of ``architectures``, or else transformers' Auto class named by ``auto``.
    """
    resolved = AutoConfig.for_model(model_type, **config)
    model_class = getattr(transformers, (config.get("architectures") or [auto])[0], None)
    if model_class:
        create = model_class._from_config
    else:
        auto_class = "AutoModel" if auto == "Base" else f"AutoModelFor{auto}"
        create = getattr(transformers, auto_class).from_config
    with torch.device(device):
        model = create(resolved, attn_implementation="eager")
    model.tie_weights()
    return model


def named_once(model: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Parameter]]:
    """Each parameter with one of its names; a tied one with the name of the embedding."""
    names: dict[torch.nn.Parameter, str] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        if "embed" in name and "embed" not in names.get(parameter, "embed"):
            names[parameter] = name
        names.setdefault(parameter, name)
    for parameter, name in names.items():
        yield name, parameter


def parameters_by_kind(model: torch.nn.Module, rules: Rules = ()) -> Counter[str]:
    """Number of parameters by kind, shared ones once; a tensor of no kind is named after ``?``."""
    counts: Counter[str] = Counter()
    for name, parameter in named_once(model):
        for pattern, kind in (*rules, *RULES):
            if re.search(pattern, name):
                counts[kind] += parameter.numel()
                break
        else:
            counts[f"? {name}"] += parameter.numel()
    return counts
