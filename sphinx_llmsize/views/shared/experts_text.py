"""Numbers of experts in words."""

from __future__ import annotations

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.translation import ngettext


def experts_text(stage: Stage, architecture: Architecture, *, as_mixture: bool = False) -> str:
    """``8 experts, 2 active``; empty for a stage without experts.

    For a box that also has the router and shared experts (``as_mixture``), it is ``MoE, 2 of 8
    experts``.
    """
    if not stage.expert_count:
        return ""
    number, used = map(architecture.count, stage.expert_count.sizes)
    counts = {"number": number, "used": used}
    if as_mixture:
        return ngettext(
            "MoE, {used} of {number} expert", "MoE, {used} of {number} experts", number, **counts
        )
    return ngettext(
        "{number} expert, {used} active", "{number} experts, {used} active", number, **counts
    )
