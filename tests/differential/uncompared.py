"""FLOPs that are not compared with transformers, with the reasons."""

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
    """Computation that transformers implements differently from the architecture's definition.

    Attributes:
        reason: for people.
        modules: regular expression of the places and classes of its modules.
        stages: regular expression of our stages that compute the same, as ``stack.stage``.
        types: regular expression of the model types that it applies to.
        when: only where one token is generated, or only where a whole sequence passes.
    """

    reason: str
    modules: str
    stages: str = "$^"
    types: str = ""
    when: str = ""

    def is_about(self, model_type: str, run: ForwardPass) -> bool:
        """True if it applies to that comparison."""
        now = NEXT if run.uses_cache else FORWARD
        return bool(re.search(self.types, model_type)) and self.when in ("", now)


LEFT_OUT = (
    LeftOut("rotary positions: their angles are a product", r" \w*Rotary\w*$"),
    LeftOut(
        "recurrences: in chunks, or number by number, as the implementation has it",
        r" \w*(Mixer|MambaLayer|GatedDeltaNet|LightningAttention|DeltaAttention|xLSTM\w*)$",
        r"\.(delta_rule|lightning|state_space|memory|time_steps)",
    ),
    LeftOut(
        "recurrences: their weights are parameters of the module itself",
        "$^",
        r"\.selection$",
        types="^zamba$",
    ),
    LeftOut(
        "latent attention: the keys and values of all tokens are expanded again for each",
        r"\.kv_b_proj ",
        r"\.kv_up",
        when=NEXT,
    ),
    LeftOut(
        "attention to tokens nearby, in blocks that are padded",
        r" (LongT5(Local|TransientGlobal)Attention|LEDEncoderSelfAttention)$",
        r"^encoder\.scores$",
        types="longt5|led",
    ),
    LeftOut(
        "attention in chunks, and to tokens of the same hash",
        r" (LSHSelfAttention|LocalSelfAttention)$",
        r"\.scores$",
        types="reformer",
    ),
    LeftOut(
        "experts: every token passes all of them, and what it is not sent to is dropped",
        r" Llama4TextExperts$",
        r"\.experts_",
        types="llama4_text",
    ),
    LeftOut(
        "experts that compute nothing: how many tokens choose them depends on the text",
        r" (LongcatFlash|Zaya)Experts$",
        r"\.experts_",
        types="longcat_flash|zaya",
    ),
    LeftOut(
        "attention: the scores are made twice, once for each half of the values",
        r" DiffLlamaAttention$",
        r"\.scores$",
        types="diffllama",
    ),
    LeftOut(
        "the mask of all tokens is made again for each",
        r"\.dt_proj ",
        r"\.mask$",
        types="doge",
        when=NEXT,
    ),
    LeftOut(
        "the indexer scores for each query only the blocks before it",
        r" Qwen4ExpTextQSAIndexer$|\.index_qk_proj ",
        r"\.indexer$",
        types="qwen4_exp",
    ),
    LeftOut(
        "values of the token before: one more is made, and dropped",
        r"\.qkv_proj\.",
        r"\.qkv$",
        types="zaya",
        when=FORWARD,
    ),
    LeftOut(
        "with keys of both in its cache, self-attention makes none of its own",
        r"\.attention\.self\.",
        r"\.qkv$",
        types="^big_bird$",
        when=NEXT,
    ),
    LeftOut("the patcher, where patches are given", "$^", "^patcher|patcher_head", types="blt"),
    LeftOut(
        "the LM head reads the tokens without the prompt", r"\.lm_head ", r"\.lm_head$", "cpmant"
    ),
    LeftOut("transformers' text model has no LM head", "$^", "lm_head$", types="step3p5"),
)
PROMPTS = {"cpmant": P_PROMPT}
"""Vectors that pass through the model besides the tokens."""


def compared(
    model_type: str, architecture: Architecture, run: ForwardPass, theirs: Counter[str]
) -> tuple[int, int]:
    """The FLOPs that we count and those of transformers, both without what is left out."""
    if model_type in MASKED:
        run = replace(run, uses_cache=False)
    if model_type in PROMPTS:
        run = replace(run, tokens=run.tokens + architecture.count(PROMPTS[model_type]))
    rules = [rule for rule in LEFT_OUT if rule.is_about(model_type, run)]
    ours = flops(architecture, _places(architecture, rules), run)
    flops_of_modules = (
        n for m, n in theirs.items() if not any(re.search(r.modules, m) for r in rules)
    )
    return ours, sum(flops_of_modules)


def _places(architecture: Architecture, rules: list[LeftOut]) -> Iterator[PlacedStage]:
    for place in architecture.places():
        path = f"{place.stack.id if place.stack else ''}.{place.stage.id}"
        if not any(re.search(rule.stages, path) for rule in rules):
            yield place


MASKED = ("gpt_neo", "minimax")
"""Models that cache and mask keys outside the window; compared without a window."""
NOT_GENERATED = {
    "blt": "its patches change as bytes are added",
    "cpmant": "its cache and its position biases do not fit each other",
}
"""Why transformers does not run a model with a cache."""


def generates(model_type: str, architecture: Architecture) -> bool:
    """True if a next token is compared: transformers runs the model with a KV cache."""
    products = (matmul for place in architecture.places() for matmul in place.stage.matmuls)
    attends = any(T_SEEN in matmul.flops.symbols() for matmul in products)
    return attends and model_type not in NOT_GENERATED
