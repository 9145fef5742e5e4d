"""Numbers of experts in words."""

from __future__ import annotations

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.translation import ngettext


def experts_text(stage: Stage, architecture: Architecture) -> str:
    """``8 experts, 2 active``; empty for a stage without experts."""
    if not stage.expert_count:
        return ""
    total, active = map(architecture.count, stage.expert_count.sizes)
    return ngettext(
        "{number} expert, {used} active",
        "{number} experts, {used} active",
        total,
        number=total,
        used=active,
    )


def mixture_text(stage: Stage, architecture: Architecture) -> str:
    """``MoE, 2 of 8 experts``: the same for a box that also has the router and shared experts."""
    if not stage.expert_count:
        return ""
    total, active = map(architecture.count, stage.expert_count.sizes)
    return ngettext(
        "MoE, {used} of {number} expert",
        "MoE, {used} of {number} experts",
        total,
        number=total,
        used=active,
    )
