"""Models that transformers builds on torch's meta device, and their parameters by kind."""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore")

import torch
import transformers
from transformers import AutoConfig, PreTrainedConfig, PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from sphinx_llmsize.architecture.families import family_named

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
    if auto == "CausalLM" and model_type not in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        auto = family_named(model_type).architectures[0]
    model_class = getattr(transformers, (config.get("architectures") or [auto])[0], None)
    whole = model_class.config_class if model_class else type(resolved)
    is_part = type(resolved) is not whole and "text_config" in whole.sub_configs
    if is_part:
        outer = {name: config[name] for name in OUTER if name in config}
        return TextPart(model_class, resolved, outer, device)
    if model_class:
        create = model_class._from_config
    else:
        auto_class = "AutoModel" if auto == "Base" else f"AutoModelFor{auto}"
        create = getattr(transformers, auto_class).from_config
    with torch.device("meta" if model_type in DROPPED else device):
        model = create(resolved, attn_implementation="eager")
    model.tie_weights()
    if part := DROPPED.get(model_type):
        setattr(model.model, part, NotText())
        if device != "meta":
            model.to_empty(device=device)
            for parameter in model.parameters():
                torch.nn.init.normal_(parameter)
    return model


OUTER = ("tie_word_embeddings",)
"""Keys of a text decoder that stand in the configuration of the multimodal model."""
OTHER_PARTS: Mapping[str, Callable[[PreTrainedConfig], dict[str, Any]]] = {
    "granite_docling_text": lambda text: {"vision_config": {"out_hidden_size": text.hidden_size}},
    "granite4_vision_text": lambda text: {"deepstack_layer_map": [], "downsample_rate": "1/4"},
    "muse_spark_text": lambda text: {"audio_config": {"out_hidden_size": text.hidden_size}},
}
"""Keys of a multimodal model without which it can't be built."""
DROPPED = {"phi4_multimodal": "embed_tokens_extend", "chameleon": "vqmodel"}
"""Parts of a multimodal model that aren't text, where text has no configuration of its own."""


class NotText(torch.nn.Module):
    """Part without weights, which leaves the embeddings of text as they are."""

    def forward(
        self, input_ids: torch.Tensor, inputs_embeds: torch.Tensor, **_: Any
    ) -> torch.Tensor:
        """The embeddings."""
        return inputs_embeds


class TextPart(torch.nn.Module):
    """Text decoder and LM head of a multimodal model; its other parts are not built.

    Attributes:
        outer: keys of the multimodal model's configuration that apply to its text decoder.
    """

    def __init__(
        self,
        wrapper: type[PreTrainedModel],
        config: PreTrainedConfig,
        outer: Mapping[str, Any],
        device: str,
    ) -> None:
        """Make the parts.

        Args:
            wrapper: class of the multimodal model.
            config: configuration of the text decoder.
            outer: keys that the configuration of the multimodal model also has.
            device: device of the weights.
        """
        super().__init__()
        others = OTHER_PARTS.get(config.model_type, lambda text: {})(config)
        whole = wrapper.config_class(text_config=config.to_dict(), **others, **outer)
        self.outer = {name: getattr(whole, name, False) for name in OUTER}
        with torch.device("meta"):
            model = wrapper._from_config(whole, attn_implementation="eager")
        model.tie_weights()
        self.decoder, self.lm_head = model.get_decoder(), model.lm_head
        self.config = self.decoder.config
        if device != "meta":
            with torch.device(device):
                self.decoder = type(self.decoder)._from_config(
                    self.config, attn_implementation="eager"
                )
            self.lm_head = self.lm_head.to_empty(device=device)

    def tie_weights(self) -> None:
        """Nothing to do: the whole model's weights were tied."""

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> Any:
        """Output of the decoder; the logits are computed and dropped."""
        output = self.decoder(input_ids=input_ids, **inputs)
        self.lm_head(output.last_hidden_state)
        return output


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
