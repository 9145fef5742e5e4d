"""Models that transformers builds on the meta device, and their parameters by kind."""

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
"""Patterns of tensor names, and the kind of matching tensors; the first match decides."""

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
"""Kind of our components; attn_… and mlp_… are attention and feed-forward."""


def kind_of_component(component: str) -> str:
    """The kind under which a component is compared."""
    if component.startswith("attn_"):
        return "attention"
    if component.startswith("mlp_"):
        return "feed-forward"
    return KIND_OF_COMPONENT.get(component, component)


@lru_cache(maxsize=256)
def default_keys(model_type: str) -> frozenset[str]:
    """The keys that transformers' configuration of the type has."""
    return frozenset(AutoConfig.for_model(model_type).to_dict())


def build(
    model_type: str, config: Mapping[str, Any], auto: str = "CausalLM", device: str = "meta"
) -> torch.nn.Module:
    """Model of a configuration, by default on the meta device, with its tied tensors tied."""
    resolved = AutoConfig.for_model(model_type, **config)
    named = getattr(transformers, (config.get("architectures") or [auto])[0], None)
    cls = named or getattr(transformers, "AutoModel" if auto == "Base" else f"AutoModelFor{auto}")
    make = cls._from_config if named else cls.from_config
    with torch.device(device):
        model = make(resolved, attn_implementation="eager")
    model.tie_weights()
    return model


def named_once(model: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Parameter]]:
    """Each parameter with one of its names; a tied one has the name of the embedding."""
    names: dict[torch.nn.Parameter, str] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        if "embed" in name and "embed" not in names.get(parameter, "embed"):
            names[parameter] = name
        names.setdefault(parameter, name)
    yield from ((name, parameter) for parameter, name in names.items())


def parameters_by_kind(model: torch.nn.Module, rules: Rules = ()) -> Counter[str]:
    """Parameters of a model by kind, shared ones once."""
    counts: Counter[str] = Counter()
    for name, parameter in named_once(model):
        for pattern, kind in (*rules, *RULES):
            if re.search(pattern, name):
                counts[kind] += parameter.numel()
                break
        else:
            counts[f"? {name}"] += parameter.numel()
    return counts
