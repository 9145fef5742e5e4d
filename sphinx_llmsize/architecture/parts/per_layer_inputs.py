"""Per-layer embeddings: every token has a small vector of its own for each layer (Gemma 3n).

https://huggingface.co/docs/transformers/model_doc/gemma3n
"""

from __future__ import annotations

from sphinx_llmsize.architecture.parts.weights import linear, table, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.symbols import D_P, V_P, D, L, T
from sphinx_llmsize.translation import N_

_COMPONENT = "per_layer_embedding"


def per_layer_embeddings() -> Block:
    """A table V_p × L·d_p, and what adds a projection of the token embedding, D × L·d_p."""
    width = L * D_P
    rows = table("per_layer_embedding.weight", (V_P, width), _COMPONENT)
    projection = (
        *linear("per_layer_projection", D, width, _COMPONENT),
        vector("per_layer_norm.weight", D_P, _COMPONENT, label=N_("norm")),
    )
    # the layers read them; what passes on to the first layer is the token embedding
    group, output, inner = Group.EMBEDDING, (T, D), (T, width)
    return (
        Stage("per_layer_embedding", N_("Per-layer embeddings"), group, output, (rows,), inner),
        Stage("per_layer_projection", N_("Per-layer projection"), group, output, projection, inner),
    )


def per_layer_input(component: str = _COMPONENT) -> Block:
    """At a layer's end, a gate D × d_p on its own embedding, and a projection back to D."""
    gate = linear("per_layer_gate", D, D_P, component, label=N_("gate"))
    output = linear("per_layer_output", D_P, D, component)
    norm = vector("per_layer_input_norm.weight", D, "norms")
    group = Group.RESIDUAL
    return (
        Stage("per_layer_gate", N_("Per-layer input: gate"), group, (T, D_P), gate),
        Stage("per_layer_output", N_("Per-layer input: output"), group, (T, D), output),
        Stage(
            "per_layer_input_norm", N_("Norm after per-layer input"), Group.NORMS, (T, D), (norm,)
        ),
    )
