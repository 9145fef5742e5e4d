"""Embeddings and the LM head."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture.parts.weights import linear, table, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_N, D_P, N_HC, V_P, V_T, W_N, B, D, H, L, P, T, V
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


_COMPONENT = "per_layer_embedding"
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Enough to tell every prime below 3·10²⁴ (Sorenson & Webster 2017)."""


def ngram_embeddings(rows: Size, head_dim: Size, before: Size) -> Block:
    """Tables of ``rows`` × ``head_dim``, a value of D for all streams and a key for each.

    Args:
        rows: of all tables of the layer together; see :func:`table_rows`.
        head_dim: what a table gives; those of all tables together are d_n numbers.
        before: how many tokens before it the convolution reaches back.
    """
    streams = N_HC * D
    weight = table("ngram_embedding.weight", (rows, head_dim), _COMPONENT)
    mixing = (
        *linear("ngram_key_proj", D_N, streams, _COMPONENT, label=N_("key")),
        *linear("ngram_value_proj", D_N, D, _COMPONENT, label=N_("value")),
        *(
            vector(
                f"ngram_{name}_norm.weight", streams, _COMPONENT, label=N_("{name} norm", name=name)
            )
            for name in (N_("key"), N_("query"), N_("conv"))
        ),
        Tensor("ngram_conv.weight", (streams, W_N), _COMPONENT, N_("convolution"), Role.FILTER),
    )
    return (
        Stage("ngrams", N_("N-gram embeddings"), Group.EMBEDDING, (T, D_N), (weight,)),
        Stage(
            "ngrams_mixing",
            N_("N-grams into streams"),
            Group.EMBEDDING,
            (T, streams),
            mixing,
            caches=((before, streams),),
        ),
    )


def table_rows(start: int, tables: int, multiple: int) -> Iterator[int]:
    """The rows of each layer's tables together.

    Every table of every layer has a prime number of rows of its own, in ascending order.

    Args:
        start: the least number of rows of a table.
        tables: how many a layer has.
        multiple: what a layer's sum is rounded up to a multiple of.
    """
    primes = filter(is_prime, count(start))
    while True:
        yield -(-sum(islice(primes, tables)) // multiple) * multiple


def is_prime(number: int) -> bool:
    """The Miller-Rabin test, certain for every size that a configuration may have."""
    if number < WITNESSES[-1] + 1:
        return number in WITNESSES
    if any(number % witness == 0 for witness in WITNESSES):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return not any(_is_witness(base, number, odd, twos) for base in WITNESSES)


def _is_witness(base: int, number: int, odd: int, twos: int) -> bool:
    """Whether the base shows that the number, 1 + odd · 2^twos, is no prime."""
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return False
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return False
    return True


def ngram_rows(layer: int, rows: int) -> Quantity:
    """The rows of the tables of a layer, as a symbol."""
    return Quantity(
        f"V_n{layer}", N_("rows of the n-gram tables of layer {number}", number=layer), rows
    )
