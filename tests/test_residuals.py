"""Residual connections: what each layer adds to what, compared with the models' code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest
from families import MODELS
from layer_text import text

from sphinx_llmsize import load
from sphinx_llmsize.architecture.stages import Block, Parallel, Residual, Stage, Step
from sphinx_llmsize.config.symbols import D


@dataclass(frozen=True)
class Layers:
    """The layers of a model, as its code adds them up.

    Attributes:
        source: class in transformers, or URL of the code or paper.
        layers: text of each different layer, in the order of the stacks.
        config: what the model changes of its family's defaults.
    """

    source: str
    layers: tuple[str, ...]
    config: Mapping[str, object] = field(default_factory=dict)


PRE_NORM = "x + attention(norm); x + mlp(norm)"
POST_NORM = "x + attention; norm; x + mlp; norm"
OUTPUT_NORM = "x + norm(attention); x + norm(mlp)"
SANDWICH = "x + norm(attention(norm)); x + norm(mlp(norm))"
PARALLEL = "x + (attention + mlp)(norm)"
MAMBA = "x + mixer(norm)"
SHARED = "norm; attention; norm; mlp"
"""Zamba's shared layer: only the layers that use it add its output."""
STREAMS = "x + attention(norm(attention_streams)); x + experts(norm(ffn_streams))"
PER_LAYER = "x + norm(per_layer_output(per_layer_gate))"
LAUREL = "(norm(attention) + [x + laurel_right(laurel_left)])"

FAMILIES = {
    "llama": Layers("LlamaDecoderLayer", (PRE_NORM,)),
    "gpt2": Layers("GPT2Block", (PRE_NORM,)),
    "granite": Layers("GraniteDecoderLayer", (PRE_NORM,)),  # each addition is scaled
    "opt": Layers("OPTDecoderLayer", (PRE_NORM,)),
    "opt-350m": Layers(
        "OPTDecoderLayer", (POST_NORM,), {"model_type": "opt", "do_layer_norm_before": False}
    ),
    "openai-gpt": Layers("Block", (POST_NORM,)),
    "bert": Layers("BertSelfOutput, BertOutput", (POST_NORM,)),
    "roberta-prelayernorm": Layers("RobertaPreLayerNormLayer", (PRE_NORM,)),
    "albert": Layers("AlbertLayer", (POST_NORM,)),
    "xlnet": Layers("XLNetLayer", (POST_NORM,)),
    "xmod": Layers("XmodOutput", ("x + attention; norm; x + mlp; x + mlp; norm",)),
    "mobilebert": Layers(
        "MobileBertLayer", ("x + [mlp; x + attention; norm; x + mlp; norm; mlp]",)
    ),
    "modernbert": Layers("ModernBertEncoderLayer", ("x + attention; x + mlp(norm)", PRE_NORM)),
    "t5": Layers(
        "T5Block", (PRE_NORM, "x + attention(norm); x + cross-attention(norm); x + mlp(norm)")
    ),
    "bart": Layers(
        "BartDecoderLayer",
        (POST_NORM, "x + attention; norm; x + cross-attention; norm; x + mlp; norm"),
    ),
    "olmo2": Layers("Olmo2DecoderLayer", (OUTPUT_NORM,)),
    "exaone4": Layers("Exaone4DecoderLayer", (OUTPUT_NORM,)),
    "olmo_hybrid": Layers(
        "OlmoHybridLinearAttentionDecoderLayer, OlmoHybridAttentionDecoderLayer",
        ("x + mixer(norm); x + mlp(norm)", OUTPUT_NORM),
    ),
    "chameleon": Layers("ChameleonDecoderLayer", (PRE_NORM,)),
    "chameleon-30b": Layers(
        "ChameleonSwinDecoderLayer", (OUTPUT_NORM,), {"model_type": "chameleon", "swin_norm": True}
    ),
    "gemma2": Layers("Gemma2DecoderLayer", (SANDWICH,)),
    "glm4": Layers("Glm4DecoderLayer", (SANDWICH,)),
    "grok-1": Layers(
        "https://github.com/xai-org/grok-1/blob/main/model.py (DecoderLayer)",
        ("x + norm(attention(norm)); x + norm(experts(norm))",),
    ),
    "gptj": Layers("GPTJBlock", (PARALLEL,)),
    "cohere2": Layers("Cohere2DecoderLayer", (PARALLEL,)),
    "falcon": Layers("FalconDecoderLayer", (PARALLEL,)),
    "gpt_neox": Layers("GPTNeoXLayer", ("x + (attention(norm) + mlp(norm))",)),
    "gpt_neox in sequence": Layers(
        "GPTNeoXLayer", (PRE_NORM,), {"model_type": "gpt_neox", "use_parallel_residual": False}
    ),
    "falcon_h1": Layers("FalconH1DecoderLayer", ("x + (attention + mixer)(norm); x + mlp(norm)",)),
    "minimax": Layers(
        "MiniMaxDecoderLayer",
        ("norm; x + attention; norm; x + experts", "norm; x + mixer; norm; x + experts"),
    ),
    "chatglm-6b": Layers(
        "https://huggingface.co/zai-org/chatglm-6b/blob/main/modeling_chatglm.py (GLMBlock)",
        ("norm; x + attention; norm; x + mlp",),
        {"model_type": "chatglm", "position_encoding_2d": True, "inner_hidden_size": 16_384},
    ),
    "bloom": Layers("BloomBlock", (PRE_NORM,)),
    "bloom after norms": Layers(
        "BloomBlock",
        ("norm; x + attention; norm; x + mlp",),
        {"model_type": "bloom", "apply_residual_connection_post_layernorm": True},
    ),
    "mamba": Layers("MambaBlock", (MAMBA,)),
    "nemotron_h": Layers(
        "NemotronHBlock", (MAMBA, "x + experts(norm)", "x + attention(norm)", "x + mlp(norm)")
    ),
    "zamba": Layers(
        "ZambaMambaDecoderLayer", (SHARED, MAMBA, "x + [x + shared_linear; norm; mixer]")
    ),
    "blt": Layers(
        "BltCrossAttention, BltLocalEncoder, BltLocalDecoder",
        (
            *(PRE_NORM, PRE_NORM),
            "x + [x + cross-attention]",
            PRE_NORM,
            f"x + [x + cross-attention]; {PRE_NORM}",
        ),
    ),
    "rwkv": Layers("RwkvBlock", ("x + mixer(norm); x + mlp(norm)",)),
    "reformer": Layers("ReformerLayer", (PRE_NORM, PRE_NORM)),  # on two streams in turn
    "arctic": Layers(
        "https://huggingface.co/Snowflake/snowflake-arctic-base/blob/main/modeling_arctic.py",
        (PRE_NORM, f"([{PRE_NORM}] + experts(norm))"),
        {"parallel_attn_mlp_res": True},
    ),
    "doge": Layers(
        "DogeDecoderLayer",
        ("(attention(norm) + attention_residual); (mlp(norm) + ffn_residual)",),
    ),
    "deepseek_v4": Layers("DeepseekV4DecoderLayer", (STREAMS, STREAMS)),
    "qwen4_exp_text": Layers(
        "Qwen4ExpTextDecoderLayer",
        (
            "x + mixer(mixer_streams); x + experts(ffn_streams)",
            "x + ngrams_mixing(ngrams); x + mixer(mixer_streams); x + experts(ffn_streams)",
            "x + attention(mixer_streams); x + experts(ffn_streams)",
        ),
        {"index_n_heads": 4, "index_head_dim": 64, "ngram_layers": [2]},
    ),
    "gemma3n_text": Layers(
        "Gemma3nTextDecoderLayer",
        (
            f"x + altup_predict; x + [x + {LAUREL}(norm); x + norm(mlp(norm)); altup_correct]; "
            f"{PER_LAYER}",
        )
        * 2,
    ),
    "gemma4_text": Layers(
        "Gemma4TextDecoderLayer",
        (
            "x + norm(attention(norm)); "
            f"x + norm((norm(mlp(norm)) + norm(experts((experts + norm))))); {PER_LAYER}",
        )
        * 2,
        {
            "enable_moe_block": True,
            "num_experts": 8,
            "top_k_experts": 2,
            "moe_intermediate_size": 64,
        },
    ),
    "longcat_flash": Layers(
        "LongcatFlashDecoderLayer",
        ("x + attention(norm); ([x + mlp(norm); x + attention(norm); x + mlp(norm)] + experts)",),
    ),
    "mllama_text_model": Layers(
        "MllamaCrossAttentionDecoderLayer",
        (PRE_NORM, "x + attention_residual(cross-attention(norm)); x + ffn_residual(mlp(norm))"),
    ),
}
"""Models by name; a name without ``model_type`` in the configuration is the model type."""

