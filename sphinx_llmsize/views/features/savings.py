"""Sentences, with numbers, on parts that save parameters or memory, or need much of them.

Each function returns an empty text for a model without the part.
"""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.architecture.cost import elements_added_per_token
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import H, V
from sphinx_llmsize.formats import factor_text, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.naming.conventions import untied_total
from sphinx_llmsize.views.shared.latents import caches_latents

LARGE_SHARE = Fraction(1, 4)
"""Share of embeddings and head from which a vocabulary counts as large."""


def latent_attention(model: Model) -> str:
    """Sentence on the cached latents of multi-head latent attention; empty for other models.

    It is also empty if layers differ, in their number of heads or in the size of their cache.
    """
    attention = model.architecture.placed_stages(Group.ATTENTION)
    stages = [placed.stage for placed in attention if caches_latents([placed.stage])]
    elements = {
        sum(elements_added_per_token(model.architecture, shape) for shape in stage.caches)
        for stage in stages
    }
    heads = model.config.sizes.get(H)
    if len(elements) != 1 or not heads:
        return ""
    return _(
        "Multi-head latent attention: for each token, a layer caches latents of {elements} "
        "elements, which all {heads} heads share.",
        elements=factor_text(Fraction(elements.pop())),
        heads=heads,
    )


def shared_layers(model: Model) -> str:
    """Sentence on layers that use the same weights; empty for models without them."""
    count = model.architecture.count
    saved = 0
    for placed in model.architecture.placed_stages():
        layers_without_own_weights = count(placed.uses) - count(placed.layers)
        saved += layers_without_own_weights * count(placed.stage.parameters)
    if not saved:
        return ""
    return _(
        "Shared layers: some weights are used by several layers; with weights of their own, these "
        "would have {number} more parameters.",
        number=thousands(saved),
    )


def tied(model: Model) -> str:
    """Sentence on what tied embeddings save; empty for other models."""
    saved = untied_total(model) - model.total
    if not saved:
        return ""
    return _(
        "Tied embeddings: the LM head uses the weights of the token embedding, which saves "
        "{number} parameters.",
        number=thousands(saved),
    )


def large_vocabulary(model: Model) -> str:
    """Sentence on the embeddings and the head if they are a large share; empty for others."""
    outside = model.parameters_in(Group.EMBEDDING)
    for placed in model.architecture.placed_stages(Group.HEAD):
        if placed.stage.depends_on(V):  # unlike a pooler, or a classifier of sequences
            outside += model.architecture.count(placed.parameters)
    share = Fraction(outside, model.total)
    if share < LARGE_SHARE:
        return ""
    return _(
        "Large vocabulary: embeddings and head have {number} parameters, {share} of all.",
        number=thousands(outside),
        share=percent(share),
    )
