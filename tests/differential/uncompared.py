"""FLOPs that are excluded from the comparison with transformers, with the reasons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import ForwardPass, flops
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.config.symbols import P_PROMPT, T_SEEN

FORWARD, NEXT = "forward", "next"


@dataclass(frozen=True)
class LeftOut:
    """Computation that transformers implements differently from the definition of the model.

    Attributes:
        reason: the difference.
        modules: regular expression of transformers' modules, as ``path Class``.
        stages: regular expression of our stages that compute the same, as ``stack.stage``.
        types: regular expression of the model types that it applies to.
        when: :data:`FORWARD` for whole sequences only, :data:`NEXT` for a next token only.
    """

    reason: str
    modules: str
    stages: str = "$^"
    types: str = ""
    when: str = ""

    def applies_to(self, model_type: str, run: ForwardPass) -> bool:
        """True if the computation is excluded for this type and pass."""
        kind = NEXT if run.uses_cache else FORWARD
        return bool(re.search(self.types, model_type)) and self.when in ("", kind)


LEFT_OUT = (
    LeftOut(
        "rotary positions: transformers computes the angles by a matrix product", r" \w*Rotary\w*$"
    ),
    LeftOut(
        "recurrences: in chunks or element by element, depending on the implementation",
        r" \w*(Mixer|MambaLayer|GatedDeltaNet|LightningAttention|DeltaAttention|xLSTM\w*"
        r"|NextTextLinearAttention)$",
        r"\.(delta_rule|lightning|state_space|memory|time_steps)",
    ),
    LeftOut(
        "recurrences: products with parameters of the module itself, not of a linear layer",
        "$^",
        r"\.selection$",
        types="^zamba$",
    ),
    LeftOut(
        "latent attention: transformers expands the keys and values of all tokens for each token",
        r"\.kv_b_proj ",
        r"\.kv_up",
        when=NEXT,
    ),
    LeftOut(
        "local attention: in padded blocks",
        r" (LongT5(Local|TransientGlobal)Attention|(LEDEncoder|Longformer)SelfAttention)$",
        r"^(encoder|layers)\.scores$",
        types="longt5|^led|longformer",
    ),
    LeftOut(
        "local attention in chunks, and attention within hash buckets",
        r" (LSHSelfAttention|LocalSelfAttention)$",
        r"\.scores$",
        types="reformer",
    ),
    LeftOut(
        "experts: every token passes through all of them; unused outputs are dropped",
        r" Llama4TextExperts$",
        r"\.experts_",
        types="llama4_text",
    ),
    LeftOut(
        "identity experts: the text decides how many tokens are routed to them",
        r" (LongcatFlash|Zaya)Experts$",
        r"\.experts_",
        types="longcat_flash|zaya",
    ),
    LeftOut(
        "experts: transformers reads the mask of chosen experts as their numbers, 0 and 1",
        r"\.experts\.expert_",
        r"\.experts_",
        types="nllb-moe",
    ),
    LeftOut(
        "attention: scores are computed twice, once for each half of the values",
        r" DiffLlamaAttention$",
        r"\.scores$",
        types="diffllama",
    ),
    LeftOut(
        "attention mask: computed for all tokens again with each token",
        r"\.dt_proj ",
        r"\.mask$",
        types="doge",
        when=NEXT,
    ),
    LeftOut(
        "indexer: each query is compared with the blocks before it only",
        r" Qwen4ExpTextQSAIndexer$|\.index_qk_proj ",
        r"\.indexer$",
        types="qwen4_exp",
    ),
    LeftOut(
        "values of the previous token: one more is computed, and dropped",
        r"\.qkv_proj\.",
        r"\.qkv$",
        types="zaya",
        when=FORWARD,
    ),
    LeftOut(
        "self-attention uses the cached keys of cross-attention and computes none itself",
        r"\.attention\.self\.",
        r"\.qkv$",
        types="^big_bird$",
        when=NEXT,
    ),
    LeftOut(
        "inputs of blocks: transformers computes the sums of a few vectors as attention to them",
        r" Inkling2\w*BlockAttentionResidual$",
        types="inkling2",
    ),
    LeftOut(
        "patcher: not run, because the patches are an input",
        "$^",
        "^patcher|patcher_head",
        types="blt",
    ),
    LeftOut(
        "LM head: applied to the tokens without the prompt", r"\.lm_head ", r"\.lm_head$", "cpmant"
    ),
    LeftOut("transformers' text model has no LM head", "$^", "lm_head$", types="step3p5"),
)
PROMPTS = {"cpmant": P_PROMPT}
"""Number of prompt vectors that pass through the model before the tokens."""


def compared(
    model_type: str, architecture: Architecture, run: ForwardPass, theirs: Counter[str]
) -> tuple[int, int]:
    """FLOPs of our count and of transformers, both without those in :data:`LEFT_OUT`."""
    if model_type in MASKED:
        run = replace(run, uses_cache=False)
    if model_type in PROMPTS:
        run = replace(run, tokens=run.tokens + architecture.count(PROMPTS[model_type]))
    rules = [rule for rule in LEFT_OUT if rule.applies_to(model_type, run)]
    ours = flops(architecture, _compared_stages(architecture, rules), run)
    flops_of_modules = (
        number
        for module, number in theirs.items()
        if not any(re.search(rule.modules, module) for rule in rules)
    )
    return ours, sum(flops_of_modules)


def _compared_stages(architecture: Architecture, rules: list[LeftOut]) -> Iterator[PlacedStage]:
    """Stages that no rule leaves out."""
    for placed in architecture.placed_stages():
        path = f"{placed.stack.id if placed.stack else ''}.{placed.stage.id}"
        if not any(re.search(rule.stages, path) for rule in rules):
            yield placed


MASKED = ("gpt_neo", "minimax")
"""Types that cache the keys outside the window and mask them; compared without a window."""
NOT_GENERATED = {
    "blt": "patches change when bytes are added",
    "cpmant": "shapes of the cache and of the position biases do not match",
}
"""Types that transformers cannot run with a cache, and why."""


def generates(model_type: str, architecture: Architecture) -> bool:
    """True if a next token is compared: transformers runs the model with a KV cache.

    EmbeddingGemma's bidirectional attention has none.
    """
    stages = [placed.stage for placed in architecture.placed_stages()]
    products = (matmul for stage in stages for matmul in stage.matmuls)
    attends = any(T_SEEN in matmul.flops.symbols() for matmul in products)
    has_cache = any(stage.caches for stage in stages)
    return attends and has_cache and model_type not in NOT_GENERATED
