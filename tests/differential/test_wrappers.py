"""Text decoders of multimodal models that transformers builds from its default configurations."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, cast, get_type_hints

import pytest
import torch
from transformers import PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from differential import built  # noqa: F401 - sets transformers up
from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import TEXT_TYPE_OF

SMALL_VISION = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
"""Vision tower for configurations whose default one cannot be built."""
TYPES = [
    name
    for name, text in TEXT_TYPE_OF.items()
    if name in CONFIG_MAPPING and text not in TEXT_TYPE_OF
]
CLASSES = ("ForConditionalGeneration", "_Reasoning_V3", "ForCausalLM")
"""Endings of a model's class with an LM head, in order of preference."""


@pytest.mark.parametrize("model_type", TYPES)
@pytest.mark.parametrize("outer", [None, True, False])
@pytest.mark.parametrize("inner", [None, True, False])
def test_same_text_decoder_as_in_transformers(
    model_type: str, outer: bool | None, inner: bool | None
) -> None:
    kind = CONFIG_MAPPING[model_type]
    top: dict[str, Any] = {} if outer is None else {"tie_word_embeddings": outer}
    if inner is not None:
        top["text_config"] = {"model_type": TEXT_TYPE_OF[model_type], "tie_word_embeddings": inner}
    if model_type == "ovis2":  # its LM head has the sizes of the top level
        top |= {"hidden_size": 4096, "vocab_size": 151_936}
    if model_type == "aya_vision":
        top["vision_config"] = {"model_type": "siglip_vision_model", **SMALL_VISION}
    try:
        config = kind(**top)
        model = build(config)
    except Exception as error:
        pytest.skip(f"not buildable: {type(error).__name__} {str(error)[:80]}")
    for saved in (config.to_dict(), config.to_diff_dict()):
        ours = load(json.loads(json.dumps(saved, default=str)))
        assert ours.total == text_parameters(model, config), saved


def build(config: Any) -> PreTrainedModel:
    """Model of the configuration's own class, on the meta device."""
    module = import_module(type(config).__module__.replace("configuration_", "modeling_"))
    named = [n for ending in CLASSES for n in vars(module) if n.endswith(ending)]
    own = (getattr(module, name) for name in named)
    cls = next(cls for cls in own if get_type_hints(cls).get("config") is type(config))
    with torch.device("meta"):
        model = cls(config)
    model.tie_weights()
    return cast("PreTrainedModel", model)


def text_parameters(model: PreTrainedModel, config: Any) -> int:
    """Number of parameters of the text decoder and the LM head, without duplicates."""
    text = config.get_text_config(decoder=True)
    modules = [m for m in model.modules() if isinstance(m, PreTrainedModel) and m.config is text]
    if head := model.get_output_embeddings():
        modules.append(head)
    return sum({id(p): p.numel() for m in modules for p in m.parameters()}.values())
