"""What stands before and after the layers: embeddings and the LM head."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.weights import linear, table, vector
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import V_T, B, D, H, P, T, V
from sphinx_llmsize.translation import N_


def token_embedding(width: Size = D, *, rows: Size = V) -> Stage:
    """One vector of D numbers for each token of the vocabulary, of which rows may tell more."""
    weight = table("token_embedding.weight", (rows, width), "token_embedding")
    return Stage("embedding", N_("Token embedding"), Group.EMBEDDING, (T, width), (weight,))


def position_embedding(positions: Size = P, width: Size = D) -> Stage:
    """One learned vector for each position (GPT-2, Radford et al. 2019)."""
    weight = table("position_embedding.weight", (positions, width), "position_embedding")
    return Stage("position", N_("Position embedding"), Group.EMBEDDING, (T, width), (weight,))


def embedding_norm(*, bias: bool = True, width: Size = D) -> Stage:
    """A norm on the embeddings before the first layer (BLOOM, BERT)."""
    scale = vector(
        "embedding_norm.weight", width, "embedding_norm", label=N_("scale") if bias else ""
    )
    shift = vector("embedding_norm.bias", width, "embedding_norm", Role.BIAS, N_("bias"))
    tensors = (scale, shift) if bias else (scale,)
    return Stage("embedding_norm", N_("Embedding norm"), Group.NORMS, (T, width), tensors)


def embedding_projection(width: Size, *, bias: bool = False) -> Stage:
    """From embeddings of another width to D (ALBERT, Lan et al. 2019, OPT 350M)."""
    tensors = linear("embedding_projection", width, D, "embedding_projection", bias=bias)
    return Stage(
        "embedding_projection", N_("Embedding projection"), Group.EMBEDDING, (T, D), tensors
    )


def head_projection(width: Size) -> Stage:
    """From D to the width of the embeddings, before the LM head."""
    tensors = linear("head_projection", D, width, "head_projection")
    return Stage("head_projection", N_("Head projection"), Group.HEAD, (T, width), tensors)


def lm_head(*, tied: bool, bias: bool = False, width: Size = D) -> Stage:
    """The projection back to the vocabulary; tied, it reuses the token embedding.

    Press & Wolf 2017, https://arxiv.org/abs/1608.05859
    """
    tied_to = N_("the token embedding") if tied else ""
    weight = Tensor("lm_head.weight", (width, V), "lm_head", tied_to=tied_to)
    shift = (vector("lm_head.bias", V, "lm_head_bias", Role.BIAS),) if bias else ()
    return Stage("lm_head", N_("LM head"), Group.HEAD, (T, V), (weight, *shift))


def token_type_embedding(types: Size = V_T, width: Size = D) -> Stage:
    """One vector for each type of token: those of the first sentence, those of the second."""
    return further_embedding("token_type", N_("Token type embedding"), types, width)


def further_embedding(id: str, label: str, rows: Size, width: Size = D) -> Stage:
    """One vector of that width for each kind of something that is known of a token."""
    weight = table(f"{id}_embedding.weight", (rows, width), f"{id}_embedding")
    return Stage(id, label, Group.EMBEDDING, (T, width), (weight,))


def relative_positions() -> Stage:
    """What each head adds to a score for the distance (T5, section 2.1), in all layers alike."""
    label, inner = N_("Relative positions"), (H, T, T)
    return Stage("position", label, Group.EMBEDDING, (T, D), (position_biases(),), inner)


def position_biases() -> Tensor:
    """For each head one number per bucket of distances."""
    return table(
        "relative_positions.weight", (B, H), "position_embedding", N_("relative positions")
    )
