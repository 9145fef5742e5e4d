"""Norms in a few words: ``65 RMS norms, plus Q and K norms in 32 layers``."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size, product
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import NormKind
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.part_components import PlacedStages, labels_of, layers_with


def norms_in_words(model: Model, placed_stages: PlacedStages, placement: str = "") -> str:
    """``65 RMS norms``, ``65 RMS norms (before each block), plus Q and K norms in 32 layers``.

    Args:
        model: the model.
        placed_stages: stages of its norms.
        placement: places of the norms in a layer, in words; empty if they aren't shown.
    """
    in_attention = [placed for placed in placed_stages if _is_in_attention(placed)]
    others = [placed for placed in placed_stages if not _is_in_attention(placed)]
    text = _outside_attention(model, others)
    if placement:
        text = _("{part} ({details})", part=text, details=placement)
    if not in_attention:
        return text
    layers = layers_with(model, in_attention)
    return ngettext(
        "{norms}, plus {others} in {n} layer",
        "{norms}, plus {others} in {n} layers",
        layers,
        norms=text,
        others=labels_of(in_attention),
        n=layers,
    )


def _is_in_attention(placed: PlacedStage) -> bool:
    """True for norms of queries and keys, or of the latents from which they are projected."""
    return placed.stage.id.startswith(("qk_norm", "q_norm", "kv_norm"))


def _outside_attention(model: Model, placed_stages: PlacedStages) -> str:
    """``25 layer norms with biases``, ``65 RMS norms``, ``33 norms without weights``."""
    number = sum(model.architecture.count(_number_of_norms(placed)) for placed in placed_stages)
    roles = {tensor.role for placed in placed_stages for tensor in placed.stage.tensors}
    if Role.BIAS in roles:  # an RMS norm has a scale only
        text = ngettext(
            "{n} layer norm with a bias", "{n} layer norms with biases", number, n=number
        )
    elif roles:
        kinds = {placed.stage.norm for placed in placed_stages if placed.stage.norm}
        text = _norms_without_biases(number, kinds)
    else:
        text = ngettext("{n} norm without weights", "{n} norms without weights", number, n=number)
    if any(placed.stage.id.startswith("post_") for placed in placed_stages):
        return _("{norms} before and after each block", norms=text)
    return text


def _number_of_norms(placed: PlacedStage) -> Size:
    """Number of norms of a stage in all layers: a matrix of scales is one norm for each row."""
    rows = (product(*tensor.shape[:-1]) for tensor in placed.stage.tensors)
    return product(placed.layers, next(rows, ONE))


def _norms_without_biases(number: int, kinds: set[NormKind]) -> str:
    """``65 RMS norms``, ``65 layer norms without biases``; ``65 norms`` of several kinds."""
    if kinds == {NormKind.RMS}:
        return ngettext("{n} RMS norm", "{n} RMS norms", number, n=number)
    if kinds == {NormKind.LAYER}:
        return ngettext(
            "{n} layer norm without a bias", "{n} layer norms without biases", number, n=number
        )
    return ngettext("{n} norm", "{n} norms", number, n=number)
