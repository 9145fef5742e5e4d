"""Embeddings and the LM head."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.weights import linear, norm_tensors, table, vector
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_P, V_P, V_T, B, D, H, L, P, T, V
from sphinx_llmsize.translation import N_

PER_LAYER_EMBEDDING = "per_layer_embedding"
"""Component of embeddings that are added within the layers."""


def token_embedding(width: Size = D, *, rows: Size = V) -> Stage:
    """A table of one vector for each token of the vocabulary: rows × width."""
    weight = table("token_embedding.weight", (rows, width), "token_embedding")
    return Stage("embedding", N_("Token embedding"), Group.EMBEDDING, (T, width), (weight,))


def position_embedding(positions: Size = P, width: Size = D) -> Stage:
    """One learned vector for each position (GPT-2, Radford et al. 2019)."""
    weight = table("position_embedding.weight", (positions, width), "position_embedding")
    return _added_embedding("position", N_("Position embedding"), width, weight)


def embedding_norm(*, bias: bool = True, width: Size = D) -> Stage:
    """A norm on the embeddings before the first layer (BLOOM, BERT)."""
    tensors = norm_tensors("embedding_norm", width, "embedding_norm", bias=bias)
    return Stage("embedding_norm", N_("Embedding norm"), Group.NORMS, (T, width), tensors)


def embedding_projection(width: Size, *, bias: bool = False) -> Stage:
    """A matrix width × D after narrower or wider embeddings (ALBERT, Lan et al. 2019; OPT 350M)."""
    tensors = linear("embedding_projection", width, D, "embedding_projection", bias=bias)
    return Stage(
        "embedding_projection", N_("Embedding projection"), Group.EMBEDDING, (T, D), tensors
    )


def head_projection(width: Size) -> Stage:
    """A matrix D × width before an LM head of another width."""
    tensors = linear("head_projection", D, width, "head_projection")
    return Stage("head_projection", N_("Head projection"), Group.HEAD, (T, width), tensors)


def lm_head(*, tied: bool, bias: bool = False, width: Size = D, rows: Size = V) -> Stage:
    """The projection to the vocabulary: width × rows, or the token embedding's weights if tied.

    Press & Wolf 2017, https://arxiv.org/abs/1608.05859

    Args:
        tied: it uses the token embedding's weights.
        bias: a bias on the scores.
        width: dimensions of its input.
        rows: number of tokens that have a score.
    """
    tied_to = N_("the token embedding") if tied else ""
    weight = Tensor("lm_head.weight", (width, rows), "lm_head", tied_to=tied_to)
    shift = (vector("lm_head.bias", rows, "lm_head_bias", Role.BIAS),) if bias else ()
    return Stage("lm_head", N_("LM head"), Group.HEAD, (T, rows), (weight, *shift))


def token_type_embedding(width: Size = D) -> Stage:
    """A table of one vector for each token type, such as first and second sentence."""
    return further_embedding("token_type", N_("Token type embedding"), V_T, width)


def further_embedding(id: str, label: str, rows: Size, width: Size = D) -> Stage:
    """A table rows × width for a property of a token other than its id, such as its type."""
    return _added_embedding(
        id, label, width, table(f"{id}_embedding.weight", (rows, width), f"{id}_embedding")
    )


def _added_embedding(id: str, label: str, width: Size, weight: Tensor) -> Stage:
    """An embedding of an index other than the token id, added to the token embedding."""
    return Stage(id, label, Group.EMBEDDING, (T, width), (weight,), source=Source.INDICES)


def relative_positions() -> Stage:
    """A bias on each head's scores by relative position, shared by all layers.

    T5, Raffel et al. 2019, https://arxiv.org/abs/1910.10683, section 2.1
    """
    return Stage(
        "position",
        N_("Relative positions"),
        Group.EMBEDDING,
        (T, D),
        (position_biases(),),
        intermediate=(H, T, T),
        source=Source.POSITIONS,
    )


def position_biases() -> Tensor:
    """A bias for each head and bucket of distances: B × H."""
    label = N_("relative positions")
    return table("relative_positions.weight", (B, H), "position_embedding", label)


def per_layer_embeddings() -> Block:
    """A small vector for each token and layer: a table V_p × L·d_p and a projection D × L·d_p.

    Gemma 3n, https://huggingface.co/docs/transformers/model_doc/gemma3n
    """
    width = L * D_P
    rows = table("per_layer_embedding.weight", (V_P, width), PER_LAYER_EMBEDDING)
    projection = (
        *linear("per_layer_projection", D, width, PER_LAYER_EMBEDDING),
        vector("per_layer_norm.weight", D_P, PER_LAYER_EMBEDDING, label=N_("norm")),
    )
    # the output is the token embedding; the vectors, which layers read, aren't part of it
    vectors = (T, width)
    group = Group.EMBEDDING
    return (
        Stage("per_layer_embedding", N_("Per-layer embeddings"), group, (T, D), (rows,), vectors),
        Stage(
            "per_layer_projection", N_("Per-layer projection"), group, (T, D), projection, vectors
        ),
    )


def per_layer_input(component: str = PER_LAYER_EMBEDDING) -> Block:
    """Last stages of a layer: a gate D × d_p on its per-layer embedding, and a projection to D."""
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