WITHOUT = {
    "doge": "multiplies the input by weights before it is added",
    "zamba": "adds the output of its shared layers elsewhere",
    "zamba2": "adds the output of its shared layers elsewhere",
}
"""Model types with layers that have no residual connection, and why."""
OTHER_WIDTHS = {
    "gemma3n_text": "several streams",
    "mobilebert": "a bottleneck of D_b dimensions in each layer",
    "blt": "an own width of each of its transformers",
}
"""Model types with additions of other shapes than T × D, and why."""


@pytest.mark.parametrize("name", FAMILIES)
def test_layers_add_what_the_code_adds(name: str) -> None:
    expected = FAMILIES[name]
    architecture = load({"model_type": name, **expected.config}).architecture
    assert tuple(text(stack.block) for stack in architecture.stacks()) == expected.layers


@pytest.mark.presets
def test_every_layer_has_a_residual_connection_as_wide_as_the_model() -> None:
    for name, model in zip(MODELS, map(load, MODELS.values()), strict=True):
        plain = [stack.id for stack in model.architecture.stacks() if not _residuals(stack.block)]
        assert bool(plain) == (model.model_type in WITHOUT), (name, plain)
        outputs = {
            stage.output
            for stack in model.architecture.stacks()
            for residual in _residuals(stack.block)
            for stage in _last(residual.steps)
        }
        others = {output for output in outputs if len(output) != 2 or output[-1] != D}
        assert bool(others) == (model.model_type in OTHER_WIDTHS), (name, others)


def _residuals(steps: Iterable[Step]) -> tuple[Residual, ...]:
    """Residual connections of a block, at any depth."""
    found: list[Residual] = []
    for step in steps:
        if isinstance(step, Residual):
            found += (step, *_residuals(step.steps))
        elif isinstance(step, Parallel):
            found += (one for branch in step.branches for one in _residuals(branch))
    return tuple(found)


def _last(steps: Block) -> Iterator[Stage]:
    """Last stage of a block, or of each branch."""
    last = steps[-1]
    if isinstance(last, Residual):
        yield from _last(last.steps)
    elif isinstance(last, Parallel):
        for branch in last.branches:
            yield from _last(branch)
    else:
        yield last
